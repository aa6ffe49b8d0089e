"""What the socket of a duel tells: the public facts after the last one told, and whole states.

Everything is read from the committed log, in its order, so that nothing is told twice or left out,
whichever process wrote it.

Source: docs/json-rpc.md "Notifications"; docs/durability.md R2.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import OperationalError

from games.models import Match, MatchAction, MatchEvent, Seat
from games.reading import selectors
from games.reading.snapshots import Snapshot

log = logging.getLogger(__name__)

#: While a match moves on under the reader's eyes, its seats and its state are read again.
TRIES = 5


@dataclass(frozen=True, slots=True)
class Fact:
    """A public fact; ``name`` is whom it is about or where it leads, when the fact needs one."""

    seq: int
    public_no: int
    action_no: int
    phase: int
    kind: str
    data: Mapping[str, Any]
    name: str | None = None


@dataclass(slots=True)
class Told:
    """What the sockets at a match have been told: what their next calls are made for."""

    phase: int = 0
    revision: int = 1
    taken: set[int] = field(default_factory=set)

    @property
    def free_seat(self) -> int:
        """The first free seat; 0 when there is none, which is then refused as taken."""
        return next((no for no in (0, 1) if no not in self.taken), 0)

    def note(self, fact: Fact) -> None:
        """Take a fact into account."""
        self.phase = fact.phase
        if fact.kind == "configured":
            self.revision = fact.data["options_revision"]
        elif fact.kind == "sat":
            self.taken.add(fact.data["seat"])
        elif fact.kind == "stood":
            self.taken.discard(fact.data["seat"])


@dataclass(frozen=True, slots=True)
class Story:
    """The facts after those told before, and, where it was asked for, the state after them."""

    facts: tuple[Fact, ...] = ()
    snapshot: Snapshot | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What to read of a match: facts after ``seq`` (None: none), and the state with them."""

    seq: int | None
    wants_state: bool


def read_stories(questions: Mapping[int, Question]) -> dict[int, Story]:
    """Read the next part of the story of each of these matches; what fails is left out.

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
    """Read the next part of a match's story; with a state, exactly the facts that led to it.

    Raises:
        TimeoutError: the match moved on every time while its state was read.
    """
    if not asked.wants_state:
        return Story() if asked.seq is None else Story(facts_after(match_id, asked.seq))
    for _ in range(TRIES):
        snapshot = selectors.snapshots([match_id])[match_id]
        facts = () if asked.seq is None else facts_after(match_id, asked.seq)
        if Match.objects.filter(pk=match_id, seq=snapshot.seq).exists():
            return Story(facts, snapshot)
    raise TimeoutError(f"match {match_id} does not stand still")


def facts_after(match_id: int, seq: int) -> tuple[Fact, ...]:
    """Return a match's public facts after a number of the log, in order."""
    rows = MatchEvent.objects.filter(match_id=match_id, seq__gt=seq, audience=None)
    events = list(rows.order_by("seq"))
    names = _names(match_id, events)
    return tuple(
        Fact(
            event.seq,
            event.public_no or 0,
            event.action_no,
            event.phase,
            event.kind,
            json.loads(event.data),
            names.get(event.seq),
        )
        for event in events
    )


def _names(match_id: int, events: Iterable[MatchEvent]) -> dict[int, str]:
    """Return who sat down, and where a rematch is, by the number of the fact."""
    found: dict[int, str] = {}
    sat = {event.action_no: event for event in events if event.kind == "sat"}
    if sat:
        actions = MatchAction.objects.filter(match_id=match_id, no__in=sat, actor__isnull=False)
        for no, name in actions.values_list("no", "actor__username"):
            found[sat[no].seq] = name
        _add_bots(match_id, sat.values(), found)
    called = [event.seq for event in events if event.kind == "rematch_called"]
    if called:
        following = Match.objects.filter(predecessor=match_id).values_list("public_id", flat=True)
        found |= dict.fromkeys(called, following.first() or "")
    return found


def _add_bots(match_id: int, sat: Iterable[MatchEvent], found: dict[int, str]) -> None:
    """A bot was seated by whoever asked for it: its own name stands on the seat."""
    bots = {
        event.seq: data["seat"]
        for event in sat
        if (data := json.loads(event.data))["bot"]
    }  # fmt: skip
    if bots:
        rows = Seat.objects.filter(match_id=match_id, user__is_bot=True)
        names = dict(rows.values_list("no", "user__username"))
        found |= {seq: names.get(seat, "") for seq, seat in bots.items()}
