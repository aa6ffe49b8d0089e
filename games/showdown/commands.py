"""Showdown's "!" grammar as one table: what can be typed, what it means, how it is read.

The help page, the answer to !help and the parser all draw from COMMANDS.

Source: docs/rules/showdown.md, "Commands".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.grammar.entries import (
    CommandEntry,
    Reader,
    help_,
    plain,
    query,
    ready,
    remove_bot,
    sit,
)
from games.grammar.typed import Action, Command, Errand, View, Words
from games.showdown.rules.weapons import WEAPONS, Weapon
from games.showdown.spelling import read_basic_weapon, read_unit, read_weapon

#: What the shop does for typed lines.
PRICE_LIST: Final = "games.showdown.shopping.tell_prices"
PURCHASE: Final = "games.showdown.shopping.buy_typed"


def _leave(words: Words, view: View) -> Command:
    """Give up a running game, else stand up: either way one is out of it."""
    words.require_count(0, 0)
    return Action({"kind": "leave" if "leave" in _may_in_game(view) else "stand"})


def _raise(words: Words, view: View) -> Command:
    words.require_count(0, 1)
    return Action({"kind": "raise_by", "amount": words.number(0, _smallest_raise(view))})


def _attack(words: Words, view: View) -> Command:
    if len(words.rest) == 1 and words.rest[0].lower() == "reset":
        return Action({"kind": "reset"})
    words.require_count(2, 2)
    return _attack_with(read_weapon(words, 0), words.player(1, view))


def _attack_by_name(weapon: Weapon) -> Reader:
    """Return a reader for a weapon's own command, such as !rock PLAYER."""

    def read(words: Words, view: View) -> Command:
        words.require_count(1, 1)
        return _attack_with(weapon, words.player(0, view))

    return read


def _combine(words: Words, view: View) -> Command:
    words.require_count(2, 2)
    first, second = read_basic_weapon(words, 0), read_basic_weapon(words, 1)
    return Action({"kind": "combine", "first": first.value, "second": second.value})


def _add(words: Words, view: View) -> Command:
    words.require_count(1, 1)
    return Action({"kind": "add", "weapon": read_basic_weapon(words, 0).value})


def _mine(words: Words, view: View) -> Command:
    words.require_count(1, 1)
    return Action({"kind": "mine", "target": words.player(0, view)})


def _buy(words: Words, view: View) -> Command:
    words.require_count(0, 2)
    if not words.rest:
        return Errand(PRICE_LIST, {}, is_guests=True, changes=False)
    return Errand(PURCHASE, {"unit": read_unit(words, 0), "quantity": words.number(1) or 1})


def _attack_with(weapon: Weapon, target: int) -> Action:
    return Action({"kind": "attack", "weapon": weapon.value, "target": target})


def _may_in_game(view: View) -> list[str]:
    you = (view["game"] or {}).get("you")
    return you["may"] if you else []


def _smallest_raise(view: View) -> int:
    """Return the smallest raise now; out of turn any number does, the rules refuse it by name."""
    game: Mapping[str, Any] = view["game"] or {}
    own = (game.get("you") or {}).get("raise_min")
    return own or (game.get("bet") or {}).get("smallest_raise") or 1


def _weapon_entry(name: str, weapon: Weapon) -> CommandEntry:
    about = f"attack a player with {WEAPONS[weapon].title}"
    return CommandEntry((name,), f"!{name} PLAYER", about, _attack_by_name(weapon))


#: Everything that can be typed at a table of Showdown, in the order of the help page.
COMMANDS: Final = (
    CommandEntry(("help", "h", "?"), "!help", "this list", help_),
    CommandEntry(("status",), "!status", "how the table stands", query("status")),
    CommandEntry(("stock",), "!stock", "your weapons", query("stock")),
    CommandEntry(
        ("buy",),
        "!buy [ROCK|PAPER|SCISSORS|LANDMINE [N]]",
        "buy for your permanent stock; alone, the price list",
        _buy,
    ),
    CommandEntry(("sit",), "!sit [PURSE]", "take the first free seat", sit),
    CommandEntry(("stand",), "!stand", "give your seat back", plain("stand")),
    CommandEntry(("ready",), "!ready", "agree to start with these options", ready),
    CommandEntry(("unready",), "!unready", "take that back", plain("unready")),
    CommandEntry(("leave",), "!leave", "give up the game, or your seat", _leave),
    CommandEntry(("rematch",), "!rematch", "go on at the next table", plain("rematch")),
    CommandEntry(("bot", "add_bot", "addbot"), "!bot", "ask a bot to sit down", plain("add_bot")),
    CommandEntry(("unbot", "remove_bot"), "!unbot BOT", "send a bot away", remove_bot),
    CommandEntry(("call", "check"), "!call", "match the bet", plain("call")),
    CommandEntry(
        ("raise",), "!raise [N]", "match the bet and put N more; alone, the least", _raise
    ),
    CommandEntry(("fold",), "!fold", "go out of the game", plain("fold")),
    CommandEntry(
        ("atk", "attack"),
        "!atk r|p|s|o|w|b|l|m|h PLAYER, !atk reset",
        "attack a player; reset takes all your attacks back",
        _attack,
    ),
    CommandEntry(("reset",), "!reset", "take all your attacks back", plain("reset")),
    _weapon_entry("rock", Weapon.ROCK),
    _weapon_entry("paper", Weapon.PAPER),
    _weapon_entry("scissors", Weapon.SCISSORS),
    _weapon_entry("boulder", Weapon.BOULDER),
    _weapon_entry("wall", Weapon.WALL),
    _weapon_entry("blades", Weapon.TWIN_BLADES),
    _weapon_entry("sling", Weapon.SLING),
    _weapon_entry("mask", Weapon.MASK),
    _weapon_entry("shuriken", Weapon.SHURIKEN),
    CommandEntry(("combine",), "!combine X Y", "make a weapon of two, each r, p or s", _combine),
    CommandEntry(
        ("add",), "!add ROCK|PAPER|SCISSORS", "bring one in from your permanent stock", _add
    ),
    CommandEntry(("mine",), "!mine PLAYER", "plant a landmine under a player", _mine),
    CommandEntry(("lock",), "!lock", "be done choosing", plain("lock")),
    CommandEntry(("unlock",), "!unlock", "go on choosing", plain("unlock")),
)
