"""One practice table: the rules of a table and its game for one person and some bots.

The table is not stored and moves nothing in the ledger: chips and practice stock are numbers of
this object.  The clock stops while the person has a decision to make, so no deadline ever folds
for a beginner; bots take their usual time.

Source: docs/practice.md.
"""

from __future__ import annotations

import hashlib
import random
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from economy.errors import LedgerError
from games.contract import Bot, Lesson, Practice, TableGame
from games.engine.errors import IllegalAction, NotInPhase, StaleAction
from games.engine.facts import Instant, SeatNo, Step, Told
from games.engine.structs import canonical
from games.engine.table import OPEN, RUNNING, Table, TableState
from games.engine.table.purses import offered_purse
from games.matches.journal.lines import Line, line_of, newest
from games.matches.processing.submissions import ActionConflict
from games.practice import frames
from games.practice.chips import CHIPS, Chips, full_stock, in_chips

#: The person's seat.
PERSON: Final = SeatNo(0)
#: The action ids kept to detect a repeated action.
REMEMBERED: Final = 64
#: The most deadlines that one tick fires.
MOST_STEPS: Final = 100

#: The table's own actions that are refused: a practice table is set up in advance.
_TABLES_OWN: Final = frozenset({"sit", "stand", "configure", "unready", "add_bot", "remove_bot"})


@dataclass(frozen=True, slots=True)
class Plan:
    """A game with complete options; a lesson makes it the same each time."""

    game: TableGame
    options: Any
    lesson: Lesson | None = None


class PracticeTable:
    """A table for one game; every ``now`` is passed in, in milliseconds.

    Args:
        person: the person's name in views.
        chips: the person's chips and weapons from an earlier game here.
    """

    def __init__(self, plan: Plan, person: str, now: Instant, chips: Chips | None = None) -> None:
        game, lesson = plan.game, plan.lesson
        self.plan = plan
        self.game = game
        self.bots = (lesson or practice_of(game)).bots
        self.table = Table(game.newest)
        self.person = person
        self.chips = chips or Chips(stock=full_stock(practice_of(game).stock))
        self.public_id = f"practice-{secrets.token_urlsafe(9)}"
        self.seed = lesson.seed if lesson else secrets.token_hex(32)
        self.lines: list[Line] = []
        self.number = 0
        self.bot_at: Instant | None = None
        self._bot: Bot = lesson.bot if lesson else game.bot
        self._chance = random.Random(lesson.seed) if lesson else random.SystemRandom()
        self._used: dict[str, str] = {}
        self._now, self._at = now, now
        self.state: TableState = self.table.open(plan.options, now)
        self._seat_everybody()

    # Queries ----------------------------------------------------------------------------

    @property
    def names(self) -> dict[int, str]:
        """The names at the taken seats."""
        bots = dict(enumerate(self.bots, PERSON + 1))
        everybody = {PERSON: self.person, **bots}
        return {int(seat.no): everybody[seat.no] for seat in self.state.taken}

    @property
    def phase(self) -> int:
        """The public counter of turns and rounds."""
        return self.table.phase(self.state)

    @property
    def is_waiting(self) -> bool:
        """Whether the game waits for the person: the clock is stopped then."""
        if self.state.stage != RUNNING:
            return False
        return PERSON in self.table.rules.pending_seats(self.state.play)

    @property
    def wake_at(self) -> Instant | None:
        """The wall-clock time of the next deadline or bot action; None for never."""
        due_at = None if self.is_waiting else self.table.deadline(self.state)
        wall = None if due_at is None else Instant(due_at + self._now - self._at)
        return min((at for at in (wall, self.bot_at) if at is not None), default=None)

    def view(self, seat: int | None = PERSON) -> dict[str, Any]:
        """Build a seat's view, as at every table."""
        return frames.view_of(self, seat)

    # Actions ----------------------------------------------------------------------------

    def start(self, now: Instant) -> None:
        """Begin the game, once for each table."""
        self._pass_time(now)
        if self.state.stage == OPEN and not self.state.seats[PERSON].ready:
            configuration = self.state.options_revision
            self._person({"kind": "ready", "configuration": configuration})

    def act(
        self, action: Mapping[str, Any], action_id: str, phase: int | None, now: Instant
    ) -> bool:
        """Apply the person's action; return whether it is a repeat of an earlier one.

        Raises:
            IllegalAction, LedgerError: the action is refused and has changed nothing.
        """
        done = hashlib.sha256(canonical(dict(action)).encode()).hexdigest()
        if action_id in self._used:
            if self._used[action_id] != done:
                raise ActionConflict("this id was used for another action")
            return True
        self.tick(now)
        if phase is not None and phase != self.phase:
            raise StaleAction("the table has moved on", phase=self.phase)
        self._require_open_here(action.get("kind"))
        self._person(action)
        self._used[action_id] = done
        while len(self._used) > REMEMBERED:
            del self._used[next(iter(self._used))]
        return False

    def tick(self, now: Instant) -> bool:
        """Fire due deadlines and bots; return whether a public fact was added."""
        self._pass_time(now)
        number = self.number
        for _ in range(MOST_STEPS):
            due_at = None if self.is_waiting else self.table.deadline(self.state)
            if due_at is None or due_at > self._at:
                break
            self._keep(self.table.on_deadline(self.state, self._at))
        if self.bot_at is not None and self.bot_at <= now:
            self.bot_at = None
            self._let_bots_act()
        return self.number != number

    def stand_still(self, now: Instant) -> None:
        """Skip the time until ``now``: the table had no sockets."""
        if self.bot_at is not None:
            self.bot_at = Instant(self.bot_at + now - self._now)
        self._now = max(self._now, now)

    def next(self, now: Instant) -> PracticeTable:
        """Return a table for the next game, with the person's remaining chips and weapons."""
        options = self.table.next_options(self.state)
        return PracticeTable(replace(self.plan, options=options), self.person, now, self.chips)

    # Steps ------------------------------------------------------------------------------

    def _pass_time(self, now: Instant) -> None:
        passed = max(0, now - self._now)
        if not self.is_waiting:
            self._at = Instant(self._at + passed)
        self._now = Instant(self._now + passed)

    def _seat_everybody(self) -> None:
        least, most = self.table.rules.purse_limits(self.state.options)
        if self.chips.chips < max(least, 1):
            self.chips.chips = CHIPS
        purse = offered_purse((least, most), self.chips.chips)
        sit = {"kind": "sit", "seat": PERSON, "purse": purse}
        self._keep(self.table.apply(self.state, None, sit, self._at))
        for no, _ in enumerate(self.bots, PERSON + 1):
            action = {"kind": "sit_bot", "seat": no, "purse": purse}
            self._keep(self.table.apply_house(self.state, action, self._at))

    def _require_open_here(self, kind: object) -> None:
        if kind in _TABLES_OWN:
            raise NotInPhase("at a practice table all of that is arranged")

    def _person(self, action: Mapping[str, Any]) -> None:
        self._keep(self.table.apply(self.state, PERSON, action, self._at))

    def _keep(self, step: Step[TableState]) -> None:
        """Accept a step; then begin a starting game, or pay out a finished one."""
        self.chips = self.chips.after(self.game.moves, step.events, PERSON)
        was_over = self.state.is_finished
        self.state = step.state
        for told in step.events:
            self._tell(told)
        if self.state.starting:
            self._begin()
        elif self.state.is_finished and not was_over:
            self._pay_out()
        self._wake_bots()

    def _begin(self) -> None:
        self.chips.chips -= self.state.seats[PERSON].purse
        action = {"kind": "start", "seed": self.seed}
        self._keep(self.table.apply_house(self.state, action, self._at))

    def _pay_out(self) -> None:
        if self.state.play is None:
            return
        outcome = self.table.rules.outcome(self.state.play)
        net = outcome[PERSON].net if PERSON in outcome else 0
        self.chips.chips += self.state.seats[PERSON].purse + net

    def _tell(self, told: Told) -> None:
        if told.audience is not None:
            return
        self.number += 1
        text = self.game.speech.tell(told.kind, told.data, self.names)
        if text:
            text = in_chips(text)
            self.lines = newest([*self.lines, line_of(self.number, self.phase, told.kind, text)])

    def _wake_bots(self) -> None:
        """Set the time at which the next bot acts."""
        play = self.state.play
        if self.state.stage != RUNNING:
            self.bot_at = None
            return
        pending = (no for no in self.table.rules.pending_seats(play) if no != PERSON)
        deciding = next((no for no in pending if self._bot.has_decision(play, no)), None)
        if deciding is None:
            self.bot_at = None
        elif self.bot_at is None:
            thinking = self._bot.think_milliseconds(play, deciding, self._chance)
            self.bot_at = Instant(self._now + thinking)

    def _let_bots_act(self) -> None:
        for seat in self.table.rules.pending_seats(self.state.play):
            if seat == PERSON or self.state.stage != RUNNING:
                continue
            if seat not in self.table.rules.pending_seats(self.state.play):
                continue
            for action in self._bot.choose(self.view(seat), self._chance):
                try:
                    self._keep(self.table.apply(self.state, seat, action, self._at))
                except (IllegalAction, LedgerError):
                    break
        self._wake_bots()


def practice_of(game: TableGame) -> Practice:
    """Return a game's practice; raises KeyError if it has none."""
    if game.practice is None:
        raise KeyError(game.slug)
    return game.practice
