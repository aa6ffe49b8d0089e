"""The interface of a game as its structs and their docstrings have it."""

import inspect
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, get_args

import msgspec
from django.utils.module_loading import import_string
from msgspec import NODEFAULT

from games import registry
from games.contract import TableGame
from games.engine.choices import bounds_of, chosen_options
from games.engine.facts import SecretFact
from games.engine.structs import Kinded, Whole, kind_of
from games.engine.table.actions import CONFIGURE, Configure, Hex, PersonAction, Purse
from games.engine.table.facts import TableFact
from games.jsonrpc.envelope import notification
from games.jsonrpc.interface import (
    DONE,
    HTTP,
    REMATCH,
    SOCKET,
    Interface,
    Method,
    Notification,
    Parameter,
    PublicId,
    Schema,
    object_of,
    seated,
)
from games.matches.journal.story import SEATING

_TEXT: Final[Schema] = {"type": "string"}
_MATCH: Final = object_of(public_id=_TEXT, socket=_TEXT, status=_TEXT)
_PLACE: Final[Schema] = {**_MATCH, "type": ["object", "null"]}
#: The parameters of an action where they are not its fields.
_PARAMETERS: Final = {
    "ready": (
        Parameter("configuration", Whole, "by default the last told", required=False),
        Parameter("salt_hash", Hex, "of your salt, which you will reveal", required=False),
        Parameter("purse", Purse, "the points to bring from now on", required=False),
    )
}

#: The notification of a whole state: the keys of the view.
STATE: Final = Notification(
    "state",
    "Everything that you may see; forget what was before.",
    (
        Parameter("match", dict, "title, status, options"),
        Parameter("seats", list, "who sits where"),
        Parameter("phase", int, "the turn or round"),
        *(
            Parameter(name, str | None, "an instant, or null")
            for name in ("start_at", "begins_at", "ready_by", "due_at")
        ),
        Parameter("newcomer", int | None, "the seat that was taken last"),
        Parameter("log", list, "the last public facts, in words"),
        Parameter("you", dict, "your seat, your points, what you may do at the table"),
        Parameter("game", dict | None, "the game; what only you may see is under you"),
    ),
)


@cache
def interface_of(slug: str) -> Interface:
    """Return the interface of a game, under the names that it wants. Raises KeyError for a game
    that is not played in matches.
    """
    game = registry.table(slug)
    methods = [*_moves(game), *_questions(), *_over_http(game)]
    made = Interface(
        slug=game.slug,
        title=game.title,
        methods={method.name: method for method in methods},
        notifications=(STATE, *_notifications(game)),
        tell=lambda kind, data: [notification(kind, **data)],
        state=lambda view: [notification(STATE.name, **view)],
        hides_presence=game.hides_presence,
        http=f"/rpc/{game.slug}/",
    )
    named: Interface = import_string(game.rpc)(made) if game.rpc else made
    return named


def _moves(game: TableGame) -> Iterator[Method]:
    """Yield the table's moves, then the game's; a kind of both is the table's."""
    for kind, action in {**_TABLE, **_kinds(game.newest.Action)}.items():
        parameters = _PARAMETERS.get(kind, _fields(action))
        result = seated("seat") if kind == "sit" else DONE
        summary = _summary(_TABLE.get(kind, action))
        yield Method(kind, kind, summary, parameters, result, is_phased=kind not in _TABLE)
    bot = Parameter("bot", str, "the bot's name; `like_me`: one that suits you", required=False)
    yield Method("add_bot", "add_bot", "Ask a bot to sit down.", (bot,))
    yield Method(CONFIGURE, CONFIGURE, _summary(Configure), _options(game))


def _questions() -> Iterator[Method]:
    told = {"type": "boolean", "enum": [True]}
    instant = {"type": "string", "format": "date-time"}
    for name, summary, result, where in (
        ("send_state", "Send the whole state again.", told, (SOCKET,)),
        ("server_time", "Tell the server's clock.", instant, (SOCKET, HTTP)),
        ("rpc.discover", "Give this description.", {"type": "object"}, (SOCKET, HTTP)),
    ):
        yield Method(name, name, summary, (), result, where, is_move=False)


def _over_http(game: TableGame) -> Iterator[Method]:
    given = Parameter("public_id", PublicId, "the match's public name")
    purse = Parameter("purse", Purse, "the points to bring", required=False)
    some = {"type": "array", "items": _MATCH}
    no: tuple[Parameter, ...] = ()
    for name, summary, parameters, result in (
        ("list_matches", "List the matches that everybody may see.", no, some),
        ("my_matches", "List the live matches at which you sit.", no, some),
        ("open_match", "Open a match in place of your empty ones.", _options(game), _MATCH),
        ("close_match", "Close a match that you opened and nobody else joined.", (given,), DONE),
        ("join_match", "Sit down on the first free seat.", (given, purse), seated("seat")),
    ):
        is_move = parameters[:1] == (given,)
        yield Method(name, name, summary, parameters, result, (HTTP,), is_move)
    if game.knockout:
        yield from _of_events()


def _of_events() -> Iterator[Method]:
    event = Parameter("event_id", PublicId, "the event's public name")
    some = {"type": "array", "items": {"type": "object"}}
    no: tuple[Parameter, ...] = ()
    for name, summary, parameters, result in (
        ("list_events", "List the events that run, come, and are over.", no, some),
        ("enter_event", "Register for an event of programs.", (event,), DONE),
        ("leave_event", "Withdraw from an event.", (event,), DONE),
        ("my_event_match", "Tell your match in the event that you are in, or null.", no, _PLACE),
    ):
        is_move = parameters == (event,)
        yield Method(name, name, summary, parameters, result, (HTTP,), is_move)


def _options(game: TableGame) -> tuple[Parameter, ...]:
    """Return the options that people choose; the rules check their bounds."""
    found = []
    for name in game.options.__struct_fields__:
        if name in chosen_options(game.options):
            bounds = bounds_of(game.options, name)
            summary = "{least} to {most}".format(**bounds) if bounds else ""
            found.append(Parameter(name, Whole if bounds else bool, summary, required=False))
    return tuple(found)


def _notifications(game: TableGame) -> Iterator[Notification]:
    for kind, fact in (_kinds(TableFact) | _kinds(game.newest.Fact)).items():
        parameters = _fields(fact)
        if kind in SEATING:
            parameters += (Parameter("name", str, "who"),)
        elif kind == REMATCH:
            parameters += (Parameter("public_id", str, "where"),)
        yield Notification(kind, _summary(fact), parameters, issubclass(fact, SecretFact))


def _kinds(union: Any) -> dict[str, type[Kinded]]:
    """Return the structs of a union, or a single one, by kind."""
    return {kind_of(each): each for each in get_args(union) or (union,)}


def _fields(kind: type[Kinded]) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(each.name, each.type, required=each.default is NODEFAULT)
        for each in msgspec.structs.fields(kind)
    )


def _summary(kind: type[Kinded]) -> str:
    """Return the first sentence of a struct's docstring."""
    text = " ".join((inspect.getdoc(kind) or "").split())
    return text.partition(". ")[0].removesuffix(".") + "."


#: The table's own actions of people, by kind.
_TABLE: Final = _kinds(PersonAction)
