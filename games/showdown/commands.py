"""Showdown's chat commands with their readers, the answers to them, and the confirmations."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeVar

from economy.units import Unit
from games.showdown.rules.weapons import BASIC, WEAPONS, Weapon, combine_weapons
from games.showdown.words import (
    FREE_TURN,
    POTS,
    SECRETS,
    STATUSES,
    counts,
    owned_sentence,
    weapon_title,
    with_article,
)
from games.text.answers import Typing, in_game, names_of
from games.text.telling import listed, name_of, people, points
from games.text.typed import (
    BOTS,
    READY,
    STAND,
    UNREADY,
    Action,
    Command,
    CommandEntry,
    Query,
    SideCommand,
    View,
    Words,
    bring,
    choosing,
    help_,
    leave_or_stand,
    own_of,
    plain_entry,
    query,
    sit,
)

Item = TypeVar("Item")

#: Lower-case word -> weapon, basic weapon, and item that the shop sells.
WEAPON_WORDS: Final[Mapping[str, Weapon]] = {
    **{word: weapon for weapon, info in WEAPONS.items() for word in (info.letter, weapon.value)},
    **dict.fromkeys(("blades", "twinblades", "twinscissors", "twin_scissors"), Weapon.TWIN_BLADES),
    **dict.fromkeys(("scarymask", "scary_mask"), Weapon.MASK),
}
BASIC_WORDS: Final = {word: weapon for word, weapon in WEAPON_WORDS.items() if weapon in BASIC}
UNIT_WORDS: Final[Mapping[str, Unit]] = {
    **dict.fromkeys(("rock", "r"), Unit.ROCK),
    **dict.fromkeys(("paper", "p"), Unit.PAPER),
    **dict.fromkeys(("scissors", "s"), Unit.SCISSORS),
    **dict.fromkeys(("landmine", "mine"), Unit.LANDMINE),
}

#: The shop's functions for typed commands.
PRICE_LIST: Final = "games.showdown.shopping.tell_prices"
PURCHASE: Final = "games.showdown.shopping.buy_typed"
STOCK: Final = "games.showdown.shopping.tell_stock"


def _known(words: Words, index: int, items: Mapping[str, Item], refusal: str) -> Item:
    item = items.get(words.rest[index].lower())
    if item is None:
        raise words.refuse(refusal.format(words.rest[index]))
    return item


def _basic(words: Words, index: int) -> Weapon:
    return _known(words, index, BASIC_WORDS, "“{}” is not rock, paper or scissors.")


def _raise(words: Words, view: View) -> Command:
    """Raise by the amount, or by the smallest raise now."""
    words.require_count(0, 1)
    bet = (view["game"] or {}).get("bet") or {}
    # Out of turn any number will do: the rules refuse the raise.
    least = own_of(view).get("raise_min") or bet.get("smallest_raise") or 1
    return Action({"kind": "raise_by", "amount": words.number(0, least)})


def _check(words: Words, view: View) -> Command:
    words.require_count(0, 0)
    price = own_of(view).get("call_amount")
    if price:
        raise words.refuse(f"You cannot check: there are {price} to call. !call pays them.")
    return Action({"kind": "call"})


def _all_in(words: Words, view: View) -> Command:
    """Raise by the rest of the purse; where no raise is possible, call."""
    words.require_count(0, 0)
    most = own_of(view).get("raise_max")
    return Action({"kind": "raise_by", "amount": most} if most else {"kind": "call"})


def _stock(words: Words, view: View) -> Command:
    """Ask for points and weapons; the shop answers a viewer without a seat."""
    words.require_count(0, 0)
    return (
        Query("stock") if view["you"]["seat"] is not None else SideCommand(STOCK, {}, changes=False)
    )


def _attack(words: Words, view: View) -> Command:
    if len(words.rest) == 1 and words.rest[0].lower() == "reset":
        return Action({"kind": "reset"})
    words.require_count(2, 2)
    weapon = _known(words, 0, WEAPON_WORDS, "“{}” is not a weapon.")
    return Action({"kind": "attack", "weapon": weapon.value, "target": words.player(1, view)})


def _combine(words: Words, view: View) -> Command:
    words.require_count(2, 2)
    first, second = _basic(words, 0), _basic(words, 1)
    return Action({"kind": "combine", "first": first.value, "second": second.value})


def _add(words: Words, view: View) -> Command:
    words.require_count(1, 1)
    return Action({"kind": "add", "weapon": _basic(words, 0).value})


def _buy(words: Words, view: View) -> Command:
    words.require_count(0, 2)
    if not words.rest:
        return SideCommand(PRICE_LIST, {}, is_guests=True, changes=False)
    return SideCommand(
        PURCHASE,
        {
            "unit": _known(words, 0, UNIT_WORDS, "The shop has no “{}”."),
            "quantity": words.number(1) or 1,
        },
    )


def _weapon_entry(weapon: Weapon, *names: str) -> CommandEntry:
    """Return a weapon's own command, such as !rock PLAYER."""
    about = f"attack a player with {WEAPONS[weapon].title}"
    read = choosing("attack", "target", weapon=weapon.value)
    return CommandEntry(names, f"!{names[0]} PLAYER", about, read, "attack", _ROUND)


_ANY, _BETTING, _ROUND = "Any time", "In the betting", "In a round"

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
    CommandEntry(("sit",), "!sit [PURSE]", "take the first free seat", sit, "sit"),
    CommandEntry(("purse", "bring"), "!purse N", "bring another purse", bring, "bring"),
    STAND,
    READY,
    UNREADY,
    CommandEntry(
        ("leave",), "!leave", "give up the game, or your seat", leave_or_stand("leave"), "leave"
    ),
    plain_entry("rematch", "play on at the next table"),
    *BOTS,
    CommandEntry(("check",), "!check", "stay in when nothing is to call", _check, "call", _BETTING),
    plain_entry("call", "match the bet", _BETTING),
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
    plain_entry("fold", "go out of the game", _BETTING),
    CommandEntry(
        ("atk", "attack"),
        "!atk r|p|s|o|w|b|l|m|h PLAYER, !atk reset",
        "attack a player; reset takes all your attacks back",
        _attack,
        "attack",
        _ROUND,
    ),
    plain_entry("reset", "take all your attacks back", _ROUND),
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
        ("add",), "!add ROCK|PAPER|SCISSORS", "bring one in from your stash", _add, "add", _ROUND
    ),
    CommandEntry(
        ("mine",),
        "!mine PLAYER",
        "plant a landmine under a player",
        choosing("mine", "target"),
        "mine",
        _ROUND,
    ),
    plain_entry("lock", "be done choosing", _ROUND),
    plain_entry("unlock", "choose again", _ROUND),
)


# Answers ---------------------------------------------------------------------------------


def _stock_told(view: View) -> Iterator[str]:
    yield owned_sentence(view["you"]["stock"], view["you"]["balance"])
    if own := own_of(view):
        yield f"In this game: {counts(own['stock'])}."
        yield from _choices(own, names_of(view))


def _choices(own: Mapping[str, Any], names: Mapping[int, str]) -> Iterator[str]:
    if own["attacks"]:
        chosen = (
            f"{weapon_title(w)} on {name_of(int(no), names)}" for no, w in _by_seat(own, "attacks")
        )
        yield f"Chosen: {', '.join(chosen)}."
    if own["mines"]:
        mines = (f"{n} under {name_of(int(no), names)}" for no, n in _by_seat(own, "mines"))
        yield f"Your mines: {', '.join(mines)}."


def _by_seat(own: Mapping[str, Any], key: str) -> list[tuple[str, Any]]:
    return sorted(own[key].items(), key=lambda pair: int(pair[0]))


def _status(view: View) -> Iterator[str]:
    game, names = view["game"], names_of(view)
    yield _STAGES[game["stage"]](game, view)
    yield from _pot_lines(game, names)
    yield from _seat_lines(game, names)
    own = game["you"]
    if own and game["stage"] != "over":
        yield _armed(own)
    if own and game["stage"] == "round":
        yield from _choices(own, names)
        yield "You are locked in." if own["locked"] else "You have not locked in."


def _armed(own: Mapping[str, Any]) -> str:
    """Tell the number of weapons; chosen ones count until the round ends."""
    count = sum(own["stock"].values()) + len(own["attacks"])
    return f"You have {count} {'weapon' if count == 1 else 'weapons'}: {counts(own['stock'])}."


def _betting_status(game: Mapping[str, Any], view: View) -> str:
    text = f"Betting. {points(game['pot'])} in the pot, the bet is {game['bet']['to_match']}"
    own = game["you"]
    if own and game["turn"] == own["seat"]:
        price = own["call_amount"]
        return f"{text}. It is your turn: {f'{price} to call' if price else FREE_TURN}."
    return f"{text}. It is {name_of(game['turn'], names_of(view))}'s turn."


def _round_status(game: Mapping[str, Any], view: View) -> str:
    pot = points(game["pot"])
    return f"Round {game['round']}, first to {game['target']} victory points. {pot} in the pot."


def _over_status(game: Mapping[str, Any], view: View) -> str:
    winners = (game["result"] or {}).get("winners")
    if not winners:
        return "The game was called off; everything went back to its owner."
    return f"The game is over; it went to {people(winners, names_of(view))}."


def _pot_lines(game: Mapping[str, Any], names: Mapping[int, str]) -> Iterator[str]:
    """Tell the winners of each pot, if there was more than one."""
    pots = (game["result"] or {}).get("pots", ())
    if len(pots) < 2:
        return
    for number, pot in enumerate(pots):
        title = POTS[2].format(number=number) if number else POTS[1]
        shares = (f"{name_of(int(no), names)} {share}" for no, share in pot["shares"].items())
        yield f"{title.capitalize()} of {pot['amount']}: {listed(shares)}."


def _seat_lines(game: Mapping[str, Any], names: Mapping[int, str]) -> Iterator[str]:
    for seat in game["seats"]:
        victories = f"{seat['points']} victory {'point' if seat['points'] == 1 else 'points'}"
        yield (
            f"{name_of(seat['no'], names)}: {victories}, {seat['stake']} in the pot"
            f"{_status_of(seat)}."
        )


def _status_of(seat: Mapping[str, Any]) -> str:
    statuses = (seat["status"], "locked" if seat["locked"] else "")
    return "".join(f", {STATUSES[status]}" for status in statuses if status in STATUSES)


_STAGES: Final[Mapping[str, Callable[[Mapping[str, Any], View], str]]] = {
    "betting": _betting_status,
    "round": _round_status,
    "over": _over_status,
}

# Confirmations ---------------------------------------------------------------------------


def _call(action: Mapping[str, Any], view: View) -> str:
    amount = own_of(view).get("call_amount") or 0
    return f"You call {amount}." if amount else "You check."


def _ready(action: Mapping[str, Any], view: View) -> str:
    seat = view["you"]["seat"]
    return "You are ready." if seat is None else f"You bring {view['seats'][seat]['purse']}. Ready."


def _attacked(action: Mapping[str, Any], view: View) -> str:
    target = name_of(action["target"], names_of(view))
    return f"You attack {target} with {with_article(action['weapon'])}."


def _combined(action: Mapping[str, Any], view: View) -> str:
    made = combine_weapons(Weapon(action["first"]), Weapon(action["second"]))
    return f"You make {with_article(made.value)}."


def _added(action: Mapping[str, Any], view: View) -> str:
    return SECRETS["add"].format(weapon=with_article(action["weapon"]))


TYPING: Final = Typing(
    COMMANDS,
    {"status": in_game(_status), "stock": _stock_told},
    {
        "ready": _ready,
        "call": _call,
        "raise_by": "You raise {amount}.",
        "fold": "You fold.",
        "attack": _attacked,
        "reset": "You take your attacks back.",
        "combine": _combined,
        "add": _added,
        "mine": SECRETS["mine"],
        "lock": "You lock in.",
        "unlock": "You may choose again.",
    },
)
