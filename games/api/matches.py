"""Operations on matches; an unlisted one is in no list, and its players alone read it."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final, Literal

from django.db.models import Q, QuerySet
from msgspec import Meta

from accounts.models import User, named
from games import registry
from games.api.answers import History, ListedMatch, Log, MatchShown, Proof
from games.api.errors import Asleep, BadCursor, NotFound
from games.api.operations import HEAVY, Answer, Call, Nothing, Operation, Page, Paging
from games.engine.facts import instant, iso
from games.engine.structs import canonical
from games.matches.models import Match, Seat
from games.matches.queries import match_view as views
from games.matches.queries import selectors
from games.matches.queries.ratings import Scales
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


def own_matches(user: User) -> QuerySet[Match]:
    """Return all matches with a seat of this user, the unlisted ones included."""
    return Match.objects.filter(pk__in=_with_seat(user), game__in=_games())


def part_of(found: QuerySet[Match], after: str, limit: int) -> tuple[list[dict[str, Any]], str]:
    """Return some matches, the newest first, each as a row, and the public id of the last one if
    others follow ``after``, the last of the part before. Raises Match.DoesNotExist.
    """
    if after:
        # A match that is over leaves a list of running ones, but keeps its place in the order.
        known = Match.objects.filter(Q(listed=True) | Q(pk__in=found.values("pk")))
        found = found.filter(pk__lt=known.only("pk").get(public_id=after).pk)
    lean = found.defer("state", "recent", "origin", "origin_users", "seed")
    rows = list(lean.order_by("-pk")[: limit + 1])
    shown = rows[:limit]
    return _rows(shown), shown[-1].public_id if len(rows) > limit else ""


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
    told = registry.table(match.game).lists.row(options, read_summary(match.summary))
    moments = (match.opened_at, match.started_at, match.ended_at)
    opened_at, started_at, ended_at = (at and iso(instant(at)) for at in moments)
    return {
        "public_id": match.public_id,
        "game": match.game,
        "title": match.title,
        "status": match.status,
        "void_reason": match.void_reason or None,
        "opened_at": opened_at,
        "started_at": started_at,
        "ended_at": ended_at,
        "rated": match.is_rated,
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


class OfMatch(Nothing, frozen=True):
    public_id: Annotated[str, Meta(min_length=1, max_length=32)]


class Wanted(Paging, frozen=True, kw_only=True):
    game: Annotated[str, Meta(max_length=20, description="only of this game")] = ""
    status: Literal["", "open", "running", "over", "void", "closed"] = ""
    player: Annotated[str, Meta(max_length=40, description="only with a seat of this player")] = ""


def _matches(call: Call) -> Answer:
    wanted: Wanted = call.given
    return Answer(_page(call, listed_matches(wanted.game, wanted.status, wanted.player)))


def _own_matches(call: Call) -> Answer:
    return Answer(_page(call, own_matches(call.caller)), is_public=False)


def _page(call: Call, found: QuerySet[Match]) -> Page[dict[str, Any]]:
    try:
        rows, following = part_of(found, call.given.cursor, call.given.limit)
    except Match.DoesNotExist:
        raise BadCursor from None
    return Page(rows, following or None)


def _match(call: Call) -> Answer:
    match, is_public = _found(call)
    snapshot = selectors.snapshots([match.pk]).get(match.pk)
    if snapshot is None:
        raise Asleep
    here = selectors.presences([match.pk]).get(match.pk) or {"seats": [], "watching": 0}
    view = {
        **views.head_part(snapshot, here),
        **views.pace_part(snapshot),
        "game": views.game_part(snapshot),
    }
    return Answer(view, is_public)


def _log(call: Call) -> Answer:
    return _read(call, log_of, is_over=False)


def _history(call: Call) -> Answer:
    return _read(call, history_of)


def _proof(call: Call) -> Answer:
    answer = _read(call, proof_of)
    if answer.body is None:
        # The log has not its end yet.
        raise NotFound
    return replace(answer, body=canonical(answer.body).encode())


def _read(call: Call, read: Callable[[Match], Any], *, is_over: bool = True) -> Answer:
    match, is_public = _found(call, is_over=is_over)
    try:
        return Answer(read(match), is_public)
    except KeyError:
        raise Asleep from None


def _found(call: Call, *, is_over: bool = False) -> tuple[Match, bool]:
    """Return the match of a call, and whether everybody may read it; raises NotFound."""
    match = selectors.find_match(call.given.public_id)
    if match is None or (is_over and match.is_live):
        raise NotFound
    if match.listed and selectors.may_watch(match, None):
        # Without a look at the log-in the answer is the same for everybody.
        return match, True
    may_read = match.listed or selectors.has_played(match, call.user_id)
    if not may_read or not selectors.may_watch(match, call.user_id):
        raise NotFound
    return match, False


PROOF: Final = Operation(
    "proof",
    "matches/{public_id}/proof",
    "What shows that the chance of a finished match was fair",
    Proof,
    _proof,
    OfMatch,
    HEAVY,
)
OPERATIONS: Final = (
    Operation("matches", "matches", "Listed matches, the newest first", Page[ListedMatch],
              _matches, Wanted),
    Operation("match", "matches/{public_id}", "A match as a spectator sees it", MatchShown, _match,
              OfMatch),
    Operation("log", "matches/{public_id}/log",
              "The facts of a match: the public ones while it runs, then all", Log, _log, OfMatch,
              HEAVY),
    Operation("history", "matches/{public_id}/history", "The hand history of a finished match",
              History, _history, OfMatch, HEAVY),
    PROOF,
    Operation("own_matches", "me/matches",
              "Your matches, the newest first, unlisted ones included", Page[ListedMatch],
              _own_matches, Paging),
)  # fmt: skip
