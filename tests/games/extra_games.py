"""Games that come to the registry for a test, by their names alone."""

from pathlib import Path
from typing import Any

import pytest

from economy import tunables
from games import registry
from games.contract import Game
from games.matches.queries import commands

HERE = Path(__file__).parent


def invite(name: str, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Put a game of the tests, by its dotted name, into the registry, with its templates."""
    if name not in registry.GAMES:
        monkeypatch.setattr(registry, "GAMES", (*registry.GAMES, name))
    game = registry.get(name.rpartition(".")[2])
    monkeypatch.setattr(tunables, "TUNABLES", tunables.TUNABLES)
    for number in game.numbers:
        monkeypatch.setitem(tunables.TUNABLES, number.name, number)
    (site,) = settings.TEMPLATES
    folder = HERE / game.slug / "templates"
    settings.TEMPLATES = [{**site, "DIRS": [*site["DIRS"], folder]}]
    return game


def send_away(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    left = tuple(name for name in registry.GAMES if name.rpartition(".")[2] != slug)
    assert len(left) == len(registry.GAMES) - 1
    monkeypatch.setattr(registry, "GAMES", left)
    commands._by_name.cache_clear()
