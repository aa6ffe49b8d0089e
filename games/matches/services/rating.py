"""Ratings: what the end of a rated match does to its two players, in the same transaction.

Source: docs/ratings.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from openskill.models import PlackettLuce

from games.matches.models import Rating, RatingChange, Seat
from games.matches.processing.locked_match import Desk
from games.matches.processing.reactions import Reaction
from games.matches.queries.ratings import START, rated_games, shown

#: The library's usual numbers: a new player is 25 give or take 25/3.
MODEL: Final = PlackettLuce()
#: Whoever draws shares the place.
PLACE: Final = {Seat.Result.WON: 1, Seat.Result.DRAWN: 1, Seat.Result.LOST: 2}

Key = tuple[int, str]


class Ratings(Reaction):
    """Rates the matches that end, and lets tables show the ratings of who sits there."""

    def written(self, changed: Sequence[Desk]) -> None:
        """Rate, then note."""
        rate([desk for desk in changed if desk.has_just_ended])
        note(changed)


def rate(ended: Sequence[Desk]) -> None:
    """Rate the matches that have just ended and count for ratings, and write what that changes.

    Call inside the batch that ends them.  Nothing is asked of the database where none counts.

    Args:
        ended: matches that were played to their end since they were locked.
    """
    rated = [desk for desk in ended if counts(desk)]
    if not rated:
        return
    ratings = _lock({(seat.user_id, d.match.game) for d in rated for seat in d.seats.values()})
    changes = [change for desk in rated for change in _rate_match(desk, ratings)]
    rows = list(ratings.values())
    Rating.objects.bulk_create(row for row in rows if row.pk is None)
    Rating.objects.bulk_update([r for r in rows if r.pk], ["mu", "sigma", "games", "updated"])
    RatingChange.objects.bulk_create(changes)


def note(changed: Sequence[Desk]) -> None:
    """Let tables show the ratings of those who have sat down, and the new ones after the end.

    One query when somebody sat down at a game with ratings, none else.
    """
    rated = rated_games()
    wanted = [desk for desk in changed if desk.match.game in rated and _is_unknown(desk)]
    if not wanted:
        return
    users = {user_id for desk in wanted for user_id in desk.users.values()}
    rows = Rating.objects.filter(user__in=users, game__in=rated)
    known = {(user, game): shown(mu) for user, game, mu in rows.values_list("user", "game", "mu")}
    for desk in wanted:
        game = desk.match.game
        for no, pk in desk.users.items():
            desk.change_seat(no, rating=known.get((pk, game), START))


def _is_unknown(desk: Desk) -> bool:
    """Whether somebody's rating here may not be the one that is remembered."""
    return desk.has_just_ended or any(seat.rating is None for seat in desk.seats.values())


def counts(desk: Desk) -> bool:
    """Whether a finished match is rated: two people, nothing at stake, and an end with a result.

    Source: docs/ratings.md "What is rated".
    """
    seats = list(desk.seats.values())
    return (
        bool(getattr(desk.state.options, "rated", False))
        and len(seats) == 2
        and not any(seat.user.is_bot for seat in seats)
        and not any(seat.purse for seat in desk.state.taken)
        and all(seat.result in PLACE for seat in seats)
    )


def _lock(keys: Iterable[Key]) -> dict[Key, Rating]:
    """Return the ratings of these players, locked in the order of users; new ones are made.

    The batch holds the players' accounts, so nobody else makes them at the same time; were it
    otherwise, the constraint would let only one succeed.
    """
    wanted = sorted(keys)
    found = {(row.user_id, row.game): row for row in _locked(wanted)}
    missing = [key for key in wanted if key not in found]
    for user_id, game in missing:
        new = MODEL.rating()
        found[user_id, game] = Rating(user_id=user_id, game=game, mu=new.mu, sigma=new.sigma)
    return found


def _locked(keys: Sequence[Key]) -> Iterable[Rating]:
    users, games = {user for user, _ in keys}, {game for _, game in keys}
    rows = Rating.objects.select_for_update().filter(user__in=users, game__in=games)
    return [row for row in rows.order_by("user_id", "game") if (row.user_id, row.game) in keys]


def _rate_match(desk: Desk, ratings: dict[Key, Rating]) -> list[RatingChange]:
    """Change both players' ratings by one match, and return what to remember of it."""
    seats = [desk.seats[no] for no in sorted(desk.seats)]
    rows = [ratings[seat.user_id, desk.match.game] for seat in seats]
    teams = [[MODEL.rating(mu=row.mu, sigma=row.sigma)] for row in rows]
    places = [float(PLACE[Seat.Result(seat.result)]) for seat in seats]
    rated = MODEL.rate(teams, ranks=places)
    changes = []
    for seat, row, (new,) in zip(seats, rows, rated, strict=True):
        before = shown(row.mu)
        row.mu, row.sigma, row.games, row.updated = new.mu, new.sigma, row.games + 1, desk.now
        after = shown(row.mu)
        desk.change_seat(seat.no, rating_change=after - before)
        changes.append(
            RatingChange(
                match=desk.match,
                user_id=row.user_id,
                before=before,
                after=after,
                mu=row.mu,
                sigma=row.sigma,
                at=desk.now,
            )
        )
    return changes
