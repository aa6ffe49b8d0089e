"""Quick duels: pair a user with the one who has waited longest, or let the user wait."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from secrets import token_hex
from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from accounts.people import apart_from
from games.duel import SLUG
from games.duel.rules.engine import Duel
from games.duel.rules.state import LONG, QUICK
from games.engine import errors
from games.engine.facts import instant
from games.engine.table.state import is_quick
from games.matches import services as matches
from games.matches.journal.snapshots import Snapshot
from games.matches.models import Match, Seat, of_match
from games.matches.processing import seating, writing
from games.matches.processing.seating import unwanted_programs
from games.matches.queries import selectors
from games.matches.queries.selectors import read_summary
from games.matches.services import ask
from games.moderation import fair_play

#: Length -> its terms. The mark of a table names the lengths for which one waits there.
LENGTHS: Final = {"quick": QUICK, "long": LONG}
MARKS: Final = ("quick", "long", "quick+long")
#: Who ticks both lengths may get a long duel, which older rules do not know.
_NEWEST: Final = {"game": SLUG, "mark__in": MARKS, "rules_version": Duel.version}
#: The key of the PostgreSQL advisory lock for pairings; any key that nothing else uses.
PAIRING_LOCK: Final = 7_261_001
#: Refusals after which the next table is tried.
PASSED_OVER: Final = (*matches.PASSED_OVER, errors.StaleAction)


def pair_quick(
    *, user: User, lengths: Collection[str] = ("quick",), at: datetime | None = None
) -> Match:
    """Seat a user, ready, at the duel of somebody who waits for one of the lengths, else at an own
    one; who has an opponent already returns there. Raises ``forbidden``, action/cooling_down,
    action/too_many_tables, action/too_many_open_tables.
    """
    fair_play.require_not_frozen(user)
    with transaction.atomic():
        matches.take_turn(user, PAIRING_LOCK)
        # Lock all matches before any account, as in a batch: the code below may act at several of
        # them.
        waiting = Match.objects.filter(game=SLUG, mark__in=MARKS, status=Match.Status.OPEN)
        list(waiting.order_by("pk").select_for_update().values_list("pk"))
        wanted = [length for length in LENGTHS if length in lengths] or ["quick"]
        return _with_company(user, at) or _join(user, wanted, at) or _wait(user, wanted, at)


def quick_options(length: str = "quick") -> Any:
    """Return the options of a quick duel of this length."""
    return matches.default_options(SLUG, LENGTHS[length], {"quick": True})


def open_for_bot(user: User) -> Match:
    """Seat a user at a duel like a quick one that no other person finds; raises the refusal."""
    return matches.open_and_sit(opened_by=user, options={**QUICK, "listed": False}, game=SLUG)


def _with_company(user: User, at: datetime | None) -> Match | None:
    """Return the user's running quick duel, or the open one with an opponent, the user then ready;
    a suspended one can wait.
    """
    mine = Match.objects.filter(
        game=SLUG, mark__in=MARKS, status__in=Match.LIVE, is_slow=False, seats__user=user
    )
    for match in mine.order_by("-pk"):
        snapshot = selectors.snapshot_of(match)
        if not is_quick(snapshot.state.options):
            continue
        if match.status == Match.Status.RUNNING:
            return match
        if len(snapshot.state.taken) > 1:
            _get_ready(snapshot, user, at)
            return match
    return None


def _join(user: User, lengths: Sequence[str], at: datetime | None) -> Match | None:
    """Sit down at the first waiting duel whose player this user may play, and leave own ones."""
    for snapshot in _waiting(user, lengths, at or timezone.now()):
        seat = next(seat.no for seat in snapshot.state.seats if not seat.taken)
        both = [length for length in lengths if length in snapshot.match.mark.split("+")]
        refusal = _sit(snapshot, user, int(seat), both, at)
        if refusal is None:
            for own in list(_own_tables(user)):
                if own.match.pk != snapshot.match.pk and own.seat_of(user.pk) is not None:
                    ask(own.match, user, {"kind": "stand"}, at)
            return snapshot.match
        if not isinstance(refusal, PASSED_OVER):
            raise refusal
    return None


def _wait(user: User, lengths: Sequence[str], at: datetime | None) -> Match:
    """Return the user's own quick duel, an existing or a new one, with the user ready."""
    mark = "+".join(lengths)
    own = next(_own_tables(user), None)
    match = (
        own.match
        if own
        else matches.open_match(
            opened_by=user, options=quick_options(lengths[0]), game=SLUG, mark=mark, at=at
        )
    )
    snapshot = own or selectors.snapshot_of(match)
    if snapshot.match.mark != mark:
        snapshot = _set_terms(snapshot, lengths, mark, at)
    seat = snapshot.seat_of(user.pk)
    refusal = (
        _sit(snapshot, user, 0, lengths, at) if seat is None else _get_ready(snapshot, user, at)
    )
    if refusal is not None:
        raise refusal
    return match


def _waiting(user: User, lengths: Sequence[str], now: datetime) -> Iterator[Snapshot]:
    """Yield the duels in which one waits for one of the lengths whom this user may play: first
    those who are there, longest wait first. Blocks keep users apart, as does a program with a
    person who plays no rated games with it.
    """
    options = [quick_options(length) for length in LENGTHS]
    marks = [mark for mark in MARKS if not {*lengths}.isdisjoint(mark.split("+"))]
    rows = Match.objects.filter(**_NEWEST | {"mark__in": marks}, status=Match.Status.OPEN).exclude(
        seats__user__in={user.pk, *apart_from(user.pk)}
    )
    present = rows.filter(seats__user__is_bot=False, seats__seen_at__gt=now - matches.PRESENT)
    found = selectors.snapshots(present.values_list("pk", flat=True))
    states = {
        pk: snapshot.state
        for pk, snapshot in found.items()
        if len(snapshot.state.taken) == 1 and snapshot.state.options in options
    }
    away = seating.absent(states, instant(now))
    asked = {pk: bool(away.get(pk)) or not state.taken[0].ready for pk, state in states.items()}
    for pk in sorted(states, key=lambda pk: (asked[pk], pk)):
        if not unwanted_programs([user, *found[pk].seating.accounts.values()]):
            yield found[pk]


def _own_tables(user: User) -> Iterator[Snapshot]:
    """Yield the quick duels in which no other user sits, oldest first."""
    options = [quick_options(length) for length in LENGTHS]
    mine = Match.objects.filter(Q(opened_by=user) | Q(seats__user=user), **_NEWEST)
    found = mine.filter(status=Match.Status.OPEN).values_list("pk", flat=True)
    for _, snapshot in sorted(selectors.snapshots(set(found)).items()):
        others = [s for s in snapshot.sitters.values() if s.user_id != user.pk]
        if not others and snapshot.state.options in options:
            yield snapshot


def _sit(
    snapshot: Snapshot, user: User, seat: int, lengths: Sequence[str], at: datetime | None
) -> Any:
    """Sit down to one of these lengths and get ready; return the refusal, after which the user has
    no seat there.
    """
    refusal = ask(snapshot.match, user, {"kind": "sit", "seat": seat}, at)
    if refusal is not None:
        return refusal
    snapshot = _set_terms(snapshot, lengths, snapshot.match.mark, at)
    refusal = _get_ready(snapshot, user, at)
    if refusal is not None:
        ask(snapshot.match, user, {"kind": "stand"}, at)
    return refusal


def _set_terms(
    snapshot: Snapshot, lengths: Sequence[str], mark: str, at: datetime | None
) -> Snapshot:
    """Give a table one of these lengths, its own if it is among them, and this mark."""
    found = [length for length in lengths if snapshot.state.options == quick_options(length)]
    if found and snapshot.match.mark == mark:
        return snapshot
    options = quick_options((found or lengths)[0])
    terms = {name: getattr(options, name) for name in LONG}
    setting = writing.house(
        snapshot.match.pk, "terms", f"terms-{token_hex(8)}", mark=mark, options=terms
    )
    writing.submit(setting, at)
    return selectors.snapshot_of(snapshot.match)


def _get_ready(snapshot: Snapshot, user: User, at: datetime | None) -> Any:
    revision = snapshot.state.options_revision
    return ask(snapshot.match, user, {"kind": "ready", "configuration": revision}, at)


def missed_last(people: Mapping[int, int]) -> list[int]:
    """Return the seats whose users (``people``, by seat) missed the first throw of their last quick
    duel.
    """
    return [no for no, user_id in people.items() if _missed_last(user_id)]


def _missed_last(user_id: int) -> bool:
    # A rematch of a long one is no quick duel.
    is_played = of_match(
        game=SLUG, mark__in=MARKS, status=Match.Status.OVER, table__contains='"quick":true'
    )
    played = Seat.objects.filter(is_played, user=user_id).order_by("-match")
    last = played.values_list("no", "match__summary").first()
    return last is not None and last[0] in read_summary(last[1]).get("missed", ())
