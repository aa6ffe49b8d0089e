"""The reads of the narrator: the facts after the last one told, and whole states. All facts are
read from the committed journal, in its order, so that no fact is repeated or lost, from any
process. Source: docs/reference/json-rpc.md "Notifications"; docs/explanation/durability.md R2.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import OperationalError

from games.matches.journal.snapshots import Snapshot
from games.matches.journal.story import SEATING, facts_after
from games.matches.models import Match
from games.matches.queries import selectors

log = logging.getLogger(__name__)

#: The fact that links to another match.
REMATCH: Final = "rematch_called"


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact and the seats that may hear it (None: everybody). ``data`` has the player's name or
    the next match's public id besides, if it needs one; ``sitter_id`` is the user who sat down by
    its entry.
    """

    entry_no: int
    phase: int
    kind: str
    data: Mapping[str, Any]
    audience: tuple[int, ...] | None
    sitter_id: int | None


@dataclass(slots=True)
class Position:
    """The position in a match's story up to which its programs have been sent. ``no`` is the entry
    of the last fact, None before the first state; ``sitters`` are the users on the seats then, who
    alone may hear what is told to their seats.
    """

    no: int | None = None
    phase: int = 0
    revision: int = 1
    sitters: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, snapshot: Snapshot) -> "Position":
        """Return the position of a state."""
        sitters = {seat: sitter.user_id for seat, sitter in snapshot.sitters.items()}
        return cls(snapshot.no, snapshot.match.phase, snapshot.state.options_revision, sitters)

    def note(self, fact: Fact) -> None:
        """Update the position by a fact."""
        self.phase = fact.phase
        if fact.kind == "configured":
            self.revision = fact.data["options_revision"]
        elif fact.kind in SEATING and fact.sitter_id is not None:
            self.sitters[fact.data["seat"]] = fact.sitter_id
        elif fact.kind == "stood":
            self.sitters.pop(fact.data["seat"], None)

    def seat_of(self, user_id: int | None) -> int | None:
        """Return the seat of a user, None for a user without one and for a guest."""
        return next((no for no, sitter in self.sitters.items() if sitter == user_id), None)


@dataclass(frozen=True, slots=True)
class Story:
    """The facts after those told before, their last entry, and the state, if requested."""

    facts: tuple[Fact, ...]
    no: int
    snapshot: Snapshot | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A request to read a match: the facts after entry ``no`` (None: none), and the state."""

    no: int | None
    wants_state: bool


def read_stories(questions: Mapping[int, Question]) -> dict[int, Story]:
    """Read the next part of the story of each match; a match whose read fails is left out. Raises
    OperationalError: the database cannot be read.
    """
    found = {}
    for match_id, asked in questions.items():
        try:
            found[match_id] = read_story(match_id, asked)
        except OperationalError:
            raise
        except Exception:
            log.exception("the story of match %d could not be read", match_id)
    return found


def read_story(match_id: int, asked: Question) -> Story:
    """Read the next part of a match's story; a state comes with exactly the facts that led to it.
    Raises LookupError: the match cannot be played here.
    """
    if asked.wants_state:
        snapshot = selectors.snapshots([match_id])[match_id]
        return Story(_facts(match_id, asked.no, snapshot.no), snapshot.no, snapshot)
    last: int = Match.objects.values_list("action_count", flat=True).get(pk=match_id)
    return Story(_facts(match_id, asked.no, last), last)


def _facts(match_id: int, no: int | None, last: int) -> tuple[Fact, ...]:
    """Return a match's facts after entry ``no`` up to entry ``last``, in order."""
    found = []
    for told in () if no is None else facts_after(match_id, no, last):
        data = dict(told.data)
        if told.kind in SEATING:
            data["name"] = told.name or ""
        elif told.kind == REMATCH:
            following = Match.objects.filter(predecessor=match_id)
            data["public_id"] = following.values_list("public_id", flat=True).first() or ""
        entry = told.entry
        found.append(Fact(entry.no, entry.phase, told.kind, data, told.audience, entry.sitter_id))
    return tuple(found)
