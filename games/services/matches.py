"""Opening matches: a new table, and the next game at the same table."""

from __future__ import annotations

import random
import secrets
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from django.utils import timezone

from accounts.models import User
from economy.selectors import settings_starting
from games.models import Match, Seat
from games.rules import registry
from games.rules.draws import commitment
from games.rules.errors import BadOption, IllegalAction
from games.rules.kernel import Instant, SeatNo, as_datetime, canonical, instant
from games.rules.table import COUNTDOWN, Table, TableState

if TYPE_CHECKING:
    from games.services.desk import Desk

#: The site's numbers by the name of the option they are the default of.
TUNED = {
    "target": "showdown.target",
    "betting_clock": "showdown.betting_clock",
    "round_clock": "showdown.round_clock",
    "largest_purse": "showdown.largest_purse",
    "ante": "showdown.ante_default",
}
#: Numbers that only an admin chooses.
FIXED = {
    "tax_bp": "showdown.tax_bp",
    "win_bonus": "showdown.win_bonus",
    "loser_bonus": "showdown.loser_bonus",
    "full_raises": "showdown.full_raises",
    "dealt_percent": "showdown.dealt_percent",
    "dealt_least": "showdown.dealt_least",
}
ROOMS = (
    "Back Room", "Velvet Curtain", "High Rollers", "The Cellar", "Corner Booth", "Harbour Shed",
    "The Laundry", "Smoke Room", "Barber's Chair", "Loading Dock", "Green Door", "The Mezzanine",
)  # fmt: skip
_chance = random.SystemRandom()


class TooManyOpenTables(IllegalAction):
    """The user has opened as many tables as may wait for players at once."""

    code: ClassVar[str] = "action/too_many_open_tables"


#: So many tables of one user may wait for players.
OPEN_TABLES = 3


def default_options(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the full options of a new table: what was chosen, the site's numbers for the rest.

    Raises:
        BadOption: a chosen value is out of its limits.
    """
    rules = registry.get("showdown")
    if unknown := sorted(set(chosen) - rules.chosen_options):
        raise BadOption("this is not yours to choose", option=unknown[0])
    numbers = settings_starting("showdown.")
    tuned = {option: numbers[name] for option, name in TUNED.items()}
    fixed = {option: numbers[name] for option, name in FIXED.items()}
    wanted = {**tuned, **chosen, **fixed}
    if "largest_purse" not in chosen and type(wanted["ante"]) is int:
        wanted["largest_purse"] = max(wanted["largest_purse"], wanted["ante"])
    return rules.clean_options(wanted)


def open_match(*, opened_by: User, options: Mapping[str, Any], at: datetime | None = None) -> Match:
    """Open a table for Showdown and return it; nobody sits there yet.

    Args:
        options: what the opener chose; numbers that only an admin sets are not taken from it.

    Raises:
        BadOption: an option is unknown or out of its limits.
        TooManyOpenTables: the opener has three tables waiting already.
    """
    waiting = Match.objects.filter(opened_by=opened_by, status=Match.Status.OPEN)
    if waiting.count() >= OPEN_TABLES:
        raise TooManyOpenTables(f"you have {OPEN_TABLES} tables waiting for players already")
    now = instant(at or timezone.now())
    clean = default_options(options)
    state = Table(registry.get("showdown")).open(clean, now)
    return _store("showdown", state, now, _new_title(), opened_by)


def open_successor(desk: Desk, caller: SeatNo) -> Match:
    """Open the next game at a table whose game is over; everybody keeps the seat for 60 s.

    Call inside the batch that holds the table's lock.
    """
    options = {**desk.state.options, **desk.table.rules.carry_over(desk.state.play)}
    state = desk.table.open_next(desk.state, caller, options, desk.at)
    if state.starting:
        state = replace(state, starting=False, start_at=Instant(desk.at + COUNTDOWN))
    match = _store(desk.match.game, state, desk.at, desk.match.title, desk.match.opened_by)
    players = [
        {"name": desk.names[seat.no], "bot": seat.bot, "ready": seat.ready} for seat in state.taken
    ]
    match.summary = canonical({"players": players})
    match.save(update_fields=["summary"])
    Seat.objects.bulk_create(
        Seat(match=match, no=no, user=seat.user, seen_at=desk.now)
        for no, seat in desk.seats.items()
    )
    desk.successor = match.public_id
    return match


def _store(game: str, state: TableState, at: Instant, title: str, opener: User | None) -> Match:
    rules = registry.get(game)
    table, play = Table(rules).encode(state)
    seed = secrets.token_hex(32)
    due_at = Table(rules).deadline(state)
    return Match.objects.create(
        game=game,
        rules_version=rules.version,
        title=title,
        listed=state.options["listed"],
        spectators=state.options["spectators"],
        origin=table,
        table=table,
        state=play,
        summary=canonical({"players": []}),
        seed=seed,
        seed_commitment=commitment(seed),
        at_ms=at,
        due_at=None if due_at is None else as_datetime(due_at),
        wake_at=None if due_at is None else as_datetime(due_at),
        opened_by=opener,
        opened_at=as_datetime(at),
    )


def _new_title() -> str:
    return f"{_chance.choice(ROOMS)} No. {_chance.randint(2, 99)}"
