"""The methods over HTTP: list, open, close and join duels; play needs the socket.

Source: docs/json-rpc.md "Over HTTP".
"""

import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from games.duel import SLUG
from games.duel.rpc.arguments import JoinDuel, OpenDuel
from games.duel.rpc.methods import HTTP, METHODS
from games.duel.rpc.openrpc import document
from games.engine.errors import AlreadySeated, NotInPhase
from games.engine.facts import instant, iso
from games.engine.structs import canonical, plain
from games.jsonrpc.errors import METHOD_NOT_FOUND, own, refused, standard
from games.jsonrpc.parameters import Nothing, bind
from games.matches.models import Match
from games.matches.processing import repair, writing
from games.matches.processing.submissions import Answer, Busy, Submission
from games.matches.queries import selectors
from games.matches.services import matches
from games.realtime import announce, runtime
from games.realtime.sessions import Stamp

#: The seconds for which a request waits for the batch writer.
PATIENCE: Final = 5.0


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller: a user, a program's login by its token, and the site's address in the request."""

    user: User
    stamp: Stamp | None
    origin: str


def carry_out(caller: Caller, name: str, params: Any) -> Any:
    """Carry out a call over HTTP and return its result.

    Raises:
        Problem: no such method here, wrong parameters, or refused.
        IllegalAction, LedgerError: the refusals of services.
    """
    method = METHODS.get(name)
    if method is None or HTTP not in method.where:
        raise standard(METHOD_NOT_FOUND)
    return ACTIONS[name](caller, bind(method.takes, params))


def _list_duels(caller: Caller, arguments: Nothing) -> list[dict[str, Any]]:
    return [_row(row) for row in selectors.lobby()[SLUG]]


def _my_duels(caller: Caller, arguments: Nothing) -> list[dict[str, Any]]:
    return [_row(row) for row in selectors.matches_of(caller.user)[SLUG]]


def _open_duel(caller: Caller, arguments: OpenDuel) -> dict[str, Any]:
    options: dict[str, Any] = plain(arguments)
    if "no_ties" in options:
        options["no_ties"] = bool(options["no_ties"])
    for empty in list(_empty_duels(caller.user)):
        _close(empty, "replaced")
    match = matches.open_match(opened_by=caller.user, options=options, game=SLUG)
    announce.tell_match(match)
    return _row({"public_id": match.public_id, "status": match.status})


def _close_duel(caller: Caller, arguments: JoinDuel) -> dict[str, Any]:
    match = selectors.find_match(arguments.public_id)
    if match is None or match.game != SLUG or match.opened_by_id != caller.user.pk:
        raise own("not_found")
    if match.status == Match.Status.CLOSED:
        return {"repeated": True}
    others = match.seats.exclude(user=caller.user).exists()
    if match.status != Match.Status.OPEN or others:
        raise refused(NotInPhase("only a duel at which nobody else sits can be closed"))
    _close(match, "closed")
    return {"repeated": False}


def _empty_duels(user: User) -> QuerySet[Match]:
    """Return the duels that a user has opened and that have no seat taken, without challenges."""
    mine = Match.objects.filter(opened_by=user, game=SLUG, status=Match.Status.OPEN, invited=None)
    return mine.filter(seats=None)


def _close(match: Match, reason: str) -> None:
    """Close a table before its game; raises a refusal if a game has begun meanwhile."""
    closing = writing.house(match.pk, "close", f"rpc-{reason}", reason=reason)
    answer = repair.apply([closing]).answers[0]
    if answer.error is not None:
        raise refused(answer.error)
    announce.tell_match(match)


def _join_duel(caller: Caller, arguments: JoinDuel) -> dict[str, Any]:
    match = selectors.find_match(arguments.public_id)
    user_id = caller.user.pk
    if match is None or match.game != SLUG or not selectors.may_watch(match, user_id):
        raise own("not_found")
    action_id = arguments.action_id or f"rpc-{secrets.token_urlsafe(12)}"
    body = canonical(["rpc", "join_duel"])
    submission = Submission(match.pk, {"kind": "sit"}, action_id, user_id, body=body)
    answer = ask(submission, caller.stamp)
    if isinstance(answer.error, AlreadySeated):
        return {"repeated": answer.repeated, "seat_id": answer.error.detail["seat"]}
    if answer.error is not None:
        raise refused(answer.error)
    return {"repeated": answer.repeated, "seat_id": selectors.snapshot_of(match).seat_of(user_id)}


def ask(submission: Submission, stamp: Stamp | None) -> Answer:
    """Submit an action from a request's thread: to the batch writer if one runs, else directly."""
    running = runtime.current()
    if running is None:
        return repair.apply([submission]).answers[0]
    waiting: Future[Answer] = Future()
    running.writer.submit(submission, waiting.set_result, stamp)
    try:
        return waiting.result(PATIENCE)
    except TimeoutError:
        return Answer(Busy("it is not known yet; ask again with the same action_id"))


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a duel's row with the address of its socket."""
    return {**row, "socket": f"/ws/rpc/duel/{row['public_id']}/"}


#: Method -> its handler.
ACTIONS: Final[Mapping[str, Callable[[Caller, Any], Any]]] = {
    "list_duels": _list_duels,
    "my_duels": _my_duels,
    "open_duel": _open_duel,
    "close_duel": _close_duel,
    "join_duel": _join_duel,
    "server_time": lambda _caller, _arguments: iso(instant(timezone.now())),
    "rpc.discover": lambda caller, _arguments: document(caller.origin),
}
