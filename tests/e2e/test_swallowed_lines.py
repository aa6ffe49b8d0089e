import json
import re
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, WebSocket, WebSocketRoute, expect

from tests.boot import PATIENCE
from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import begin_duel, create_duel, expect_end, throw
from tests.e2e.player import PASSWORD, PHONE, play_to_the_end, play_until_round
from tests.e2e.site import Site
from tests.e2e.swallowing import SwallowingProxy

pytestmark = pytest.mark.browser

#: Seconds within which a new socket must be open.
MOST = 45


#: The other pages, with their sockets beside that of the user.
PAGES = {
    **dict.fromkeys(("/", "/tables/", "/duels/", "/mafia/"), "/ws/lobby/"),
    "/turns/": "/ws/me/", "/arena/": "/ws/arena/", "/daily/": "/ws/daily/",
    "/practice/duel/": "/ws/practice/duel/", "/practice/showdown/": "/ws/practice/showdown/",
    "/duels/api/": "/ws/rpc/", "/learn/": "/ws/practice/showdown/lesson/",
}  # fmt: skip


class Lines:
    """The sockets that a page opens, and how many frames came on the newest one of each path."""

    def __init__(self, page: Page) -> None:
        self.opened: Counter[str] = Counter()
        self.frames: Counter[tuple[str, int]] = Counter()
        page.on("websocket", self._note)

    def _note(self, line: WebSocket) -> None:
        path = "/" + line.url.split("/", 3)[3]
        self.opened[path] += 1
        number = self.opened[path]
        line.on("framereceived", lambda _: self.frames.update({(path, number): 1}))

    def have_answered(self, paths: set[str]) -> bool:
        """Whether the newest of each of these sockets has."""
        return all(self.frames[path, self.opened[path]] for path in paths)


def wait_for(page: Page, found: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < until, f"it did not happen at {page.url}"
        page.wait_for_timeout(20)


def expect_a_new_socket(page: Page, lines: Lines, paths: set[str], proxy: SwallowingProxy) -> None:
    """Swallow the page's sockets; a new one of each must be open within the page's 45 s."""
    wait_for(page, lambda: lines.have_answered(paths))
    before = lines.opened.copy()
    proxy.swallow()
    for _ in range(MOST):
        page.clock.fast_forward(1_000)
        if all(lines.opened[path] > before[path] for path in paths):
            break
    assert {path for path in paths if lines.opened[path] == before[path]} == set()
    wait_for(page, lambda: lines.have_answered(paths))


def test_a_swallowed_line_is_replaced_on_every_kind_of_page(site, new_player, proxy) -> None:
    ann = new_player("Ann")
    ann.is_outage_expected = True
    town = site.call("begin", idle=ann.name)["public_id"]
    tables = (create_duel(ann, best_of=1), ann.open_table(seats=2), f"/mafia/{town}/")
    duel = tables[0].split("/")[2]
    boards = {path: f"/ws/match/{path.split('/')[2]}/" for path in tables}
    for path, own in (boards | PAGES).items():
        paths = {"/ws/me/", own}
        page = ann.new_tab()
        page.clock.install()
        lines = Lines(page)
        page.goto(proxy.url + path)
        if path == "/daily/":
            page.locator("main").get_by_role("button", name="Play today's table").click()
        elif path == "/duels/api/":
            page.locator("[name=match]").fill(duel)
            page.locator("[data-connect-button]").click()
            paths = {"/ws/me/", f"/ws/rpc/duel/{duel}/"}
        expect_a_new_socket(page, lines, paths, proxy)
        for state in page.locator(".link-badge, [data-lobby-state], [data-line-state]").all():
            expect(state).to_have_text(re.compile("^(live|connected)$"))
        page.close()
    guest = new_player()
    guest.is_outage_expected = True
    page = guest.page
    page.clock.install()
    lines = Lines(page)
    page.goto(proxy.url)
    page.locator("[data-throw]").first.click()
    expect_a_new_socket(page, lines, {"/ws/lobby/", "/ws/practice/duel/"}, proxy)


#: How the site ends a socket, with the button or link that the page then has.
ENDS = {4403: "Back to the lobby", 4409: "Use here", 4411: "Try again", 4499: "Try again"}


def endable(page: Page, path: str) -> list[WebSocketRoute]:
    """Stand between a page and its sockets, so that a test can end the newest as the site does."""
    routes: list[WebSocketRoute] = []

    def take(route: WebSocketRoute) -> None:
        route.connect_to_server()
        routes.append(route)

    page.route_web_socket(re.compile(path), take)
    return routes


def test_each_end_of_a_line_has_words_and_a_way_out(new_player: MakePlayer):
    ann = new_player("Ann")
    for at, socket in ((create_duel(ann, best_of=1), "/ws/match/"), ("/arena/", "/ws/arena/")):
        page = ann.new_tab()
        routes, badge = endable(page, socket), page.locator(".link-badge")
        page.goto(at)
        for code, way in ENDS.items():
            expect(badge).to_have_text("live")
            routes[-1].close(code=code)
            expect(badge).to_have_text("disconnected")
            out = page.locator(".link-notice").locator("button, a")
            expect(out).to_have_text(way)
            if code == 4403:
                page.reload()
            else:
                out.click()
        expect(badge).to_have_text("live")
        page.close()
    page = ann.new_tab()
    routes = endable(page, "/ws/lobby/")
    page.goto("/duels/")
    state = page.locator("[data-lobby-state]").first
    expect(state).to_have_text("live")
    routes[-1].close(code=4409)
    expect(state.get_by_role("button")).to_have_text("Use here")
    state.get_by_role("button").click()
    expect(state).to_have_text("live")


class Losing:
    """The way of a page to its socket, on which one frame of a type gets lost when a test says."""

    def __init__(self, page: Page, path: str, lost: str) -> None:
        self.told: list[str] = []
        self.lost, self.is_losing = lost, False
        page.route_web_socket(re.compile(path), self._take)

    def _take(self, route: WebSocketRoute) -> None:
        route.connect_to_server().on_message(lambda text: self._pass(route, str(text)))

    def _pass(self, route: WebSocketRoute, text: str) -> None:
        kind = json.loads(text)["type"]
        if self.is_losing and kind == self.lost:
            self.is_losing, self.told = False, []
            return
        self.told.append(kind)
        route.send(text)

    def lose(self, page: Page, change: Callable[[], str]) -> str:
        """Make a change whose frame gets lost; ``told`` begins behind it."""
        self.is_losing = True
        made = change()
        wait_for(page, lambda: not self.is_losing)
        return made


def test_a_page_that_lost_a_change_asks_for_the_whole_and_shows_it(new_player: MakePlayer):
    ann, bob, page = new_player("Ann"), new_player("Bob"), new_player().page
    tables = [ann.open_table(seats=2)]
    line = Losing(page, "/ws/lobby/", "rows")
    page.goto("/tables/")
    expect(page.locator("[data-lobby-state]").first).to_have_text("live")
    tables += [line.lose(page, lambda: bob.open_table(seats=3)), ann.open_table(seats=4)]
    for table in tables:
        expect(page.locator(f"[data-lobby-rows] th a[href='{table}']")).to_have_count(1)
    assert line.told.count("lobby") == 1
    bob.page.goto("/tables/")
    expect(bob.page.locator("[data-lobby-rows] tr")).to_have_count(
        page.locator("[data-lobby-rows] tr").count()
    )

    path, page = begin_duel(ann, bob, best_of=5, clock_seconds=300), bob.new_tab()
    line = Losing(page, "/ws/match/", "parts")
    page.goto(path)
    expect(page.locator(".link-badge")).to_have_text("live")
    line.lose(page, lambda: throw(ann, "rock") or "")
    throw(bob, "paper")
    expect(page.locator(".throw-dock h2")).to_contain_text("Throw 2")
    throw(ann, "rock")
    expect(page.locator(".throw-right .hand-word")).to_have_text("Ready")
    assert line.told.count("view") == 1
    assert "parts" in line.told


#: Heartbeats stay in the page: the answer to one under way would say that the line is there.
MUTE = """
globalThis.isMute = true;
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (text) {
  if (!globalThis.isMute || !text.includes('"seen"')) send.call(this, text);
};
"""


def test_offline_promises_nothing_and_twenty_tabs_leave_a_game_alone(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob")
    path = begin_duel(ann, bob, best_of=1)
    tab = ann.new_tab()
    tab.add_init_script(MUTE)
    tab.goto(path)
    badge, notice = tab.locator(".link-badge"), tab.locator(".link-notice")
    expect(badge).to_have_text("live")
    tab.evaluate("() => dispatchEvent(new Event('offline'))")
    expect(notice).to_contain_text("Nothing can be sent until you are back")
    tab.evaluate("() => { globalThis.isMute = false; dispatchEvent(new Event('online')); }")
    expect(notice).to_have_count(0)
    expect(badge).to_have_text("live")

    tab.close()
    tab = ann.new_tab("/duels/")
    state = tab.locator("[data-lobby-state]").first
    expect(state).to_have_text("live")
    # As twenty more tabs do, without their pages.
    tab.evaluate(
        """() => Promise.all(Array.from({ length: 20 }, () => new Promise((done) => {
            const line = new WebSocket(`ws://${location.host}/ws/lobby/`);
            line.onopen = done;
        })))"""
    )
    expect(state.get_by_role("button")).to_have_text("Use here")
    ann.expect_live()
    throw(ann, "rock")
    throw(bob, "paper")
    expect_end("You win", bob)
    expect_end("wins", ann)
    state.get_by_role("button").click()
    expect(state).to_have_text("live")


def test_the_turns_go_by_the_site_s_clock(site: Site, new_player: MakePlayer):
    ann = new_player("Ann")
    site.call("begin", idle=ann.name, phase_seconds=600)
    for hours in (-3, 3):
        page = ann.new_tab()
        now = datetime.now(tz=UTC) + timedelta(hours=hours)
        page.clock.install(time=now)
        page.goto("/turns/")
        expect(page.locator("[data-due]")).to_contain_text(re.compile(r"\((10|\d):\d\d left\)"))
        page.close()


def test_after_a_log_in_in_another_tab_an_old_tab_works_on(new_player: MakePlayer):
    ann = new_player("Ann")
    ann.page.goto("/accounts/logout/")
    ann.page.locator("main").get_by_role("button").first.click()
    old, second = ann.new_tab("/rules/duel/"), ann.new_tab("/accounts/login/?next=/duels/")
    ann.page.goto("/accounts/login/")
    for page in (ann.page, second):
        page.locator("main [name=login]").fill(str(ann.name))
        page.locator("main [name=password]").fill(PASSWORD)
        page.locator("main").get_by_role("button", name="Log in", exact=True).click()
        page.wait_for_url(re.compile(r"/duels/$|//[^/]+/$"))
    assert second.url.endswith("/duels/")
    # An old page may choose the theme; it is stored for the user of the present log-in.
    light = old.locator("[data-theme-form] button[value=light]").first
    with old.expect_response(lambda answer: answer.url.endswith("/theme/") and answer.status < 400):
        light.evaluate("one => one.click()")
    assert old.url.endswith("/rules/duel/")
    old.reload()
    expect(old.locator("html")).to_have_attribute("data-theme", "light")
    # The browser itself reports the refused form, which was sent again.
    ann.problems = [problem for problem in ann.problems if "403" not in problem]


@pytest.mark.slow
def test_a_kill_costs_a_round_nothing_and_clocks_wait_for_players(site, new_player) -> None:
    ann, bob, guest = new_player("Ann"), new_player("Bob", look=PHONE), new_player()
    path = ann.open_table(seats=2, target=3, betting_clock=60, round_clock=60)
    bob.go(path)
    ann.sit_and(ready=True)
    bob.sit_and(ready=True)
    play_until_round(1, ann, bob)
    chosen = bob.page.locator(".cards-basic .card[aria-pressed=true]")
    bob.page.locator(".cards-basic .card").nth(1).click()
    expect(chosen).to_have_count(1)
    ann.page.locator(".cards-basic .card").nth(0).click()
    ann.press(re.compile("^Lock in"))
    expect(ann.button(re.compile("^Unlock"))).to_be_visible()
    expect(bob.page.locator(".seat-state", has_text="Locked in")).to_be_visible()
    guest.go("/practice/duel/")

    people = (ann, bob, guest)
    for player in people:
        player.is_outage_expected = True
    site.web_process.kill()
    for player in people:
        expect(player.page.locator(".link-badge")).to_have_text("reconnecting…")
    for player in (ann, bob):
        expect(player.page.locator(".play")).to_have_attribute("aria-disabled", "true")
    site.start_web_again()
    for player in people:
        player.expect_live()
    # What a guest practises is in the process alone.
    expired = guest.page.get_by_text("Your last practice game has expired")
    expect(expired).to_be_visible()
    guest.page.get_by_role("button", name="All right").click()
    expect(expired).to_have_count(0)

    assert (ann.round_no(), bob.round_no()) == (1, 1)
    expect(ann.button(re.compile("^Unlock"))).to_be_visible()
    expect(chosen).to_have_count(1)
    expect(chosen).to_contain_text("Paper")
    bob.press(re.compile("^Lock in"))
    for player in (ann, bob):
        expect(player.page.locator(".round-result")).to_contain_text("Paper covers Rock")

    # Nobody who plays is there when the site is back: the clock waits.
    play_until_round(2, ann, bob)
    guest.go(path)
    for player in (ann, bob):
        player.page.goto("/rules/showdown/")
    site.web_process.kill()
    site.start_web_again()
    waiting = guest.page.get_by_text("The clock waits for the players to come back")
    expect(waiting).to_be_visible()
    expect(guest.page.locator(".centre")).to_contain_text("The clock is stopped")
    for player in (ann, bob):
        player.go(path)
    expect(waiting).to_have_count(0)
    assert ann.round_no() == 2
    expect(ann.page.get_by_role("timer")).to_be_visible()
    play_to_the_end(ann, bob)
