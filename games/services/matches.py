"""Opening matches: a new table, and the next game at the same table."""

from __future__ import annotations

import random
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.utils import timezone

from accounts.models import User
from economy.selectors import settings_starting
from games import catalog
from games.kernel.choices import chosen_options, clean_options
from games.kernel.draws import commitment
from games.kernel.errors import BadOption, IllegalAction
from games.kernel.facts import Instant, SeatNo, as_datetime, instant
from games.kernel.structs import canonical, replace
from games.kernel.table import COUNTDOWN, Table, TableState
from games.models import Match, Seat

if TYPE_CHECKING:
    from games.play.desk import Desk


@dataclass(frozen=True, slots=True)
class SiteNumbers:
    """Which of a game's options come from the site's settings, by option.

    ``tuned`` are defaults that people may change at their table; ``fixed`` only an admin chooses.
    """

    tuned: Mapping[str, str]
    fixed: Mapping[str, str]


#: Game -> the settings behind its options.
NUMBERS: Final[Mapping[str, SiteNumbers]] = {
    "showdown": SiteNumbers(
        tuned={
            "target": "showdown.target",
            "betting_clock": "showdown.betting_clock",
            "round_clock": "showdown.round_clock",
            "largest_purse": "showdown.largest_purse",
            "ante": "showdown.ante_default",
        },
        fixed={
            "tax_bp": "showdown.tax_bp",
            "win_bonus": "showdown.win_bonus",
            "loser_bonus": "showdown.loser_bonus",
            "full_raises": "showdown.full_raises",
            "dealt_percent": "showdown.dealt_percent",
            "dealt_least": "showdown.dealt_least",
        },
    ),
    "duel": SiteNumbers(
        tuned={"clock_seconds": "duel.clock"},
        fixed={
            "largest_stake": "duel.largest_stake",
            "tax_bp": "duel.tax_bp",
            "uncounted_limit": "duel.uncounted_limit",
            "suspension_days": "duel.suspension_days",
        },
    ),
}
#: Game -> the places after which its tables are called.
PLACES: Final[Mapping[str, tuple[str, ...]]] = {
    "showdown": (
        "Back Room", "Velvet Curtain", "High Rollers", "The Cellar", "Corner Booth",
        "Harbour Shed", "The Laundry", "Smoke Room", "Barber's Chair", "Loading Dock",
        "Green Door", "The Mezzanine",
    ),
    "duel": (
        "Dawn Meadow", "Pier Nine", "Chalk Line", "Courtyard", "Ten Paces", "Old Bridge",
        "Rooftop", "Water Tower", "Rail Yard", "The Alley", "Clock Square", "Mill Race",
    ),
}  # fmt: skip
_chance = random.SystemRandom()


class TooManyOpenTables(IllegalAction):
    """The user has opened as many tables as may wait for players at once."""

    code: ClassVar[str] = "action/too_many_open_tables"


#: So many tables of one user may wait for players.
OPEN_TABLES = 3


def default_options(chosen: Mapping[str, Any], game: str = "showdown") -> Any:
    """Return all options of a new table: what was chosen, the site's numbers for the rest.

    Raises:
        BadOption: a chosen value is unknown or out of its limits.
        KeyError: there is no such game.
    """
    rules = catalog.get(game)
    if unknown := sorted(set(chosen) - chosen_options(rules.Options)):
        raise BadOption("this is not yours to choose", option=unknown[0])
    numbers = settings_starting(f"{game}.")
    tuned = {option: numbers[name] for option, name in NUMBERS[game].tuned.items()}
    fixed = {option: numbers[name] for option, name in NUMBERS[game].fixed.items()}
    wanted = {**tuned, **chosen, **fixed}
    if game == "showdown" and "largest_purse" not in chosen and type(wanted["ante"]) is int:
        wanted["largest_purse"] = max(wanted["largest_purse"], wanted["ante"])
    return clean_options(rules.Options, wanted)


def open_match(
    *,
    opened_by: User,
    options: Mapping[str, Any],
    game: str = "showdown",
    invited: User | None = None,
    at: datetime | None = None,
) -> Match:
    """Open a table and return it; nobody sits there yet.

    Args:
        options: what the opener chose; numbers that only an admin sets are not taken from it.
        invited: the only one who may sit down there beside the opener; None lets anybody.

    Raises:
        BadOption: an option is unknown or out of its limits.
        TooManyOpenTables: the opener has three tables waiting already.
        KeyError: there is no such game.
    """
    match = _prepare(opened_by, game, options, at)
    match.invited = invited
    match.save()
    return match


def open_quick(*, opened_by: User, options: Mapping[str, Any], at: datetime | None = None) -> Match:
    """Open a duel that quick pairing finds, and return it; nobody sits there yet.

    Raises:
        BadOption: an option is unknown or out of its limits.
        TooManyOpenTables: the opener has three tables waiting already.
    """
    match = _prepare(opened_by, "duel", options, at)
    match.quick = True
    match.save()
    return match


def open_successor(desk: Desk, caller: SeatNo) -> Match:
    """Open the next game at a table whose game is over; everybody keeps the seat for 60 s.

    Call inside the batch that holds the table's lock.
    """
    options = desk.table.next_options(desk.state)
    state = desk.table.open_next(desk.state, caller, options, desk.at)
    if state.starting:
        state = replace(state, starting=False, start_at=Instant(desk.at + COUNTDOWN))
    match = _new_match(desk.match.game, state, desk.at)
    match.title = desk.match.title
    match.opened_by_id = desk.match.opened_by_id
    match.invited_id = desk.match.invited_id
    match.summary = canonical({"players": desk.players(state), "ratings": desk.ratings})
    match.save()
    Seat.objects.bulk_create(
        Seat(match=match, no=no, user=seat.user, seen_at=desk.now)
        for no, seat in desk.seats.items()
    )
    desk.successor = match.public_id
    return match


def _prepare(opener: User, game: str, options: Mapping[str, Any], at: datetime | None) -> Match:
    """Return a new table of this opener, not saved yet."""
    waiting = Match.objects.filter(opened_by=opener, status=Match.Status.OPEN)
    if waiting.count() >= OPEN_TABLES:
        raise TooManyOpenTables(f"you have {OPEN_TABLES} tables waiting for players already")
    now = instant(at or timezone.now())
    state = Table(catalog.get(game)).open(default_options(options, game), now)
    match = _new_match(game, state, now)
    match.title, match.opened_by = _new_title(game), opener
    return match


def _new_match(game: str, state: TableState, at: Instant) -> Match:
    """Return an open match, not saved yet."""
    rules = catalog.get(game)
    table, play = Table(rules).encode(state)
    seed = secrets.token_hex(32)
    due_at = Table(rules).deadline(state)
    return Match(
        game=game,
        rules_version=rules.version,
        listed=state.options.listed,
        spectators=state.options.spectators,
        origin=table,
        table=table,
        state=play,
        summary=canonical({"players": []}),
        seed=seed,
        seed_commitment=commitment(seed),
        at_ms=at,
        due_at=None if due_at is None else as_datetime(due_at),
        wake_at=None if due_at is None else as_datetime(due_at),
        opened_at=as_datetime(at),
    )


def _new_title(game: str) -> str:
    return f"{_chance.choice(PLACES[game])} No. {_chance.randint(2, 99)}"
