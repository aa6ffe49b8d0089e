"""Scoring of sealed reads after the end of a match: the rows themselves say what is still to do."""

import json
from typing import Final

from django.db import transaction

from economy.records import looks_at
from economy.transfers import match_owner, user_owner
from games import registry
from games.contract import Reads
from games.matches.journal.loading import standing
from games.matches.journal.snapshots import Snapshot
from games.matches.models import Match, SealedRead, of_match
from games.reads import odds

#: The most matches of one run.
MOST: Final = 20


def score_ended() -> None:
    """Score the reads of matches that were played to their end, each once; those of matches that
    were called off are deleted.
    """
    SealedRead.objects.filter(of_match(status=Match.Status.VOID), score=None).delete()
    games = {game.slug: game.reads for game in registry.tables() if game.reads}
    over = of_match(status=Match.Status.OVER, game__in=games)
    ended = SealedRead.objects.filter(over, score=None).order_by("match")
    matches = ended.values_list("match", flat=True).distinct()
    for snapshot in standing(matches[:MOST]).values():
        _score(snapshot, games[snapshot.match.game])


def strengths_of(read: SealedRead) -> dict[int, int]:
    return {int(seat): strength for seat, strength in json.loads(read.strengths).items()}


def _score(snapshot: Snapshot, reads: Reads) -> None:
    mafia, knowing = reads.mafia(snapshot.state.play), _knowing(snapshot, reads)
    with transaction.atomic():
        unscored = SealedRead.objects.select_for_update().filter(match=snapshot.match, score=None)
        rows = list(unscored.order_by("pk"))
        for row in rows:
            row.score = odds.score(strengths_of(row), row.hidden, mafia)
            row.knew = user_owner(row.user_id) in knowing
        SealedRead.objects.bulk_update(rows, ["score", "knew"])


def _knowing(snapshot: Snapshot, reads: Reads) -> set[str]:
    """Return the owners who knew more than watchers: by their role, as players who left, or as
    administrators who looked.
    """
    knew = reads.knew(snapshot.state.play)
    seated = {s.user_id for s in snapshot.seats.values() if s.has_left or s.no in knew}
    gone = {each.user_id for each in snapshot.replaced}
    looked = {look.actor for look in looks_at(match_owner(snapshot.match.pk))}
    return looked | {user_owner(pk) for pk in seated | gone}
