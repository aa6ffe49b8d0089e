"""A town of Agoran Mafia on the site, for tests: its people, and what they are."""

from typing import Any

from games.mafia.agora.rules.roles import Role
from tests.games.mafia.common.kit import AnyTownKit, town_of


class TownKit(AnyTownKit):
    game = "agora"

    def user_of(self, role: Role) -> Any:
        seat = next(citizen.no for citizen in self.play.living if citizen.role == role)
        return self.people[seat]


def town(seats: int = 5, **options: Any) -> TownKit:
    kit: TownKit = town_of(TownKit.game, seats, kind=TownKit, **options)
    return kit


def everybody_else_acts(kit: TownKit, *idle: int) -> None:
    """Play a night and a day without deaths, in which all except some seats act."""
    others = [user for no, user in enumerate(kit.people) if no not in idle]
    for user in others:
        kit.act(user, kind="done")
    kit.run_out()
    for no, user in enumerate(others):
        kit.act(user, kind="vote", choice=kit.people.index(others[no - 1]))
    kit.run_out()
