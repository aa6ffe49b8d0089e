"""The projection of a journal to the match's row: current columns, and the checkpoint.
Source: docs/explanation/performance.md "The journal".
"""

from typing import Any

from games.engine.facts import as_datetime
from games.engine.structs import canonical
from games.engine.table import OPEN, RUNNING, TableState
from games.matches.journal.entries import write_lines
from games.matches.processing.locked_match import LockedMatch
from games.matches.queries import ratings
from games.matches.queries.selectors import read_summary


def write_columns(locked: LockedMatch) -> bool:
    """Update a match's row with the batch's entries; return whether with a checkpoint."""
    match, state = locked.match, locked.state
    match.at_ms = locked.at
    match.due_at = None if locked.due_at is None else as_datetime(locked.due_at)
    match.is_slow = locked.is_slow
    if state.stage != RUNNING:
        match.bot_at = match.stalled_at = None
    match.wake_at = match.due_at
    if match.bot_at and (match.due_at is None or match.bot_at < match.due_at):
        match.wake_at = match.bot_at
    if locked.is_whole or locked.has_new_phase or locked.changed_seats:
        # Within a phase it changes only when somebody leaves; see tests/games/test_summaries.py.
        shown = {}
        if state.play is not None:
            shown = locked.game.lists.summary(locked.table.rules.public_view(state.play))
        open_seats = len(locked.table.open_seats(state))
        lists = {"players": players(locked, state), "open_seats": open_seats}
        match.summary = canonical({**shown, **lists})
    has_checkpoint = locked.needs_checkpoint
    if has_checkpoint:
        _project_whole(locked)
    return has_checkpoint


def _project_whole(locked: LockedMatch) -> None:
    match, state = locked.match, locked.state
    match.table, match.state = locked.table.encode(state)
    match.recent, match.state_no = write_lines(locked.lines), match.action_count
    if state.stage == RUNNING and match.started_at is None:
        match.started_at = locked.now
    if state.is_finished and match.ended_at is None:
        match.ended_at = locked.now
        match.outcome = read_summary(match.summary).get("outcome", "")
        match.size = len(state.taken)
    match.status = state.stage
    match.listed, match.spectators = state.options.listed, state.options.spectators
    if state.stage == OPEN:
        match.is_rated = ratings.is_rated(locked.game, state)
    match.is_staked = ratings.is_staked(locked.table.rules, state)


def players(locked: LockedMatch, state: TableState[Any]) -> list[dict[str, Any]]:
    """Return the list entries of the users seated at this table, or at its next one."""
    return [
        {
            "name": locked.seating.names[s.no],
            "bot": s.bot,
            "ready": s.ready,
            "rating": locked.seats[s.no].rating,
        }
        for s in state.taken
        if s.no in locked.seats
    ]
