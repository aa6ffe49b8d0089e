"""Stored matches: one transaction writes a match, its ratings and all sums."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

import msgspec
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.devices import company_of
from games.engine.facts import SeatNo
from games.engine.protocols import Places
from games.ladder import LABEL
from games.ladder.house import HOUSE
from games.ladder.models import Encounter, Entrant, PlayedMatch
from games.ladder.rules.match import LadderMatch, pack
from games.ladder.rules.pairing import DAY, LastDay, Waiting
from games.matches.models import Rating
from games.matches.queries.ratings import shown
from games.standings.rating import new_rating, rate_game, save

if TYPE_CHECKING:
    from games.ladder.pool import Game

#: Mu and sigma before and after a match.
Change = tuple[float, float, float, float]
PLACES: Final[Mapping[int | None, Places]] = {
    winner: Places({SeatNo(seat): 1 + (winner == 1 - seat) for seat in (0, 1)})
    for winner in (None, 0, 1)
}


def new_entrant(user_id: int) -> Entrant:
    return Entrant.objects.get_or_create(user_id=user_id)[0]


def waiting_of(entrant: Entrant) -> Waiting:
    """Return an entrant as one that waits, since the instant 0."""
    rating = _rating_of(entrant)
    return Waiting(entrant.pk, rating.mu, 0.0, entrant.rated)


def house_entrants() -> list[Entrant]:
    """Return the programs of the house; the first call makes them."""
    there = {row.house: row for row in Entrant.objects.filter(house__in=HOUSE)}
    return [there.get(name) or Entrant.objects.create(house=name) for name in HOUSE]


def read_lately(at: datetime) -> LastDay:
    """Return the stored matches of the last 24 hours."""
    lately = LastDay()
    rows = PlayedMatch.objects.filter(ended_at__gt=at - timedelta(seconds=DAY)).order_by("ended_at")
    for first, second, end, ratings in rows.values_list("first", "second", "ended_at", "ratings"):
        lately.add((first, second), end.timestamp(), bool(ratings))
    return lately


def store(played: "Game", at: datetime | None = None) -> list[Change]:
    """Store a match, and rate it unless the two share an owner, a device or an address; return the
    change of each seat's rating, nothing if it is unrated.
    """
    at, match = at or timezone.now(), played.match
    with transaction.atomic():
        rows = Entrant.objects.select_for_update(of=("self",)).select_related("user")
        found = {row.pk: row for row in rows.filter(pk__in=played.pair).order_by("pk")}
        seats = [found[pk] for pk in played.pair]
        changes = _rate(seats, match, at) if played.may_rate and not _is_company(seats) else []
        for seat, (row, wins) in enumerate(zip(seats, match.wins, strict=True)):
            row.matches, row.throws = row.matches + 1, row.throws + match.played
            row.won, row.rated = row.won + wins, row.rated + bool(changes)
            row.thought_ms += round(1000 * match.thought[seat])
            row.save()
        PlayedMatch.objects.create(
            public_id=played.public_id,
            first=seats[0],
            second=seats[1],
            began_at=at - timedelta(seconds=match.ended_at - match.began_at),
            ended_at=at,
            reason=str(match.reason),
            forfeit=match.forfeit,
            throws=match.played,
            won_first=match.wins[0],
            won_second=match.wins[1],
            thought_first_ms=round(1000 * match.thought[0]),
            thought_second_ms=round(1000 * match.thought[1]),
            ratings=msgspec.json.encode(changes).decode() if changes else "",
            seed=played.seed,
            hands=pack(match.hands),
        )
        _count_pair(played)
    return changes


def _is_company(seats: Sequence[Entrant]) -> bool:
    first, second = (row.user_id for row in seats)
    if first is None or second is None:
        return False
    company = company_of(first, [second])
    return bool(company.by_device or company.by_address)


def _rating_of(entrant: Entrant) -> Rating:
    """Return a user's stored rating or a new one; of the house one that is not stored."""
    if entrant.user_id is None:
        return Rating(game=LABEL, mu=entrant.mu, sigma=entrant.sigma)
    row = Rating.objects.filter(user=entrant.user_id, game=LABEL).first()
    return row or new_rating(entrant.user_id, LABEL)


def _rate(seats: Sequence[Entrant], match: LadderMatch, at: datetime) -> list[Change]:
    ratings = {SeatNo(seat): _rating_of(row) for seat, row in enumerate(seats)}
    before = [(each.mu, each.sigma) for each in ratings.values()]
    rate_game(ratings, PLACES[match.winner], 0, at)
    save(each for each in ratings.values() if each.user_id)
    for row, rating in zip(seats, ratings.values(), strict=True):
        if row.user_id is None:
            row.mu, row.sigma = rating.mu, rating.sigma
    return [(*old, new.mu, new.sigma) for old, new in zip(before, ratings.values(), strict=True)]


def _count_pair(played: "Game") -> None:
    seats = sorted((0, 1), key=lambda seat: played.pair[seat])
    one, other = (played.pair[seat] for seat in seats)
    row, _ = Encounter.objects.get_or_create(one_id=one, other_id=other)
    won_one, won_other = (played.match.wins[seat] for seat in seats)
    Encounter.objects.filter(pk=row.pk).update(
        matches=F("matches") + 1,
        throws=F("throws") + played.match.played,
        won_one=F("won_one") + won_one,
        won_other=F("won_other") + won_other,
    )


def rating_told(changes: Sequence[Change] | None, seat: int) -> dict[str, int] | None:
    """Return a seat's rating before and after, as shown; None for an unrated match."""
    if not changes:
        return None
    before, _, after, _ = changes[seat]
    return {"before": shown(before), "after": shown(after)}
