"""The log of a match: its public facts while it runs, all of them once it is over."""

from typing import Any

from games.engine.facts import Instant, iso
from games.matches.journal.story import Finished, StoryFact
from games.matches.models import Match
from games.posts.queries import story_to_pass_on


def public_log(match: Match) -> list[dict[str, Any]]:
    """Return a match's public facts in order, with their time once it is over. While it runs, facts
    carry the phase and no time, so that gaps reveal no private action.
    """
    told = (fact for fact in story_to_pass_on(match) if fact.audience is None)
    return [_fact(fact, timed=not match.is_live) for fact in told]


def full_log(match: Match) -> list[dict[str, Any]]:
    """Return all facts of a match that is over, the private ones included. Raises ValueError: the
    match is still live.
    """
    told = story_to_pass_on(match, Finished(match).entries)
    return [{**_fact(fact, timed=True), "audience": fact.audience} for fact in told]


def log_of(match: Match) -> dict[str, Any]:
    """Return a match's log: the public facts while it runs, all of them once it is over."""
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
