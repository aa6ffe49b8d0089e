"""Judging of one action: first the deadline, then the action, then the house's consequences.

Source: docs/concurrency.md "A batch".
"""

from collections.abc import Callable, Mapping
from typing import Any

from economy.ledger import Plan
from games.engine.errors import NotInPhase, StaleAction
from games.engine.facts import Step
from games.engine.table import RUNNING, TableState
from games.engine.table.actions import SEATING_KINDS
from games.matches.processing import outage, settlement
from games.matches.processing.accepted_action import AcceptedAction
from games.matches.processing.consequences import CONSEQUENCES
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.participants import Participants
from games.matches.processing.seat_holds import consents
from games.matches.processing.submissions import REFUSALS, Submission

DEADLINE = {"kind": "deadline"}


class Judge:
    """Judges the actions of one batch with its plan and participants."""

    def __init__(self, plan: Plan, participants: Participants) -> None:
        self.plan = plan
        self.participants = participants

    def judge(self, locked: LockedMatch, submission: Submission) -> None:
        """Fire a passed deadline, then apply the action; a refused action changes nothing.

        Raises:
            IllegalAction: late, or against the rules.
            LedgerError: it cannot be paid for.
        """
        kind, actor_id = submission.action.get("kind"), submission.actor_id
        if locked.is_overdue and locked.match.stalled_at is None and not submission.is_clockwork:
            self.by_house(locked, DEADLINE)
        if locked.match.stalled_at is not None and locked.is_played_by(actor_id):
            # A player who acts is back, even before the heartbeat has seen the socket.
            self.by_house(locked, outage.resumption(locked.now))
        if actor_id is None:
            if kind != "deadline":
                self.by_house(locked, submission.action, submission)
            return
        if submission.phase is not None and submission.phase != locked.match.phase:
            raise StaleAction("the table has moved on", phase=locked.match.phase)
        if kind == "add_bot":
            self._by_bot(locked, submission)
            return
        action = self.participants.check(locked, submission, self.plan)
        self._by_person(locked, action, submission)
        if kind == "rematch":
            self.participants.open_next(locked, submission, self.plan)

    def by_house(
        self, locked: LockedMatch, action: Mapping[str, Any], submission: Submission | None = None
    ) -> None:
        """Apply an action of the house."""
        kind = action["kind"]
        if kind in ("stall", "resume"):
            if locked.state.stage != RUNNING or (kind == "resume") != bool(locked.match.stalled_at):
                raise NotInPhase("the clock runs already, or stands already")
            locked.match.stalled_at = locked.now if kind == "stall" else None
        if kind == "void":
            locked.match.void_reason = action["reason"]
        given = {**action, "seed": locked.match.seed} if kind == "start" else action
        self._accept(
            locked,
            AcceptedAction(action, submission),
            lambda: locked.table.apply_house(locked.state, given, locked.at),
        )

    def _by_person(
        self, locked: LockedMatch, action: Mapping[str, Any], submission: Submission
    ) -> None:
        actor_id = submission.actor_id or 0
        seat, sitter = locked.seat_of(actor_id), None
        if action.get("kind") in SEATING_KINDS:
            sitter = self.participants.users[actor_id]
        begins = consents(locked, submission)
        self._accept(
            locked,
            AcceptedAction(action, submission, seat, sitter),
            lambda: locked.table.apply(locked.state, seat, action, locked.at),
        )
        if begins:
            self.participants.note_sitting(actor_id)

    def _by_bot(self, locked: LockedMatch, submission: Submission) -> None:
        """Seat a bot that a user asked for."""
        bot, action = self.participants.seat_for_bot(locked, submission)

        def make() -> Step[TableState[Any]]:
            step = locked.table.apply_house(locked.state, action, locked.at)
            self.participants.fund_bot(locked, bot, action["purse"], self.plan)
            return step

        self._accept(locked, AcceptedAction(action, submission, sitter=bot), make)

    def _accept(
        self,
        locked: LockedMatch,
        accepted: AcceptedAction,
        make: Callable[[], Step[TableState[Any]]],
    ) -> None:
        """Make the step, plan its transfers, keep it, and apply its consequences."""
        mark = self.plan.mark()
        try:
            step = make()
            self._move_points(locked, step)
        except REFUSALS:
            self.plan.rewind(mark)
            raise
        locked.keep(step, accepted)
        for consequence in CONSEQUENCES:
            if consequence(self, locked, step.events):
                return

    def _move_points(self, locked: LockedMatch, step: Step[TableState[Any]]) -> None:
        match_id = locked.match.pk
        group = f"match:{match_id}/{locked.match.action_count + 1}"
        if step.state.is_finished:
            group = settlement.close_group(match_id)
        for move in settlement.moves_of(locked.match, locked.users, step.events, group=group):
            self.plan.move(move)
