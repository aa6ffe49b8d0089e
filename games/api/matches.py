"""Operations on matches; an unlisted one is in no list, and its players alone read it."""

import json
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, Literal

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from ninja import Query, Router
from pydantic import Field

from accounts.models import User, named
from economy.paging import rows_after
from games import registry
from games.api.answers import History, ListedMatch, Log, MatchShown, Page, Proof
from games.api.errors import Refusal
from games.api.operations import HEAVY, PRIVATE, Paging, caller_of, reads, user_of
from games.engine.structs import canonical
from games.matches.models import Match, Seat
from games.matches.queries import match_view as views
from games.matches.queries import selectors
from games.matches.queries.ratings import Scales, pool_in, pool_of, pools
from games.matches.queries.selectors import read_summary
from games.proofs.queries import proof_of
from games.replays.histories import history_of, log_of


def listed_matches(game: str = "", status: str = "", player: str = "") -> QuerySet[Match]:
    """Return the matches that are in public lists; an empty argument takes all."""
    found = Match.objects.filter(listed=True, game__in=_games())
    if game:
        found = found.filter(game=game)
    if status:
        found = found.filter(status=status)
    if player:
        user = User.objects.filter(named(player), is_active=True).first()
        found = found.filter(pk__in=_with_seat(user)) if user else found.none()
    return found


def matches_of(user: User) -> QuerySet[Match]:
    """Return all matches with a seat of this user, the unlisted ones included."""
    return Match.objects.filter(pk__in=_with_seat(user), game__in=_games())


def part_of(found: QuerySet[Match], after: str, limit: int) -> tuple[list[dict[str, Any]], str]:
    """Return some matches, the newest first, each as a row, and the public id of the last one if
    others follow ``after``, the last of the part before. Raises Match.DoesNotExist.
    """
    # A match that is over leaves a list of running ones, but keeps its place in the order.
    known = Match.objects.filter(Q(listed=True) | Q(pk__in=found.values("pk")))
    last = known.only("pk").get(public_id=after).pk if after else None
    lean = found.defer("state", "recent", "origin", "origin_users", "seed")
    shown, has_more = rows_after(lean, "-pk", last, limit)
    return _rows(shown), shown[-1].public_id if has_more else ""


def _with_seat(user: User) -> QuerySet[Seat, Any]:
    return Seat.objects.filter(user=user).values("match")


def _games() -> list[str]:
    return [game.slug for game in registry.tables()]


def _rows(matches: Sequence[Match]) -> list[dict[str, Any]]:
    seats: dict[int, list[Seat]] = {match.pk: [] for match in matches}
    taken = Seat.objects.filter(match__in=seats).select_related("user").order_by("match", "no")
    for seat in taken:
        seats[seat.match_id].append(seat)
    scales = Scales()
    return [
        {**_row(match, seats[match.pk]), "old_scale": scales.is_old(match)} for match in matches
    ]


def _row(match: Match, seats: Sequence[Seat]) -> dict[str, Any]:
    options = json.loads(match.table)["options"]
    game = registry.table(match.game)
    told = game.lists.row(options, read_summary(match.summary))
    pool = pool_of(game.slug, pool_in(game, options))
    return {
        "public_id": match.public_id,
        "game": match.game,
        "title": match.title,
        "status": match.status,
        "void_reason": match.void_reason or None,
        "opened_at": match.opened_at,
        "started_at": match.started_at,
        "ended_at": match.ended_at,
        "rated": match.is_rated,
        "pool": pool if match.is_rated and pool in pools() else None,
        "staked": match.is_staked,
        "spectators": match.spectators,
        "terms": told.get("terms", ""),
        "news": told.get("news", ""),
        "seats": [_seat(match, seat) for seat in seats],
    }


def _seat(match: Match, seat: Seat) -> dict[str, Any]:
    is_over = not match.is_live
    return {
        "no": seat.no,
        "name": seat.user.username,
        "bot": seat.user.is_bot,
        "result": (seat.result or None) if is_over else None,
        "net": seat.net if is_over else None,
        "rating_change": seat.rating_change if is_over else None,
    }


class Wanted(Paging):
    game: Annotated[str, Field(max_length=20, description="only of this game")] = ""
    status: Literal["", "open", "running", "over", "void", "closed"] = ""
    player: Annotated[str, Field(max_length=40, description="only with a seat of this player")] = ""


MatchId = Annotated[str, Field(min_length=1, max_length=32)]
router: Final = Router()


@reads(router, "matches", "Listed matches, the newest first", Page[ListedMatch])
def matches(request: HttpRequest, wanted: Query[Wanted]) -> Any:
    return _page(wanted, listed_matches(wanted.game, wanted.status, wanted.player))


@reads(router, "me/matches", "Your matches, the newest first, unlisted ones included",
       Page[ListedMatch])  # fmt: skip
def own_matches(request: HttpRequest, response: HttpResponse, part: Query[Paging]) -> Any:
    return _page(part, matches_of(caller_of(request, response)))


def _page(part: Paging, found: QuerySet[Match]) -> dict[str, Any]:
    try:
        rows, following = part_of(found, part.cursor, part.limit)
    except Match.DoesNotExist:
        raise Refusal("bad_cursor") from None
    return {"items": rows, "next": following or None}


@reads(router, "matches/{str:public_id}", "A match as a spectator sees it", MatchShown)
def match(request: HttpRequest, response: HttpResponse, public_id: MatchId) -> Any:
    found = _found(request, response, public_id)
    snapshot = selectors.snapshots([found.pk]).get(found.pk)
    if snapshot is None:
        raise Refusal("asleep")
    here = selectors.presences([found.pk]).get(found.pk) or {"seats": [], "watching": 0}
    return {
        **views.head_part(snapshot, here),
        **views.pace_part(snapshot),
        "game": views.game_part(snapshot),
    }


@reads(router, "matches/{str:public_id}/log",
       "The facts of a match: the public ones while it runs, then all", Log, HEAVY)  # fmt: skip
def log(request: HttpRequest, response: HttpResponse, public_id: MatchId) -> Any:
    return _read(_found(request, response, public_id), log_of)


@reads(router, "matches/{str:public_id}/history", "The hand history of a finished match", History,
       HEAVY)  # fmt: skip
def history(request: HttpRequest, response: HttpResponse, public_id: MatchId) -> Any:
    return _read(_found(request, response, public_id, is_over=True), history_of)


@reads(router, "matches/{str:public_id}/proof",
       "What shows that the chance of a finished match was fair", Proof, HEAVY)  # fmt: skip
def proof(request: HttpRequest, response: HttpResponse, public_id: MatchId) -> Any:
    found = _read(_found(request, response, public_id, is_over=True), proof_of)
    if found is None:
        # The log has not its end yet.
        raise Refusal("not_found")
    response.content = canonical(found).encode()
    return response


def _read(found: Match, read: Callable[[Match], Any]) -> Any:
    try:
        return read(found)
    except KeyError:
        raise Refusal("asleep") from None


def _found(
    request: HttpRequest, response: HttpResponse, public_id: str, *, is_over: bool = False
) -> Match:
    """Return a match that the caller may read; the response says if not everybody may."""
    found = selectors.find_match(public_id)
    if found is None or (is_over and found.is_live):
        raise Refusal("not_found")
    if found.listed and selectors.may_watch(found, None):
        # Without a look at the log-in the answer is the same for everybody.
        return found
    user = user_of(request)
    user_id = None if user is None else user.pk
    may_read = found.listed or selectors.has_played(found, user_id)
    if not may_read or not selectors.may_watch(found, user_id):
        raise Refusal("not_found")
    response["Cache-Control"] = PRIVATE
    return found
