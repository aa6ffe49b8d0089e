from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.models import User
from games.matches.models import Match, Seat
from games.matches.queries.losses import Losses, losses_of
from games.moderation.fair_play import note_losses
from tests.games.match_kit import MatchKit, new_user

__all__ = ["TableKit", "finished", "new_user", "running_table"]


class TableKit(MatchKit):
    """One table of Showdown, its people, and a clock that only moves when told to."""

    game = "showdown"

    def on_turn(self) -> User:
        snapshot = self.snapshot
        return next(
            user for user in self.people if snapshot.seat_of(user.pk) == snapshot.state.play.turn
        )

    def call_all(self) -> None:
        while self.view()["game"]["stage"] == "betting":
            self.act(self.on_turn(), kind="call")


def running_table(purse: int = 50, **options: Any) -> TableKit:
    kit = TableKit(new_user(), new_user(), **options)
    kit.start(purse)
    return kit


def finished(nets: dict[User, int], ended_ago: float = 0, status: str = "over") -> Match:
    """Store a game that ended with these nets, in points, which do not move."""
    people = list(nets)
    kit = TableKit(*people, seats=max(2, len(people)))
    for seat, user in enumerate(people):
        Seat.objects.create(match=kit.match, no=seat, user=user, net=nets[user], seen_at=kit.now)
    ended_at = timezone.now() - timedelta(seconds=ended_ago)
    Match.objects.filter(pk=kit.match.pk).update(
        status=status, ended_at=ended_at, started_at=ended_at, due_at=None, wake_at=None
    )
    if status == "over":
        losses = losses_of((user.pk, net) for user, net in nets.items())
        bots = {user.pk for user in people if user.is_bot}
        note_losses(Losses({pair: lost for pair, lost in losses.items() if not bots & {*pair}}))
    return kit.row
