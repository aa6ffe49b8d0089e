"""The roads of actions and pages, each held to a budget.  Source: CONTRIBUTING.md "Budgets".

``python -m tools.road`` prints them.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.arena.rules.actions import Choose
from games.arena.rules.moves import Move
from games.matches import tasks
from games.matches.journal.match_cache import match_cache
from games.matches.processing import repair, writing
from games.matches.queries import selectors
from tests.games.arena.kit import ArenaKit, ask, new_item
from tests.games.duel.kit import DuelKit
from tests.games.match_kit import new_user
from tools.road import measure

pytestmark = pytest.mark.django_db(transaction=True)
#: Road -> the most named functions and files: as they are, to be lowered with each shortening.
BUDGETS = {
    "a throw": (124, 31),
    "a page of a match": (81, 32),
    "a passed deadline": (127, 35),
    "an arena choice": (28, 7),
    "an idle sweep": (25, 11),
}


def duel() -> DuelKit:
    """Return a duel in which one hand is in."""
    kit = DuelKit(new_user(), new_user(), best_of=5)
    kit.start()
    kit.throw("rock", None)
    return kit


def throw() -> Callable[[], Any]:
    """The second throw of a round, which shows both hands."""
    kit = duel()
    submission = kit.submission(kit.bob, kind="throw", hand="scissors")
    match_cache.get([kit.match.pk])
    return lambda: writing.apply_batch([submission], kit.now)


def page() -> Callable[[], Any]:
    kit = duel()
    client = Client()
    client.force_login(kit.bob)
    url = reverse("duel", args=[kit.match.public_id])
    assert client.get(url).status_code == 200
    return lambda: client.get(url)


def deadline() -> Callable[[], Any]:
    kit = duel()
    kit.now = kit.row.due_at
    kit.beat()
    due = selectors.due_matches(kit.now)
    assert due == [kit.match.pk]
    return lambda: repair.fire_due(due, kit.now)


def choice() -> Callable[[], Any]:
    kit = ArenaKit()
    kit.begin()
    item = new_item(kit.people[0], Choose(Move.ROCK), kit.no)
    return lambda: ask([item], kit.now)


def sweep() -> Callable[[], Any]:
    tasks.sweep()
    return tasks.sweep


ROADS = dict(zip(BUDGETS, (throw, page, deadline, choice, sweep), strict=True))


@pytest.mark.parametrize("name", BUDGETS)
def test_road_is_within_its_budget(name: str) -> None:
    road = measure(ROADS[name]())
    functions, files = BUDGETS[name]
    print(
        f"\n{name}: {road.calls} calls of {road.functions} functions in {road.files} files,"
        f" {road.stays} stays"
    )
    assert road.functions <= functions
    assert road.files <= files
