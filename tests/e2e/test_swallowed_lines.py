"""Sockets whose bytes are swallowed, and sockets that the site ends, on each kind of page."""

import re
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, Route, WebSocket, WebSocketRoute, expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.inspection import Pictures
from tests.e2e.player import DESKTOP, PHONE, Player
from tests.e2e.site import Site
from tests.e2e.swallowing import SwallowingProxy
from tests.e2e.duelist import create_duel

pytestmark = pytest.mark.browser

#: Seconds within which a new socket must be open.
MOST = 45


@pytest.fixture
def proxy(site: Site) -> Iterator[SwallowingProxy]:
    """A way to the site that can be swallowed."""
    host, _, port = site.web_process.address.partition(":")
    with SwallowingProxy(host, int(port)) as running:
        yield running


def boards(site: Site, ann: Player) -> dict[str, set[str]]:
    """Open a table of each game; return the paths of their pages and the sockets of each."""
    duel, table = create_duel(ann, best_of=1), ann.open_table(seats=2)
    town = f"/mafia/{site.call('begin', idle=ann.name)['public_id']}/"
    return {path: {f"/ws/match/{path.split('/')[2]}/", "/ws/me/"} for path in (duel, table, town)}


#: The other pages, with their sockets beside that of the user.
PAGES = {
    "/": "/ws/lobby/",
    "/tables/": "/ws/lobby/",
    "/duels/": "/ws/lobby/",
    "/mafia/": "/ws/lobby/",
    "/turns/": "/ws/me/",
    "/arena/": "/ws/arena/",
    "/practice/duel/": "/ws/practice/duel/",
    "/practice/showdown/": "/ws/practice/showdown/",
    "/learn/": "/ws/practice/showdown/lesson/",
}


class Lines:
    """The sockets that a page opens, and how many frames came on the newest one of each path."""

    def __init__(self, page: Page) -> None:
        self.opened: Counter[str] = Counter()
        self.frames: dict[tuple[str, int], int] = Counter()
        page.on("websocket", self._note)

    def _note(self, line: WebSocket) -> None:
        path = "/" + line.url.split("/", 3)[3]
        self.opened[path] += 1
        number = self.opened[path]
        line.on("framereceived", lambda _: self.frames.update({(path, number): 1}))

    def are_live(self, paths: set[str], number: int) -> bool:
        """Whether each of these sockets was opened so often, and the newest one has answered."""
        return all(
            self.opened[path] >= number and self.frames[path, self.opened[path]] for path in paths
        )


def wait_for(page: Page, found: Callable[[], bool]) -> None:
    """Wait until Playwright has told of what is to be found."""
    while not found():
        page.wait_for_timeout(20)


def expect_a_new_socket(page: Page, lines: Lines, paths: set[str], proxy: SwallowingProxy) -> None:
    """Swallow the page's sockets; a new one of each must be open within the page's 45 s."""
    wait_for(page, lambda: lines.are_live(paths, 1))
    before = lines.opened.copy()
    proxy.swallow()
    for _ in range(MOST):
        page.clock.fast_forward(1_000)
        if all(lines.opened[path] > before[path] for path in paths):
            break
    assert {path for path in paths if lines.opened[path] == before[path]} == set()
    wait_for(page, lambda: all(lines.frames[path, lines.opened[path]] for path in paths))


def test_a_swallowed_line_is_replaced_on_every_kind_of_page(
    site: Site, new_player: MakePlayer, proxy: SwallowingProxy
):
    ann = new_player("Ann")
    ann.is_outage_expected = True
    pages = boards(site, ann) | {path: {"/ws/me/", own} for path, own in PAGES.items()}
    for path, paths in pages.items():
        page = ann.new_tab()
        page.clock.install()
        lines = Lines(page)
        page.goto(proxy.url + path)
        expect_a_new_socket(page, lines, paths, proxy)
        for state in page.locator(".link-badge, [data-lobby-state]").all():
            expect(state).to_have_text("live")
        page.close()
