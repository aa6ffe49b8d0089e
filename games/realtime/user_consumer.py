"""The socket of a user's feed: it only sends, and only to its own user."""

from django.utils import timezone

from games.engine.facts import instant, iso
from games.matches.queries.attention import Affairs
from games.realtime import protocol
from games.realtime.protocol import Frame, Seen
from games.realtime.socket import Socket


class MeConsumer(Socket):
    """One page that shows its user's balance and the tables that wait for the user."""

    allows_guests = False
    allowance = "me"

    def __init__(self) -> None:
        super().__init__()
        self.revision = 0
        self._shown: Affairs | None = None

    def entered(self) -> None:
        if self.user_id is not None:
            self.runtime.user_feed.enter(self.user_id, self)

    def left(self) -> None:
        if self.user_id is not None:
            self.runtime.user_feed.leave(self.user_id, self)

    def show_affairs(self, affairs: Affairs) -> None:
        """Send the affairs if they differ from the last ones sent."""
        shown, self._shown = self._shown, affairs
        if shown is not None and _said(shown) == _said(affairs):
            return
        self.revision += 1
        balance, needs_you = _said(affairs)
        frame = {
            "type": "me",
            "revision": self.revision,
            "now": _now(),
            "balance": balance,
            "needs_you": needs_you,
        }
        self.tell(protocol.encode_view(frame).decode())

    def take(self, frame: Frame) -> None:
        if isinstance(frame, Seen):
            self.tell(protocol.now_frame(_now()))
        else:
            self.tell(protocol.refusal("bad_type", frame.id))


def _said(affairs: Affairs) -> tuple[int, list[dict[str, str]]]:
    return affairs.balance, affairs.needs_you


def _now() -> str:
    return iso(instant(timezone.now()))
