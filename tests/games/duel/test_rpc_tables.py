"""The tables of the interface: methods, words, errors, and the OpenRPC document made from them."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from games.duel.rpc import consumer, http_methods, moves, notifications
from games.duel.rpc.methods import HTTP, METHODS, SOCKET
from games.duel.rpc.openrpc import document
from games.duel.rpc.words import NOTIFICATIONS
from games.duel.rules.facts import DuelFact
from games.engine.structs import kind_of, plain
from games.engine.table.facts import TableFact
from games.jsonrpc.errors import APPLICATION, STANDARD, Problem, application_code
from games.jsonrpc.parameters import ACTION_ID, bind, parameters_of

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/json-rpc.md").read_text()
#: Facts of one seat alone: no other is ever told them.
PRIVATE = {"hand_chosen"}


def public_kinds() -> set[str]:
    """Return the kinds of facts that the rules of the table and of the duel can make public."""
    return {kind_of(fact) for fact in get_args(TableFact | DuelFact)} - PRIVATE


def test_rpc_every_public_fact_has_a_telling():
    kinds = public_kinds()
    assert {"sat", "hands_revealed", "match_closed"} <= kinds
    assert kinds == set(notifications.TELLINGS) | {"hand_in"}


def test_rpc_what_is_secret_has_no_telling():
    assert PRIVATE & set(notifications.TELLINGS) == set()


def test_rpc_every_word_of_the_referee_is_in_its_table():
    text = (ROOT / "games/duel/rpc/notifications.py").read_text()
    said = set(re.findall(r'(?:notification|_of_seat|_alone|_clock_after)\(\s*"(\w+)"', text))
    said |= {*notifications.NUMBERED}
    assert said == set(NOTIFICATIONS)


def test_rpc_every_method_is_carried_out_where_it_says():
    moving = {name for name, method in METHODS.items() if method.is_move and SOCKET in method.where}
    asking = {name for name, m in METHODS.items() if not m.is_move and SOCKET in m.where}
    assert moving == set(moves.MOVES)
    assert asking == set(consumer.QUESTIONS)
    assert {name for name, m in METHODS.items() if HTTP in m.where} == set(http_methods.ACTIONS)
    assert moving >= moves.PHASED


@pytest.mark.parametrize("name", METHODS)
def test_rpc_examples_are_what_the_method_takes(name):
    method = METHODS[name]
    given, _ = method.example
    assert plain(bind(method.takes, given)) == given
    assert plain(bind(method.takes, list(given.values()))) == given
    for token in method.tokens:
        assert application_code(token) in APPLICATION


def test_rpc_the_page_tells_every_method_word_and_code():
    for name, method in METHODS.items():
        assert f"`{name}(" in PAGE, name
        for parameter in method.parameters:
            assert parameter.name in PAGE
    for name in NOTIFICATIONS:
        assert f"`{name}(" in PAGE, name
    for code, (words, _) in {**STANDARD, **APPLICATION}.items():
        assert f"| {code} | {words} |" in PAGE, code


# The document -----------------------------------------------------------------------------


def resolve(whole: dict[str, Any], node: Any) -> Any:
    """Follow a reference inside the document."""
    if isinstance(node, dict) and "$ref" in node:
        found: Any = whole
        for part in node["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return found
    return node


def fits(schema: dict[str, Any], value: Any) -> bool:
    """Whether a value is as a schema says, read as a program without our types would read it."""
    if type(value) is not {"integer": int, "string": str, "boolean": bool}[schema["type"]]:
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if isinstance(value, str):
        # Python's $ would let a line end pass.
        return re.search(schema.get("pattern", "").replace("$", r"\Z"), value) is not None
    return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))


TRIED = [
    *(None, True, False, -1, 0, 1, 2, 99, 2**53, 2**53 + 1, 1.0, 0.5, [], {}),
    *(
        "",
        "1",
        "rock",
        "a b",
        "vQ3x0y",
        "a\n",
        "12345678",
        "12345678\n",
        "x" * 32,
        "x" * 65,
        "é" * 9,
    ),
]


@pytest.mark.parametrize("name", METHODS)
def test_openrpc_schemas_say_what_is_read(name):
    """Each parameter, tried with values of all kinds: taken exactly where its schema says so."""
    method = METHODS[name]
    needed = dict(method.example[0])
    for parameter in parameters_of(method.takes):
        for value in TRIED:
            try:
                bind(method.takes, {**needed, parameter.name: value})
            except Problem:
                taken = False
            else:
                taken = True
            assert taken is fits(parameter.schema, value), (parameter.name, value)


def require_schema(schema: Any) -> None:
    """A JSON Schema, as far as this interface uses it."""
    assert isinstance(schema, dict)
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    assert set(types) <= {"integer", "string", "boolean", "object", "array", "null"}
    for inner in schema.get("properties", {}).values():
        require_schema(inner)
    if "items" in schema:
        require_schema(schema["items"])
    known = {"type", "enum", "minimum", "maximum", "pattern", "items", "properties", "required"}
    assert schema.keys() <= known | {"format"}


ORIGIN = "https://play.example"
#: What the specification's schema allows; whatever else there is begins with "x-".
SERVER_KEYS = {"name", "url", "summary", "description", "variables"}
METHOD_KEYS = {
    "name", "description", "summary", "tags", "paramStructure", "params", "result", "errors",
    "links", "examples", "deprecated",
}  # fmt: skip


def test_openrpc_document_is_as_its_specification_says():
    whole = json.loads(json.dumps(document(ORIGIN)))
    assert re.fullmatch(r"1\.3\.\d+", whole["openrpc"])
    assert {"title", "version"} <= whole["info"].keys()
    names = [method["name"] for method in whole["methods"]]
    assert len(names) == len(set(names)) == len(METHODS)
    assert [server["url"] for server in whole["servers"]] == [
        "wss://play.example/ws/rpc/duel/", "https://play.example/rpc/",
    ]  # fmt: skip
    assert all(server.keys() <= SERVER_KEYS for server in whole["servers"])
    assert whole["info"]["x-ruleset"] == "http://volity.org/games/rps"
    for method in whole["methods"]:
        require_method(whole, method)
    extras = {key for key in whole if key.startswith("x-")}
    assert whole.keys() - extras == {"openrpc", "info", "servers", "methods", "components"}


def require_method(whole: dict[str, Any], method: dict[str, Any]) -> None:
    assert {key for key in method if not key.startswith("x-")} <= METHOD_KEYS
    assert method["paramStructure"] in ("by-name", "by-position", "either")
    assert {"name", "params", "result"} <= method.keys()
    names = [parameter["name"] for parameter in method["params"]]
    assert len(names) == len(set(names))
    required = [parameter["required"] for parameter in method["params"]]
    assert required == sorted(required, reverse=True), "required parameters come first"
    for parameter in method["params"]:
        require_schema(parameter["schema"])
    require_schema(method["result"]["schema"])
    for error in method["errors"]:
        found = resolve(whole, error)
        assert type(found["code"]) is int
        assert found["message"]
    for example in method["examples"]:
        assert {"name", "params", "result"} <= example.keys()
        for given in example["params"]:
            (parameter,) = [p for p in method["params"] if p["name"] == given["name"]]
            assert fits(parameter["schema"], given["value"])


def test_openrpc_document_names_the_words_of_the_referee():
    words = {word["name"]: word for word in document(ORIGIN)["x-notifications"]}
    assert words["player_chose_hand"]["params"][1]["schema"]["enum"] == [
        "rock", "paper", "scissors",
    ]  # fmt: skip
    assert words["player_sat"]["tags"] == [{"name": "handbook"}]
    assert words["hand_in"]["tags"] == [{"name": "addition"}]


def test_openrpc_moves_take_an_action_id_by_name():
    methods = {method["name"]: method for method in document(ORIGIN)["methods"]}
    for name, method in METHODS.items():
        given = [parameter["name"] for parameter in methods[name]["params"]]
        assert (ACTION_ID.name in given) is method.is_move
