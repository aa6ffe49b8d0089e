"""Opening of tables, declining of challenges, and what quick seats of all games share."""

import random
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

import msgspec
from django.db import connection, transaction
from django.db.models import BigIntegerField, DateTimeField, Q
from django.utils import timezone
from msgspec import UNSET

from accounts.models import Relation, User
from accounts.people import relate
from economy.parts import given
from economy.selectors import settings_starting
from economy.sql import Compiled, Given, create
from games import registry
from games.engine.choices import chosen_options, clean_options, site_numbers
from games.engine.errors import AlreadySeated, IllegalAction, NotInPhase, SeatTaken, refuse
from games.engine.facts import instant
from games.engine.structs import replace
from games.engine.table import Table
from games.matches.journal.snapshots import NOTHING
from games.matches.models import Match, Pledge
from games.matches.processing import writing
from games.matches.processing.opening import Seal, new_match, seat_all
from games.matches.processing.submissions import OnlyHere, Refusal, Submission

#: Users, each with a salt, by seats.
Players = Sequence[tuple[User, str]]

_chance = random.SystemRandom()


class Seated(NamedTuple):
    pledged: Pledge
    options: Mapping[str, Any]
    players: Players
    title: str


class NotBegun(IllegalAction):
    """The game cannot begin: some of these users may not play with each other now."""

    code = "forbidden"


#: The time for which a seated user counts as present after the socket's last sign of life, which
#: is stored about every ten seconds.
PRESENT: Final = timedelta(seconds=25)
#: Refusals that concern one table or its company only, so that the next table is tried.
PASSED_OVER: Final = (OnlyHere, AlreadySeated, NotInPhase, SeatTaken)
#: The most tables of one user that may wait for players, and that one may open within an hour.
OPEN_TABLES, TABLES_AN_HOUR = 3, 60


def default_options(
    slug: str,
    chosen: Mapping[str, Any],
    by_site: Mapping[str, Any] = NOTHING,
    numbers: Mapping[str, int] | None = None,
) -> Any:
    """Return all options of a new table: chosen ones, those ``by_site``, settings for the rest, or
    these numbers. Raises action/bad_option, KeyError.
    """
    game = registry.table(slug)
    mine = chosen_options(game.options)
    if unknown := sorted(set(chosen) - mine):
        refuse("action/bad_option", "this is not yours to choose", option=unknown[0])
    site = _site_options(slug, numbers)
    fixed = {option: number for option, number in site.items() if option not in mine}
    wanted = game.fill_options({**site, **chosen, **fixed, **by_site}, frozenset(chosen))
    return clean_options(game.options, wanted)


def open_match(
    *,
    opened_by: User,
    options: Mapping[str, Any] | msgspec.Struct,
    game: str,
    at: datetime | None = None,
    begins_at: datetime | None = None,
    **more: Any,
) -> Match:
    """Open a table without players; ``options``: the choice, or all; ``more``: columns of the
    match. Raises action/bad_option, action/too_many_open_tables, action/too_many_tables_opened,
    KeyError.
    """
    at = at or timezone.now()
    now = instant(at)
    begins = UNSET if begins_at is None else instant(begins_at)
    if not isinstance(options, msgspec.Struct):
        options = default_options(game, options)
    state = Table(registry.rules_of(game)).open(options, now, begins)
    if "invited" in more:
        state = replace(state, is_challenge=True)
    place = _chance.choice(registry.table(game).speech.place_names)
    with transaction.atomic():
        _require_table_left(opened_by, at)
        match = new_match(game, state, now)
        match.title, match.opened_by = f"{place} No. {_chance.randint(2, 99)}", opened_by
        for name, value in more.items():
            setattr(match, name, value)
        create([match])
        if match.begins_at is not None:
            for reaction in given("reactions"):
                reaction.opened(match)
    return match


_USER: Final = Given("user", BigIntegerField())
_OPENER: Final = Compiled(
    lambda: User.objects.select_for_update(no_key=True).filter(pk=_USER).values_list("pk")
)
_OPENED: Final = Match.objects.filter(opened_by=_USER).values_list("pk")
_WAITING: Final = Compiled(lambda: _OPENED.filter(status=Match.Status.OPEN)[:OPEN_TABLES])
_LATELY: Final = Compiled(
    lambda: _OPENED.filter(opened_at__gt=Given("since", DateTimeField()), predecessor=None)[
        :TABLES_AN_HOUR
    ]
)


def _require_table_left(user: User, at: datetime) -> None:
    # Tables opened at once count each other.
    _OPENER.rows(user=user.pk)
    require_opening_left(user, at)
    if len(_WAITING.rows(user=user.pk)) >= OPEN_TABLES:
        message = f"you have {OPEN_TABLES} tables waiting for players already"
        refuse("action/too_many_open_tables", message)


def require_opening_left(user: User, at: datetime) -> None:
    """Refuse a user who has opened 60 tables in an hour; raises action/too_many_tables_opened."""
    if len(_LATELY.rows(user=user.pk, since=at - timedelta(hours=1))) >= TABLES_AN_HOUR:
        message = f"you have opened {TABLES_AN_HOUR} tables within an hour: wait a little"
        refuse("action/too_many_tables_opened", message, most=TABLES_AN_HOUR)


def open_and_sit(*, opened_by: User, at: datetime | None = None, **more: Any) -> Match:
    """Open a table with its opener on the first seat, or raise the refusal."""
    with transaction.atomic():
        match = open_match(opened_by=opened_by, at=at, **more)
        sitting = Submission(match.pk, {"kind": "sit", "seat": 0}, "opening-0-seat", opened_by.pk)
        if (refusal := writing.apply([sitting], at).answers[0].error) is not None:
            raise refusal
    return match


def open_seated(game: str, wanted: Sequence[Seated], at: datetime) -> list[Match]:
    """Open matches of users whom the caller has checked, and begin them, all or none, in one batch.
    Raises action/bad_option, NotBegun, LedgerError.
    """
    found, site, now = registry.table(game), _site_options(game), instant(at)
    table = Table(found.newest)
    with transaction.atomic():
        matches = []
        for pledged, chosen, players, title in wanted:
            options = {**site, **chosen, "seats": len(players)}
            options = clean_options(found.options, found.fill_options(options, frozenset(chosen)))
            salts = {seat: salt for seat, (_, salt) in enumerate(players) if salt}
            bots = [seat for seat, (user, _) in enumerate(players) if user.is_bot]
            state = table.open_seated(options, now, salts, bots)
            matches.append(new_match(game, state, now, Seal.of(pledged)))
            matches[-1].title = title
        seat_all(zip(matches, [[user for user, _ in each.players] for each in wanted], strict=True))
        result = writing.apply_batch([writing.house(m.pk, "begin", "begin") for m in matches], at)
        if (error := next((each.error for each in result.answers if each.error), None)) is not None:
            raise error
        begun = [result.snapshots[match.pk].match for match in matches]
        if any(match.status != Match.Status.RUNNING for match in begun):
            raise NotBegun("somebody may not play with another one here at the moment")
    return begun


def decline(match: Match, at: datetime | None = None) -> None:
    """Close the table of a challenge, once; raises NotInPhase if the game has begun."""
    with transaction.atomic():
        # Locked, so that the game cannot begin in between: a running one cannot be declined.
        locked = Match.objects.select_for_update().get(pk=match.pk)
        if locked.status not in (Match.Status.OPEN, Match.Status.CLOSED):
            raise NotInPhase("this game has begun")
        declining = writing.house(match.pk, "void", "declined", reason="declined")
        if (error := writing.apply([declining], at).answers[0].error) is not None:
            raise error


def block(*, user: User, other: User) -> None:
    """Block a user and decline challenges between the two; raises ValidationError for too many."""
    relate(user_id=user.pk, other_id=other.pk, kind=Relation.Kind.BLOCK)
    between = Q(opened_by=user, invited=other) | Q(opened_by=other, invited=user)
    for match in Match.objects.filter(between, status=Match.Status.OPEN):
        with suppress(NotInPhase):
            decline(match)


def take_turn(user: User, lock: int) -> None:
    """Lock the user's row, then this advisory lock, until the end of the transaction."""
    # The row comes before matches and accounts: the user may open a table after others refused.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if connection.vendor == "postgresql":
        # Raw SQL: the ORM has no advisory locks.
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [lock])


def ask(match: Match, user: User, action: Mapping[str, Any], at: datetime | None) -> Any:
    """Submit an action as this user through the write path; return the refusal."""
    submission = Submission(match.pk, action, f"quick-{secrets.token_hex(8)}", user.pk)
    refusal = writing.apply([submission], at).answers[0].error
    assert refusal is None or isinstance(refusal, Refusal)
    return refusal


def _site_options(slug: str, numbers: Mapping[str, int] | None = None) -> dict[str, int]:
    numbers = numbers or settings_starting(f"{slug}.")
    names = site_numbers(registry.table(slug).options)
    return {option: numbers[name] for option, name in names.items()}
