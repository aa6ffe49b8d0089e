"""The games of the site, by name; outside a game's own folders no other module names a game."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from economy.tunables import Tunable
    from games.contract import Game, TableGame
    from games.engine.protocols import Rules

#: The package of each game; its last word is the game's slug.
GAMES: tuple[str, ...] = (
    "games.showdown",
    "games.duel",
    "games.arena",
    "games.mafia.agora",
    "games.mafia.dynamite",
)
#: The features around matches: applications without tables of their own.
FEATURES: tuple[str, ...] = (
    "games.posts",
    "games.replays",
    "games.proofs",
    "games.moderation",
    "games.standings",
    "games.goals",
    "games.reads",
    "games.people",
    "games.notices",
    "games.own_data",
    "games.archives",
)
#: Applications above them.
APPS: tuple[str, ...] = (
    "games.realtime",
    "games.practice",
    "games.contests",
    "games.events",
    "games.ladder",
)
#: The function that gives bots the posts of a match, by room.
HEARING = "games.posts.queries.posts_by_room"
#: The observer of throws, in the package of its game: a program of the ladder.
READER = "games.duel.reading"
#: Pools of ratings besides those of games, each with its title: what is rated there is no match.
POOLS = {"ladder": "Ladder"}


def slugs() -> tuple[str, ...]:
    """Return the slugs of all games, in registry order."""
    return tuple(name.rpartition(".")[2] for name in GAMES)


def get(slug: str) -> Game:
    """Return a game; raises KeyError if it is not in ``GAMES``."""
    return _load(_packages(GAMES)[slug])


def find(slug: str) -> Game | None:
    """Return a game, None if it is not in ``GAMES``."""
    name = _packages(GAMES).get(slug)
    return None if name is None else _load(name)


def games() -> Iterator[Game]:
    """Yield all games, in registry order."""
    return map(_load, GAMES)


def tables() -> Iterator[TableGame]:
    """Yield the games that are played in matches, by seats."""
    from games.contract import TableGame

    return (game for game in games() if isinstance(game, TableGame))


def table(slug: str) -> TableGame:
    """Return a game that is played in matches; raises KeyError."""
    return _load_table(_packages(GAMES)[slug])


def package(slug: str) -> str:
    """Return the package of a game; raises KeyError."""
    return _packages(GAMES)[slug]


def apps() -> tuple[str, ...]:
    """Return the Django applications besides ``matches``: a game with an ``apps`` module is one."""
    return (*FEATURES, *APPS, *(name for name in GAMES if find_spec(f"{name}.apps") is not None))


def numbers() -> Iterator[tuple[str, Tunable]]:
    """Yield the numbers of the games, each with the game's title."""
    return ((game.title, number) for game in games() for number in game.numbers)


def rules_of(slug: str, version: int | None = None) -> Rules[Any]:
    """Return the rules of a game, by default the newest version; raises KeyError."""
    game = table(slug)
    return game.newest if version is None else game.rules[version]


@cache
def _packages(names: tuple[str, ...]) -> dict[str, str]:
    return {name.rpartition(".")[2]: name for name in names}


@cache
def _load_table(name: str) -> TableGame:
    from games.contract import TableGame

    game = _load(name)
    if not isinstance(game, TableGame):
        raise KeyError(game.slug)
    return game


@cache
def _load(name: str) -> Game:
    game: Game = import_module(f"{name}.game").GAME
    return game
