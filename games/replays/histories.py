"""A match's log and hand history, without ids of users and actions, or withheld texts."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.utils.module_loading import import_string

from accounts.models import User
from games import registry
from games.engine.facts import Instant, instant, iso
from games.engine.structs import canonical
from games.matches.journal.story import SEATING, Finished, StoryFact
from games.matches.models import Match
from games.posts.queries import POST, WILL, story_to_pass_on, without_text

#: The first line of a history; the number changes with the grammar.
HEADING: Final = "Rock & Racket history 1"
#: The fields of a history's head, each on a line of its own.
HEAD: Final = (
    *("public_id", "title", "game", "rules_version", "status", "void_reason", "opened_at"),
    *("commitment", "seed", "options"),
)


def history_of(match: Match) -> dict[str, Any]:
    """Return the whole history of a match; raises ValueError while it is live, KeyError without its
    game.
    """
    finished = Finished(match)
    names = User.objects.in_bulk(finished.opening.values())
    story = list(story_to_pass_on(match, finished.entries))
    return {
        "public_id": match.public_id,
        "title": match.title,
        "game": match.game,
        "rules_version": match.rules_version,
        "status": match.status,
        "void_reason": match.void_reason or None,
        "opened_at": iso(instant(match.opened_at)),
        "commitment": match.seed_commitment,
        "seed": match.seed,
        "options": json.loads(match.origin)["options"],
        "seats": {str(no): names[user].username for no, user in sorted(finished.opening.items())},
        "analysis": analysis_of(match.game, story),
        "entries": list(_entries(finished, story)),
    }


def analysis_of(game: str, story: Sequence[StoryFact]) -> dict[str, Any] | None:
    """Return what all facts of a finished match show afterwards; None if the game has nothing."""
    path = registry.table(game).analysis
    names = {no: name for fact in story for no, name in fact.names.items()}
    found: dict[str, Any] | None = (
        import_string(path)([(fact.kind, fact.data) for fact in story], names) if path else None
    )
    return found


def _entries(finished: Finished, story: Sequence[StoryFact]) -> Iterator[dict[str, Any]]:
    """Yield the journal's entries, each fact with its audience during the game."""
    facts, silent = defaultdict(list), set()
    tell = registry.table(finished.match.game).speech.tell
    for fact in story:
        facts[fact.entry.no].append(fact)
        if fact.data.get("is_withheld") and fact.data.get("is_will"):
            silent.add(fact.data["seat"])
    for entry in finished.entries:
        told, action = facts[entry.no], json.loads(entry.action)
        is_will = action["kind"] == WILL and entry.seat in silent
        is_post = action["kind"] == POST and any(fact.data.get("is_withheld") for fact in told)
        if is_will or is_post:
            action = without_text(action)
        sitters = [fact.names[fact.data["seat"]] for fact in told if fact.kind in SEATING]
        yield {
            "no": entry.no,
            "at": iso(Instant(entry.at_ms)),
            "phase": entry.phase,
            "seat": entry.seat,
            "sitter": sitters[0] if sitters else None,
            "action": action,
            "facts": [
                {
                    "kind": fact.kind,
                    "data": fact.data,
                    "audience": None if fact.audience is None else list(fact.audience),
                    "text": fact.text or tell(fact.kind, fact.data, fact.names) or "",
                }
                for fact in told
            ],
        }


def written(history: Mapping[str, Any]) -> str:
    """Write a history as text; the grammar is in docs/reference/history.md."""
    lines = [HEADING, *(f"{name}: {canonical(history[name])}" for name in HEAD)]
    analysis = history["analysis"] or {"lines": ()}
    lines += [f"analysis: {canonical(line)}" for line in analysis["lines"]]
    lines += [f"seat {no}: {canonical(name)}" for no, name in history["seats"].items()]
    for entry in history["entries"]:
        who = "house" if entry["seat"] is None else f"seat {entry['seat']}"
        sitter = "" if entry["sitter"] is None else f" sitter {canonical(entry['sitter'])}"
        lines += [
            "",
            f"{entry['no']} {entry['at']} phase {entry['phase']} {who}{sitter}",
            f"  do {canonical(entry['action'])}",
        ]
        for fact in entry["facts"]:
            to = "all" if fact["audience"] is None else ",".join(map(str, fact["audience"]))
            lines.append(f"  {fact['kind']} to {to or 'nobody'} {canonical(fact['data'])}")
            if fact["text"]:
                # A name or a reason may hold line ends.
                lines.append(f"    {' '.join(fact['text'].split())}")
    return "\n".join(lines) + "\n"


def public_log(match: Match) -> list[dict[str, Any]]:
    """Return a match's public facts in order, with their time once it is over."""
    # No time while it runs, so that gaps reveal no private action.
    told = (fact for fact in story_to_pass_on(match) if fact.audience is None)
    return [_fact(fact, timed=not match.is_live) for fact in told]


def full_log(match: Match) -> list[dict[str, Any]]:
    """Return all facts of a match, private ones too; raises ValueError if it is live."""
    told = story_to_pass_on(match, Finished(match).entries)
    return [{**_fact(fact, timed=True), "audience": fact.audience} for fact in told]


def log_of(match: Match) -> dict[str, Any]:
    return {
        "public_id": match.public_id,
        "status": match.status,
        "commitment": match.seed_commitment,
        "seed": None if match.is_live else match.seed,
        "events": public_log(match) if match.is_live else full_log(match),
    }


def _fact(fact: StoryFact, *, timed: bool) -> dict[str, Any]:
    line = {
        "n": fact.number,
        "phase": fact.entry.phase,
        "kind": fact.kind,
        "data": fact.data,
        "text": fact.text,
    }
    return {**line, "at": iso(Instant(fact.entry.at_ms))} if timed else line
