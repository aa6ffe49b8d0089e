"""Ratings: their change by a game, in the transaction that ends it; stored games again."""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Final

from django.db import connection, transaction
from django.db.models import CharField, Exists, Max, OuterRef, QuerySet
from django.utils import timezone
from openskill.models import PlackettLuce, PlackettLuceRating

from economy.sql import USERS, BulkRows, Compiled, GivenMany, create
from games.contract import Rated
from games.engine.facts import SeatNo
from games.engine.protocols import Places
from games.engine.structs import Reader, Record, canonical, replace
from games.matches.journal.loading import standing
from games.matches.models import Rating, RatingChange, RatingRun
from games.matches.models.ratings import FILLING
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.reactions import Reaction
from games.matches.queries.ratings import START, in_pool, is_rated, pool_in, pool_of, pools, shown

Key = tuple[int, str]


class Ratings(Reaction):
    """Rates ended matches and keeps the ratings on their seats current."""

    def written(self, changed: Sequence[LockedMatch]) -> None:
        if ended := [locked for locked in changed if locked.has_just_ended]:
            rate(ended)
        note(changed)


def rate(ended: Sequence[LockedMatch]) -> None:
    """Rate those of the ended matches that count, inside the batch that ends them. No query where
    none counts.
    """
    rated = [locked for locked in ended if counts(locked)]
    if not rated:
        return
    ratings = _lock({(seat.user_id, _pool(d)) for d in rated for seat in d.seats.values()})
    changes = [change for locked in rated for change in _rate_match(locked, ratings)]
    save(ratings.values())
    create(changes)


def note(changed: Sequence[LockedMatch]) -> None:
    """Update the ratings on seats after somebody sat down, options changed or a match ended: one
    query at a game with ratings, otherwise none.
    """
    wanted = [
        locked
        for locked in changed
        if locked.game.counts.rated is not Rated.NOBODY
        and (
            locked.has_just_ended
            or any(seat.rating is None for seat in locked.seats.values())
            or any(told.kind == "configured" for told in locked.told)
        )
    ]
    if not wanted:
        return
    users = {user_id for locked in wanted for user_id in locked.seating.users.values()}
    rows = _MEANS.rows(users=users, games=[*pools()])
    known = {(user, pool): shown(mu) for user, pool, mu in rows}
    for locked in wanted:
        pool = _pool(locked)
        for no, pk in locked.seating.users.items():
            locked.change_seat(no, rating=known.get((pk, pool), START))


def _pool(locked: LockedMatch) -> str:
    return pool_of(locked.match.game, pool_in(locked.game, locked.state.options))


_MEANS: Final = Compiled(
    lambda: Rating.objects.filter(
        user__in=USERS, game__in=GivenMany("games", CharField())
    ).values_list("user", "game", "mu")
)


def counts(locked: LockedMatch) -> bool:
    """Whether a finished match is rated: meant to be, without bots, with two places or more."""
    return (
        locked.game.counts.rated is not Rated.NOBODY
        and is_rated(locked.game, locked.state)
        and not any(seat.user.is_bot for seat in locked.seats.values())
        and len(locked.table.rules.places(locked.state.play).of) >= 2
    )


def _lock(keys: Iterable[Key]) -> dict[Key, Rating]:
    """Lock the ratings of these players in the order of users; create the missing ones unsaved."""
    # The batch holds the players' accounts: nobody else creates ratings for them meanwhile.
    wanted = sorted(keys)
    users, games = {user for user, _ in wanted}, {game for _, game in wanted}
    rows = _LOCKED.objects(Rating, users=users, games=games)
    locked = {(row.user_id, row.game): row for row in rows}
    found = {key: locked[key] for key in wanted if key in locked}
    missing = [key for key in wanted if key not in found]
    return found | {key: new_rating(*key) for key in missing}


_LOCKED: Final = Compiled(
    lambda: (
        Rating.objects.select_for_update()
        .filter(user__in=USERS, game__in=GivenMany("games", CharField()))
        .order_by("user_id", "game")
    )
)


def _rate_match(locked: LockedMatch, ratings: dict[Key, Rating]) -> list[RatingChange]:
    """Change the players' ratings by one match, and return the changes to store."""
    pool = _pool(locked)
    rows = {SeatNo(no): ratings[seat.user_id, pool] for no, seat in locked.seats.items()}
    before = {no: shown(row.mu) for no, row in rows.items()}
    places = locked.table.rules.places(locked.state.play)
    rated = rate_game(rows, places, locked.game.counts.pair_daily, locked.now)
    for no in rated:
        locked.change_seat(no, rating_change=shown(rows[no].mu) - before[no])
    return [
        RatingChange(
            match=locked.match,
            user_id=rows[no].user_id,
            before=before[no],
            after=shown(rows[no].mu),
            mu=rows[no].mu,
            sigma=rows[no].sigma,
            at=locked.now,
        )
        for no in rated
    ]


#: The library's defaults: a new player has mu 25 and sigma 25/3.
MODEL: Final = PlackettLuce()
#: Rated games, the present one included, and the folds among them that make one more a last place.
WINDOW: Final = 20
MOST_FOLDS: Final = 3
_ALL: Final = (1 << WINDOW) - 1


class Lately(Record, frozen=True):
    """A player's last games: ``folds`` before the play, a bit for each game, the last one lowest;
    ``met``: user -> games of ``day`` (UTC) in which the two rated each other.
    """

    folds: int = 0
    day: str = ""
    met: Mapping[str, int] = {}


LATELY: Final = Reader[Lately](Lately)
_NOTHING: Final = Lately()


def new_rating(user_id: int, pool: str) -> Rating:
    """Return a new player's rating, not saved."""
    new = MODEL.rating()
    return Rating(user_id=user_id, game=pool, mu=new.mu, sigma=new.sigma)


def save(ratings: Iterable[Rating]) -> None:
    """Store the ratings that games have changed, new and old ones."""
    rows = [row for row in ratings if row.updated]
    _CHANGING.update([_changing(row) for row in rows if row.pk])
    create([row for row in rows if row.pk is None])


_changing: Final = attrgetter("mu", "sigma", "games", "updated", "lately", "id")
_CHANGING: Final = BulkRows(Rating, ("mu", "sigma", "games", "updated", "lately", "id"))


def rate_game(
    rows: Mapping[SeatNo, Rating], places: Places, pair_limit: int, at: datetime
) -> list[SeatNo]:
    """Change the ratings on the seats by one game; return the rated seats, in order. A third fold
    within 20 games shares the last place. Two who met ``pair_limit`` times on this UTC day (0: no
    limit) do not count for each other.
    """
    if len(places.of) < 2:
        return []
    day = at.date().isoformat()
    lately = {no: _with_game(rows[no], no in places.out, day) for no in (*places.of, *places.out)}
    placed = _with_folders(places, lately)
    met = {no: _met_enough(rows, lately[no], pair_limit) for no in placed}
    seats = sorted(placed)
    company = {no: tuple(other for other in seats if other not in met[no]) for no in seats}
    rated = [no for no in seats if len(company[no]) > 1]
    after = {among: _rated(rows, placed, among) for among in {company[no] for no in rated}}
    for no in rated:
        row, new = rows[no], after[company[no]][no]
        row.mu, row.sigma, row.games = new.mu, new.sigma, row.games + 1
        if pair_limit:
            users = [rows[other].user_id for other in company[no] if other != no]
            lately[no] = _having_met(lately[no], users)
    for no, memory in lately.items():
        rows[no].updated = at
        rows[no].lately = canonical(memory) if memory.folds or memory.met else None
    return rated


def _with_game(row: Rating, is_out: bool, day: str) -> Lately:
    """Return a player's memory with one more game."""
    before = LATELY.stored(row.lately) if row.lately else _NOTHING
    met = before.met if before.day == day else {}
    return Lately((before.folds << 1 | is_out) & _ALL, day, met)


def _with_folders(places: Places, lately: Mapping[SeatNo, Lately]) -> Mapping[SeatNo, int]:
    """Return the places, with the last one for who folded too often."""
    often = [no for no in places.out if lately[no].folds.bit_count() >= MOST_FOLDS]
    return {**places.of, **dict.fromkeys(often, len(places.of) + 1)}


def _having_met(lately: Lately, users: Sequence[int]) -> Lately:
    met = {str(user): lately.met.get(str(user), 0) + 1 for user in users}
    return replace(lately, met={**lately.met, **met})


def _met_enough(rows: Mapping[SeatNo, Rating], lately: Lately, limit: int) -> set[SeatNo]:
    """Return the seats of those whom a player has met often enough on this day."""
    return {
        no for no, row in rows.items() if limit and lately.met.get(str(row.user_id), 0) >= limit
    }


def _rated(
    rows: Mapping[SeatNo, Rating], placed: Mapping[SeatNo, int], among: Sequence[SeatNo]
) -> dict[SeatNo, PlackettLuceRating]:
    """Return the new values of these seats after a game among them."""
    teams = [[MODEL.rating(mu=rows[no].mu, sigma=rows[no].sigma)] for no in among]
    after = MODEL.rate(teams, ranks=[float(placed[no]) for no in among])
    return {no: new for no, (new,) in zip(among, after, strict=True)}


log = logging.getLogger(__name__)

#: Matches in one transaction; so long an end of a match may wait for the swap, or on SQLite for
#: each portion.
PORTION: Final = 100


def rate_again(pool: str) -> Iterator[int]:
    """Rate a pool's stored matches in a second one, then swap the two; yield the matches of a
    portion. It works beside the site, goes on where it was interrupted, and does nothing after a
    swap.
    """
    RatingRun.objects.get_or_create(game=pool)
    while not _swap(pool):
        ceiling = _settled(pool)
        while count := _go_on(pool, ceiling):
            yield count


def rated_matches(pool: str) -> QuerySet[RatingChange]:
    """Return the first change of each rated match of a pool, in the order of the ends."""
    earlier = RatingChange.objects.filter(match=OuterRef("match"), pk__lt=OuterRef("pk"))
    return RatingChange.objects.filter(~Exists(earlier), in_pool(pool)).order_by("pk")


def _settled(pool: str) -> int:
    """Return the last change; no transaction is writing one before it."""
    with transaction.atomic():
        _hold_ratings()
        return _last(pool)


@transaction.atomic
def _go_on(pool: str, ceiling: int) -> int:
    """Rate a portion of the matches up to a change; return how many there were."""
    run = RatingRun.objects.select_for_update().get(pk=pool)
    some = list(rated_matches(pool).filter(pk__gt=run.last, pk__lte=ceiling)[:PORTION])
    if run.swapped_at is None and some:
        _rate(pool, some)
        run.last = some[-1].pk
        run.save()
    return len(some)


@transaction.atomic
def _swap(pool: str) -> bool:
    """Make the second pool the ratings if at most a portion is left to rate, and none can come."""
    run = RatingRun.objects.select_for_update().get(pk=pool)
    if run.swapped_at is not None:
        return True
    _hold_ratings()
    some = list(rated_matches(pool).filter(pk__gt=run.last)[: PORTION + 1])
    if len(some) > PORTION:
        return False
    _rate(pool, some)
    Rating.objects.filter(game=pool).delete()
    Rating.objects.filter(game=pool + FILLING).update(game=pool)
    last = RatingChange.objects.filter(in_pool(pool)).aggregate(at=Max("at"))["at"]
    run.last = _last(pool)
    run.swapped_at = last + timedelta(microseconds=1) if last else timezone.now()
    run.save()
    return True


def _last(pool: str) -> int:
    last = rated_matches(pool).reverse().values_list("pk", flat=True).first()
    return last or 0


def _hold_ratings() -> None:
    """Wait for all that rate a match, and hold off others until the transaction ends."""
    # On SQLite a transaction has the write lock from its beginning.  Players wait meanwhile, so it
    # gives up soon: OperationalError.
    if connection.vendor == "postgresql":
        # Raw SQL: the ORM locks rows, not tables.
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '1s'")
            cursor.execute("LOCK TABLE games_rating IN EXCLUSIVE MODE")


def _rate(pool: str, changes: Sequence[RatingChange]) -> None:
    """Rate the matches of these changes in the second pool; leave out what cannot be read."""
    snapshots = standing([change.match_id for change in changes])
    users = {seat.user_id for each in snapshots.values() for seat in each.seats.values()}
    filling, counts = pool + FILLING, pools()[pool][1].counts
    stored = Rating.objects.filter(game=filling, user__in=users)
    ratings = {row.user_id: row for row in stored}
    ratings |= {user: new_rating(user, filling) for user in users - ratings.keys()}
    for change in changes:
        snapshot = snapshots.get(change.match_id)
        if snapshot is None:
            log.critical("match %d cannot be rated again", change.match_id)
            continue
        seats = {SeatNo(no): ratings[seat.user_id] for no, seat in snapshot.seats.items()}
        places = snapshot.table.rules.places(snapshot.state.play)
        rate_game(seats, places, counts.pair_daily, change.at)
    save(ratings.values())
