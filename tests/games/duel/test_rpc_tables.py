import re
from pathlib import Path
from typing import get_args

from games.duel import rpc
from games.duel.rules.facts import DuelFact
from games.engine.structs import kind_of
from games.engine.table.facts import TableFact
from games.jsonrpc.errors import ERRORS
from games.jsonrpc.generated import interface_of
from games.jsonrpc.openrpc import document

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/reference/json-rpc.md").read_text()
METHODS = interface_of("duel").methods
#: Facts of one seat alone: no program is ever told them.
PRIVATE = {"hand_chosen"}
#: Facts that a duel does not have, or that programs do not need.
UNTOLD = {
    *("bonus_paid", "awards_paid", "awards_withheld", "purse_changed"),
    *("seat_offered", "seat_taken_over", "start_missed"),
}


def test_rpc_every_public_fact_has_a_telling_and_no_secret_one():
    kinds = {kind_of(fact) for fact in get_args(TableFact | DuelFact)} - PRIVATE
    assert {"sat", "hands_revealed", "match_closed"} <= kinds
    assert set(rpc.TELLINGS) == kinds - UNTOLD


def test_rpc_every_notification_is_in_its_table():
    text = (ROOT / "games/duel/rpc.py").read_text()
    said = set(re.findall(r'(?:notification|_of_seats)\(\s*"(\w+)"', text))
    for patterns in re.findall(r"_said\((.*?)\),\n", text):
        said |= set(re.findall(r'"(\w+)', patterns))
    said |= {"paid", *rpc.OPTIONS}
    names = [each.name for each in rpc.NOTIFICATIONS]
    assert (said, len(names)) == (set(names), len(said))


def test_rpc_the_handbook_names_what_there_is_and_only_a_hand_belongs_to_its_throw() -> None:
    assert {*METHODS, *(each.name for each in rpc.NOTIFICATIONS)} >= rpc.HANDBOOK
    assert [name for name, method in METHODS.items() if method.is_phased] == ["choose_hand"]


def test_rpc_the_page_tells_every_code():
    for code, (words, _) in ERRORS.items():
        assert f"| {code} | {words} |" in PAGE, code


def test_openrpc_document_of_a_duel_names_the_handbook():
    whole = document(interface_of("duel"), "https://play.example")
    assert [server["url"] for server in whole["servers"]] == [
        "wss://play.example/ws/rpc/duel/", "https://play.example/rpc/",
    ]  # fmt: skip
    assert whole["info"]["x-ruleset"] == "http://volity.org/games/rps"
    told = {each["name"]: each for each in whole["x-notifications"]}
    assert whole["components"]["schemas"]["Hand"]["enum"] == ["paper", "rock", "scissors"]
    assert told["player_chose_hand"]["params"][1]["schema"] == {"$ref": "#/components/schemas/Hand"}
    assert told["player_sat"]["tags"] == [{"name": "handbook"}]
    assert told["hand_in"]["tags"] == [{"name": "addition"}]
