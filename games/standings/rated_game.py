"""The change of ratings by one game, from the places of those who played it. Ends of matches and
the run over stored matches (``rating_runs``) both rate by it.
Source: docs/explanation/ratings.md.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from openskill.models import PlackettLuce, PlackettLuceRating

from games.engine.facts import SeatNo
from games.engine.protocols import Places
from games.engine.structs import Reader, Record, canonical, replace
from games.matches.models import Rating

#: The library's defaults: a new player has mu 25 and sigma 25/3.
MODEL: Final = PlackettLuce()
#: Rated games, the present one included, and the folds among them that make one more a last place.
WINDOW: Final = 20
MOST_FOLDS: Final = 3
_ALL: Final = (1 << WINDOW) - 1


class Lately(Record, frozen=True):
    """The memory of a player's last games: folds before the play, and opponents of a day. ``folds``
    has a bit for each game, the last one lowest.  ``met``: user -> the games of ``day`` (UTC) in
    which the two changed each other's rating.
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
    Rating.objects.bulk_create(row for row in rows if row.pk is None)
    changing = ["mu", "sigma", "games", "updated", "lately"]
    Rating.objects.bulk_update([row for row in rows if row.pk], changing)


def rate_game(
    rows: Mapping[SeatNo, Rating], places: Places, pair_limit: int, at: datetime
) -> list[SeatNo]:
    """Change the ratings on the seats by one game; return the seats that were rated, in order. Who
    stays out for the third time within 20 games shares the last place.  Two who have met
    ``pair_limit`` times on this UTC day (0: no limit) do not count for each other.
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
    """Return what is remembered of a player, with one more game."""
    before = LATELY.stored(row.lately) if row.lately else _NOTHING
    met = before.met if before.day == day else {}
    return Lately((before.folds << 1 | is_out) & _ALL, day, met)


def _with_folders(places: Places, lately: Mapping[SeatNo, Lately]) -> Mapping[SeatNo, int]:
    """Return the places, those of who folded too often included."""
    often = [no for no in places.out if lately[no].folds.bit_count() >= MOST_FOLDS]
    return {**places.of, **dict.fromkeys(often, len(places.of) + 1)}


def _having_met(lately: Lately, users: Sequence[int]) -> Lately:
    """Return what is remembered after one more game among these users."""
    met = {str(user): lately.met.get(str(user), 0) + 1 for user in users}
    return replace(lately, met={**lately.met, **met})


def _met_enough(rows: Mapping[SeatNo, Rating], lately: Lately, limit: int) -> set[SeatNo]:
    """Return the seats of those whom a player has met as often on this day as counts."""
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
