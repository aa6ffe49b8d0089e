"""Take pictures of all pages: ``CHROMIUM=… python -m tests.e2e.sheet DIRECTORY``.

Three windows, for tables all of ``test_windows.py``, both themes, with the site's real numbers.
What is wrong is printed; exits with 1 if something is.
"""

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, expect, sync_playwright

from economy.tunables import TUNABLES
from tests.boot import PATIENCE
from tests.e2e.conftest import ARGUMENTS
from tests.e2e.inspection import THREE_SIZES, barriers, clipped
from tests.e2e.player import READY, Player, play_to_the_end, play_until_round
from tests.e2e.test_pages import GUESTS, USERS, named
from tests.e2e.test_windows import TABLE_WINDOWS
from tests.platform.site import Site

THEMES: Final = ("dark", "light")
MORE: Final = named("""
    /arena/ /people/ /settings/avatar/ /accounts/invite/ /accounts/away/ /contests/ /arena/rules/
    /rules/dynamite/
""")

Scene = tuple[str, Page]


def pages(player: Player, who: str, paths: dict[str, str]) -> Iterator[Scene]:
    for name, path in paths.items():
        player.page.goto(path)
        yield f"{who}-{name}", player.page


def boards(guest: Player, ann: Player, bob: Player) -> Iterator[Scene]:
    """Play a game each at a table and a duel, and stop where it looks different."""
    guest.page.goto("/practice/showdown/")
    expect(guest.button(re.compile("^(Check|Call)"))).to_be_visible()
    yield "practice-betting", guest.page
    play_until_round(1, guest)
    yield "practice-round", guest.page
    guest.page.goto("/practice/duel/")
    expect(guest.button(re.compile("^Rock"))).to_be_enabled()
    yield "practice-duel", guest.page
    guest.page.goto("/learn/")
    expect(guest.button(re.compile("^Check"))).to_be_enabled()
    yield "lesson", guest.page
    path = ann.open_table(seats=3, betting_clock=120, round_clock=120)
    ann.sit_and(ready=False)
    yield "table-open", ann.page
    bob.go(path)
    bob.sit_and(ready=True)
    yield "table-waiting", bob.page
    ann.press(READY)
    expect(ann.page.locator(".centre .pot")).to_be_visible()
    yield "table-betting", ann.page
    play_until_round(1, ann, bob)
    ann.page.locator(".cards-basic .card").first.click()
    yield "table-round", ann.page
    play_to_the_end(ann, bob)
    yield "table-over", ann.page
    yield from pages(ann, "after", {"home": "/", "profile": f"/@{bob.name}/"})


def shots(scene: Scene, directory: Path) -> list[str]:
    """Take a scene's pictures; return what is wrong with it."""
    name, page = scene
    wrong = []
    for theme in THEMES:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        windows = TABLE_WINDOWS if page.locator(".is-table").count() else ()
        for width, height in dict.fromkeys((*windows, *THREE_SIZES)):
            page.set_viewport_size({"width": width, "height": height})
            look = f"{name}-{theme}-{width}x{height}"
            page.screenshot(path=directory / f"{look}.png")
            wrong += [f"{look}: {element}" for element in clipped(page)]
            if (width, height) in THREE_SIZES[:-1]:
                wrong += [f"{look}: {barrier}" for barrier in barriers(page)]
    return wrong


def main(directory: Path) -> int:
    directory.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE * 1000)
    var = Path(tempfile.mkdtemp(prefix="sheet"))
    with Site(var, DJANGO_SETTINGS_MODULE="tests.e2e.settings") as site, sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=os.environ["CHROMIUM"], args=ARGUMENTS)
        contexts = [(browser.new_context(base_url=site.url), who) for who in (None, "Ann", "Bob")]
        guest, ann, bob = (Player(*given) for given in contexts)
        Player.grant = TUNABLES["grant.signup"].default
        for player in (ann, bob):
            player.sign_up()
        wrong = []
        of_guest = pages(guest, "guest", GUESTS | {"arena": "/arena/"})
        of_user = pages(ann, "user", USERS | MORE | {"profile": f"/@{ann.name}/"})
        for scene in chain(of_guest, of_user, boards(guest, ann, bob)):
            wrong += shots(scene, directory)
        browser.close()
    for line in wrong:
        print(line)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
