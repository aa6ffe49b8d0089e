"""The reads of the narrator: public facts after the last one told, and whole states.

All facts are read from the committed journal, in its order, so that no fact is repeated or lost,
whichever process wrote it.
Source: docs/json-rpc.md "Notifications"; docs/durability.md R2.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import OperationalError

from games.matches.journal.story import facts_after
from games.matches.models import Match
from games.matches.queries import selectors
from games.matches.queries.snapshots import Snapshot

log = logging.getLogger(__name__)

#: The fact that links to another match.
REMATCH = "rematch_called"


@dataclass(frozen=True, slots=True)
class Fact:
    """A public fact; ``name`` is its player's name or the next match's id, if it needs one."""

    public_no: int
    entry_no: int
    phase: int
    kind: str
    data: Mapping[str, Any]
    name: str | None = None


@dataclass(slots=True)
class Told:
    """The position of the sockets at a match; their next calls refer to it."""

    phase: int = 0
    revision: int = 1

    def note(self, fact: Fact) -> None:
        """Update the position by a fact."""
        self.phase = fact.phase
        if fact.kind == "configured":
            self.revision = fact.data["options_revision"]


@dataclass(frozen=True, slots=True)
class Story:
    """The facts after those told before, their last entry, and the state, if requested."""

    facts: tuple[Fact, ...] = ()
    no: int | None = None
    snapshot: Snapshot | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A request to read a match: the facts after entry ``no`` (None: none), and the state."""

    no: int | None
    wants_state: bool


def read_stories(questions: Mapping[int, Question]) -> dict[int, Story]:
    """Read the next part of the story of each match; a match whose read fails is left out.

    Raises:
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

    Raises:
        LookupError: the match cannot be played here.
    """
    if asked.wants_state:
        snapshot = selectors.snapshots([match_id])[match_id]
        return Story(_facts(match_id, asked.no, snapshot.no), snapshot.no, snapshot)
    last: int = Match.objects.values_list("action_count", flat=True).get(pk=match_id)
    return Story(_facts(match_id, asked.no, last), last)


def _facts(match_id: int, no: int | None, last: int) -> tuple[Fact, ...]:
    """Return a match's public facts after entry ``no`` up to entry ``last``, in order."""
    if no is None:
        return ()
    told = [fact for fact in facts_after(match_id, no, last) if fact.number is not None]
    following = _following(match_id) if any(f.kind == REMATCH for f in told) else None
    return tuple(
        Fact(
            fact.number or 0,
            fact.entry.no,
            fact.entry.phase,
            fact.kind,
            fact.data,
            following if fact.kind == REMATCH else fact.name,
        )
        for fact in told
    )


def _following(match_id: int) -> str:
    """Return the public id of the next game at a table."""
    found = Match.objects.filter(predecessor=match_id).values_list("public_id", flat=True)
    return found.first() or ""
