"""The real site and a real browser, for the tests in this directory.

Playwright's synchronous API leaves a running loop in the process, so that Django's ORM refuses to
work: these tests ask pages and commands, never models.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.boot import PATIENCE
from tests.e2e.commands import leave
from tests.e2e.inspection import Pictures
from tests.e2e.player import DESKTOP, Player
from tests.platform.prepared import copy_all
from tests.platform.site import Site

#: Features of Chromium's that no page shows.  The option replaces Playwright's, whose names come
#: first.  The others load pages of the address bar, or a process to spare, into every new context:
#: two thirds of the processor time of opening one.
WITHOUT = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "TcpPortRandomizationWin",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
    "PreloadTopChromeWebUI",
    "SpareRendererForSitePerProcess",
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
)
#: Chromium must not draw on a graphics card, nor talk to anybody but the site.
ARGUMENTS = [
    f"--disable-features={','.join(WITHOUT)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]


#: As an administrator may set them: shorter rounds of the arena, with the usual time for results.
NUMBERS = ((3_000, "arena.selection_ms"),)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, prepared: Path) -> Iterator[Site]:
    """``manage.py up`` on a directory and a port of its own."""
    var = copy_all(prepared, tmp_path_factory.mktemp("site"))
    with closing(sqlite3.connect(var / "site.sqlite3")) as database, database:
        database.executemany("UPDATE economy_setting SET value = ? WHERE name = ?", NUMBERS)
    with Site(var, DJANGO_SETTINGS_MODULE="tests.e2e.settings") as running:
        yield running
        leave(running)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser that CHROMIUM names."""
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def pictures() -> Pictures:
    """Screenshots in the directory that E2E_PICTURES names; without it none are taken."""
    if "E2E_PICTURES" not in os.environ:
        return Pictures(None)
    directory = Path(os.environ["E2E_PICTURES"])
    directory.mkdir(parents=True, exist_ok=True)
    return Pictures(directory)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest: else one worker would be left with them."""
    items.sort(
        key=lambda item: not {"browser", "slow"} <= {mark.name for mark in item.iter_markers()}
    )


MakePlayer = Callable[..., Player]


@pytest.fixture
def new_player(site: Site, chromium: Browser) -> Iterator[MakePlayer]:
    """A person with a separate browser: ``new_player("Ann")``, or a guest without a name.

    At the end no page may have reported an error.
    """
    players: list[Player] = []

    def make(name: str | None = None, look: dict[str, object] = DESKTOP) -> Player:
        # A service worker would hide requests from routes; its own tests allow it.
        options = {"service_workers": "block", **look}
        player = Player(chromium.new_context(base_url=site.url, **options), name)
        players.append(player)
        if name is not None:
            player.sign_up()
        return player

    yield make
    problems = [problem for player in players for problem in player.problems]
    for player in players:
        player.context.close()
    assert problems == []
