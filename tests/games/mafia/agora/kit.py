"""A town of Agoran Mafia on the site, for tests: its people, and what they are."""

from typing import Any

from allauth.account.models import EmailAddress

from accounts.models import Reminders, User
from games.mafia.agora.rules.roles import Role
from tests.games.mafia.common.kit import AnyTownKit, town_of

DAY = 86_400


class TownKit(AnyTownKit):
    game = "agora"

    def user_of(self, role: Role) -> Any:
        seat = next(citizen.no for citizen in self.play.living if citizen.role == role)
        return self.people[seat]

    def lynch_the_mafioso(self) -> None:
        """Vote out the first mafioso by day: in a town of five its town has won."""
        while self.play.stage == "night":
            self.run_out()
        target = self.seat(self.user_of(Role.MAFIOSO))
        for user in self.alive:
            if self.row.is_live and self.play.stage == "day":
                self.act(user, kind="vote", choice=target)


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


def slow_town(seats: int = 5, phase_seconds: int = DAY, **options: Any) -> TownKit:
    """Return a town in its first night in which everybody can be written to."""
    kit = town(seats, phase_seconds=phase_seconds, **options)
    for user in kit.people:
        confirm(user)
    return kit


def confirm(user: Any) -> None:
    EmailAddress.objects.create(
        user=user, email=f"{user.username}@example.org", verified=True, primary=True
    )


def choose(user: Any, wanted: Reminders) -> None:
    User.objects.filter(pk=user.pk).update(reminders=wanted)


def addresses(mails: list[Any]) -> list[str]:
    return sorted(mail.to[0].partition("@")[0] for mail in mails)
