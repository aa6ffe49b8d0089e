"""The games of the site, by name; nothing else outside a game's own folders names one.

Source: docs/adding-a-game.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.game import Game, TableGame
    from games.kernel.contract import Rules

#: A name is a folder of ``games``, or a package by its dotted name.
GAMES: tuple[str, ...] = ("showdown", "duel", "arena", "agora", "dynamite")
#: What several games share.
HOUSES: tuple[str, ...] = ("mafia", "contests")


def slugs() -> tuple[str, ...]:
    """Return the slugs of all games, in their order."""
    return tuple(name.rpartition(".")[2] for name in GAMES)


def get(slug: str) -> Game:
    """Return a game.

    Raises:
        KeyError: there is no such game, or it is not played here at the moment.
    """
    return _load(_names(GAMES)[slug])


def find(slug: str) -> Game | None:
    """Return a game, None where it is not played here."""
    return get(slug) if slug in slugs() else None


def games() -> Iterator[Game]:
    """Yield all games, in their order."""
    return map(_load, GAMES)


def tables() -> Iterator[TableGame]:
    """Yield the games that are played in matches, by seats."""
    from games.game import TableGame

    return (game for game in games() if isinstance(game, TableGame))


def table(slug: str) -> TableGame:
    """Return a game that is played in matches.

    Raises:
        KeyError: there is no such game, or it is not played in matches.
    """
    return _load_table(_names(GAMES)[slug])


def apps() -> tuple[str, ...]:
    """Return the packages of games that are Django applications of their own, having tables."""
    homes = (_home(name) for name in (*GAMES, *HOUSES))
    return tuple(home for home in homes if find_spec(f"{home}.apps") is not None)


def rules_of(slug: str, version: int | None = None) -> Rules[Any]:
    """Return the rules of a game, the newest unless a version is named.

    Raises:
        KeyError: there is no such game or version.
    """
    game = table(slug)
    return game.newest if version is None else game.rules[version]


@cache
def _names(games: tuple[str, ...]) -> dict[str, str]:
    return {name.rpartition(".")[2]: name for name in games}


@cache
def _load_table(name: str) -> TableGame:
    from games.game import TableGame

    game = _load(name)
    if not isinstance(game, TableGame):
        raise KeyError(game.slug)
    return game


@cache
def _load(name: str) -> Game:
    game: Game = import_module(f"{_home(name)}.game").GAME
    return game


def _home(name: str) -> str:
    return name if "." in name else f"games.{name}"
