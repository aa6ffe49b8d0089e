"""A run over a game's stored matches that rates them again in a second pool, and swaps the pools.

It works beside the running site, in portions; an interrupted run goes on where it was.  Matches
that end meanwhile are rated in the first pool, and in the second one before the swap.

Source: docs/explanation/ratings.md "Another scale".
"""

import logging
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final

from django.db import connection, transaction
from django.db.models import Exists, Max, OuterRef, QuerySet
from django.utils import timezone

from games import registry
from games.engine.facts import SeatNo
from games.matches.journal.loading import standing
from games.matches.models import Rating, RatingChange, RatingRun
from games.matches.models.ratings import FILLING
from games.standings import rated_game
from games.standings.rated_game import new_rating, rate_game

log = logging.getLogger(__name__)

#: Matches in one transaction; so long an end of a match may wait for the swap, or on SQLite for
#: each portion.
PORTION: Final = 100


def rate_again(game: str) -> Iterator[int]:
    """Rate a game's stored matches in the second pool, then swap; yield the matches of a portion.
    Nothing is done where the pools were swapped before.
    """
    RatingRun.objects.get_or_create(game=game)
    while not _swap(game):
        ceiling = _settled(game)
        while count := _go_on(game, ceiling):
            yield count


def rated_matches(game: str) -> QuerySet[RatingChange]:
    """Return the first change of each rated match of a game; their order is that of the ends."""
    earlier = RatingChange.objects.filter(match=OuterRef("match"), pk__lt=OuterRef("pk"))
    return RatingChange.objects.filter(~Exists(earlier), match__game=game).order_by("pk")


def _settled(game: str) -> int:
    """Return the last change; no transaction is writing one before it."""
    with transaction.atomic():
        _hold_ratings()
        return _last(game)


@transaction.atomic
def _go_on(game: str, ceiling: int) -> int:
    """Rate a portion of the matches up to a change; return how many there were."""
    run = RatingRun.objects.select_for_update().get(pk=game)
    some = list(rated_matches(game).filter(pk__gt=run.last, pk__lte=ceiling)[:PORTION])
    if run.swapped_at is None and some:
        _rate(game, some)
        run.last = some[-1].pk
        run.save()
    return len(some)


@transaction.atomic
def _swap(game: str) -> bool:
    """Make the second pool the ratings if at most a portion is left to rate, and none can come."""
    run = RatingRun.objects.select_for_update().get(pk=game)
    if run.swapped_at is not None:
        return True
    _hold_ratings()
    some = list(rated_matches(game).filter(pk__gt=run.last)[: PORTION + 1])
    if len(some) > PORTION:
        return False
    _rate(game, some)
    Rating.objects.filter(game=game).delete()
    Rating.objects.filter(game=game + FILLING).update(game=game)
    last = RatingChange.objects.filter(match__game=game).aggregate(at=Max("at"))["at"]
    run.last = _last(game)
    run.swapped_at = last + timedelta(microseconds=1) if last else timezone.now()
    run.save()
    return True


def _last(game: str) -> int:
    last = rated_matches(game).reverse().values_list("pk", flat=True).first()
    return last or 0


def _hold_ratings() -> None:
    """Wait for all that rate a match, and hold off others until the end of the transaction. On
    SQLite a transaction has the write lock from its beginning.  Players wait meanwhile, so it gives
    up soon: OperationalError.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '1s'")
            cursor.execute("LOCK TABLE games_rating IN EXCLUSIVE MODE")


def _rate(game: str, changes: Sequence[RatingChange]) -> None:
    """Rate the matches of these changes in the second pool; leave out what cannot be read."""
    snapshots = standing([change.match_id for change in changes])
    users = {seat.user_id for each in snapshots.values() for seat in each.seats.values()}
    pool, counts = game + FILLING, registry.get(game).counts
    stored = Rating.objects.filter(game=pool, user__in=users)
    ratings = {row.user_id: row for row in stored}
    ratings |= {user: new_rating(user, pool) for user in users - ratings.keys()}
    for change in changes:
        snapshot = snapshots.get(change.match_id)
        if snapshot is None:
            log.critical("match %d cannot be rated again", change.match_id)
            continue
        seats = {SeatNo(no): ratings[seat.user_id] for no, seat in snapshot.seats.items()}
        places = snapshot.table.rules.places(snapshot.state.play)
        rate_game(seats, places, counts.pair_daily, change.at)
    rated_game.save(ratings.values())
