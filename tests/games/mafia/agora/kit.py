"""A town of Agoran Mafia on the site, for tests: its people, and what they are."""

from typing import Any

from games.mafia.agora.rules.roles import Role
from tests.games.mafia.common.kit import AnyTownKit, want_substitutes
from tests.games.match_kit import new_user
from tests.remembered import remembered


class TownKit(AnyTownKit):
    """A town with its people, in the order of their seats."""

    game = "agora"

    def user_of(self, role: Role) -> Any:
        """Return somebody who lives and is this."""
        seat = next(citizen.no for citizen in self.play.living if citizen.role == role)
        return self.people[seat]


@remembered
def town(seats: int = 5, *, substitutes: bool = False, **options: Any) -> TownKit:
    """Return a town in its first night; with substitutes, as contests set it."""
    kit = TownKit(*(new_user(f"t{no}x") for no in range(seats)), seats=seats, **options)
    if substitutes:
        want_substitutes(kit.match)
    kit.start(purse=0)
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
