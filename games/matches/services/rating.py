"""Rating updates at the end of a rated match, in the transaction that ends it.

Source: docs/explanation/ratings.md.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from openskill.models import PlackettLuce

from games.contract import Rated
from games.matches.models import Rating, RatingChange, Seat
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.reactions import Reaction
from games.matches.queries.ratings import START, rated_games, shown
from games.matches.queries.summaries import is_rated

#: The library's defaults: a new player has mu 25 and sigma 25/3.
MODEL: Final = PlackettLuce()
#: The rank by result of equal nets; a draw is a shared first place.
PLACE: Final = {Seat.Result.WON: 1, Seat.Result.DRAWN: 1, Seat.Result.LOST: 2}

Key = tuple[int, str]


class Ratings(Reaction):
    """Rates ended matches and keeps the ratings on their seats current."""

    def written(self, changed: Sequence[LockedMatch]) -> None:
        rate([locked for locked in changed if locked.has_just_ended])
        note(changed)


def rate(ended: Sequence[LockedMatch]) -> None:
    """Rate the matches that have just ended and count for ratings; write the changes.

    Call inside the batch that ends them.  No query where none counts.

    Args:
        ended: matches that were played to their end since they were locked.
    """
    rated = [locked for locked in ended if counts(locked)]
    if not rated:
        return
    ratings = _lock({(seat.user_id, d.match.game) for d in rated for seat in d.seats.values()})
    changes = [change for locked in rated for change in _rate_match(locked, ratings)]
    rows = list(ratings.values())
    Rating.objects.bulk_create(row for row in rows if row.pk is None)
    Rating.objects.bulk_update([r for r in rows if r.pk], ["mu", "sigma", "games", "updated"])
    RatingChange.objects.bulk_create(changes)


def note(changed: Sequence[LockedMatch]) -> None:
    """Update the ratings on seats after somebody sat down or a match ended.

    One query in that case at a game with ratings, otherwise none.
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
    """Whether a finished match is rated: meant to be, two people or more, and a result for each.

    Source: docs/explanation/ratings.md "What is rated".
    """
    seats = list(locked.seats.values())
    return (
        locked.game.counts.rated is not Rated.NOBODY
        and is_rated(locked.game, locked.state)
        and len(seats) >= 2
        and not any(seat.user.is_bot for seat in seats)
        and all(seat.result in PLACE for seat in seats)
    )


def _lock(keys: Iterable[Key]) -> dict[Key, Rating]:
    """Lock the ratings of these players in the order of users; create the missing ones unsaved.

    The batch has locked the players' accounts, so no other transaction creates them meanwhile;
    otherwise the constraint would let only one succeed.
    """
    wanted = sorted(keys)
    users, games = {user for user, _ in wanted}, {game for _, game in wanted}
    rows = Rating.objects.select_for_update().filter(user__in=users, game__in=games)
    locked = {(row.user_id, row.game): row for row in rows.order_by("user_id", "game")}
    found = {key: locked[key] for key in wanted if key in locked}
    missing = [key for key in wanted if key not in found]
    for user_id, game in missing:
        new = MODEL.rating()
        found[user_id, game] = Rating(user_id=user_id, game=game, mu=new.mu, sigma=new.sigma)
    return found


def _rate_match(locked: LockedMatch, ratings: dict[Key, Rating]) -> list[RatingChange]:
    """Change the players' ratings by one match, and return the changes to store.

    The places are those of the nets, and of the results where nets are equal.
    """
    seats = [locked.seats[no] for no in sorted(locked.seats)]
    rows = [ratings[seat.user_id, locked.match.game] for seat in seats]
    teams = [[MODEL.rating(mu=row.mu, sigma=row.sigma)] for row in rows]
    ends = [(-(seat.net or 0), PLACE[Seat.Result(seat.result)]) for seat in seats]
    rated = MODEL.rate(teams, ranks=[float(sorted(ends).index(end)) for end in ends])
    changes = []
    for seat, row, (new,) in zip(seats, rows, rated, strict=True):
        before = shown(row.mu)
        row.mu, row.sigma, row.games, row.updated = new.mu, new.sigma, row.games + 1, locked.now
        after = shown(row.mu)
        locked.change_seat(seat.no, rating_change=after - before)
        changes.append(
            RatingChange(
                match=locked.match,
                user_id=row.user_id,
                before=before,
                after=after,
                mu=row.mu,
                sigma=row.sigma,
                at=locked.now,
            )
        )
    return changes
