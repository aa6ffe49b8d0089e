"""The interface of one game for programs: its methods, its notifications, and how it tells facts.

``games.jsonrpc.generated`` makes it from the game's structs; a game may name a function in its
contract (``rpc``) that gives the parts other names.

Source: docs/reference/json-rpc.md.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from games.engine.structs import plain
from games.jsonrpc.parameters import Move, Nothing, Parameter, takes
from games.jsonrpc.story import Fact, Position

Schema = Mapping[str, Any]
Words = list[dict[str, Any]]

#: The transports of a method.
SOCKET, HTTP = "socket", "http"


def object_of(**properties: Schema) -> Schema:
    """Return the schema of an object with these properties."""
    return {"type": "object", "required": list(properties), "properties": properties}


_REPEATED: Final = {"type": "boolean"}
DONE: Final = object_of(repeated=_REPEATED)


def seated(name: str) -> Schema:
    """Return the schema of an answer with a seat, under this name. The seat is null only for a
    repeated call of a user who has stood up since.
    """
    return object_of(repeated=_REPEATED, **{name: {"type": ["integer", "null"]}})


@dataclass(frozen=True, eq=False)
class Method:
    """A method.  ``kind`` is the kind of its action, or the name of its handler. ``is_move``: it
    changes the match; it takes an ``action_id`` and is answered after the commit. ``is_phased``: it
    is refused in a later phase than the last one sent to the program.
    """

    name: str
    kind: str
    summary: str
    parameters: tuple[Parameter, ...] = ()
    result: Schema = field(default_factory=lambda: DONE)
    where: tuple[str, ...] = (SOCKET,)
    is_move: bool = True
    is_phased: bool = False

    @cached_property
    def takes(self) -> type[Nothing]:
        """The struct of its arguments."""
        return takes(self.name, self.parameters, Move if self.is_move else Nothing)

    def values(self, arguments: Nothing) -> dict[str, Any]:
        """Return the given arguments as fields of the action; raises the refusal of a value."""
        given = plain(arguments)
        return {
            each.field or each.name: each.read(given[each.name]) if each.read else given[each.name]
            for each in self.parameters
            if each.name in given
        }

    def action(self, arguments: Nothing, position: Position) -> dict[str, Any]:
        """Return the action of a call, in its wire form; raises the refusal of a value."""
        values = self.values(arguments)
        if self.kind == "ready":
            values.setdefault("configuration", position.revision)
        return {"kind": self.kind, **values}


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification; ``is_private``: only some seats hear it."""

    name: str
    summary: str
    parameters: tuple[Parameter, ...] = ()
    is_private: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Interface:
    """The interface of a game.

    ``tell`` tells a fact, ``state`` a viewer's whole view.  ``hides_presence``: messages are filled
    up, so that their sizes tell no role.  ``http`` is the address of the methods over HTTP,
    ``seat`` the name of the seat in answers.  ``info`` is added to that of the OpenRPC document;
    ``standard`` are the names that a published standard defines, if the game follows one.
    """

    slug: str
    title: str
    methods: Mapping[str, Method]
    notifications: tuple[Notification, ...]
    tell: Callable[[Fact], Words]
    state: Callable[[Mapping[str, Any]], Words]
    hides_presence: bool
    http: str
    seat: str = "seat"
    info: Mapping[str, str] = field(default_factory=dict)
    standard: frozenset[str] = frozenset()

    @property
    def socket(self) -> str:
        """The beginning of the addresses of its sockets; the public id and a slash follow."""
        return f"/ws/rpc/{self.slug}/"

    def find(self, name: str, where: str) -> Method | None:
        """Return a method of a transport."""
        method = self.methods.get(name)
        return method if method is not None and where in method.where else None

    def renamed(
        self, name: str, former: str, *parameters: Parameter, summary: str = "", **changed: Any
    ) -> Method:
        """Return a method under another name, with other parameters if any are given."""
        method = self.methods[former]
        given = parameters or method.parameters
        return replace(
            method, name=name, parameters=given, summary=summary or method.summary, **changed
        )
