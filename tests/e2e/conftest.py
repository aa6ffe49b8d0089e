"""The real site and a real browser; Playwright leaves a loop: no test may ask models."""

import os
from collections import defaultdict
from collections.abc import Callable, Iterator
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


@pytest.fixture(scope="session")
def free() -> defaultdict[str, list[BrowserContext]]:
    """Browsers that nobody uses, by look: the site's files stay in their caches."""
    return defaultdict(list)


def cleared(context: BrowserContext, url: str) -> BrowserContext:
    """Clear everything else of a browser for its next user."""
    context.clear_cookies()
    context.clear_permissions()
    context.set_offline(False)
    page = context.new_page()
    stored = {"origin": url, "storageTypes": "local_storage,indexeddb,cache_storage"}
    context.new_cdp_session(page).send("Storage.clearDataForOrigin", stored)
    page.close()
    return context


@pytest.fixture
def new_player(
    site: Site, chromium: Browser, free: defaultdict[str, list[BrowserContext]]
) -> Iterator[MakePlayer]:
    """A person with a separate browser, or a guest without a name; no page may report an error."""
    players: list[tuple[Player, dict[str, object]]] = []

    def make(name: str | None = None, look: dict[str, object] = DESKTOP) -> Player:
        options = BLOCKED | look
        if kept := free[repr(options)]:
            context = cleared(kept.pop(), site.url)
        else:
            context = chromium.new_context(base_url=site.url, **options)
        player = Player(context, name)
        players.append((player, options))
        if name is not None:
            player.sign_up()
        return player

    yield make
    problems = [problem for player, _ in players for problem in player.problems]
    for player, look in players:
        for page in player.context.pages:
            page.close()
        if look["service_workers"] == "block":
            free[repr(look)].append(player.context)
        else:
            player.context.close()  # A worker may be in it.
    assert problems == []


@pytest.fixture
def proxy(site: Site) -> Iterator[SwallowingProxy]:
    host, _, port = site.web_process.address.partition(":")
    with SwallowingProxy(host, int(port)) as running:
        yield running
