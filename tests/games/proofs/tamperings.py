"""Changes that a site could make to a game before it logs it; each is refused.

A tampering changes a proof in place; the log's leaf then gets the hash of the changed game.
"""

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from games.engine.draws import hash_of_salt
from games.engine.structs import canonical
from games.proofs.queries import aborted_starts, hash_of_body
from tests.games.proofs.proof_games import logged_days_ago, played

#: The parts of a proof that the log's hash is about.
BODY: Final = ("game", "public_id", "rules_version", "status", "options", "opening", "entries")


def of_kind(proof: Any, kind: str) -> list[Any]:
    return [entry for entry in proof["entries"] if entry["action"]["kind"] == kind]


def fact_of(proof: Any, kind: str) -> Any:
    facts = (fact for entry in proof["entries"] for fact, _ in entry["facts"])
    return next(fact for fact in facts if fact["kind"] == kind)


def insert(proof: Any, place: int, entry: Any) -> None:
    """Insert an entry at a place, at the instant of the one that stood there."""
    proof["entries"].insert(place, {"at": proof["entries"][place]["at"], "facts": [], **entry})
    for no, each in enumerate(proof["entries"], 1):
        each["no"] = no


def freeze(proof: Any, salts: list[Any]) -> None:
    fact_of(proof, "salts_frozen")["salts"] = proof["salts"] = salts


def log_opening(proof: Any, at: int) -> None:
    placed = proof["inclusion"]["opened"]
    placed["leaf"] = canonical({**json.loads(placed["leaf"]), "at": at})


def opening_is_logged_after_the_salts(proof: Any) -> None:
    log_opening(proof, of_kind(proof, "start")[0]["at"])


def hash_follows_on_a_known_salt(proof: Any) -> None:
    last, salt = of_kind(proof, "reveal")[-1], "ee" * 32
    promise = {"kind": "ready", "configuration": 1, "salt_hash": hash_of_salt(salt)}
    insert(proof, last["no"] - 1, {"seat": last["seat"], "action": promise})
    last["action"]["salt"] = salt
    freeze(proof, [[no, salt if no == last["seat"] else old] for no, old in proof["salts"]])


def salt_is_chosen_among_two_hashes(proof: Any) -> None:
    last = of_kind(proof, "reveal")[-1]
    first = next(each for each in of_kind(proof, "ready") if each["seat"] == last["seat"])
    more = {"kind": "ready", "configuration": 1, "salt_hash": hash_of_salt("ee" * 32)}
    insert(proof, of_kind(proof, "reveal")[0]["no"] - 1, {"seat": first["seat"], "action": more})


def dropped_salt_is_used(proof: Any) -> None:
    dropped = {"kind": "salts_dropped", "seats": [proof["salts"][0][0]]}
    short = {"seat": None, "action": {"kind": "short", "seats": []}, "facts": [[dropped, None]]}
    insert(proof, of_kind(proof, "reveal")[-1]["no"], short)


def revealed_salt_is_left_out(proof: Any) -> None:
    freeze(proof, proof["salts"][:1])


def card_is_dealt_twice(proof: Any) -> None:
    dealt = fact_of(proof, "role_dealt")
    proof["entries"][-1]["facts"].append([{**dealt}, [dealt["seat"]]])


def card_is_told_to_all(proof: Any) -> None:
    told = (each for entry in proof["entries"] for each in entry["facts"])
    next(each for each in told if each[0]["kind"] == "role_dealt")[1] = None


def mine_is_planted_by_nobody(proof: Any) -> None:
    planted = {"kind": "mine_planted", "seat": 0, "target": 1}
    proof["entries"][-1]["facts"].append([planted, [0]])


def dealer_before_is_invented(proof: Any) -> None:
    started = fact_of(proof, "game_started")
    place = started["seats"].index(started["dealer"])
    for part in (proof, proof["opening"]):
        part["options"]["previous_dealer"] = started["seats"][place - 1]
    proof["draws"] = [draw for draw in proof["draws"] if draw["label"] != "dealer"]


def start_has_another_name(proof: Any) -> None:
    start = of_kind(proof, "start")[0]
    start["action"]["kind"] = "begin"
    log_opening(proof, proof["entries"][-1]["at"])


def format_is_true(proof: Any) -> None:
    proof["format"] = True


def format_is_an_older_one(proof: Any) -> None:
    proof["format"] = 1


#: Each with the game that it is done to, and whether that one is from before 1.2.
TAMPERINGS: Final[list[tuple[Callable[[Any], None], str, bool]]] = [
    (opening_is_logged_after_the_salts, "duel", False),
    (hash_follows_on_a_known_salt, "duel", False),
    (salt_is_chosen_among_two_hashes, "duel", False),
    (dropped_salt_is_used, "duel", False),
    (revealed_salt_is_left_out, "duel", False),
    (card_is_dealt_twice, "agora", False),
    (card_is_dealt_twice, "agora", True),
    (card_is_told_to_all, "agora", False),
    (mine_is_planted_by_nobody, "showdown", False),
    (mine_is_planted_by_nobody, "showdown", True),
    (dealer_before_is_invented, "showdown", False),
    (start_has_another_name, "duel", False),
    (start_has_another_name, "duel", True),
    (format_is_true, "duel", True),
    (format_is_an_older_one, "duel", False),
]


def tampered() -> Iterator[tuple[str, Any, Any]]:
    honest = _games_with_salts()
    for tamper, game, is_old in TAMPERINGS:
        proof = copy.deepcopy(honest[game, is_old])
        tamper(proof)
        yield f"{tamper.__name__} {game} {is_old}", relogged(honest[game, is_old]), relogged(proof)


def relogged(proof: Any) -> Any:
    """Return a proof whose log has the hash of its game."""
    body, placed = {name: proof[name] for name in BODY}, proof["inclusion"]["closed"]
    told = {"aborted": aborted_starts(body), "body": hash_of_body(body)}
    leaf = canonical({**json.loads(placed["leaf"]), **told})
    return {**proof, "inclusion": {**proof["inclusion"], "closed": {**placed, "leaf": leaf}}}


def _games_with_salts() -> dict[tuple[str, bool], Any]:
    """Return for each kind of game one with the salts of two, which began at the first trial."""
    kinds = {(game, is_old) for _, game, is_old in TAMPERINGS}
    names = [kind for kind in sorted(kinds) for _ in range(10)]
    matches = [played(game, no % 10, is_old=is_old) for no, (game, is_old) in enumerate(names)]
    found = {}
    for name, proof in zip(names, logged_days_ago(matches, days=0), strict=True):
        is_whole = proof["status"] == "over" and len(proof["salts"]) > 1
        if is_whole and not json.loads(proof["inclusion"]["closed"]["leaf"])["aborted"]:
            found[name] = proof
    return found
