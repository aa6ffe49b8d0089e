"""Rating updates at the end of a rated match, in the transaction that ends it.
Source: docs/explanation/ratings.md.
"""

from collections.abc import Iterable, Sequence

from games.contract import Rated
from games.engine.facts import SeatNo
from games.matches.models import Rating, RatingChange
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.reactions import Reaction
from games.matches.queries.ratings import START, is_rated, rated_games, shown
from games.standings import rated_game
from games.standings.rated_game import new_rating, rate_game

Key = tuple[int, str]


class Ratings(Reaction):
    """Rates ended matches and keeps the ratings on their seats current."""

    def written(self, changed: Sequence[LockedMatch]) -> None:
        rate([locked for locked in changed if locked.has_just_ended])
        note(changed)


def rate(ended: Sequence[LockedMatch]) -> None:
    """Rate the matches that have just ended and count for ratings; write the changes. Call inside
    the batch that ends them.  No query where none counts. ``ended``: matches that were played to
    their end since they were locked.
    """
    rated = [locked for locked in ended if counts(locked)]
    if not rated:
        return
    ratings = _lock({(seat.user_id, d.match.game) for d in rated for seat in d.seats.values()})
    changes = [change for locked in rated for change in _rate_match(locked, ratings)]
    rated_game.save(ratings.values())
    RatingChange.objects.bulk_create(changes)


def note(changed: Sequence[LockedMatch]) -> None:
    """Update the ratings on seats after somebody sat down or a match ended. One query in that case
    at a game with ratings, otherwise none.
    """
    rated = rated_games()
    wanted = [
        locked
        for locked in changed
        if locked.match.game in rated
        and (locked.has_just_ended or any(seat.rating is None for seat in locked.seats.values()))
    ]
    if not wanted:
        return
    users = {user_id for locked in wanted for user_id in locked.seating.users.values()}
    rows = Rating.objects.filter(user__in=users, game__in=rated)
    known = {(user, game): shown(mu) for user, game, mu in rows.values_list("user", "game", "mu")}
    for locked in wanted:
        game = locked.match.game
        for no, pk in locked.seating.users.items():
            locked.change_seat(no, rating=known.get((pk, game), START))


def counts(locked: LockedMatch) -> bool:
    """Whether a finished match is rated: meant to be, without bots, and with two places or more.
    Source: docs/explanation/ratings.md "What is rated".
    """
    return (
        locked.game.counts.rated is not Rated.NOBODY
        and is_rated(locked.game, locked.state)
        and not any(seat.user.is_bot for seat in locked.seats.values())
        and len(locked.table.rules.places(locked.state.play).of) >= 2
    )


def _lock(keys: Iterable[Key]) -> dict[Key, Rating]:
    """Lock the ratings of these players in the order of users; create the missing ones unsaved. The
    batch has locked the players' accounts, so no other transaction creates them meanwhile;
    otherwise the constraint would let only one succeed.
    """
    wanted = sorted(keys)
    users, games = {user for user, _ in wanted}, {game for _, game in wanted}
    rows = Rating.objects.select_for_update().filter(user__in=users, game__in=games)
    locked = {(row.user_id, row.game): row for row in rows.order_by("user_id", "game")}
    found = {key: locked[key] for key in wanted if key in locked}
    missing = [key for key in wanted if key not in found]
    return found | {key: new_rating(*key) for key in missing}


def _rate_match(locked: LockedMatch, ratings: dict[Key, Rating]) -> list[RatingChange]:
    """Change the players' ratings by one match, and return the changes to store."""
    game = locked.match.game
    rows = {SeatNo(no): ratings[seat.user_id, game] for no, seat in locked.seats.items()}
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
