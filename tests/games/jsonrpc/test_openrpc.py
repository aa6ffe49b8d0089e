import json
import re
from contextlib import nullcontext
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from games import registry
from games.engine.facts import SecretFact
from games.engine.structs import kind_of, plain
from games.engine.table.actions import PERSON_KINDS
from games.jsonrpc import envelope, views
from games.jsonrpc.errors import Problem
from games.jsonrpc.generated import interface_of
from games.jsonrpc.interface import ACTION_ID, HTTP, SOCKET, bind
from games.jsonrpc.openrpc import document
from games.realtime.protocol import write

ORIGIN = "https://play.example"
SLUGS = tuple(game.slug for game in registry.tables())
METHODS = [(slug, name) for slug in SLUGS for name in interface_of(slug).methods]


def resolve(whole: dict[str, Any], node: Any) -> Any:
    if isinstance(node, dict) and "$ref" in node:
        found: Any = whole
        for part in node["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return found
    return node


def fits(whole: dict[str, Any], schema: dict[str, Any], *values: Any) -> list[bool]:
    """Whether values are as a schema says, read as a program without our types would read them."""
    text = write({**schema, "components": whole["components"]})
    # Python's $ would let a line end pass; in JSON, 1.0 is no whole number for us.
    validator = Draft202012Validator(json.loads(text.replace('$"', r'\\Z"')))
    return [type(value) is not float and validator.is_valid(value) for value in values]


TRIED = [
    *(None, True, False, -1, 0, 1, 2, 99, 2**53, 2**53 + 1, 1.0, 0.5, [], {}),
    *("", "1", "rock", "a b", "vQ3x0y", "a\n", "12345678", "12345678\n", "none"),
    *("x" * 32, "x" * 65, "é" * 9),
]


@pytest.mark.parametrize(("slug", "name"), METHODS)
def test_openrpc_schemas_say_what_is_read(slug: str, name: str) -> None:
    whole = document(interface_of(slug), ORIGIN)
    method = interface_of(slug).methods[name]
    (told,) = [each for each in whole["methods"] if each["name"] == name]
    needed = {each["name"]: each["value"] for each in told["examples"][0]["params"]}
    assert plain(bind(method.takes, needed)) == needed
    assert plain(bind(method.takes, list(needed.values()))) == needed
    assert (ACTION_ID.name in [each["name"] for each in told["params"]]) is method.is_move
    for parameter in told["params"]:
        for value, may_be in zip(TRIED, fits(whole, parameter["schema"], *TRIED), strict=True):
            with nullcontext() if may_be else pytest.raises(Problem):
                bind(method.takes, {**needed, parameter["name"]: value})


@pytest.mark.parametrize("slug", SLUGS)
def test_openrpc_every_action_of_a_game_has_a_method_which_is_carried_out(slug: str) -> None:
    game, interface = registry.table(slug), interface_of(slug)
    asking = {m.kind for m in interface.methods.values() if SOCKET in m.where and not m.is_move}
    assert asking == {"send_state", *envelope.QUESTIONS}
    posted = {m.kind for m in interface.methods.values() if HTTP in m.where}
    assert posted == set(views.HANDLERS)
    actions = {kind_of(each) for each in get_args(game.newest.Action)} - {"leave"}
    kinds = {m.kind for m in interface.methods.values()}
    assert actions <= kinds
    if game.rpc is None:
        phased = {m.kind for m in interface.methods.values() if m.is_phased}
        assert phased == actions, "the game's own actions, and none of the table's"
        assert kinds >= PERSON_KINDS | {"add_bot"}
        assert all(name == method.name == method.kind for name, method in interface.methods.items())


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if registry.table(slug).rpc is None])
def test_openrpc_every_fact_of_a_game_is_a_notification(slug: str) -> None:
    told = {each["name"]: each for each in document(interface_of(slug), ORIGIN)["x-notifications"]}
    for fact in get_args(registry.table(slug).newest.Fact):
        names = [each["name"] for each in told[kind_of(fact)]["params"]]
        assert names == list(fact.__struct_fields__)
        assert told[kind_of(fact)]["x-private"] is issubclass(fact, SecretFact)
    assert [each["name"] for each in told["sat"]["params"]] == ["seat", "purse", "bot", "name"]


SCHEMA_KEYS = {
    *("type", "enum", "minimum", "maximum", "pattern", "items", "properties", "required"),
    *("minLength", "maxLength", "minItems", "maxItems", "prefixItems", "anyOf", "$ref"),
    *("format", "examples", "additionalProperties"),
}
#: What the specification's schema allows; all else begins with "x-".
SERVER_KEYS = {"name", "url", "summary", "description", "variables"}
METHOD_KEYS = {
    "name", "description", "summary", "tags", "paramStructure", "params", "result", "errors",
    "links", "examples", "deprecated",
}  # fmt: skip


@pytest.mark.parametrize("slug", SLUGS)
def test_openrpc_document_is_as_its_specification_says(slug: str) -> None:
    whole = json.loads(write(document(interface_of(slug), ORIGIN)))
    assert re.fullmatch(r"1\.3\.\d+", whole["openrpc"])
    assert {"title", "version"} <= whole["info"].keys()
    names = [method["name"] for method in whole["methods"]]
    assert len(names) == len(set(names)) == len(interface_of(slug).methods)
    socket, http = (server["url"] for server in whole["servers"])
    assert socket == f"wss://play.example/ws/rpc/{slug}/"
    assert http.startswith("https://play.example/rpc/")
    assert all(server.keys() <= SERVER_KEYS for server in whole["servers"])
    for method in whole["methods"]:
        require_method(whole, method)
    for told in whole["x-notifications"]:
        for parameter in told["params"]:
            require_schema(whole, parameter["schema"])
    extras = {key for key in whole if key.startswith("x-")}
    assert whole.keys() - extras == {"openrpc", "info", "servers", "methods", "components"}


def require_method(whole: dict[str, Any], method: dict[str, Any]) -> None:
    assert {key for key in method if not key.startswith("x-")} <= METHOD_KEYS
    assert method["summary"]
    assert method["paramStructure"] in ("by-name", "by-position", "either")
    assert {"name", "params", "result"} <= method.keys()
    names = [parameter["name"] for parameter in method["params"]]
    assert len(names) == len(set(names))
    required = [parameter["required"] for parameter in method["params"]]
    assert required == sorted(required, reverse=True), "required parameters come first"
    for parameter in method["params"]:
        require_schema(whole, parameter["schema"])
    require_schema(whole, method["result"]["schema"])
    for error in method["errors"]:
        found = resolve(whole, error)
        assert type(found["code"]) is int
        assert found["message"]
    for example in method["examples"]:
        assert {"name", "params", "result"} <= example.keys()
        for given in example["params"]:
            (parameter,) = [p for p in method["params"] if p["name"] == given["name"]]
            assert fits(whole, parameter["schema"], given["value"]) == [True]


def require_schema(whole: dict[str, Any], schema: Any) -> None:
    """A JSON Schema, as far as these interfaces use it, without references to nowhere."""
    assert isinstance(resolve(whole, schema), dict)
    for inner in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
        require_schema(whole, inner)
    if isinstance(schema.get("items"), dict):
        require_schema(whole, schema["items"])
    assert schema.keys() <= SCHEMA_KEYS
