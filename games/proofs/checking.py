"""The hourly look back: old matches still replay, and are what the public log says."""

import contextlib
import json
import logging
from typing import Final

from games import registry
from games.matches.journal.entries import BrokenArchive
from games.matches.models import LogLeaf, Match, SelfCheck
from games.matches.processing.status import note_check
from games.matches.queries.audit import broken_replay, sample_of
from games.proofs.queries import body_of, hash_of_body

log = logging.getLogger(__name__)

#: Matches an hour; within the time limit of a task.
SAMPLE: Final = 20


def check_old_matches() -> list[str]:
    """Replay random finished matches, compare them with the log, return what is wrong."""
    over = Match.objects.exclude(status__in=Match.LIVE).filter(game__in=registry.slugs())
    sample = sample_of(over, SAMPLE)
    closed = LogLeaf.objects.filter(
        kind=LogLeaf.Kind.CLOSED, commitment__in=[match.seed_commitment for match in sample]
    )
    logged = {leaf.commitment: json.loads(leaf.text)["body"] for leaf in closed}
    wrong = list[str]()
    for match in sample:
        if text := broken_replay(match):
            wrong.append(text)
        with contextlib.suppress(BrokenArchive):
            if logged.get(match.seed_commitment) not in (None, hash_of_body(body_of(match))):
                wrong.append(f"match {match.pk} is not what the public log says")
    for text in wrong:
        log.critical("old matches: %s", text)
    if sample:
        note = f"{len(sample)} old games, {len(wrong)} differences"
        note_check(SelfCheck.Kind.REPLAY, note, is_good=not wrong)
    return wrong
