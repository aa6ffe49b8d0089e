"""Operations on matches: lists, the public view, log, history, proof. An unlisted match is in no
list, and its players alone read it.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta

from games.api.answers import History, ListedMatch, Log, MatchShown, Proof
from games.api.errors import Asleep, BadCursor, NotFound
from games.api.listing import listed_matches, own_matches, part_of
from games.api.operations import HEAVY, Answer, Call, Nothing, Operation, Page, Paging
from games.engine.structs import canonical
from games.matches.models import Match
from games.matches.queries import match_view as views
from games.matches.queries import selectors
from games.proofs.queries import proof_of
from games.replays.histories import history_of, log_of


class OfMatch(Nothing, frozen=True):
    """The match that is asked for."""

    public_id: Annotated[str, Meta(min_length=1, max_length=32)]


class Wanted(Paging, frozen=True, kw_only=True):
    """The matches that are wanted."""

    game: Annotated[str, Meta(max_length=20, description="only of this game")] = ""
    status: Literal["", "open", "running", "over", "void", "closed"] = ""
    player: Annotated[str, Meta(max_length=40, description="only with a seat of this player")] = ""


def _matches(call: Call) -> Answer:
    wanted: Wanted = call.given
    found = listed_matches(wanted.game, wanted.status, wanted.player)
    try:
        rows, following = part_of(found, wanted.cursor, wanted.limit)
    except Match.DoesNotExist:
        raise BadCursor from None
    return Answer(Page(rows, following or None))


def _own_matches(call: Call) -> Answer:
    try:
        rows, following = part_of(own_matches(call.caller), call.given.cursor, call.given.limit)
    except Match.DoesNotExist:
        raise BadCursor from None
    return Answer(Page(rows, following or None), is_public=False)


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
    match, is_public = _found(call)
    try:
        return Answer(log_of(match), is_public)
    except KeyError:
        raise Asleep from None


def _history(call: Call) -> Answer:
    match, is_public = _found(call, is_over=True)
    try:
        return Answer(history_of(match), is_public)
    except KeyError:
        raise Asleep from None


def _proof(call: Call) -> Answer:
    match, is_public = _found(call, is_over=True)
    try:
        found = proof_of(match)
    except KeyError:
        raise Asleep from None
    if found is None:
        # The log has not its end yet.
        raise NotFound
    return Answer(canonical(found).encode(), is_public)


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
    Operation(
        "matches",
        "matches",
        "Listed matches, the newest first",
        Page[ListedMatch],
        _matches,
        Wanted,
    ),
    Operation(
        "match",
        "matches/{public_id}",
        "A match as a spectator sees it",
        MatchShown,
        _match,
        OfMatch,
    ),
    Operation(
        "log",
        "matches/{public_id}/log",
        "The facts of a match: the public ones while it runs, then all",
        Log,
        _log,
        OfMatch,
        HEAVY,
    ),
    Operation(
        "history",
        "matches/{public_id}/history",
        "The hand history of a finished match",
        History,
        _history,
        OfMatch,
        HEAVY,
    ),
    PROOF,
    Operation(
        "own_matches",
        "me/matches",
        "Your matches, the newest first, unlisted ones included",
        Page[ListedMatch],
        _own_matches,
        Paging,
    ),
)
