"""Judging one action: the clock acts first, then the action, then all that the house does after it.

Source: docs/concurrency.md "A batch".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from economy.ledger import Plan
from games.engine.errors import NotInPhase, StaleAction
from games.engine.facts import Step
from games.engine.table import RUNNING, TableState
from games.engine.table.actions import SEATING_KINDS
from games.matches.processing import outage, settlement
from games.matches.processing.accepted_action import Deed
from games.matches.processing.consequences import CONSEQUENCES
from games.matches.processing.locked_match import Desk
from games.matches.processing.participants import Guests
from games.matches.processing.seat_holds import consents
from games.matches.processing.submissions import REFUSALS, Submission

DEADLINE = {"kind": "deadline"}


class Judge:
    """Judges the actions of one batch against its plan and its guests."""

    def __init__(self, plan: Plan, guests: Guests) -> None:
        self.plan = plan
        self.guests = guests

    def judge(self, desk: Desk, submission: Submission) -> None:
        """Let the clock act first, then the action; a refused one leaves nothing behind.

        Raises:
            IllegalAction: late, or against the rules.
            LedgerError: it cannot be paid for.
        """
        kind, actor_id = submission.action.get("kind"), submission.actor_id
        if desk.is_overdue and desk.match.stalled_at is None and not submission.is_clockwork:
            self.by_house(desk, DEADLINE)
        if desk.match.stalled_at is not None and desk.is_played_by(actor_id):
            # Who acts is back, even before the heartbeat has seen the socket.
            self.by_house(desk, outage.resumption(desk.now))
        if actor_id is None:
            if kind != "deadline":
                self.by_house(desk, submission.action, submission)
            return
        if submission.phase is not None and submission.phase != desk.match.phase:
            raise StaleAction("the table has moved on", phase=desk.match.phase)
        if kind == "add_bot":
            self._by_bot(desk, submission)
            return
        action = self.guests.check(desk, submission, self.plan)
        self._by_person(desk, action, submission)
        if kind == "rematch":
            self.guests.open_next(desk, submission, self.plan)

    def by_house(
        self, desk: Desk, action: Mapping[str, Any], submission: Submission | None = None
    ) -> None:
        """Do something in the house's name."""
        kind = action["kind"]
        if kind in ("stall", "resume"):
            if desk.state.stage != RUNNING or (kind == "resume") != bool(desk.match.stalled_at):
                raise NotInPhase("the clock runs already, or stands already")
            desk.match.stalled_at = desk.now if kind == "stall" else None
        if kind == "void":
            desk.match.void_reason = action["reason"]
        given = {**action, "seed": desk.match.seed} if kind == "start" else action
        self._accept(
            desk,
            Deed(action, submission),
            lambda: desk.table.apply_house(desk.state, given, desk.at),
        )

    def _by_person(self, desk: Desk, action: Mapping[str, Any], submission: Submission) -> None:
        actor_id = submission.actor_id or 0
        seat, sitter = desk.seat_of(actor_id), None
        if action.get("kind") in SEATING_KINDS:
            sitter = self.guests.users[actor_id]
        begins = consents(desk, submission)
        self._accept(
            desk,
            Deed(action, submission, seat, sitter),
            lambda: desk.table.apply(desk.state, seat, action, desk.at),
        )
        if begins:
            self.guests.note_sitting(actor_id)

    def _by_bot(self, desk: Desk, submission: Submission) -> None:
        """Seat a bot that somebody asked for."""
        bot, action = self.guests.seat_for_bot(desk, submission)

        def make() -> Step[TableState]:
            step = desk.table.apply_house(desk.state, action, desk.at)
            self.guests.fund_bot(desk, bot, action["purse"], self.plan)
            return step

        self._accept(desk, Deed(action, submission, sitter=bot), make)

    def _accept(self, desk: Desk, deed: Deed, make: Callable[[], Step[TableState]]) -> None:
        """Make the step, plan its transfers, keep it, and do all that follows from it."""
        mark = self.plan.mark()
        try:
            step = make()
            self._move_points(desk, step)
        except REFUSALS:
            self.plan.rewind(mark)
            raise
        desk.keep(step, deed)
        for consequence in CONSEQUENCES:
            if consequence(self, desk, step.events):
                return

    def _move_points(self, desk: Desk, step: Step[TableState]) -> None:
        match_id = desk.match.pk
        group = f"match:{match_id}/{desk.match.action_count + 1}"
        if step.state.is_finished:
            group = settlement.close_group(match_id)
        for move in settlement.moves_of(desk.match, desk.users, step.events, group=group):
            self.plan.move(move)
