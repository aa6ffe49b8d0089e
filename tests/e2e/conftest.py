"""The real site and a real browser; Playwright leaves a loop: no test may ask models."""

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from tests.boot import PATIENCE
from tests.e2e.player import DESKTOP, Player
from tests.e2e.site import Site
from tests.e2e.swallowing import SwallowingProxy
from tests.faults.rig import Template

#: Features of Chromium's that no page shows.  The option replaces Playwright's, whose names come
#: first.  The others load pages of the address bar, or a process to spare, into every new context:
#: two thirds of the processor time of opening one.
WITHOUT = (
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding",
    "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect",
    "TcpPortRandomizationWin", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled",
    "PreconnectToSearch", "PreloadTopChromeWebUI", "SpareRendererForSitePerProcess",
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
)  # fmt: skip
#: Chromium must not draw on a graphics card, nor talk to anybody but the site.
ARGUMENTS = [
    f"--disable-features={','.join(WITHOUT)}", "--no-sandbox", "--disable-gpu", "--no-first-run",
    "--disable-background-networking", "--disable-component-update",
]  # fmt: skip


@pytest.fixture(scope="session")
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, prepared: Path
) -> Iterator[Site]:
    """The site of this worker."""
    template = Template.of(request.config, prepared, tmp_path_factory)
    with Site(tmp_path_factory.mktemp("site"), template) as running:
        yield running


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=ARGUMENTS)
        yield browser
        browser.close()


MakePlayer = Callable[..., Player]
#: A service worker would hide requests from routes; its own tests allow it.
BLOCKED = {"service_workers": "block"}


class Contexts:
    """Browsers used by one test after the other: the site's files stay in their caches."""

    # Everything else of a browser is cleared for its next user.

    def __init__(self, chromium: Browser, url: str) -> None:
        self._chromium, self._url = chromium, url
        self._free: defaultdict[str, list[BrowserContext]] = defaultdict(list)

    def take(self, look: Mapping[str, object]) -> BrowserContext:
        if not (free := self._free[repr(sorted(look.items()))]):
            return self._chromium.new_context(base_url=self._url, **look)
        context = free.pop()
        context.clear_cookies()
        context.clear_permissions()
        context.set_offline(False)
        page = context.new_page()
        stored = {"origin": self._url, "storageTypes": "local_storage,indexeddb,cache_storage"}
        context.new_cdp_session(page).send("Storage.clearDataForOrigin", stored)
        page.close()
        return context

    def give_back(self, context: BrowserContext, look: Mapping[str, object]) -> None:
        """Close the pages of a browser; keep it for the next user, if no worker may be in it."""
        if look.get("service_workers") != "block":
            context.close()
            return
        for page in context.pages:
            page.close()
        self._free[repr(sorted(look.items()))].append(context)


@pytest.fixture(scope="session")
def contexts(site: Site, chromium: Browser) -> Contexts:
    return Contexts(chromium, site.url)


@pytest.fixture
def new_player(contexts: Contexts) -> Iterator[MakePlayer]:
    """A person with a separate browser: ``new_player("Ann")``, or a guest without a name.

    At the end no page may have reported an error.
    """
    players: list[tuple[Player, dict[str, object]]] = []

    def make(name: str | None = None, look: dict[str, object] = DESKTOP) -> Player:
        options = BLOCKED | look
        player = Player(contexts.take(options), name)
        players.append((player, options))
        if name is not None:
            player.sign_up()
        return player

    yield make
    problems = [problem for player, _ in players for problem in player.problems]
    for player, look in players:
        contexts.give_back(player.context, look)
    assert problems == []


@pytest.fixture
def proxy(site: Site) -> Iterator[SwallowingProxy]:
    host, _, port = site.web_process.address.partition(":")
    with SwallowingProxy(host, int(port)) as running:
        yield running
