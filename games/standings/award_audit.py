"""The ledger audit's check of awards: each was earned in a rated game, none is missing."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from economy.models import Transfer
from economy.transfers import TransferCode, user_owner
from economy.units import Unit
from games.matches.journal.entries import read_facts
from games.matches.journal.reading import Sought, find_entries
from games.matches.models import Match, Seat
from games.matches.models.matches import CALLED_OFF, cause_of, match_of
from games.standings.award_boards import games_of_the_ratio
from games.standings.awards import companies_of, is_same_company

#: The number of games checked at once.
CHUNK: Final = 500
_DAY: Final = timedelta(days=1)
#: Points of either axis.
Amounts = tuple[int, int]


@dataclass(slots=True)
class Told:
    """The awards in a match's journal, by seat; ``limit``: the daily one, if any were paid.
    ``part``: 1 pays all of what was earned, 2 the half, 0 nothing.
    """

    earned: dict[int, Amounts] = field(default_factory=dict)
    paid: dict[int, Amounts] = field(default_factory=dict)
    kept_back: dict[int, Amounts] = field(default_factory=dict)
    limit: int | None = None
    part: int = 1


def find_wrong_awards(since: datetime | None) -> list[str]:
    """Return the awards that are missing, wrong or not allowed (L12)."""
    ended = Match.objects.filter(is_rated=True, game__in=games_of_the_ratio())
    transfers = Transfer.objects.filter(code=TransferCode.GAME_AWARD)
    if since is not None:
        ended, transfers = ended.filter(ended_at__gte=since), transfers.filter(at__gte=since)
    # After the instant, and in this form: see CALLED_OFF.  Matches are read before their transfers,
    # and again when transfers name others, so that a settlement meanwhile is not seen half.
    ended = ended.filter(ended_at__isnull=False).exclude(status__in=CALLED_OFF)
    match_ids = set(ended.values_list("pk", flat=True))
    causes = set(transfers.values_list("cause", flat=True))
    named = {cause: match_of(cause) for cause in causes}
    found = [f"L12: an award of {cause}, which is no match" for cause in causes if not named[cause]]
    told: dict[int, Told] = {}
    wanted = sorted(match_ids | set(filter(None, named.values())))
    for some in (wanted[start : start + CHUNK] for start in range(0, len(wanted), CHUNK)):
        journals = _journals(some)
        told |= journals
        found += _wrong_in(some, journals)
    return found + list(_over_the_day(since, told))


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
    earned = (0, 0) if seat.user.is_machine else told.earned.get(seat.no, (0, 0))
    paid = told.paid.get(seat.no, (0, 0))
    kept_back = told.kept_back.get(seat.no, (0, 0))
    due = tuple(points // told.part if told.part else 0 for points in earned)
    if not in_ledger == (seat.award, seat.y_award) == paid:
        return f"is awarded {in_ledger}; its row says {(seat.award, seat.y_award)}, its game {paid}"
    if (paid[0] + kept_back[0], paid[1] + kept_back[1]) != due:
        return f"earned {earned}, was to get {due}, was paid {paid}, and {kept_back} kept back"
    if any(paid) and seat.result != Seat.Result.WON:
        return f"is awarded {paid} and has not won"
    return ""


def _journals(match_ids: Collection[int]) -> dict[int, Told]:
    found: dict[int, Told] = defaultdict(Told)
    for entry in find_entries(match_ids, Sought(tells=('"award_earned"', '"awards_'))):
        for kind, data, _ in read_facts(entry.facts):
            _hear(found[entry.match_id], kind, data)
    return found


def _hear(told: Told, kind: str, data: Mapping[str, Any]) -> None:
    if kind == "award_earned":
        told.earned[data["seat"]] = (data["points"], data["y_points"])
    elif kind == "awards_paid":
        told.limit, told.part = data["daily_limit"], 1 + data["is_halved"]
        for seat, x, y, *kept_back in data["awards"]:
            told.paid[seat] = (x, y)
            told.kept_back[seat] = (kept_back[0], kept_back[1])
    elif kind == "awards_withheld" and data["reason"] in ("short", "company"):
        told.part = 0


def _transfers(match_ids: Collection[int]) -> dict[int, Counter[tuple[str, str]]]:
    """Return match -> (owner, unit) -> amount awarded by the ledger."""
    found: dict[int, Counter[tuple[str, str]]] = defaultdict(Counter)
    rows = Transfer.objects.filter(
        code=TransferCode.GAME_AWARD, cause__in=[cause_of(pk) for pk in match_ids]
    )
    for cause, owner, unit, amount in rows.values_list("cause", "credit__owner", "unit", "amount"):
        found[match_of(cause)][owner, unit] += amount
    return found


def _over_the_day(since: datetime | None, told: Mapping[int, Told]) -> Iterator[str]:
    """Find the owners who were paid more than a day's limit, and companies paid too often."""
    rows = Transfer.objects.filter(code=TransferCode.GAME_AWARD)
    if since is not None:
        rows = rows.filter(at__gte=since - _DAY)
    paid: Counter[tuple[str, str, str]] = Counter()
    games: dict[str, dict[int, None]] = defaultdict(dict)
    values = rows.values_list("pk", "credit__owner", "unit", "cause", "at", "amount")
    # A few are sorted here: in the order of their keys a database may read all transfers.
    # A wallet's transfers were made under its lock: their ids are in the order of its payments.
    ordered = values.order_by("pk").iterator() if since is None else sorted(values)
    for _, owner, unit, cause, at, amount in ordered:
        day, match_id = f"{at:%Y-%m-%d}", match_of(cause)
        games[day][match_id] = None
        paid[owner, unit, day] += amount
        limit = told[match_id].limit if match_id in told else None
        if limit is not None and (got := paid[owner, unit, day]) > limit:
            yield f"L12: {owner} was awarded {got} {unit} on {day}, the most is {limit}"
    for played in games.values():
        yield from _paid_too_often(tuple(played), told)


def _paid_too_often(ordered: Sequence[int], told: Mapping[int, Told]) -> Iterator[str]:
    """Check the games of a day, in the order of their payments, by their people."""
    companies = companies_of(ordered)
    for place, match_id in enumerate(ordered):
        mine = companies.get(match_id)
        if mine is None or match_id not in told:
            continue
        others = (companies.get(other, frozenset()) for other in ordered[:place])
        earlier = sum(is_same_company(mine, other) for other in others)
        if told[match_id].part != earlier + 1:
            yield f"L12: match {match_id} pays its company as if it were not game {earlier + 1}"


_AXES: Final = (Unit.POINT.value, Unit.Y_POINT.value)
