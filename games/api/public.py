"""Operations on what everybody may know besides matches: the log, leaderboards, players."""

from datetime import date
from typing import Annotated, Final, Literal

from django.utils import timezone
from msgspec import Meta

from accounts.models import User
from games.api.answers import (
    AwardPlace,
    CountedDay,
    GameFigures,
    Leaf,
    Player,
    PointsBoard,
    PointsPlace,
    Program,
    RatingPlace,
    Seed,
)
from games.api.errors import BadCursor, NotFound
from games.api.operations import Answer, Call, Nothing, Operation, Page, Paging
from games.matches.models import LogDay
from games.matches.queries import ratings
from games.people import profiles
from games.proofs.queries import days_before, leaves_after, seeds_after
from games.standings import award_boards, boards


class OfDay(Paging, frozen=True, kw_only=True):
    day: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")]


class OfPeriod(Nothing, frozen=True):
    period: Literal["week", "last", "all"] = "week"


class OfGame(Nothing, frozen=True, kw_only=True):
    """A game with ratings; programs have a list of their own."""

    game: Annotated[str, Meta(min_length=1, max_length=20)]
    of: Literal["people", "programs"] = "people"


class OfAxis(Nothing, frozen=True):
    """The axis by which awards are ranked, or both."""

    by: Literal["x", "y", "modulus"] = "x"


class OfPlayer(Nothing, frozen=True):
    name: Annotated[str, Meta(min_length=1, max_length=40)]


def _days(call: Call) -> Answer:
    try:
        before = date.fromisoformat(call.given.cursor) if call.given.cursor else None
    except ValueError:
        raise BadCursor from None
    found, has_more = days_before(before, call.given.limit)
    return Answer(Page(found, found[-1]["day"] if has_more else None))


def _leaves(call: Call) -> Answer:
    number = call.number
    found, has_more = leaves_after(_day(call), number, call.given.limit)
    return Answer(Page(found, str(found[-1]["no"]) if has_more else None))


def _seeds(call: Call) -> Answer:
    found, has_more = seeds_after(_day(call), call.given.cursor, call.given.limit)
    return Answer(Page(found, found[-1]["commitment"] if has_more else None))


def _day(call: Call) -> LogDay:
    try:
        return LogDay.objects.get(day=date.fromisoformat(call.given.day))
    except (ValueError, LogDay.DoesNotExist):
        raise NotFound from None


def _points(call: Call) -> Answer:
    board = boards.leaderboard(call.given.period, None, timezone.now())
    rows = [
        PointsPlace(row.place, row.name, row.avatar, row.net, row.games, row.prize)
        for row in board["rows"]
    ]
    return Answer(PointsBoard(board["week"], boards.on_boards(), rows))


def _ratings(call: Call) -> Answer:
    if call.given.game not in ratings.rated_games():
        raise NotFound
    rows = [
        RatingPlace(row.place, row.name, row.avatar, row.rating, row.games)
        for row in boards.leaders(call.given.game, programs=call.given.of == "programs")
    ]
    return Answer(rows)


def _awards(call: Call) -> Answer:
    board = award_boards.leaderboard(award_boards.By(call.given.by), None)
    rows = [
        AwardPlace(row.place, row.name, row.avatar, row.x, row.y, row.games)
        for row in board["rows"]
    ]
    return Answer(rows)


def _player(call: Call) -> Answer:
    player = User.objects.filter(username__iexact=call.given.name, is_active=True).first()
    if player is None:
        raise NotFound
    rated, games = ratings.rated_games(), []
    for game, figures in profiles.public_figures(player):
        shown = ratings.rating_of(player, game.slug) if game.slug in rated else None
        rating = None if shown is None else shown.rating
        is_provisional = shown is not None and shown.is_provisional
        games.append(GameFigures(game.slug, rating, is_provisional, figures))
    return Answer(Player(player.username, player.avatar, player.is_bot, player.is_program, games))


def _programs(call: Call) -> Answer:
    known = User.objects.filter(is_program=True, is_active=True).order_by("name_key")
    found = list(known.filter(name_key__gt=call.given.cursor)[: call.given.limit + 1])
    shown = found[: call.given.limit]
    items = [
        Program(each.username, each.avatar, each.date_joined.date().isoformat()) for each in shown
    ]
    return Answer(Page(items, shown[-1].name_key if len(found) > len(shown) else None))


OPERATIONS: Final = (
    Operation("days", "commitments", "Finished days of the public log, the newest first",
              Page[CountedDay], _days, Paging),
    Operation("leaves", "commitments/{day}", "The leaves of a finished day, in their order",
              Page[Leaf], _leaves, OfDay),
    Operation("seeds", "commitments/{day}/seeds",
              "The seeds that became public with a finished day, by commitment", Page[Seed],
              _seeds, OfDay),
    Operation("points_board", "leaderboards/points",
              "The highest net winnings of a week or of all time", PointsBoard, _points, OfPeriod,
              2),
    Operation("rating_board", "leaderboards/ratings/{game}",
              "The highest ratings at a game, of people or of programs", list[RatingPlace],
              _ratings, OfGame),
    Operation("award_board", "leaderboards/awards", "The highest awards, by axis",
              list[AwardPlace], _awards, OfAxis, 2),
    Operation("player", "players/{name}", "The public figures of a player", Player, _player,
              OfPlayer, 2),
    Operation("programs", "programs", "The accounts that programs play, by name", Page[Program],
              _programs, Paging),
)  # fmt: skip
