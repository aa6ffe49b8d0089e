"""Operations on what everybody may know besides matches: the log, leaderboards, players."""

from datetime import date
from typing import Annotated, Any, Final, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router
from pydantic import Field

from accounts.models import User
from economy.paging import rows_after
from games import registry
from games.api.answers import (
    AwardPlace,
    CountedDay,
    EventShown,
    LadderPlace,
    LadderRow,
    Leaf,
    ListedEvent,
    Page,
    Player,
    PointsBoard,
    Program,
    RatingPlace,
    Seed,
)
from games.api.errors import Refusal
from games.api.operations import Paging, reads
from games.events import queries as events
from games.ladder import queries as ladder_queries
from games.matches.models import LogDay
from games.matches.queries import ratings
from games.people import profiles
from games.proofs.queries import days_before, leaves_after, seeds_after
from games.standings import award_boards, boards

Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
GameName = Annotated[str, Field(min_length=1, max_length=20)]
EventId = Annotated[str, Field(min_length=1, max_length=32)]
UserName = Annotated[str, Field(min_length=1, max_length=40)]
router: Final = Router()


@reads(router, "commitments", "Finished days of the public log, the newest first",
       Page[CountedDay])  # fmt: skip
def days(request: HttpRequest, part: Query[Paging]) -> Any:
    try:
        before = date.fromisoformat(part.cursor) if part.cursor else None
    except ValueError:
        raise Refusal("bad_cursor") from None
    found, has_more = days_before(before, part.limit)
    return {"items": found, "next": found[-1]["day"] if has_more else None}


@reads(router, "commitments/{str:day}", "The leaves of a finished day, in their order", Page[Leaf])
def leaves(request: HttpRequest, day: Day, part: Query[Paging]) -> Any:
    number = part.number
    found, has_more = leaves_after(_day(day), number, part.limit)
    return {"items": found, "next": str(found[-1]["no"]) if has_more else None}


@reads(router, "commitments/{str:day}/seeds",
       "The seeds that became public with a finished day, by commitment", Page[Seed])  # fmt: skip
def seeds(request: HttpRequest, day: Day, part: Query[Paging]) -> Any:
    found, has_more = seeds_after(_day(day), part.cursor, part.limit)
    return {"items": found, "next": found[-1]["commitment"] if has_more else None}


def _day(day: str) -> LogDay:
    try:
        return LogDay.objects.get(day=date.fromisoformat(day))
    except (ValueError, LogDay.DoesNotExist):
        raise Refusal("not_found") from None


@reads(router, "events", "Events that run, that come, and that are over", list[ListedEvent])
def listed_events(request: HttpRequest) -> Any:
    return events.listed_rows(timezone.now())


@reads(router, "events/{str:event_id}", "An event with its players and stations", EventShown, 2)
def shown_event(request: HttpRequest, event_id: EventId) -> Any:
    event = events.find(event_id)
    if event is None:
        raise Refusal("not_found")
    return {**events.row_of(event, event.entrants.count()), **events.course_of(event)}


@reads(router, "leaderboards/points", "The highest net winnings of a week or of all time",
       PointsBoard, 2)  # fmt: skip
def points_board(request: HttpRequest, period: Literal["week", "last", "all"] = "week") -> Any:
    board = boards.leaderboard(period, None, timezone.now())
    return {"week": board["week"], "games": boards.on_boards(), "rows": board["rows"]}


@reads(router, "leaderboards/ratings/{str:game}",
       "The highest ratings at a game, of people or of programs", list[RatingPlace])  # fmt: skip
def rating_board(
    request: HttpRequest, game: GameName, of: Literal["people", "programs"] = "people"
) -> Any:
    if game not in (*ratings.pools(), *registry.POOLS):
        raise Refusal("not_found")
    return boards.leaders(game, programs=of == "programs")


@reads(router, "ladder", "The programs of the ladder, the strongest first", list[LadderPlace], 2)
def ladder(request: HttpRequest) -> Any:
    return ladder_queries.board()


@reads(router, "ladder/matches", "The ended matches of the ladder, the newest first",
       Page[LadderRow])  # fmt: skip
def ladder_matches(request: HttpRequest, part: Query[Paging]) -> Any:
    found, has_more = rows_after(ladder_queries.ended(), "-pk", part.number, part.limit)
    items = [
        {**ladder_queries.told(row), "programs": [each.name for each in row.entrants]}
        for row in found
    ]
    return {"items": items, "next": str(found[-1].pk) if has_more else None}


@reads(router, "leaderboards/awards", "The highest awards, by axis", list[AwardPlace], 2)
def award_board(request: HttpRequest, by: Literal["x", "y", "modulus"] = "x") -> Any:
    return award_boards.leaderboard(award_boards.By(by), None)["rows"]


@reads(router, "players/{str:name}", "The public figures of a player", Player, 2)
def player(request: HttpRequest, name: UserName) -> Any:
    user = User.objects.filter(username__iexact=name, is_active=True).first()
    if user is None:
        raise Refusal("not_found")
    games = []
    for game, figures in profiles.public_figures(user):
        shown = {
            name: ratings.rating_of(user, name)
            for name, (_, rated, _) in ratings.pools().items()
            if rated.slug == game.slug
        }
        own = shown.pop(game.slug, None)
        games.append(
            {
                "game": game.slug,
                "rating": None if own is None else own.rating,
                "is_provisional": own is not None and own.is_provisional,
                "figures": figures,
                "pools": [
                    {"name": name, "rating": each.rating, "is_provisional": each.is_provisional}
                    for name, each in shown.items()
                    if each.games
                ],
            }
        )
    return {
        "name": user.username,
        "avatar": user.avatar,
        "bot": user.is_bot,
        "program": user.is_program,
        "games": games,
    }


@reads(router, "programs", "The accounts that programs play, by name", Page[Program])
def programs(request: HttpRequest, part: Query[Paging]) -> Any:
    known = User.objects.filter(is_program=True, is_active=True)
    shown, has_more = rows_after(known, "name_key", part.cursor, part.limit)
    items = [
        {"name": each.username, "avatar": each.avatar, "since": each.date_joined.date().isoformat()}
        for each in shown
    ]
    return {"items": items, "next": shown[-1].name_key if has_more else None}
