"""The arena's part of a user's data: the export, and the deletion of the account."""

from collections.abc import Iterator, Mapping
from typing import Any

from accounts.models import User
from games.arena.models import Choice, DayFigures, Fight, Player, SeasonFigures
from games.own_data.personal_data import paged


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
        yield {
            "season": season.began_at,
            "score": season.score,
            "round_wins": season.round_wins,
        }
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
