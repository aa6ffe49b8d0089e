"""The real site and a real browser, for the tests in this directory.

Playwright's synchronous API leaves a running loop in the process, so that Django's ORM refuses to
work: these tests ask pages and commands, never models.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.boot import PATIENCE
from tests.e2e.player import DESKTOP, Player
from tests.platform.prepared import copy_all
from tests.platform.site import Site

#: Chromium must not draw on a graphics card, nor talk to anybody but the site.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, prepared: Path) -> Iterator[Site]:
    """``manage.py up`` on a directory and a port of its own."""
    var = copy_all(prepared, tmp_path_factory.mktemp("site"))
    # Cheap passwords and no limits on pages: dozens of people sign up.
    with Site(var, DJANGO_SETTINGS_MODULE="tests.faults.settings") as running:
        yield running


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser that CHROMIUM names."""
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots go: E2E_PICTURES, else a directory that is thrown away."""
    directory = Path(os.environ.get("E2E_PICTURES") or tmp_path_factory.mktemp("pictures"))
    directory.mkdir(parents=True, exist_ok=True)
    return directory


MakePlayer = Callable[..., Player]


@pytest.fixture
def new_player(site: Site, chromium: Browser) -> Iterator[MakePlayer]:
    """Somebody with a browser of their own: ``new_player("Ann")``, or a guest without a name.

    At the end no page may have had anything to complain about.
    """
    players: list[Player] = []

    def make(name: str | None = None, look: dict[str, object] = DESKTOP) -> Player:
        player = Player(chromium.new_context(base_url=site.url, **look), name)
        players.append(player)
        if name is not None:
            player.sign_up()
        return player

    yield make
    problems = [problem for player in players for problem in player.problems]
    for player in players:
        player.context.close()
    assert problems == []
