"""Towns whose people can be written to, for the tests of mails."""

from typing import Any

from allauth.account.models import EmailAddress

from accounts.models import Reminders, User
from tests.games.mafia.agora.kit import TownKit, town

DAY: int = 86_400


def slow_town(seats: int = 5, phase_seconds: int = DAY) -> TownKit:
    """Return a town in its first night in which everybody can be written to."""
    kit = town(seats, phase_seconds=phase_seconds)
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
