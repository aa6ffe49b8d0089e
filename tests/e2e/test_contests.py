"""A contest in the browser, on pages of this process, under a clock that moves when told to."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, expect

from accounts.models import User
from games.contests.models import Contest, ContestGame
from games.mafia.agora.rules.roles import Side
from games.matches import tasks
from games.matches.models import Flag, Match
from games.matches.queries import selectors
from tests.accounts.kit import browser
from tests.boot import PATIENCE
from tests.e2e.towns import look
from tests.games.contests.kit import ContestKit, GameKit, beat, person

# Slow, so that they stay the first: no database can be made beside Playwright's loop.
pytestmark = [pytest.mark.browser, pytest.mark.slow]


class Clock:
    moment: datetime

    def move(self, **span: float) -> None:
        """Move the clock, with a live web process, and run beat's tasks."""
        self.moment += timedelta(**span)
        beat(self.moment)
        tasks.sweep()


@pytest.fixture(autouse=True, scope="module")
def _database_beside_a_loop() -> Iterator[None]:
    """Playwright leaves a running loop in this thread, in which Django refuses its database."""
    # For as long as the module lasts: the database is emptied after the other fixtures.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        yield


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    moved = Clock()
    moved.moment = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: moved.moment)
    return moved


SitDown = Callable[[User | None], Page]


@pytest.fixture
def sit_down(
    clock: Clock, transactional_db: None, live_server: Any, chromium: Browser
) -> Iterator[SitDown]:
    """Pages of this process in browsers of people who are logged in; nothing may complain."""
    problems: list[str] = []
    contexts: list[BrowserContext] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            problems.append(message.text)

    def make(user: User | None) -> Page:
        context = chromium.new_context(base_url=live_server.url)
        contexts.append(context)
        context.set_default_timeout(PATIENCE * 1000)
        context.route_web_socket("**/ws/**", lambda socket: None)
        if user is not None:
            key = browser(user).cookies[settings.SESSION_COOKIE_NAME].value
            cookie = {"name": settings.SESSION_COOKIE_NAME, "value": key, "url": live_server.url}
            context.add_cookies([cookie])
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", hear)
        return page

    yield make
    for context in contexts:
        context.close()
    assert problems == []


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def do(user: User, row: Contest, deed: str) -> None:
    """Send a form of the page for a user without a browser."""
    assert browser(user).post(f"/contests/{row.public_id}/{deed}/").status_code == 302


def play_over(clock: Clock, row: Contest, winner: Side) -> int:
    """Play the running game to its end; return T as it had it."""
    match = ContestGame.objects.get(contest=row, ended_at=None).match
    clock.moment = GameKit(match, clock.moment).win(winner)
    clock.move(seconds=1)
    match.refresh_from_db()
    assert match.status == Match.Status.OVER
    return int(selectors.snapshot_of(match).state.options.threshold)


def propose(page: Page, threshold: int) -> None:
    page.get_by_text("Propose an amendment…").click()
    page.get_by_label("Threshold index T").fill(str(threshold))
    press(page, "Propose")


def visit(page: Page, row: Contest) -> None:
    """Go to the page of the contest, also from a game into which it has taken the viewer."""
    # The page may go to that game, or load itself again, at the same moment, which ends this way.
    address = f"/contests/{row.public_id}/"
    try:
        page.goto(address)
    except Error as problem:
        if "ERR_ABORTED" not in problem.message:
            raise
        page.goto(address)


def test_two_games_from_the_founding_to_the_second_award(clock: Clock, sit_down: SitDown) -> None:
    ann, others = person(), [person() for _ in range(5)]
    mine = sit_down(ann)
    mine.goto("/contests/")
    look(mine, "contests-empty")
    mine.get_by_role("link", name="Found a contest").click()
    mine.get_by_label("Name").fill("The Long Summer")
    mine.get_by_label("Citizens wanted for a game").fill("5")
    mine.locator("[name=phase_seconds_number]").fill("10")
    mine.locator("[name=phase_seconds_unit]").select_option(label="minutes")
    look(mine, "contest-new")
    press(mine, "Found the contest")
    expect(mine.get_by_role("heading", name="The Long Summer")).to_be_visible()
    row = Contest.objects.get()

    bob, cy = (sit_down(user) for user in others[:2])
    for page in (bob, cy):
        page.goto(f"/contests/{row.public_id}/")
        press(page, "Join")
    for user in others[2:]:
        do(user, row, "join")
    look(bob, "contest-waits")

    # The first game; meanwhile an amendment is proposed that nobody minds.
    for user in others[1:]:
        do(user, row, "ready")
    mine.reload()
    press(mine, "Ready")
    # Taken into the game that begins, by the press or by looking at the page.
    for page in (mine, cy):
        page.wait_for_url("**/mafia/*/")
    visit(mine, row)
    expect(mine.get_by_role("heading", name="Game 1 is running")).to_be_visible()
    expect(mine.get_by_text("You are a citizen of it.")).to_be_visible()
    visit(bob, row)
    expect(bob.get_by_text("a member, but no citizen of this game")).to_be_visible()
    propose(bob, 40)
    expect(bob.get_by_text("Threshold index T: 60 → 40")).to_be_visible()
    visit(cy, row)
    look(cy, "contest-runs")
    press(cy, "Object")
    expect(cy.get_by_text("You have objected; that stands.")).to_be_visible()
    first = play_over(clock, row, Side.TOWN)
    visit(mine, row)
    expect(mine.get_by_role("link", name="Game 1")).to_be_visible()

    # It takes effect after four days, and the second game has it.
    clock.move(days=4)
    visit(mine, row)
    expect(mine.get_by_text("Threshold index T: 40").first).to_be_visible()
    for user in (*others[1:], ann):
        do(user, row, "ready")
    second = play_over(clock, row, Side.MAFIA)

    # The next amendment fails by the third objection.
    visit(cy, row)
    propose(cy, 20)
    for user in others[2:4]:
        do(user, row, "object/2")
    visit(mine, row)
    expect(mine.get_by_text("2 of 3 objections")).to_be_visible()
    press(mine, "Object")
    expect(mine.get_by_text("objections", exact=True)).to_be_visible()
    look(mine, "contest-decided")
    # All play from one address here, of which an administrator finds nothing bad.
    Flag.objects.update(closed_at=clock.moment)
    assert (first, second) == (60, 40)
    visit(mine, row)
    for number in (1, 2):
        expect(mine.get_by_role("link", name=f"Game {number}", exact=True)).to_be_visible()
    for award in ("15 + 15i", "40 + 40i"):
        expect(mine.get_by_text(f"{award} each")).to_be_visible()
    expect(mine.locator("#standings tbody tr")).not_to_have_count(0)
    mine.locator("#standings").get_by_role("link", name="By total").click()
    expect(mine.get_by_role("heading", name="Standings")).to_be_visible()
    look(mine, "contest-two-games")

    mine.get_by_text("Close the contest…").click()
    press(mine, "Close it")
    expect(mine.get_by_role("heading", name="Closed")).to_be_visible()
    guest = sit_down(None)
    guest.goto(f"/contests/{row.public_id}/")
    expect(guest.get_by_role("heading", name="Closed")).to_be_visible()
    look(guest, "contest-closed")
    guest.goto("/contests/")
    look(guest, "contests")


def test_a_contest_page_follows_what_others_do_and_leaves_a_form_alone(sit_down: SitDown) -> None:
    kit = ContestKit(4, wanted=4)
    ann, bob, *others = kit.people
    mine, yours = sit_down(ann), sit_down(bob)
    for page in (mine, yours):
        page.goto(f"/contests/{kit.row.public_id}/")
    guest = sit_down(None)
    guest.goto("/contests/")

    # Actions of others appear automatically, and the focus stays.
    mine.get_by_role("button", name="Ready", exact=True).focus()
    do(others[0], kit.row, "ready")
    expect(mine.locator(".contest-now")).to_contain_text("3 more have to press Ready.")
    expect(mine.get_by_role("button", name="Ready", exact=True)).to_be_focused()
    chairs = mine.locator(".contest-chairs li")
    expect(chairs).to_have_count(4)
    expect(chairs.first).to_contain_text(others[0].username)
    expect(guest.get_by_text("4, 1 ready")).to_be_visible()

    # A form that is unfolded keeps what was typed there.
    yours.get_by_text("Propose an amendment…").click()
    yours.get_by_label("Threshold index T").fill("33")
    propose(mine, 40)
    expect(yours.locator("[data-live=history]")).to_contain_text("proposed amendment 1")
    assert yours.get_by_label("Threshold index T").input_value() == "33"
    yours.get_by_text("Propose an amendment…").click()
    press(yours, "Let it pass")
    expect(yours.get_by_text("You let it pass")).to_be_visible()
    expect(yours.get_by_role("button", name="Let it pass")).to_have_count(0)
