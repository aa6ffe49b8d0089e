"""What is done at a match and by whom, as its journal says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from accounts.models import User
from games.engine.facts import SeatNo
from games.engine.structs import canonical
from games.matches.processing.submissions import Submission


@dataclass(frozen=True, slots=True)
class AcceptedAction:
    """An action that was accepted: by a seat, or by the house, which has none.

    ``submission`` is what asked for it; nothing did where the house acts by itself.  ``sitter`` is
    who sits down with it.
    """

    action: Mapping[str, Any]
    submission: Submission | None = None
    seat: SeatNo | None = None
    sitter: User | None = None

    @property
    def actor_id(self) -> int | None:
        """Who asked for it."""
        return None if self.submission is None else self.submission.actor_id

    @property
    def text(self) -> str:
        """The action as canonical text."""
        if self.submission is not None and self.submission.action is self.action:
            return self.submission.text
        return canonical(self.action)

    @property
    def asked(self) -> str | None:
        """What was asked for, where that is something else."""
        if self.submission is None or self.submission.asked == self.text:
            return None
        return self.submission.asked

    @property
    def may_play_again_alone(self) -> bool:
        """Whether it is a move of the game, or its clock: the house's other deeds are more."""
        return self.seat is not None or self.action.get("kind") == "deadline"
