"""The arena's answers to the contract of a game: it has no matches and no seats."""

from __future__ import annotations

from typing import Final

from games.arena import SLUG, words
from games.arena.commands import COMMANDS
from games.arena.numbers import NUMBERS
from games.arena.rules.engine import Arena
from games.arena.rules.trial import random_game
from games.game import Address, Game, Speech, Typing

GAME: Final = Game(
    slug=SLUG,
    title="Arena",
    plural="Arena",
    about="Rock, paper, scissors for everyone at once, a round every few seconds.",
    icon="users",
    template="games/arena/arena.html",
    script="js/arena/main.js",
    address=Address(list="arena", rules="arena_rules"),
    numbers=NUMBERS,
    rules={Arena.version: Arena()},
    speech=Speech(tell=words.tell, kinds=frozenset(words.SENTENCES), place_names=()),
    typing=Typing(COMMANDS, words.answer, words.confirm),
    random_game=random_game,
    urls="games.arena.urls",
    sockets="games.arena.sockets.patterns",
    runners=("games.arena.hall.Hall", "games.arena.loop.Loop"),
    sweeps=("games.arena.services.forget_old_rounds",),
    admin="games.arena.admin",
)
