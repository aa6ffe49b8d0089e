"""A match's row as its journal makes it: columns that are true at every commit, and the checkpoint.

Source: docs/performance.md "The journal".
"""

from __future__ import annotations

from typing import Any

from games.engine.facts import as_datetime
from games.engine.structs import canonical
from games.engine.table import OPEN, RUNNING, TableState
from games.matches.journal.lines import write_lines
from games.matches.models import Match
from games.matches.processing.locked_match import Desk
from games.matches.queries import summaries


def project(desk: Desk) -> Match:
    """Bring a match's row up to date with what was kept of a batch, and return it."""
    match, state = desk.match, desk.state
    match.at_ms = desk.at
    match.due_at = None if desk.due_at is None else as_datetime(desk.due_at)
    match.is_slow = desk.table.is_slow(state)
    if state.stage != RUNNING:
        match.bot_at = match.stalled_at = None
    match.wake_at = min((t for t in (match.due_at, match.bot_at) if t), default=None)
    if desk.is_public:
        open_seats = len(desk.table.open_seats(state))
        lists = {"players": players(desk, state), "open_seats": open_seats}
        match.summary = canonical({**_shown(desk), **lists})
    if desk.needs_checkpoint:
        _project_whole(desk)
    return match


def _project_whole(desk: Desk) -> None:
    match, state = desk.match, desk.state
    match.table, match.state = desk.table.encode(state)
    match.recent, match.state_no = write_lines(desk.lines), match.action_count
    if state.stage == RUNNING and match.started_at is None:
        match.started_at = desk.now
    if state.is_finished and match.ended_at is None:
        match.ended_at = desk.now
    match.status = state.stage
    match.listed, match.spectators = state.options.listed, state.options.spectators
    if state.stage == OPEN:
        match.is_rated = summaries.is_rated(state)
    match.is_staked = summaries.is_staked(desk.table.rules, state)


def players(desk: Desk, state: TableState) -> list[dict[str, Any]]:
    """Return what lists show of those who sit at this table, or at its next one."""
    return [
        {
            "name": desk.names[s.no],
            "bot": s.bot,
            "ready": s.ready,
            "rating": desk.seats[s.no].rating,
        }
        for s in state.taken
        if s.no in desk.seats
    ]


def _shown(desk: Desk) -> dict[str, Any]:
    """Return what lists show of the game, of what everybody may see."""
    if desk.state.play is None:
        return {}
    return desk.game.lists.summary(desk.table.rules.public_view(desk.state.play))
