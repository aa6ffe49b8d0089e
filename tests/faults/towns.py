"""Towns for the tests of faults, made in the past by a process beside the site."""

import itertools
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from accounts.models import User
from games.engine.table import COUNTDOWN
from games.matches.journal.loading import standing_of
from games.matches.models import Match
from games.matches.processing import repair, writing
from games.matches.processing.submissions import Submission
from games.matches.services import matches
from tests.games.mafia.common.kit import want_substitutes

PHASE = 600
_numbers = itertools.count(1)


def offer_seat(users: list[int], idle: int) -> dict[str, Any]:
    """Play a town of people for a night and a day in which one of them does nothing.

    Call before any web process runs: all of it happens half an hour ago.
    """
    at = timezone.now() - timedelta(seconds=2 * PHASE + 60)
    match = _opened(users, at)
    others = [user for user in users if user != idle]
    for user in others:
        _do(match, user, {"kind": "done"}, at)
    for _ in range(2):
        due_at = Match.objects.get(pk=match.pk).due_at
        assert due_at is not None
        repair.fire_due([match.pk], due_at)
        if due_at < at + timedelta(seconds=PHASE + 1):
            for place, user in enumerate(others):
                seat = users.index(others[place - 1])
                _do(match, user, {"kind": "vote", "choice": seat}, due_at)
    cached = standing_of(match)
    return {
        "pk": match.pk,
        "public_id": match.public_id,
        "open": list(cached.table.open_seats(cached.state)),
    }


def _opened(users: list[int], at: datetime) -> Match:
    """Open a town at which everybody sits and is ready, and which so has begun."""
    opener = User.objects.get(pk=users[0])
    sat_at = at - timedelta(milliseconds=COUNTDOWN)
    options = {"seats": len(users), "phase_seconds": PHASE}
    match = matches.open_match(opened_by=opener, options=options, game="agora", at=sat_at)
    want_substitutes(match)
    for seat, user in enumerate(users):
        _do(match, user, {"kind": "sit", "seat": seat}, sat_at)
    for user in users:
        _do(match, user, {"kind": "ready", "configuration": 1}, at)
    return match


def _do(match: Match, user: int, action: dict[str, Any], at: datetime) -> None:
    writing.submit(Submission(match.pk, action, f"town-{next(_numbers):08d}", user), at)
