"""The reference pages of messages: frames, RPC methods and the arena's view.

Frames from clients and actions come from their structs.  The site writes frames and the arena's
view without structs, so their keys are read from samples that the site's own functions write.
"""

import inspect
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, get_args

import msgspec

FRAMES = """# Frames

The frames of the sockets, and the actions in them. The [protocol](protocol.md) explains them.
`./run docs` writes this page.

A key with a question mark may be missing.

A socket counts its views or lists from 1, and the first is whole. Who wants changes alone asks with
the first heartbeat, with number 0. Who misses a number asks again, with the last number shown, and
gets a whole view or all lists: at most one a second, more is `rate_limited`.
"""

RPC = """# RPC methods

The methods of programs. [JSON-RPC](json-rpc.md) explains them; `/play/<game>/api/` shows the same
for one game, with a console. Each method that changes a match also takes `action_id`. `./run docs`
writes this page. **+**: not in the standard that the game follows.
"""

PARTS = ("instead of `view`, after `parts: true`: the keys that differ from the last view, whole; "
         "never where roles are hidden, nor at practice")  # fmt: skip
ROWS = ("instead of `lobby`, after `since`, where it is shorter: of each list that differs `gone`, "
        "keys of rows to take out, and `rows`, pairs of a place and a row; take out older versions "
        "of these too, then put them in, in this order")  # fmt: skip

LARGEST_NAME = "2^53"
NULL = "NoneType"
NAMES = {"str": "text", "int": "whole number", "bool": "true or false", NULL: "null",
         "dict": "object", "list": "list"}  # fmt: skip


# Values ---------------------------------------------------------------------------------------


def value_of(kind: Any) -> str:
    """Return the values of a type as a text for people."""
    from games.engine.input import FreeMap

    if kind is FreeMap:
        return "object"
    (schema,), structs = msgspec.json.schema_components([kind])
    return _value(schema, structs)


def _value(schema: Mapping[str, Any], structs: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return _value(structs[schema["$ref"].rpartition("/")[2]], structs)
    if "anyOf" in schema:
        return " or ".join(_value(each, structs) for each in schema["anyOf"])
    if "enum" in schema:
        return "/".join(f"`{value}`" for value in schema["enum"])
    match schema.get("type"):
        case "integer":
            return _whole(schema.get("minimum"), schema.get("maximum"))
        case "string" if "pattern" in schema:
            return "`" + schema["pattern"].removeprefix(r"\A").removesuffix(r"\Z") + "`"
        case "string" if "maxLength" in schema:
            return f"text, at most {schema['maxLength']}"
        case "string":
            return "text"
        case "boolean":
            return "true or false"
        case "array":
            return "list"
        case kind:
            return str(kind or "any")


def _whole(least: int | None, most: int | None) -> str:
    from games.engine.structs import LARGEST

    if most is None or least == -LARGEST:
        return "whole number"
    return f"{least} to {LARGEST_NAME if most == LARGEST else most}"


def _sentence(documented: Any) -> str:
    """Return the first sentence of a docstring."""
    text = " ".join((inspect.getdoc(documented) or "").split())
    return text.partition(". ")[0].removesuffix(".").replace("|", "\\|") + "."


# Samples --------------------------------------------------------------------------------------


def shape_of(samples: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return key -> the names of its types in some samples; a key that some lack ends in "?"."""
    known = list(samples)
    shape = {}
    for key in dict.fromkeys(key for sample in known for key in sample):
        kinds = {type(sample[key]).__name__ for sample in known if key in sample}
        is_everywhere = all(key in sample for sample in known)
        shape[key if is_everywhere else f"{key}?"] = sorted(kinds, key=lambda one: one == NULL)
    return shape


def _sent() -> Iterator[tuple[str, list[str]]]:
    """Yield the meaning of a frame of the site, and frames that the site's functions write."""
    from accounts.models import User
    from games.arena.consumer import arena_frame
    from games.matches.models import Post
    from games.notices.attention import Affairs
    from games.posts.chat import line_of
    from games.realtime import protocol
    from games.realtime.consumers import LobbyConsumer, MeConsumer

    ann, at, sent = User(username="ann"), datetime(2026, 11, 22, tzinfo=UTC), "8f3e-aaaa"
    posts = [Post(no=1, user=ann, seat=seat, room="table", text="hi", at=at) for seat in (0, None)]
    errors = [protocol.refusal("busy", sent, 250), protocol.refusal("bad_json")]
    arenas = [
        arena_frame(1, "", view) for view in (b'"arena":{},"you":{}', b'"arena":{},"you":null')
    ]
    lobby, me = LobbyConsumer(), MeConsumer()
    told: list[str] = []
    lobby.tell = me.tell = told.append  # type: ignore[method-assign, assignment]
    lobby.show_lobby('"games":{}')
    me.show_affairs(Affairs(88, {}, frozenset()))
    yield "the viewer's whole view", [protocol.view_frame(1, "", b"{}")]
    parts = protocol.parts_frame(1, "", b"{}")
    yield PARTS, [parts]
    yield "the action is committed; `repeated`: it was before", [protocol.ack(sent)]
    yield "refused, nothing has changed; `id` is null if it cannot be read", errors
    yield "the answer to a typed command", [protocol.reply(sent, "You fold.")]
    yield "a line of chat", [protocol.said(line_of(post).wire) for post in posts]
    yield "the server's clock, as answer to `seen`", [protocol.now_frame("")]
    yield "the lists of the lobby, by slug", told[:1]
    rows = protocol.lobby_frame("rows", 1, "", '"games":{}')
    yield ROWS, [rows]
    yield "a user's own affairs", told[1:]
    yield "the arena; `you` is null for a guest", arenas


def arena_views() -> Iterator[tuple[str, str, dict[str, list[str]]]]:
    """Yield name, meaning and keys of each part of the arena's view."""
    from games.arena import presenters
    from games.arena.models import Player
    from games.arena.presenters import Fought, Standing
    from games.arena.rules.options import RoundOptions
    from games.arena.rules.resolve import told_round
    from games.engine.facts import Instant, Points, SeatNo, SeatSetup
    from games.engine.structs import canonical
    from tools.referee.arena.engine import Arena

    at = datetime(2026, 11, 22, tzinfo=UTC)
    rules, begins = Arena(), Instant(0)
    seats = [SeatSetup(SeatNo(no), Points(0)) for no in range(2)]
    state = rules.setup(rules.Options(), seats, "00" * 32, begins).state
    fought = rules.on_deadline(state, rules.deadline(state) or begins).state
    assert fought.last is not None
    last = told_round(fought.last)
    playing = Standing(7, True, at, at, RoundOptions(survivor=True), "ann", "ab", 1, 0,
                       [("ann", False)], 6, canonical(last))  # fmt: skip
    chooses = presenters.own_stats_of(Player(is_in=True, leaves=True), "rock")
    chooses.fought = Fought("", "none", None, 0, 0, 0, "none", 0)
    watches = presenters.own_stats_of(Player(watching="idle"), "")
    watches.fought = Fought("rock", "chosen", 1, 1, 0, 0, "won", 1)
    sees = presenters.own_stats_of(Player(is_in=True, streak=5), "")
    sees.fought = Fought("rock", "random", None, 1, 0, 0, "won", 1)
    public = [_plain(presenters.public(standing)) for standing in (playing, Standing())]
    live: dict[str, Any] = {"counts": {}, "names": {}}
    given = [(playing, chooses), (playing, watches), (Standing(1, True), sees)]
    own = [_plain(presenters.own(standing, mine, live)) for standing, mine in given]
    own.append(_plain(presenters.own(Standing(), None, None)))
    parts = [one["last"] for one in own if one["last"]]
    yield "arena", _sentence(presenters.public), shape_of(public)
    yield "arena.last", _sentence(told_round), shape_of([last])
    yield "you", _sentence(presenters.own), shape_of(own)
    yield "you.last", _sentence(Fought), shape_of(parts)


def _plain(view: Mapping[str, Any]) -> dict[str, Any]:
    read: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(view))
    return read


# Pages ----------------------------------------------------------------------------------------


def frames() -> str:
    """Return the page of frames."""
    from games import registry
    from games.engine.table.actions import Configure, PersonAction
    from games.realtime.protocol import FRAMES as GIVEN
    from tools.referee.trials import trial_of

    text = FRAMES + "\n## From clients\n| type | keys | meaning |\n|---|---|---|\n"
    for name, kind in GIVEN.items():
        text += f"| `{name}` | {_fields(kind)} | {_sentence(kind)} |\n"
    text += "\n## From the server\n| type | keys | meaning |\n|---|---|---|\n"
    for meaning, texts in _sent():
        samples = [json.loads(each) for each in texts]
        keys = ", ".join(f"`{key}` {' or '.join(NAMES[kind] for kind in kinds)}"
                         for key, kinds in shape_of(samples).items() if key != "type")  # fmt: skip
        text += f"| `{samples[0]['type']}` | {keys} | {meaning} |\n"
    text += _actions("Actions of every table", [*get_args(PersonAction), Configure])
    suits = "by default any; `like_me`: the one against which you win nearest to half of your games"
    text += f"| `add_bot` | `bot?` text | Ask a bot to sit down, {suits}. |\n"
    for game in registry.games():
        kinds = get_args(trial_of(game.slug).rules.Action)
        text += _actions(f"Actions in {game.title}", kinds)
    for game in registry.tables():
        text += f"\n## Options of {game.title}\n| option | values | default |\n|---|---|---|\n"
        text += "".join(_options(game))
    return text


def _fields(kind: type[msgspec.Struct]) -> str:
    from msgspec import UNSET, UnsetType

    told = []
    for field in msgspec.structs.fields(kind):
        given = [each for each in get_args(field.type) if each is not UnsetType]
        is_optional = field.default is UNSET
        told.append(f"`{field.name}{'?' if is_optional else ''}` "
                    f"{value_of(given[0] if is_optional else field.type)}")  # fmt: skip
    return ", ".join(told)


def _actions(title: str, kinds: Iterable[type[Any]]) -> str:
    from games.engine.structs import kind_of
    from games.engine.table.actions import Configure

    text = f"\n## {title}\n| kind | fields | meaning |\n|---|---|---|\n"
    for kind in kinds:
        fields = "the options" if kind is Configure else _fields(kind)
        text += f"| `{kind_of(kind)}` | {fields} | {_sentence(kind)} |\n"
    return text


def _options(game: Any) -> Iterator[str]:
    from games.engine.choices import bounds_of, chosen_options, site_numbers

    for field in msgspec.structs.fields(game.options):
        if field.name in chosen_options(game.options):
            bounds = bounds_of(game.options, field.name)
            values = "{least} to {most}".format(**bounds) if bounds else "true or false"
            number = site_numbers(game.options).get(field.name)
            default = f"setting `{number}`" if number else f"{field.default}".lower()
            yield f"| `{field.name}` | {values} | {default} |\n"


def rpc() -> str:
    """Return the page of RPC methods."""
    from games import registry
    from games.jsonrpc.generated import interface_of

    made = [interface_of(game.slug) for game in registry.tables()]
    shown = {each.slug: [_method(each, method) for method in each.methods.values()]
             for each in made}  # fmt: skip
    plain = [set(shown[each.slug]) for each in made if not each.standard]
    common = set.intersection(*plain)
    text = RPC + "\n## Every game\n" + METHODS
    text += "".join(row for row in shown[made[0].slug] if row in common)
    for interface in made:
        text += f"\n## {interface.title}\n" + METHODS
        text += "".join(row for row in shown[interface.slug] if row not in common)
        if interface.standard:
            text += _notifications(interface)
    return text


METHODS = "| method | over | parameters | does |\n|---|---|---|---|\n"


def _method(interface: Any, method: Any) -> str:
    over = ", ".join("HTTP" if each == "http" else each for each in method.where)
    takes_options = not interface.standard and method.kind in ("configure", "open_match")
    given = "the [options](frames.md)" if takes_options else _parameters(method.parameters)
    name = f"`{method.name}`{_mark(interface, method)}"
    return f"| {name} | {over} | {given} | {method.summary} |\n"


def _mark(interface: Any, named: Any) -> str:
    return " **+**" if interface.standard and named.name not in interface.standard else ""


def _parameters(parameters: Iterable[Any]) -> str:
    return ", ".join(
        f"`{each.name}{'' if each.required else '?'}` {each.summary or _given(each.kind)}"
        for each in parameters
    )


def _given(kind: Any) -> str:
    from msgspec import UnsetType

    kinds = get_args(kind)
    return value_of(kinds[0] if UnsetType in kinds else kind)


def _notifications(interface: Any) -> str:
    text = f"\n### Notifications in {interface.title}\n| notification | parameters | meaning |\n"
    text += "|---|---|---|\n"
    for each in interface.notifications:
        name = f"`{each.name}`{_mark(interface, each)}"
        text += f"| {name} | {_parameters(each.parameters)} | {each.summary} |\n"
    return text
