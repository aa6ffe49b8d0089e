"""A played site for measuring pages: open and running tables, events, people who are here."""

from dataclasses import dataclass
from datetime import timedelta
from itertools import cycle
from typing import Any

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from economy.models import Setting
from games.duel import challenges
from games.events.models import Event
from games.matches.models import Online
from games.matches.processing import writing
from games.matches.queries.addresses import match_url
from games.matches.services import open_match
from tests.games.contests.kit import ContestKit
from tests.games.duel.kit import DuelKit
from tests.games.events.kit import EventKit
from tests.games.mafia.agora.kit import town
from tests.games.mafia.dynamite.kit import band
from tests.games.match_kit import MatchKit, move_clocks, new_user
from tests.games.table_kit import TableKit

OPEN, RUNNING, EVENTS, HERE, NOTICES = 80, 40, 20, 200, 10
GAMES = ("showdown", "duel", "agora", "dynamite")


@dataclass(frozen=True)
class PlayedSite:
    """The user with three games and ten notices, and the address of each measured page."""

    user: User
    pages: dict[str, str]

    def client(self, *, is_guest: bool) -> Client:
        client = Client()
        if not is_guest:
            client.force_login(self.user)
        return client


def played_site() -> PlayedSite:
    # A season runs at all hours, or pages would make other calls between two of them.
    Setting.objects.filter(name="arena.season_minutes").update(value=1_440)
    ann, others = new_user("ann"), [new_user("other") for _ in range(HERE // 2)]
    event, soon = EventKit(5).event, timezone.now() + timedelta(minutes=10)
    Event.objects.filter(pk=event.pk).update(starts_at=soon)
    for _ in range(EVENTS - 1):
        ContestKit(3)
    near = cycle(others)
    running = _running(near, ann)
    stranger = next(near)
    for player in (ann, stranger):
        _play_duels(next(near), player)
    _open(others, ann)
    challengers = others[-(NOTICES - 2) :]
    for challenger in challengers:
        challenges.challenge(challenger=challenger, name=ann.username, options={"rated": False})
    here = User.objects.filter(is_bot=False).order_by("-pk")[:HERE]
    now = timezone.now()
    Online.objects.bulk_create(Online(user=user, seen_at=now) for user in here)
    return PlayedSite(ann, _pages(ann, stranger, running))


def _pages(user: User, stranger: User, running: MatchKit) -> dict[str, str]:
    names = {
        "front page": "home",
        "tables": "tables",
        "duels": "duels",
        "rules": "rules_showdown",
        "wallet": "wallet",
        "learn": "learn",
        "arena": "arena",
        "leaderboard": "leaderboard",
    }
    return {
        **{page: reverse(name) for page, name in names.items()},
        "a profile": reverse("profile", args=[stranger.username]),
        "own profile": reverse("profile", args=[user.username]),
        "a match": match_url(running.match),
    }


def _running(near: Any, ann: User) -> MatchKit:
    """Begin the running tables, two of them ann's; return one of others."""
    towns = 3
    for _ in range(towns):
        town(7)
        band(8)
    count = (RUNNING - 2 * towns) // 2
    tables = [TableKit(next(near), next(near), seats=2) for _ in range(count - 1)]
    duels: list[MatchKit] = [DuelKit(next(near), next(near), best_of=5) for _ in range(count - 1)]
    tables.append(TableKit(ann, next(near), seats=2))
    duels.append(DuelKit(ann, next(near), best_of=5))
    kits = [*tables, *duels]
    _all_do(kits, lambda kit, seat: {"kind": "sit", "seat": seat, **_purse(kit)})
    move_clocks(kits)
    _all_do(kits, lambda kit, seat: {"kind": "ready", "configuration": 1})
    assert all(kit.row.status == "running" for kit in kits)
    if (first := tables[-1].on_turn()) != ann:
        # The dealer is drawn: ann's bell says the same in each run.
        tables[-1].act(first, kind="call")
    return duels[0]


def _purse(kit: MatchKit) -> dict[str, int]:
    return {"purse": 30} if kit.game == "showdown" else {}


def _all_do(kits: list[MatchKit], wanted: Any) -> None:
    batch = [
        kit.submission(user, **wanted(kit, seat))
        for kit in kits
        for seat, user in enumerate(kit.people)
    ]
    for first in range(0, len(batch), writing.BATCH_LIMIT):
        for answer in writing.apply_batch(
            batch[first : first + writing.BATCH_LIMIT], kits[0].now
        ).answers:
            if answer.error is not None:
                raise answer.error


def _play_duels(other: User, winner: User) -> None:
    for _ in range(3):
        kit = DuelKit(winner, other, best_of=1)
        kit.start()
        kit.win(winner)


def _open(others: list[User], ann: User) -> None:
    """Open tables with one person each, one of them ann."""
    hosts = [ann, *(user for user in others for _ in range(2))]
    for game, user in zip(cycle(GAMES), hosts[:OPEN], strict=False):
        match = open_match(opened_by=user, options={}, game=game)
        kit = DuelKit.of(match, user, now=timezone.now())
        purse = {"purse": 30} if game == "showdown" else {}
        kit.act(user, kind="sit", seat=0, **purse)
