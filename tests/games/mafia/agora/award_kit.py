"""Towns that are won in a day, for the tests of awards."""

from datetime import datetime
from typing import Any

from django.utils import timezone

from economy.models import Setting
from games.mafia.agora.rules.roles import Role
from tests.games.mafia.agora.kit import TownKit
from tests.games.match_kit import new_user

#: The shortest phase of a rated game, in seconds.
RATED = 600


def set_number(name: str, value: int) -> None:
    Setting.objects.update_or_create(name=name, defaults={"value": value})


def people(count: int = 5) -> list[Any]:
    return [new_user(f"a{no}x") for no in range(count)]


def begun(
    who: list[Any],
    *,
    bots: int = 0,
    at: datetime | None = None,
    is_night: bool = False,
    **options: Any,
) -> TownKit:
    """Return a town, opened at a time, on its first day, nobody killed in the night."""
    options = {"seats": len(who) + bots, "phase_seconds": RATED, **options}
    age = 0.0 if at is None else (timezone.now() - at).total_seconds()
    kit = TownKit(*who, age=age, **options)
    kit.seat_everybody(0)
    for _ in range(bots):
        kit.act(who[0], kind="add_bot")
    for user in who:
        kit.act(user, kind="ready", configuration=kit.row_revision)
    kit.pass_time(5)
    if not is_night:
        kit.run_out()
    assert kit.view()["game"]["stage"] == ("night" if is_night else "day")
    return kit


def mafioso_of(kit: TownKit) -> int:
    return next(citizen.no for citizen in kit.play.citizens if citizen.role == Role.MAFIOSO)


def vote_out(kit: TownKit, voters: list[Any] | None = None) -> None:
    mafioso = mafioso_of(kit)
    needed = kit.view()["game"]["needed"]
    for user in (voters or kit.people)[:needed]:
        kit.act(user, kind="vote", choice=mafioso)
    assert kit.row.status == "over"


def won(who: list[Any], **how: Any) -> TownKit:
    """Return a town that the town has won on its first day; of five, each earns 15 + 15i."""
    kit = begun(who, **how)
    vote_out(kit)
    return kit
