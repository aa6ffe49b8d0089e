"""The ledger audit's check of awards: each was earned in a rated game, and none is missing.

Source: docs/ledger.md "The audit"; docs/rules/agora.md "Winning and points".
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Q

from economy.codes import TransferCode
from economy.models import Transfer
from economy.transfers import user_owner
from economy.units import Unit
from games.matches.journal.entries import read_facts
from games.matches.models import Entry, Match, Seat
from games.matches.models.matches import cause_of
from games.matches.queries.awards import games_of_the_ratio

#: The number of games checked at once.
CHUNK: Final = 500
_DAY: Final = timedelta(days=1)
#: Points of either axis.
Amounts = tuple[int, int]


@dataclass(slots=True)
class Told:
    """The awards in a match's journal, by seat; ``limit`` is the daily limit, if any were paid."""

    earned: dict[int, Amounts] = field(default_factory=dict)
    paid: dict[int, Amounts] = field(default_factory=dict)
    kept_back: dict[int, int] = field(default_factory=dict)
    limit: int | None = None


def find_wrong_awards(since: datetime | None) -> list[str]:
    """Return the awards that are missing, wrong or not allowed (L12).

    Matches are read before their transfers, and again when transfers name others: both are
    committed together, so that a settlement meanwhile is not seen half.
    """
    ended = Match.objects.filter(
        status=Match.Status.OVER, is_rated=True, game__in=games_of_the_ratio()
    )
    transfers = Transfer.objects.filter(code=TransferCode.GAME_AWARD)
    if since is not None:
        ended, transfers = ended.filter(ended_at__gte=since), transfers.filter(at__gte=since)
    match_ids = set(ended.values_list("pk", flat=True))
    causes = set(transfers.values_list("cause", flat=True).distinct())
    named = {cause: _match_id(cause) for cause in causes}
    found = [f"L12: an award of {cause}, which is no match" for cause in causes if not named[cause]]
    limits: dict[int, int | None] = {}
    wanted = sorted(match_ids | set(filter(None, named.values())))
    for some in (wanted[start : start + CHUNK] for start in range(0, len(wanted), CHUNK)):
        journals = _journals(some)
        limits |= {pk: told.limit for pk, told in journals.items()}
        found += _wrong_in(some, journals)
    return found + list(_over_the_day(since, limits))


def _wrong_in(match_ids: Collection[int], journals: Mapping[int, Told]) -> Iterator[str]:
    """Compare the journals, the seats and the ledger of these matches."""
    matches = Match.objects.in_bulk(match_ids)
    seats: dict[int, list[Seat]] = defaultdict(list)
    for seat in Seat.objects.filter(match__in=match_ids).select_related("user"):
        seats[seat.match_id].append(seat)
    moved = _transfers(match_ids)
    for pk in match_ids:
        told, got = journals.get(pk, Told()), dict(moved[pk])
        match = matches.get(pk)
        if got and (match is None or match.status != Match.Status.OVER or not match.is_rated):
            yield f"L12: match {pk} awards {got} and did not end as a rated game"
            continue
        for seat in seats[pk]:
            in_ledger = tuple(got.pop((user_owner(seat.user_id), unit), 0) for unit in _AXES)
            if why := _problem(seat, told, in_ledger):
                yield f"L12: seat {seat.no} of match {pk} {why}"
        if got:
            yield f"L12: match {pk} awards {got} to people who do not sit there"


def _problem(seat: Seat, told: Told, in_ledger: tuple[int, ...]) -> str:
    """Return the error in a seat's award, empty when there is none."""
    earned = (0, 0) if seat.user.is_bot else told.earned.get(seat.no, (0, 0))
    paid = told.paid.get(seat.no, (0, 0))
    kept_back = told.kept_back.get(seat.no, 0)
    if not in_ledger == (seat.award, seat.y_award) == paid:
        return f"is awarded {in_ledger}; its row says {(seat.award, seat.y_award)}, its game {paid}"
    if (paid[0] + kept_back, paid[1]) != earned:
        return f"earned {earned}, was paid {paid}, and {kept_back} were kept back"
    if any(paid) and seat.result != Seat.Result.WON:
        return f"is awarded {paid} and has not won"
    return ""


def _journals(match_ids: Collection[int]) -> dict[int, Told]:
    """Return the awards by the journals of these matches."""
    found: dict[int, Told] = defaultdict(Told)
    says = Q(facts__contains='"award_earned"') | Q(facts__contains='"awards_paid"')
    entries = Entry.objects.filter(says, match__in=match_ids).order_by("match", "no")
    for match_id, facts in entries.values_list("match_id", "facts"):
        for kind, data, _ in read_facts(facts):
            _hear(found[match_id], kind, data)
    return found


def _hear(told: Told, kind: str, data: Mapping[str, Any]) -> None:
    if kind == "award_earned":
        told.earned[data["seat"]] = (data["points"], data["y_points"])
    elif kind == "awards_paid":
        told.limit = data["daily_limit"]
        for seat, x, y, kept_back in data["awards"]:
            told.paid[seat] = (x, y)
            told.kept_back[seat] = kept_back


def _transfers(match_ids: Collection[int]) -> dict[int, Counter[tuple[str, str]]]:
    """Return match -> (owner, unit) -> amount awarded by the ledger."""
    found: dict[int, Counter[tuple[str, str]]] = defaultdict(Counter)
    rows = Transfer.objects.filter(
        code=TransferCode.GAME_AWARD, cause__in=[cause_of(pk) for pk in match_ids]
    )
    for cause, owner, unit, amount in rows.values_list("cause", "credit__owner", "unit", "amount"):
        found[_match_id(cause)][owner, unit] += amount
    return found


def _over_the_day(since: datetime | None, limits: Mapping[int, int | None]) -> Iterator[str]:
    """Find the owners who were paid more points on a day than the limit at the time of payment.

    A wallet's transfers were made under its lock, so their ids are in the order of its payments.
    """
    rows = Transfer.objects.filter(code=TransferCode.GAME_AWARD, unit=Unit.POINT)
    if since is not None:
        owners = rows.filter(at__gte=since).values("credit__owner")
        rows = rows.filter(credit__owner__in=owners, at__gte=since - _DAY)
    paid: Counter[tuple[str, str]] = Counter()
    values = rows.order_by("pk").values_list("credit__owner", "cause", "at", "amount")
    for owner, cause, at, amount in values.iterator():
        day = f"{at:%Y-%m-%d}"
        paid[owner, day] += amount
        limit = limits.get(_match_id(cause))
        if limit is not None and paid[owner, day] > limit:
            got = paid[owner, day]
            yield f"L12: {owner} was awarded {got} points on {day}, the most is {limit}"


def _match_id(cause: str) -> int:
    """Return the match that a cause names, 0 for another cause."""
    number = cause.removeprefix("match:")
    return int(number) if cause.startswith("match:") and number.isdigit() else 0


_AXES: Final = (Unit.POINT.value, Unit.Y_POINT.value)
