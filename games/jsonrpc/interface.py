"""The interface of one game for programs: methods, parameters, notifications, told facts."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any, Final, Literal, cast

import msgspec
from msgspec import UNSET, Meta, UnsetType

from games.engine.errors import BadField
from games.engine.input import ActionId
from games.engine.structs import Hidden, plain, reader_of
from games.jsonrpc.errors import INVALID_PARAMS, METHOD_NOT_FOUND, standard

#: Adds the type to the schema of a ``Literal`` of integers, which msgspec omits.
INTEGER: Final = Meta(extra_json_schema={"type": "integer"})
Switch = Annotated[Literal[0, 1], INTEGER]
PublicId = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]{1,32}\Z")]


class Nothing(Hidden, frozen=True):
    """No parameters; the base of all parameter structs."""


class Move(Nothing, frozen=True, kw_only=True):
    """The parameter, by name only, of every method that changes state."""

    action_id: ActionId | UnsetType = UNSET

    @property
    def unique_id(self) -> str:
        """The id of the action: the given one, else a new one."""
        return self.action_id or f"rpc-{secrets.token_urlsafe(12)}"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a method or of a notification. A method's is the value of the action's
    ``field``, by default of its own name, converted by ``read`` if given.
    """

    name: str
    kind: Any
    summary: str = ""
    required: bool = True
    field: str = ""
    read: Callable[[Any], Any] | None = None


#: By name only, in every method that changes state.
ACTION_ID: Final = Parameter(
    "action_id",
    ActionId,
    "makes a repeated call the same call: done once, answered again with repeated true",
    required=False,
)


def bind(kind: type[Nothing], params: list[Any] | dict[str, Any] | UnsetType = UNSET) -> Nothing:
    """Return the arguments of a call, without conversion: ``true`` and ``1.0`` are not 1; those not
    given are unset. Raises Problem ("Invalid params").
    """
    given = params or {}
    if isinstance(given, list):
        names = kind.__match_args__
        if len(given) > len(names):
            raise standard(INVALID_PARAMS, "too many parameters", most=len(names))
        given = dict(zip(names, given, strict=False))
    try:
        arguments: Nothing = reader_of(kind).made_of(given)
    except BadField as problem:
        # The message of the problem may contain what the client sent.
        why = "a parameter is missing, unknown, or not as it must be"
        raise standard(INVALID_PARAMS, why, **problem.detail) from None
    return arguments


#: The fact that links to another match.
REMATCH: Final = "rematch_called"
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
    """Return the schema of an answer with a seat, under this name; it is null only for a repeated
    call of a user who has stood up since.
    """
    return object_of(repeated=_REPEATED, **{name: {"type": ["integer", "null"]}})


@dataclass(frozen=True, eq=False)
class Method:
    """A method; ``kind`` is that of its action, or the name of its handler. ``is_move``: it changes
    the match, and is answered after the commit. ``is_phased``: a phase later than the last one sent
    refuses it.
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
        """The struct of its arguments; its fields are in their order."""
        fields: list[Any] = [
            (each.name, each.kind) if each.required else (each.name, each.kind | UnsetType, UNSET)
            for each in self.parameters
        ]
        bases = (Move if self.is_move else Nothing,)
        return cast("type[Nothing]", msgspec.defstruct(self.name, fields, bases=bases, frozen=True))

    def values(self, arguments: Nothing) -> dict[str, Any]:
        """Return the given arguments as fields of the action; raises the refusal of a value."""
        given = plain(arguments)
        return {
            each.field or each.name: each.read(given[each.name]) if each.read else given[each.name]
            for each in self.parameters
            if each.name in given
        }

    def action(self, arguments: Nothing, revision: int) -> dict[str, Any]:
        """Return the action of a call, in its wire form, for one who knows this ``revision`` of the
        options; raises the refusal of a value.
        """
        values = self.values(arguments)
        if self.kind == "ready":
            values.setdefault("configuration", revision)
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
    """The interface of a game: ``tell`` tells a fact by kind and data, ``state`` a whole view.
    ``hides_presence``: messages are filled up, so that sizes tell no role. ``standard``: names of a
    standard that the game follows.
    """

    slug: str
    title: str
    methods: Mapping[str, Method]
    notifications: tuple[Notification, ...]
    tell: Callable[[str, Mapping[str, Any]], Words]
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

    def find(self, name: str, where: str) -> Method:
        """Return a method of a transport. Raises Problem ("Method not found")."""
        method = self.methods.get(name)
        if method is None or where not in method.where:
            raise standard(METHOD_NOT_FOUND)
        return method

    def renamed(
        self, name: str, former: str, *parameters: Parameter, summary: str = "", **changed: Any
    ) -> Method:
        """Return a method under another name, with other parameters if any are given."""
        method = self.methods[former]
        given = parameters or method.parameters
        return replace(
            method, name=name, parameters=given, summary=summary or method.summary, **changed
        )
