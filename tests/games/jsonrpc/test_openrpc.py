import json
import re
from contextlib import nullcontext
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any, get_args

import pytest
from jsonschema import Draft7Validator, Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT7

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
    of_events = {kind for kind in views.HANDLERS if "event" in kind}
    assert posted == set(views.HANDLERS) - (set() if game.knockout else of_events)
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


def specification() -> Draft7Validator:
    """Return the validator of OpenRPC's own schema: npm @open-rpc/spec 1.4.1, ``dist/1_3``."""
    schema = json.loads(Path(__file__).with_name("openrpc.json").read_text())
    # The schema of schemas to which it refers is draft 7 with a name for the text of a $ref.
    name = "https://meta.json-schema.tools"
    texts = {"JSONSchemaObject": {"properties": {"$ref": {"type": "string"}}}}
    meta = {**Draft7Validator.META_SCHEMA, "$id": name}
    meta["definitions"] = {**meta["definitions"], **texts}
    schemas = [(each, DRAFT7.create_resource(meta)) for each in (name, f"{name}/")]
    assert schema["$schema"] == f"{name}/"
    return Draft7Validator({**schema, "$schema": ""}, registry=Registry().with_resources(schemas))


@pytest.mark.parametrize("slug", SLUGS)
def test_openrpc_document_is_as_its_specification_says(slug: str) -> None:
    text = write(document(interface_of(slug), ORIGIN))
    whole, valid = json.loads(text), specification()
    valid.validate(whole)
    assert not valid.is_valid({**whole, "notifications": []})
    assert not valid.is_valid({**whole, "methods": [{"name": "sit"}]})
    for path in set(re.findall(r'"\$ref":"#/([^"]+)"', text)):
        assert reduce(getitem, path.split("/"), whole), "it refers to nowhere"
    for method in (*whole["methods"], *whole["x-notifications"]):
        assert method["summary"]
        names = [parameter["name"] for parameter in method["params"]]
        assert len(names) == len(set(names))
        schemas = [parameter["schema"] for parameter in method["params"]]
        for schema in (*schemas, method.get("result", {}).get("schema", True)):
            Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("slug", SLUGS)
def test_openrpc_methods_have_examples_that_fit(slug: str) -> None:
    whole = json.loads(write(document(interface_of(slug), ORIGIN)))
    names = [method["name"] for method in whole["methods"]]
    assert len(names) == len(set(names)) == len(interface_of(slug).methods)
    socket, http = (server["url"] for server in whole["servers"])
    assert socket == f"wss://play.example/ws/rpc/{slug}/"
    assert http.startswith("https://play.example/rpc/")
    for method in whole["methods"]:
        required = [parameter["required"] for parameter in method["params"]]
        assert required == sorted(required, reverse=True), "required parameters come first"
        schemas = {parameter["name"]: parameter["schema"] for parameter in method["params"]}
        for example in method["examples"]:
            for given in example["params"]:
                assert fits(whole, schemas[given["name"]], given["value"]) == [True]
            assert fits(whole, method["result"]["schema"], example["result"]["value"]) == [True]
