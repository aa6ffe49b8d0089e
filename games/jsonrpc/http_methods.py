"""The methods over HTTP: list, open, close and join matches; play needs the socket.
Source: docs/reference/json-rpc.md "Over HTTP".
"""

import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final

from django.utils import timezone

from accounts.models import User
from games.engine.errors import AlreadySeated, NotInPhase
from games.engine.facts import instant, iso
from games.engine.structs import canonical
from games.jsonrpc.envelope import Call
from games.jsonrpc.errors import METHOD_NOT_FOUND, own, refused, standard
from games.jsonrpc.interface import HTTP, Interface
from games.jsonrpc.openrpc import document
from games.jsonrpc.parameters import Move, bind
from games.matches.models import Match
from games.matches.processing import writing
from games.matches.processing.submissions import Answer, Busy, Submission
from games.matches.queries import selectors
from games.matches.services import matches
from games.realtime import runtime
from games.realtime.sessions import Stamp

#: The seconds for which a request waits for the batch writer.
PATIENCE: Final = 5.0


@dataclass(frozen=True, slots=True)
class Caller:
    """A request: the user, a program's login by its token, the site's address, and the game."""

    user: User
    stamp: Stamp | None
    origin: str
    interface: Interface


def carry_out(caller: Caller, call: Call) -> Any:
    """Carry out a call over HTTP and return its result. Raises Problem: no such method here, wrong
    parameters, or refused; IllegalAction, LedgerError: the refusals of services.
    """
    method = caller.interface.find(call.method, HTTP)
    if method is None:
        raise standard(METHOD_NOT_FOUND)
    arguments = bind(method.takes, call.params)
    given = method.values(arguments)
    if isinstance(arguments, Move):
        more = {name: value for name, value in given.items() if name != "public_id"}
        given["body"] = canonical(["rpc", method.name, *([more] if more else [])])
        given["action_id"] = arguments.action_id or f"rpc-{secrets.token_urlsafe(12)}"
    return HANDLERS[method.kind](caller, **given)


def _list_matches(caller: Caller) -> list[dict[str, Any]]:
    return [_row(caller, row) for row in selectors.lobby()[caller.interface.slug]]


def _my_matches(caller: Caller) -> list[dict[str, Any]]:
    return [_row(caller, row) for row in selectors.matches_of(caller.user)[caller.interface.slug]]


def _open_match(caller: Caller, **options: Any) -> dict[str, Any]:
    """Open a match in place of the caller's own without a seat taken, except challenges."""
    slug = caller.interface.slug
    # Before the others are closed.
    matches.require_opening_left(caller.user, timezone.now())
    mine = Match.objects.filter(opened_by=caller.user, game=slug, status=Match.Status.OPEN)
    for empty in list(mine.filter(invited=None, seats=None)):
        _close(empty, "replaced")
    match = matches.open_match(opened_by=caller.user, options=options, game=slug)
    runtime.tell_match(match)
    return _row(caller, {"public_id": match.public_id, "status": match.status})


def _close_match(caller: Caller, public_id: str, **_: str) -> dict[str, Any]:
    match = _find(caller, public_id)
    if match.opened_by_id != caller.user.pk:
        raise own("not_found")
    if match.status == Match.Status.CLOSED:
        return {"repeated": True}
    others = match.seats.exclude(user=caller.user).exists()
    if match.status != Match.Status.OPEN or others:
        raise NotInPhase("only a match at which nobody else sits can be closed")
    _close(match, "closed")
    return {"repeated": False}


def _close(match: Match, reason: str) -> None:
    """Close a table before its game; raises a refusal if a game has begun meanwhile."""
    closing = writing.house(match.pk, "close", f"rpc-{reason}", reason=reason)
    answer = writing.apply([closing]).answers[0]
    if answer.error is not None:
        raise refused(answer.error)
    runtime.tell_match(match)


def _join_match(
    caller: Caller, public_id: str, action_id: str, body: str, **purse: int
) -> dict[str, Any]:
    match, user_id = _find(caller, public_id), caller.user.pk
    submission = Submission(match.pk, {"kind": "sit", **purse}, action_id, user_id, body=body)
    answer = _ask(submission, caller.stamp)
    if isinstance(answer.error, AlreadySeated):
        seat = answer.error.detail["seat"]
    elif answer.error is not None:
        raise refused(answer.error)
    else:
        seat = selectors.snapshot_of(match).seat_of(user_id)
    return {"repeated": answer.repeated, caller.interface.seat: seat}


def _find(caller: Caller, public_id: str) -> Match:
    """Return a match of the game that the caller may watch; raises a refusal."""
    match = selectors.find_match(public_id)
    if (
        match is None
        or match.game != caller.interface.slug
        or not selectors.may_watch(match, caller.user.pk)
    ):
        raise own("not_found")
    return match


def _ask(submission: Submission, stamp: Stamp | None) -> Answer:
    """Submit an action from a request's thread: to the batch writer if one runs, else directly."""
    running = runtime.current()
    if running is None:
        return writing.apply([submission]).answers[0]
    waiting: Future[Answer] = Future()
    running.writer.submit(submission, waiting.set_result, stamp)
    try:
        return waiting.result(PATIENCE)
    except TimeoutError:
        return Answer(Busy("it is not known yet; ask again with the same action_id"))


def _row(caller: Caller, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a match's row with the address of its socket."""
    return {**row, "socket": f"{caller.interface.socket}{row['public_id']}/"}


#: The handlers of the methods, by kind.
HANDLERS: Final[Mapping[str, Callable[..., Any]]] = {
    "list_matches": _list_matches,
    "my_matches": _my_matches,
    "open_match": _open_match,
    "close_match": _close_match,
    "join_match": _join_match,
    "server_time": lambda _caller: iso(instant(timezone.now())),
    "rpc.discover": lambda caller: document(caller.interface, caller.origin),
}
