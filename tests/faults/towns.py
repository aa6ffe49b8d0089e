"""Tables for the tests of faults, made by a process beside the site, now or in the past."""

import time
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from accounts.models import User
from games.engine.draws import commitment
from games.engine.table import COUNTDOWN
from games.matches import services as matches
from games.matches.journal.loading import standing_of
from games.matches.models import Match
from games.matches.processing import repair, writing
from games.matches.processing.submissions import Submission
from tests.games.mafia.common.kit import want_substitutes

PHASE = 600
#: A game starts only so long after the last person sat down.
EARLIER = timedelta(milliseconds=COUNTDOWN)


def act(match: Match, user: int, at: datetime | None = None, **action: Any) -> None:
    writing.submit(Submission(match.pk, action, f"hand-{time.monotonic_ns()}", user, None), at)


def sow(match: Match, seed: str | None) -> None:
    if seed is not None:
        told = commitment(seed, match.public_id, match.rules_version)
        # The name of a table is drawn too.
        title = "Back Room No. 7"
        Match.objects.filter(pk=match.pk).update(seed=seed, seed_commitment=told, title=title)


def seated(game: str, users: list[int], at: datetime, bots: int = 0, **options: Any) -> Match:
    """Open a table at which people and bots sit from an instant on, and nobody is ready."""
    seed, purse = options.pop("seed", None), {"purse": 30} if game == "showdown" else {}
    substitutes = options.pop("substitutes", False)
    if game != "duel":
        options["seats"] = len(users) + bots
    opener = User.objects.get(pk=users[0])
    match = matches.open_match(opened_by=opener, options=options, game=game, at=at)
    sow(match, seed)
    if substitutes:
        want_substitutes(match)
    for seat, user in enumerate(users):
        act(match, user, at, kind="sit", seat=seat, **purse)
    for _ in range(bots):
        act(match, users[0], at, kind="add_bot")
    return match


def ready(match: Match, users: list[int], at: datetime | None = None) -> None:
    for user in users:
        act(match, user, at, kind="ready", configuration=1)


def names_of(match: Match) -> dict[str, Any]:
    return {"pk": match.pk, "public_id": match.public_id}


def start_duels(pairs: list[list[int]], **options: Any) -> list[dict[str, Any]]:
    sat_at = timezone.now() - EARLIER
    duels = [seated("duel", pair, sat_at, **options) for pair in pairs]
    for pair, duel in zip(pairs, duels, strict=True):
        ready(duel, pair, timezone.now())
    return [names_of(duel) for duel in duels]


def offer_seat(users: list[int], idle: int) -> dict[str, Any]:
    """Play a night and a day of a town, half an hour ago, in which one person does nothing."""
    at = timezone.now() - timedelta(seconds=2 * PHASE + 60)
    match = seated("agora", users, at - EARLIER, phase_seconds=PHASE, substitutes=True)
    ready(match, users, at)
    others = [user for user in users if user != idle]
    for user in others:
        act(match, user, at, kind="done")
    for _ in range(2):
        due_at = Match.objects.get(pk=match.pk).due_at
        repair.fire_due([match.pk], due_at)
        if due_at < at + timedelta(seconds=PHASE + 1):
            for place, user in enumerate(others):
                act(match, user, due_at, kind="vote", choice=users.index(others[place - 1]))
    cached = standing_of(match)
    return {**names_of(match), "open": list(cached.table.open_seats(cached.state))}
