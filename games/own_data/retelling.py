"""Stored texts of finished matches that have a user's former name: written again with the new one.
Journals hold no names; only the last lines and the summary of a match do.
"""

import json

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import BlockedName, StaffMessage
from games import registry
from games.contract import TableGame
from games.engine.structs import canonical
from games.matches.journal.entries import Line, lines_of, newest, read_facts, write_lines
from games.matches.journal.loading import match_cache
from games.matches.journal.reading import all_entries
from games.matches.models import Match, Replaced, Seat

#: The columns that new lines need.
RETOLD = ("game", "action_count", "summary")


def naming(name: str) -> list[int]:
    """Return the finished matches that may have a name in their texts, of all matches."""
    told = Q(recent__contains=name) | Q(summary__contains=f'"{name}"')
    over = Match.objects.exclude(status__in=Match.LIVE).filter(told)
    return list(over.values_list("pk", flat=True))


def retell(match: Match, old: str, new: str) -> None:
    """Write the stored last lines and the summary of a finished match with the new name."""
    lines = list[Line]()
    if isinstance(game := registry.find(match.game), TableGame):
        names = dict(match.seats.values_list("no", "user__username"))
        for entry in all_entries(match.pk, match.action_count):
            facts = read_facts(entry.facts)
            earlier = entry.last_public - sum(fact.audience is None for fact in facts)
            lines += lines_of(facts, earlier, entry.phase, names, game.speech.sentences)
    summary = json.loads(match.summary)
    for player in summary.get("players", ()):
        if player["name"] == old:
            player["name"] = new
    recent = write_lines(newest(lines))
    Match.objects.filter(pk=match.pk).update(recent=recent, summary=canonical(summary))


def tell_new_name(user_id: int, old: str, new: str, **_: object) -> None:
    """Receive user_renamed: tell the new name in finished matches, and in live ones from now on.
    Other web processes tell the former name of a running match until it is over.
    """
    for match in Match.objects.filter(pk__in=naming(old)).only(*RETOLD):
        with transaction.atomic():
            retell(match, old, new)
    seats, left = Seat.objects.filter(user=user_id), Replaced.objects.filter(user=user_id)
    played = {*seats.values_list("match", flat=True), *left.values_list("match", flat=True)}
    running = Match.objects.filter(pk__in=played, status__in=Match.LIVE)
    live = set(running.values_list("pk", flat=True))
    match_cache.drop(live)
    if not live:
        BlockedName.objects.filter(name=old, retold_at=None).update(retold_at=timezone.now())


def finish_renames() -> None:
    """Tell new names in matches that ran at the rename; then forget who had the blocked name. The
    worker calls this hourly.
    """
    for blocked in BlockedName.objects.filter(user__isnull=False).select_related("user"):
        if (user := blocked.user) is None:
            continue
        if blocked.retold_at is None:
            tell_new_name(user.pk, blocked.name, user.username)
        elif not user.staff_messages.filter(kind=StaffMessage.Kind.RENAMED, read_at=None).exists():
            blocked.user = None
            blocked.save(update_fields=["user"])
