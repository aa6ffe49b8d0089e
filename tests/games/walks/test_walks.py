"""Walks through the pages of the site; each is a text beside this file, see ``kit``."""

import os
from pathlib import Path

import pytest

from tests.games.walks.kit import Walk, same_each_time
from tests.games.walks.world import World

WALKS = sorted(Path(__file__).parent.glob("*.txt"))


@pytest.mark.plain
@pytest.mark.django_db
@pytest.mark.parametrize("path", WALKS, ids=lambda path: path.stem)
def test_walk_shows_and_stores_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    with same_each_time(monkeypatch):
        world = World(first.split()[1:])
        walk = Walk(world.people, world.names)
        found = [first, *walk.take(line for line in lines if line.startswith("## "))]
    if os.environ.get("WALKS") == "write":
        path.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
    assert found == [first, *lines]
