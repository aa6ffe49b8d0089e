"""``python -m tools.road`` prints these roads.  Source: CONTRIBUTING.md "Budgets"."""

import math
from collections.abc import Callable, Sequence
from random import SystemRandom
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import shared
from games.arena.rules.actions import Choose
from games.arena.rules.moves import Move
from games.mafia.agora.rules.roles import Role
from games.matches import tasks
from games.matches.journal.loading import match_cache
from games.matches.processing import locked_match, repair, writing
from games.matches.processing.submissions import Submission
from games.matches.queries import selectors
from games.people import activity
from games.realtime.hub import Hub, Room
from games.standings import boards
from tests.games.arena.kit import ArenaKit, ask, new_item
from tests.games.duel.kit import DuelKit
from tests.games.mafia.agora.kit import TownKit, town
from tests.games.match_kit import MatchKit, new_user
from tests.games.played_site import played_site
from tests.games.table_kit import TableKit
from tools.road import measure

pytestmark = pytest.mark.django_db(transaction=True)
#: Road -> the most named functions and files: as they are, to be lowered with each shortening.
BUDGETS = {
    "a throw": (111, 23),
    "a page of a match": (91, 34),
    "a passed deadline": (116, 28),
    "an arena choice": (28, 5),
    "an idle sweep": (31, 13),
}


@pytest.fixture(autouse=True)
def _belongings_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read belongings once: on a slow machine they would be read again, in 46 more calls."""
    monkeypatch.setattr(locked_match, "LOOK_AGAIN", math.inf)


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
    for _ in range(2):  # the second brings the cookie back, which is stored once
        assert client.get(url).status_code == 200
    return lambda: client.get(url)


def deadline() -> Callable[[], Any]:
    kit = duel()
    kit.now = kit.row.due_at
    kit.beat()
    due = selectors.due_matches(kit.now)
    assert due == [kit.match.pk]
    return lambda: repair.fire_due(due, kit.now)


def choices(count: int) -> Callable[[], Any]:
    kit = ArenaKit(max(count, 2))
    kit.begin()
    items = [new_item(user, Choose(Move.ROCK), kit.no) for user in kit.people[:count]]
    return lambda: ask(items, kit.now)


def sweep() -> Callable[[], Any]:
    tasks.sweep()
    return tasks.sweep


ROADS = dict(zip(BUDGETS, (throw, page, deadline, lambda: choices(1), sweep), strict=True))


class Viewing:
    def __init__(self, user_id: int) -> None:
        self.user_id = user_id
        self.views: list[bytes] = []

    def show(self, view: bytes, now: str) -> None:
        self.views.append(view)


class Shown:
    def __init__(self, *kits: MatchKit) -> None:
        self.kits = kits
        self.hub = Hub(None, lambda snapshot: None)
        for kit in kits:
            sockets = {Viewing(user.pk) for user in kit.people}
            self.hub.rooms[kit.match.pk] = Room(sockets)

    def act(self, submissions: Sequence[Submission]) -> None:
        result = writing.apply_batch(submissions, self.kits[0].now)
        assert not [answer.error for answer in result.answers if answer.error]
        self.hub.publish(result.snapshots)

    def throws(self, seat: int, hand: str) -> Callable[[], None]:
        batch = [kit.submission(kit.people[seat], kind="throw", hand=hand) for kit in self.kits]
        return lambda: self.act(batch)

    def does(self, user: Any, **action: Any) -> Callable[[], None]:
        batch = [self.kits[0].submission(user, **action)]
        return lambda: self.act(batch)


def duels(count: int) -> list[Callable[[], None]]:
    """Return both throws of a round, in duels whose first round is over."""
    kits = [DuelKit(new_user(), new_user(), best_of=9) for _ in range(count)]
    for kit in kits:
        kit.start()
    shown = Shown(*kits)
    for seat, hand in enumerate(("rock", "paper")):
        shown.throws(seat, hand)()
    return [shown.throws(seat, hand) for seat, hand in enumerate(("paper", "rock"))]


def bet() -> list[Callable[[], None]]:
    kit = TableKit(new_user(), new_user(), new_user(), seats=3)
    kit.start()
    shown = Shown(kit)
    shown.does(kit.on_turn(), kind="call")()
    return [shown.does(kit.on_turn(), kind="call")]


def vote() -> list[Callable[[], None]]:
    kit = town()
    for user in kit.people:
        kit.act(user, kind="done")
    kit.run_out()
    shown = Shown(kit)
    first, second, *_ = (kit.people[citizen.no] for citizen in kit.play.living)
    shown.does(first, kind="vote", choice=kit.people.index(second))()
    return [shown.does(second, kind="vote", choice=kit.people.index(first))]


def ready(kind: type[MatchKit], seats: int, **purse: int) -> list[Callable[[], None]]:
    kit = kind(*(new_user() for _ in range(seats)), seats=seats)
    kit.seat_everybody(**purse)
    shown, revision = Shown(kit), kit.row_revision
    shown.does(kit.people[0], kind="ready", configuration=revision)()
    return [shown.does(kit.people[1], kind="ready", configuration=revision)]


def sit() -> list[Callable[[], None]]:
    kit = TownKit(*(new_user() for _ in range(7)), seats=7)
    shown = Shown(kit)
    for seat in range(3):
        shown.does(kit.people[seat], kind="sit", seat=seat)()
    return [shown.does(kit.people[3], kind="sit", seat=3)]


def choose() -> list[Callable[[], None]]:
    kit = town(7)
    doctor, mafioso = kit.user_of(Role.DOCTOR), kit.user_of(Role.MAFIOSO)
    shown = Shown(kit)
    shown.does(mafioso, kind="choose", target=kit.seat(doctor))()
    return [shown.does(doctor, kind="choose", target=kit.seat(mafioso))]


#: Action -> what makes batches of it, how many are in each, and the most Python calls for each.
CALLS = {
    "one throw": (lambda: duels(1), 1, 258),
    "20 throws": (lambda: duels(20), 20, 101),
    "a bet": (bet, 1, 366),
    "a vote": (vote, 1, 380),
    "ready at a table of four": (lambda: ready(TableKit, 4), 1, 652),
    "a seat in a town": (sit, 1, 804),
    "ready in a town": (lambda: ready(TownKit, 7, purse=0), 1, 558),
    "a night action": (choose, 1, 344),
    "one choice": (lambda: [choices(1)], 1, 98),
    "20 choices": (lambda: [choices(20)], 20, 8),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_of_an_action_are_within_their_budget(name: str) -> None:
    make, each, most = CALLS[name]
    roads = [measure(batch) for batch in make()]
    python, c = (
        sum(count) / each / len(roads) for count in zip(*(r[4:] for r in roads), strict=True)
    )
    print(f"\n{name}: {python:.1f} Python and {c:.1f} C calls each")
    assert python <= most


#: Page -> the most Python calls and statements: a guest's warm and cold, a user's warm and cold.
#: Cold: what is kept for seconds is read again.
PAGES = {
    "front page": ((6_220, 0), (15_740, 4), (10_810, 3), (20_340, 8)),
    "tables": ((3_610, 0), (17_270, 1), (5_700, 3), (19_380, 5)),
    "duels": ((4_100, 0), (17_080, 3), (9_480, 4), (22_460, 7)),
    "rules": ((3_520, 0), (3_520, 0), (5_020, 3), (5_040, 4)),
    "wallet": ((790, 0), (790, 0), (9_340, 6), (9_360, 7)),
    "learn": ((4_220, 0), (4_240, 1), (5_720, 3), (5_740, 4)),
    "arena": ((3_650, 0), (5_560, 4), (5_330, 4), (7_240, 8)),
    "leaderboard": ((4_630, 0), (7_140, 4), (6_160, 3), (8_670, 7)),
    "a profile": ((7_170, 1), (13_840, 4), (9_260, 4), (15_960, 8)),
    "own profile": ((7_170, 1), (13_860, 4), (9_470, 3), (15_260, 7)),
    "a match": ((4_200, 2), (4_740, 4), (5_760, 5), (6_300, 7)),
}


class Pages:
    """Requests past the test client, which would copy all contexts."""

    def __init__(self) -> None:
        self.site = played_site()
        self.clients = [self.site.client(is_guest=is_guest) for is_guest in (True, False)]

    def ask(self, page: str, client: Client) -> Callable[[], Any]:
        environ = client._base_environ(PATH_INFO=self.site.pages[page])
        cookies = client.cookies.values()
        environ["HTTP_COOKIE"] = "; ".join(f"{one.key}={one.coded_value}" for one in cookies)
        return lambda: client.handler(environ.copy())

    def count(self, page: str, client: Client, *, is_cold: bool) -> tuple[int, int]:
        """Return the Python calls and the statements of one request."""
        ask, found = self.ask(page, client), []
        # The least of two: what the interpreter collects meanwhile calls as well.
        for work in (measure, measure, _statements):
            ask()
            if is_cold:
                forget()
            found.append(work(ask))
        first, second, statements = found
        return min(first.python, second.python), statements


def forget() -> None:
    shared.forget()
    activity.forget()
    boards.forget()


def _statements(work: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as asked:
        work()
    return len(asked)


@pytest.mark.sqlite
def test_calls_and_statements_of_pages_are_within_their_budgets(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SHARED_SECONDS = math.inf
    pages, over = Pages(), []
    # A token is drawn letter by letter, again and again until the number is one of a letter.
    monkeypatch.setattr(SystemRandom, "getrandbits", lambda _, bits: 0)
    forget()
    for page, budgets in PAGES.items():
        for client in pages.clients:  # the second brings a cookie back
            for _ in range(2):
                client.get(pages.site.pages[page])
        counts = [
            pages.count(page, client, is_cold=is_cold)
            for client in pages.clients
            for is_cold in (False, True)
        ]
        print(f"\n{page}: {counts}")
        over += [
            (page, count, most)
            for count, most in zip(counts, budgets, strict=True)
            if count[0] > most[0] or count[1] > most[1]
        ]
    assert over == []


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
