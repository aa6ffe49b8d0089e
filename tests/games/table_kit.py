"""A table of Showdown for tests."""

from typing import Any

from accounts.models import User
from tests.games.match_kit import MatchKit, new_user

__all__ = ["TableKit", "new_user", "running_table"]


class TableKit(MatchKit):
    """One table of Showdown, its people, and a clock that only moves when told to."""

    game = "showdown"

    def on_turn(self) -> User:
        """The user whose turn it is to bet."""
        snapshot = self.snapshot
        return next(
            user for user in self.people if snapshot.seat_of(user.pk) == snapshot.state.play.turn
        )

    def call_all(self) -> None:
        """Call with all seats until the betting is over."""
        while self.view()["game"]["stage"] == "betting":
            self.act(self.on_turn(), kind="call")


def running_table(**options: Any) -> TableKit:
    """Return a table of two new users in its first betting turn."""
    kit = TableKit(new_user(), new_user(), **options)
    kit.start()
    return kit
