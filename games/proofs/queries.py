"""The proof of a finished match: seed, salts, draws, and everything that happened.

No user, no name, no id of an action and no text of a post is in it, so that its hash can be public
and stays the same when a user is renamed or a post is hidden.

Source: docs/explanation/proof.md "The proof".
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from games.engine.draws import recorded
from games.engine.structs import canonical
from games.matches.journal.entries import EntryRow
from games.matches.journal.replay import ReplayCache, replayed
from games.matches.journal.story import Finished
from games.matches.models import LogLeaf, Match
from games.proofs.log import inclusion_of

#: Asking for a rematch is an entry of the old match, after its end; the proof is of the game.
LATER: Final = frozenset({"rematch"})
#: The facts of a start that was broken off once salts were asked for.
ABORTS: Final = frozenset({"salt_missing", "salts_dropped"})
#: What is left out of an action or a fact, by its kind.
LEFT_OUT: Final = {
    "post": frozenset({"text"}),
    "posted": frozenset({"text"}),
    "write_will": frozenset({"text"}),
    "looked": frozenset({"looks"}),
    "secrets_looked_at": frozenset({"name", "reason"}),
}


def body_of(match: Match) -> dict[str, Any]:
    """Return what the log's hash of a finished match is about. Raises ValueError: the match is
    still live.
    """
    entries = Finished(match).entries
    return {
        "game": match.game,
        "public_id": match.public_id,
        "rules_version": match.rules_version,
        "status": match.status,
        "options": json.loads(match.table)["options"],
        "opening": json.loads(match.origin),
        "entries": list(_entries(entries)),
    }


def hash_of_body(body: dict[str, Any]) -> str:
    """Return the SHA-256 of a match's body, in hex."""
    return hashlib.sha256(canonical(body).encode()).hexdigest()


def aborted_starts(body: dict[str, Any]) -> int:
    """Return how many facts say that a start was broken off for the salts' sake."""
    facts = (fact for entry in body["entries"] for fact, _ in entry["facts"])
    return sum(fact["kind"] in ABORTS for fact in facts)


def proof_of(match: Match) -> dict[str, Any] | None:
    """Return the proof of a finished match, None until the log has its end. Entries and draws are
    texts already, for ``canonical``; only the inclusion may still change. Raises ValueError: the
    match is still live; KeyError: the game, or that version of it, is not installed here.
    """
    inclusion = inclusion_of(match.seed_commitment)
    if LogLeaf.Kind.CLOSED not in inclusion:
        return None
    return {**proofs.of(match), "inclusion": inclusion}


def _final_part(match: Match) -> dict[str, Any]:
    """Return the part of a proof that stays the same once the match is over, from a replay."""
    body = body_of(match)
    frozen = [
        fact["salts"]
        for entry in body["entries"]
        for fact, _ in entry["facts"]
        if fact["kind"] == "salts_frozen"
    ]
    return {
        # At the tables of format 2 salts wait for the public log.
        "format": 2 if "is_logged" in body["opening"] else 1,
        **body,
        "commitment": match.seed_commitment,
        "seed": match.seed,
        "salts": frozen[0] if frozen else [],
        # A text takes less memory than the maps of a long game.
        "entries": msgspec.Raw(canonical(body["entries"]).encode()),
        "draws": msgspec.Raw(canonical(list(draws_of(match))).encode()),
    }


def draws_of(match: Match) -> Iterator[dict[str, Any]]:
    """Yield the draws of a match in their order, from a replay. Raises KeyError: the game, or that
    version of it, is not installed here; IllegalAction: the rules refuse an entry now.
    """
    steps = replayed(match)
    while True:
        with recorded() as draws:
            found = next(steps, None)
        if found is None:
            return
        for label, bound, result in draws:
            yield {"entry": found[0].no, "label": label, "bound": bound, "result": result}


def _entries(rows: Iterable[EntryRow]) -> Iterator[dict[str, Any]]:
    for row in rows:
        action = json.loads(row.action)
        if action["kind"] in LATER:
            continue
        yield {
            "no": row.no,
            "seat": row.seat,
            "at": row.at_ms,
            "action": _without(action),
            "facts": [[_without(fact), audience] for fact, audience in json.loads(row.facts)],
        }


def _without(told: dict[str, Any]) -> dict[str, Any]:
    left_out = LEFT_OUT.get(told["kind"], frozenset())
    return {name: value for name, value in told.items() if name not in left_out}


#: The proofs of this process, without the inclusion.
proofs: Final = ReplayCache(_final_part)
