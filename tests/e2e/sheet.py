"""Take pictures of all pages: ``CHROMIUM=… python -m tests.e2e.sheet DIRECTORY``.

Three windows, both themes, with the site's real numbers.  What is wrong is printed; exits with 1 if
something is.  Boards in all their states are taken by tests, into the directory E2E_PICTURES.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, expect, sync_playwright

from tests.boot import PATIENCE
from tests.e2e.conftest import ARGUMENTS
from tests.e2e.inspection import THREE_SIZES, barriers, clipped, small_fields
from tests.e2e.player import Player
from tests.e2e.test_pages import GUESTS, USERS, named
from tests.platform.site import Site

MORE: Final = named("""
    /arena/ /people/ /settings/avatar/ /accounts/invite/ /accounts/away/ /contests/ /arena/rules/
    /rules/dynamite/
""")


def shots(page: Page, name: str, directory: Path) -> list[str]:
    """Take a page's pictures; return what is wrong with it."""
    wrong = []
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        for width, height in THREE_SIZES:
            page.set_viewport_size({"width": width, "height": height})
            look = f"{name}-{theme}-{width}x{height}"
            page.screenshot(path=directory / f"{look}.png")
            wrong += [f"{look}: {element}" for element in clipped(page)]
            if width < 400:
                wrong += [f"{look}: {field}" for field in small_fields(page)]
            if (width, height) in THREE_SIZES[:-1]:
                wrong += [f"{look}: {barrier}" for barrier in barriers(page)]
    return wrong


def main(directory: Path) -> int:
    directory.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE * 1000)
    var = Path(tempfile.mkdtemp(prefix="sheet"))
    with Site(var, DJANGO_SETTINGS_MODULE="tests.e2e.settings") as site, sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=os.environ["CHROMIUM"], args=ARGUMENTS)
        contexts = [(browser.new_context(base_url=site.url), who) for who in (None, "Ann")]
        guest, ann = (Player(*given) for given in contexts)
        ann.sign_up()
        wrong = []
        of_ann = USERS | MORE | {"profile": f"/@{ann.name}/"}
        for player, paths in ((guest, GUESTS | {"arena": "/arena/"}), (ann, of_ann)):
            for name, path in paths.items():
                player.page.goto(path)
                wrong += shots(player.page, f"{player.name or 'guest'}-{name}", directory)
        browser.close()
    for line in wrong:
        print(line)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
