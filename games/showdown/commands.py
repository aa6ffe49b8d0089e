"""The table of Showdown's chat commands: names, descriptions, readers. The help page, the answer to
!help and the parser all use COMMANDS. Source: docs/rules/showdown.md, "Commands".
"""

from collections.abc import Mapping
from typing import Any, Final

from games.showdown.rules.weapons import WEAPONS, Weapon
from games.showdown.spelling import read_basic_weapon, read_unit, read_weapon
from games.text.typed import (
    Action,
    Command,
    CommandEntry,
    Query,
    SideCommand,
    View,
    Words,
    bring,
    help_,
    plain,
    query,
    ready,
    remove_bot,
    sit,
)

#: The shop's functions for typed commands.
PRICE_LIST: Final = "games.showdown.shopping.tell_prices"
PURCHASE: Final = "games.showdown.shopping.buy_typed"
STOCK: Final = "games.showdown.shopping.tell_stock"


def _leave(words: Words, view: View) -> Command:
    """Give up a running game, else stand up."""
    words.require_count(0, 0)
    return Action({"kind": "leave" if "leave" in _own(view).get("may", []) else "stand"})


def _raise(words: Words, view: View) -> Command:
    """Raise by the amount, or by the smallest raise now."""
    words.require_count(0, 1)
    bet = (view["game"] or {}).get("bet") or {}
    # Out of turn any number will do: the rules refuse the raise.
    least = _own(view).get("raise_min") or bet.get("smallest_raise") or 1
    return Action({"kind": "raise_by", "amount": words.number(0, least)})


def _check(words: Words, view: View) -> Command:
    """Check, if there is nothing to call.  Raises BadUsage if there is."""
    words.require_count(0, 0)
    price = _own(view).get("call_amount")
    if price:
        raise words.refuse(f"You cannot check: there are {price} to call. !call pays them.")
    return Action({"kind": "call"})


def _all_in(words: Words, view: View) -> Command:
    """Raise by the rest of the purse; where no raise is possible, call."""
    words.require_count(0, 0)
    most = _own(view).get("raise_max")
    return Action({"kind": "raise_by", "amount": most} if most else {"kind": "call"})


def _stock(words: Words, view: View) -> Command:
    """Ask for the viewer's points and weapons; the shop answers a viewer without a seat."""
    words.require_count(0, 0)
    return (
        Query("stock") if view["you"]["seat"] is not None else SideCommand(STOCK, {}, changes=False)
    )


def _attack(words: Words, view: View) -> Command:
    if len(words.rest) == 1 and words.rest[0].lower() == "reset":
        return Action({"kind": "reset"})
    words.require_count(2, 2)
    return _attack_with(read_weapon(words, 0), words.player(1, view))


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
        return SideCommand(PRICE_LIST, {}, is_guests=True, changes=False)
    return SideCommand(PURCHASE, {"unit": read_unit(words, 0), "quantity": words.number(1) or 1})


def _attack_with(weapon: Weapon, target: int) -> Action:
    return Action({"kind": "attack", "weapon": weapon.value, "target": target})


def _own(view: View) -> Mapping[str, Any]:
    """Return the viewer's own part of the game's view, empty without one."""
    return (view["game"] or {}).get("you") or {}


def _weapon_entry(weapon: Weapon, *names: str) -> CommandEntry:
    """Return a weapon's own command, such as !rock PLAYER."""

    def read(words: Words, view: View) -> Command:
        words.require_count(1, 1)
        return _attack_with(weapon, words.player(0, view))

    about = f"attack a player with {WEAPONS[weapon].title}"
    return CommandEntry(names, f"!{names[0]} PLAYER", about, read, "attack", "In a round")


_ANY, _TABLE, _BETTING, _ROUND = "Any time", "At the table", "In the betting", "In a round"

#: All commands of a Showdown table, in the order of the help page.
COMMANDS: Final = (
    CommandEntry(("help", "h", "?"), "!help", "this list", help_, group=_ANY),
    CommandEntry(("status",), "!status", "how the table stands", query("status"), group=_ANY),
    CommandEntry(("stock",), "!stock", "your points and weapons", _stock, group=_ANY),
    CommandEntry(
        ("buy", "shop"),
        "!buy [ROCK|PAPER|SCISSORS|LANDMINE [N]]",
        "buy for your stash; alone, the price list",
        _buy,
        group=_ANY,
    ),
    CommandEntry(("sit",), "!sit [PURSE]", "take the first free seat", sit, "sit", _TABLE),
    CommandEntry(("purse", "bring"), "!purse N", "bring another purse", bring, "bring", _TABLE),
    CommandEntry(("stand",), "!stand", "give your seat back", plain("stand"), "stand", _TABLE),
    CommandEntry(("ready",), "!ready", "agree to start with these options", ready, "ready", _TABLE),
    CommandEntry(("unready",), "!unready", "take that back", plain("unready"), "unready", _TABLE),
    CommandEntry(("leave",), "!leave", "give up the game, or your seat", _leave, "leave", _TABLE),
    CommandEntry(
        ("rematch",), "!rematch", "play on at the next table", plain("rematch"), "rematch", _TABLE
    ),
    CommandEntry(
        ("bot", "add_bot", "addbot"),
        "!bot",
        "ask a bot to sit down",
        plain("add_bot"),
        "add_bot",
        _TABLE,
    ),
    CommandEntry(
        ("unbot", "remove_bot"), "!unbot BOT", "send a bot away", remove_bot, "remove_bot", _TABLE
    ),
    CommandEntry(("check",), "!check", "stay in when nothing is to call", _check, "call", _BETTING),
    CommandEntry(("call",), "!call", "match the bet", plain("call"), "call", _BETTING),
    CommandEntry(
        ("raise", "bet"),
        "!raise [N]",
        "match the bet and put N more; alone, the least",
        _raise,
        "raise_by",
        _BETTING,
    ),
    CommandEntry(
        ("allin", "all_in", "all"), "!allin", "put in all you have", _all_in, "call", _BETTING
    ),
    CommandEntry(("fold",), "!fold", "go out of the game", plain("fold"), "fold", _BETTING),
    CommandEntry(
        ("atk", "attack"),
        "!atk r|p|s|o|w|b|l|m|h PLAYER, !atk reset",
        "attack a player; reset takes all your attacks back",
        _attack,
        "attack",
        _ROUND,
    ),
    CommandEntry(
        ("reset",), "!reset", "take all your attacks back", plain("reset"), "reset", _ROUND
    ),
    _weapon_entry(Weapon.ROCK, "rock"),
    _weapon_entry(Weapon.PAPER, "paper"),
    _weapon_entry(Weapon.SCISSORS, "scissors"),
    _weapon_entry(Weapon.BOULDER, "boulder"),
    _weapon_entry(Weapon.WALL, "wall"),
    _weapon_entry(Weapon.TWIN_BLADES, "blades", "twin", "twinblades", "twin_blades"),
    _weapon_entry(Weapon.SLING, "sling"),
    _weapon_entry(Weapon.MASK, "mask"),
    _weapon_entry(Weapon.SHURIKEN, "shuriken"),
    CommandEntry(
        ("combine",),
        "!combine X Y",
        "make a weapon of two, each r, p or s",
        _combine,
        "combine",
        _ROUND,
    ),
    CommandEntry(
        ("add",),
        "!add ROCK|PAPER|SCISSORS",
        "bring one in from your stash",
        _add,
        "add",
        _ROUND,
    ),
    CommandEntry(
        ("mine",), "!mine PLAYER", "plant a landmine under a player", _mine, "mine", _ROUND
    ),
    CommandEntry(("lock",), "!lock", "be done choosing", plain("lock"), "lock", _ROUND),
    CommandEntry(("unlock",), "!unlock", "choose again", plain("unlock"), "unlock", _ROUND),
)
