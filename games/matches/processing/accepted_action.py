"""An accepted action with its author, as the journal stores it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from accounts.models import User
from games.engine.facts import SeatNo
from games.engine.structs import canonical
from games.matches.processing.submissions import Submission


@dataclass(frozen=True, slots=True)
class AcceptedAction:
    """An accepted action of a seat, or of the house, which has no seat.

    ``submission`` is the request, None where the house acts by itself.  ``sitter`` is the user who
    sits down by the action.
    """

    action: Mapping[str, Any]
    submission: Submission | None = None
    seat: SeatNo | None = None
    sitter: User | None = None

    @property
    def actor_id(self) -> int | None:
        """The user who submitted it, None for the house."""
        return None if self.submission is None else self.submission.actor_id

    @property
    def text(self) -> str:
        """The action as canonical text."""
        if self.submission is not None and self.submission.action is self.action:
            return self.submission.text
        return canonical(self.action)

    @property
    def asked(self) -> str | None:
        """The requested text where it differs from the action's, else None."""
        if self.submission is None or self.submission.asked == self.text:
            return None
        return self.submission.asked

    @property
    def may_play_again_alone(self) -> bool:
        """Whether the game alone can replay it: an action of a seat, or a deadline."""
        return self.seat is not None or self.action.get("kind") == "deadline"
