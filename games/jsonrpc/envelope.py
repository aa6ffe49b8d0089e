"""JSON-RPC 2.0: texts to calls, their dispatch, and the answers to one message, sent together."""

import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, Final, Literal, Protocol

import msgspec
from django.db import InterfaceError, OperationalError
from django.utils import timezone
from msgspec import UNSET, Meta, UnsetType

from economy.errors import LedgerError
from games.engine.errors import AlreadySeated, IllegalAction
from games.engine.facts import instant, iso
from games.engine.input import LARGEST_FRAME, Why, fault_of, is_too_long
from games.engine.structs import LARGEST, Record
from games.jsonrpc.errors import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_ERROR,
    Problem,
    own,
    refused,
    standard,
)
from games.jsonrpc.interface import Interface, Method, Nothing, bind
from games.jsonrpc.openrpc import document
from games.matches.processing.submissions import Answer
from games.realtime.protocol import write

log = logging.getLogger(__name__)

VERSION: Final = "2.0"
#: Elements of a batch.
LARGEST_BATCH: Final = 20

#: An id that may be echoed: every answer contains it, so it is short.
Id = (
    Annotated[str, Meta(max_length=64)]
    | Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
    | float
    | None
)


class _Versioned(Record, frozen=True, kw_only=True):
    """The version, a member of every Request; the last field here."""

    jsonrpc: Literal["2.0"]


class Call(_Versioned, frozen=True):
    """A Request; without an ``id``, which is only echoed, it is a notification."""

    method: str
    params: list[Any] | dict[str, Any] | UnsetType = UNSET
    id: Id | UnsetType = UNSET


class Invalid(msgspec.Struct, frozen=True):
    """An element that is no Request; answered with its id if that may be echoed, else null."""

    id: Id
    problem: Problem


class Message(msgspec.Struct, frozen=True):
    """The content of one text: one element, or a batch of them."""

    elements: tuple[Call | Invalid, ...]
    is_batch: bool = False


#: The definition of each member of a Request, by its name.
MEMBERS: Final[Mapping[str, str]] = {
    "jsonrpc": 'jsonrpc is exactly "2.0"',
    "method": "method is a text",
    "params": "params is an array or an object",
    "id": "an id is a text of at most 64 characters, a number within 2^53, or null",
}
_DECODER: Final = msgspec.json.Decoder()


def read_message(text: str | bytes) -> Message:
    """Parse a client's text. A text that is no JSON ("Parse error"), or a batch that is empty or
    too long ("Invalid Request"), is one element without an id.
    """
    try:
        content = _values(text)
        if not isinstance(content, list):
            return Message((_element(content),))
        if not content:
            raise standard(INVALID_REQUEST, "a batch is not empty")
        if len(content) > LARGEST_BATCH:
            raise standard(INVALID_REQUEST, "too many calls in a batch", most=LARGEST_BATCH)
    except Problem as problem:
        return Message((Invalid(None, problem),))
    return Message(tuple(_element(each) for each in content), is_batch=True)


def answer(call_id: Id, outcome: Any) -> dict[str, Any]:
    """Return the answer to a call: its result, or the refusal that ended it."""
    if isinstance(outcome, IllegalAction | LedgerError):
        outcome = refused(outcome)
    if not isinstance(outcome, Problem):
        return {"jsonrpc": VERSION, "result": outcome, "id": call_id}
    error = {"code": outcome.code, "message": outcome.message, "data": outcome.data}
    return {"jsonrpc": VERSION, "error": error, "id": call_id}


def notification(method: str, /, *params: Any, **named: Any) -> dict[str, Any]:
    """Return a notification to a client, with parameters by position or by name, if any."""
    given = {"params": list(params) or named} if params or named else {}
    return {"jsonrpc": VERSION, "method": method, **given}


def _values(text: str | bytes) -> Any:
    if not isinstance(text, str):
        raise standard(PARSE_ERROR, "messages are text")
    if is_too_long(text):
        raise standard(PARSE_ERROR, "the message is too long", most=LARGEST_FRAME)
    try:
        return _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise standard(PARSE_ERROR, "the message is not JSON, or endlessly deep") from None


def _element(content: Any) -> Call | Invalid:
    try:
        return msgspec.convert(content, Call, strict=True)
    except msgspec.ValidationError as problem:
        if not isinstance(content, dict):
            return Invalid(None, standard(INVALID_REQUEST, "a Request is an object"))
        fault = fault_of(problem)
        why = "a Request has no other members" if fault.why is Why.UNKNOWN else MEMBERS[fault.field]
        return Invalid(_echoed(content.get("id")), standard(INVALID_REQUEST, why))


def _echoed(call_id: Any) -> Id:
    """Return the id of an invalid Request, or null if the id itself is invalid."""
    try:
        return msgspec.convert(call_id, Id, strict=True)
    except msgspec.ValidationError:
        return None


#: Takes the result of a call, or the refusal that ended it.
Done = Callable[[Any], None]


class Caller(Protocol):
    """A program over one transport: ``origin`` is the address of the site that it called."""

    interface: Interface
    where: str

    @property
    def origin(self) -> str: ...

    def call(self, method: Method, arguments: Nothing, done: Done) -> None:
        """Carry out a call, at once or later; may raise its refusal."""


def carry_out(message: Message, caller: Caller, send: Callable[[str], None]) -> None:
    """Carry out the calls of a message in order; once all are done, send the answers in that order.
    Only the first outcome of a call counts, and a notification has no answer.
    """
    outcomes: dict[int, Any] = {}

    def take(number: int, outcome: Any) -> None:
        if number in outcomes:
            return
        outcomes[number] = outcome
        if len(outcomes) == len(message.elements):
            answers = [
                answer(element.id, outcomes[number])
                for number, element in enumerate(message.elements)
                if element.id is not UNSET
            ]
            if answers:
                send(write(answers if message.is_batch else answers[0]))

    for number, element in enumerate(message.elements):
        done = partial(take, number)
        if isinstance(element, Invalid):
            done(element.problem)
            continue
        try:
            method = caller.interface.find(element.method, caller.where)
            caller.call(method, bind(method.takes, element.params), done)
        except (Problem, IllegalAction, LedgerError) as refusal:
            done(refusal)
        except (OperationalError, InterfaceError) as problem:
            log.warning("a call could not be carried out: %s", problem)
            done(own("busy"))
        except Exception:
            log.exception("a call failed")
            done(standard(INTERNAL_ERROR))


#: The methods that both transports answer alike, by kind.
QUESTIONS: Final[Mapping[str, Callable[[Caller], Any]]] = {
    "server_time": lambda _caller: iso(instant(timezone.now())),
    "rpc.discover": lambda caller: document(caller.interface, caller.origin),
}


def outcome_of(
    action: Mapping[str, Any], answer: Answer, name: str, seat_of: Callable[[], int | None]
) -> Any:
    """Return the result of a move, or its refusal; the answer to ``sit`` has the seat under
    ``name``, and sitting down where one sits already is no error.
    """
    error, told = answer.error, {"repeated": answer.repeated}
    if action["kind"] == "sit" and error is None:
        return {**told, name: seat_of()}
    if action["kind"] == "sit" and isinstance(error, AlreadySeated):
        seat = error.detail["seat"]
        if action.get("seat", seat) == seat:
            return {**told, name: seat}
    return told if error is None else error
