"""Stored data of the arena's players: export, deletion, and the end of old rounds."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from economy.selectors import setting
from games.arena.models import Choice, DayFigures, Fight, Grant, Player, Round, SeasonFigures
from games.own_data.personal_data import OwnData, paged


def rows_of(user: User) -> Iterator[Mapping[str, Any]]:
    """Yield a user's figures, days and stored rounds; not the choice of the round in progress."""
    for player in Player.objects.filter(user=user):
        yield {
            "rounds_to": player.round_no,
            "wins": player.wins,
            "losses": player.losses,
            "ties": player.ties,
            "score": player.score,
            "best_streak": player.best_streak,
        }
    for day in paged(DayFigures.objects.filter(user=user)):
        yield {"day": day.day, "score": day.score, "best_streak": day.best_streak}
    for season in paged(SeasonFigures.objects.filter(user=user)):
        yield {"season": season.began_at, "score": season.score, "round_wins": season.round_wins}
    for fight in paged(Fight.objects.filter(user=user)):
        yield {
            "round": fight.round_no,
            "move": fight.move,
            "result": fight.result,
            "score_delta": fight.score_delta,
        }


def reason_to_stay(user: User) -> str:
    """Return why a user who is in the arena cannot be deleted, else ""."""
    is_in = Player.objects.filter(user=user, is_in=True).exists()
    return "You are in the arena. Leave it first." if is_in else ""


def blank(user: User) -> None:
    """Forget a user's own choices; results of rounds stay, since others count on them."""
    Choice.objects.filter(user=user).delete()
    Player.objects.filter(user=user).update(preferences="{}")


OWN_DATA: Final = OwnData("arena", rows_of, reason_to_stay, blank)


#: Rounds deleted by one sweep: with a sweep every five seconds, more than are played.
ROUNDS: Final = 3


def forget_old_rounds(at: datetime | None = None) -> int:
    """Delete players' parts and grants of rounds that ended ``arena.days_kept`` days ago; their
    options, counts and seed remain. Return the number of rounds.
    """
    limit = (at or timezone.now()) - timedelta(days=setting("arena.days_kept"))
    old = Round.objects.filter(is_full=True, resolved_at__lt=limit).order_by("resolved_at")
    numbers = list(old.values_list("no", flat=True)[:ROUNDS])
    if numbers:
        with transaction.atomic():
            Fight.objects.filter(round_no__in=numbers).delete()
            Grant.objects.filter(round_no__in=numbers).delete()
            Round.objects.filter(no__in=numbers).update(is_full=False, choices="")
            Round.objects.filter(no__in=numbers, parts__isnull=False).update(candidates="")
    return len(numbers)
