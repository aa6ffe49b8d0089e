"""Showdown's facts in words, plain for rules and money, and the tables of the rules page."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any, Final

from games.showdown.rules.weapons import ALL, RESULTS, WEAPONS, WINNING, BasicWeapon, Weapon
from games.text.table_words import TABLE_SENTENCES
from games.text.telling import (
    Data,
    Names,
    Teller,
    listed,
    name_of,
    people,
    plain_pattern,
    points,
    who_pattern,
)

MINE: Final = "landmine"
#: Weapons whose names are plural.
PLURAL: Final = frozenset({Weapon.SCISSORS, Weapon.TWIN_BLADES})
#: Weapons whose names take no article.
UNCOUNTED: Final = PLURAL | {Weapon.PAPER}


def weapon_title(weapon: str) -> str:
    """Return the display name of a weapon or a landmine."""
    return MINE.capitalize() if weapon == "landmine" else WEAPONS[Weapon(weapon)].title


def with_article(weapon: str) -> str:
    """Return the name for use in a sentence: "a Sling", but "Paper"."""
    title = weapon_title(weapon)
    return title if weapon in UNCOUNTED else f"a {title}"


def counts(stock: Mapping[str, int]) -> str:
    """List the weapons with a count of at least one.
    >>> counts({"rock": 2, "paper": 0, "twin_blades": 1})
    '2 Rock, 1 Twin Blades'
    """
    return ", ".join(f"{n} {weapon_title(w)}" for w, n in stock.items() if n) or "nothing"


def owned_sentence(stock: Mapping[str, int], balance: int) -> str:
    """Return the sentence about a user's points and permanent stock."""
    return f"You have {points(balance)}. Your stash: {counts(stock)}."


# Tellers ---------------------------------------------------------------------------------


def _called(data: Data, names: Names) -> str:
    who = name_of(data["seat"], names)
    if data["amount"] == 0:
        return f"{who} checks."
    return f"{who} calls {data['amount']}{' and is all in' if data['all_in'] else ''}."


def _raised(data: Data, names: Names) -> str:
    end = " and is all in" if data["all_in"] else ""
    return f"{name_of(data['seat'], names)} raises {data['by']}{end}."


def _folded(data: Data, names: Names) -> str:
    late = "The clock ran out: " if data["late"] else ""
    return f"{late}{name_of(data['seat'], names)} folds."


def _uncalled(data: Data, names: Names) -> str:
    return f"Nobody called {points(data['amount'])}: back to {name_of(data['seat'], names)}."


def _game_started(data: Data, names: Names) -> str:
    # In the order of the rule book: a stored fact has sorted keys.
    dealt = listed(f"{data['dealt'][weapon]} {weapon_title(weapon)}" for weapon in BasicWeapon)
    return f"{name_of(data['dealer'], names)} deals: {dealt} each."


def _pots_formed(data: Data, names: Names) -> str:
    main, *side = data["pots"] or [{"amount": 0}]
    text = f"{points(main['amount'])} in the pot"
    for pot in side:
        text += f", {pot['amount']} in a side pot for {people(pot['claimants'], names)}"
    return f"{text}."


def _round_resolved(data: Data, names: Names) -> str:
    """Tell the victories, winner by winner, then the draws, then the scores."""
    winners = dict.fromkeys(b["winner"] for b in data["battles"] if b["winner"] is not None)
    parts = [_victories(winner, data["battles"], names) for winner in winners]
    drawn = [b for b in data["battles"] if b["winner"] is None and b["a_weapon"]]
    parts += [_draw(battle, names) for battle in drawn]  # two seats without weapons are no battle
    scores = [f"{name_of(int(seat), names)} +{n}" for seat, n in data["points"].items() if n]
    return f"Round {data['round']}: {'; '.join(parts) or 'no battle'}. {listed(scores)}."


def _victories(winner: int, battles: Sequence[Data], names: Names) -> str:
    beaten = []
    for battle in battles:
        if battle["winner"] == winner:
            mine, theirs = ("a", "b") if battle["a"] == winner else ("b", "a")
            arms = f"{_arm(battle[f'{mine}_weapon'])}, {_arm(battle[f'{theirs}_weapon'])}"
            taken = ", taken" if battle["taken"] else ""
            beaten.append(f"{name_of(battle[theirs], names)} ({arms}{taken})")
    return f"{name_of(winner, names)} beats {listed(beaten)}"


def _draw(battle: Data, names: Names) -> str:
    arms = f"{_arm(battle['a_weapon'])}, {_arm(battle['b_weapon'])}"
    return f"{name_of(battle['a'], names)} and {name_of(battle['b'], names)} draw ({arms})"


def _arm(weapon: str | None) -> str:
    return weapon_title(weapon) if weapon else BARE


def _attack_chosen(data: Data, names: Names) -> str:
    target = name_of(data["target"], names)
    return f"{name_of(data['seat'], names)} picks {weapon_title(data['weapon'])} against {target}."


def _weapons_combined(data: Data, names: Names) -> str:
    parts = listed(weapon_title(data[part]) for part in ("first", "second"))
    return f"{name_of(data['seat'], names)} makes {with_article(data['made'])} from {parts}."


def _weapon_added(data: Data, names: Names) -> str:
    return f"{name_of(data['seat'], names)} brings in {with_article(data['weapon'])}."


def _mine_planted(data: Data, names: Names) -> str:
    target = name_of(data["target"], names)
    return f"{name_of(data['seat'], names)} plants a {MINE} under {target}."


def _mine_exploded(data: Data, names: Names) -> str:
    who = name_of(data["seat"], names)
    if data["count"] == 0:
        return f"{LEVEL}: {who} loses the toss."
    mines = "a mine goes" if data["count"] == 1 else f"{data['count']} mines go"
    return f"Dead level: {mines} off under {who}, who loses the round."


def _gave_up(data: Data, names: Names) -> str:
    who = name_of(data["seat"], names)
    return (
        f"{who} gives up, and is out at the end of the round."
        if data["reason"] == "left"
        else f"{who} is away too long and out."
    )


#: The reason for the end of a game -> its text.
ENDINGS: Final[Mapping[str, str]] = {
    "target": "Everyone else gets to keep their hats.",
    "folds": "Everyone else folded. Not a finger was lifted.",
    "last_left": "Everyone else gave up. Empty chairs don't count.",
    "all_gave_up": "Everyone gave up. The points so far decide.",
}
#: Reason -> the status of a seat that is out -> the text for that seat in place of the reason's.
GONE: Final[Mapping[str, Mapping[str, str]]] = {
    "folds": {"folded": "You folded."},
    "last_left": {"folded": "You folded.", "gave_up": "You gave up."},
}
#: Status of a seat -> its text.
STATUSES: Final[Mapping[str, str]] = {
    "all_in": "all in",
    "folded": "folded",
    "gave_up": "gave up",
    "locked": "locked in",
}
#: The names of an only pot, of the first of several, and of the others.
POTS: Final = ("the pot", "main pot", "side pot {number}")
#: No weapon.
BARE: Final = "bare hands"
#: A round without a winner that no mine decides.
LEVEL: Final = "Dead level, no mines"
#: A turn of the betting with nothing to call.
FREE_TURN: Final = "check or raise"
#: An action that others are not told in full -> its confirmation.
SECRETS: Final[Mapping[str, str]] = {
    "mine": f"You plant a {MINE} under {{target}}. Only you know.",
    "add": "You bring in {weapon} from your stash. Others only see that you added something.",
}


def _game_ended(data: Data, names: Names) -> str:
    wins = "wins" if len(data["winners"]) == 1 else "win"
    return f"{people(data['winners'], names)} {wins}. {ENDINGS[data['reason']]}"


def _pot_awarded(data: Data, names: Names) -> str:
    return f"{points(data['amount'])} from {_pot(data)} to {name_of(data['seat'], names)}."


def _tax_taken(data: Data, names: Names) -> str:
    return f"{points(data['amount'])} tax on {_pot(data)}."


def _pot(data: Data) -> str:
    return POTS[2].format(number=data["pot"]) if data.get("pot") else POTS[0]


def _revealed(data: Data, names: Names) -> str | None:
    told = [
        f"{name_of(mine['owner'], names)} had {mine['count']} under "
        f"{name_of(mine['target'], names)}"
        for mine in data["mines"]
    ]
    return f"Mines: {'; '.join(told)}." if told else None


def _weapon_refunded(data: Data, names: Names) -> str:
    count = f"{data['count']} {weapon_title(data['weapon'])}"
    return f"{count} back to {name_of(data['seat'], names)}."


#: Kind of fact -> its sentence; None where the board shows the fact better than words.
SHOWDOWN_SENTENCES: Final[Mapping[str, Teller | None]] = {
    # betting
    "game_started": _game_started,
    "ante_posted": who_pattern("{who} antes {amount}."),
    "turn_passed": None,
    "called": _called,
    "raised": _raised,
    "folded": _folded,
    "betting_ended": plain_pattern("The betting is over. Unbet points are returned."),
    "uncalled_returned": _uncalled,
    "purse_returned": None,
    "pots_formed": _pots_formed,
    # rounds
    "round_started": plain_pattern("Round {round}: choose your weapons."),
    "something_added": who_pattern("{who} adds something from their stash."),
    "locked": who_pattern("{who} locks in."),
    "unlocked": who_pattern("{who} thinks again."),
    "round_resolved": _round_resolved,
    "mine_exploded": _mine_exploded,
    # for the seat itself, and for everybody once the game is over
    "attack_chosen": _attack_chosen,
    "attacks_reset": who_pattern("{who} takes all attacks back."),
    "weapons_combined": _weapons_combined,
    "weapon_added": _weapon_added,
    "mine_planted": _mine_planted,
    "absent_warned": who_pattern("{who} did nothing, and is out after one more round like that."),
    "gave_up": _gave_up,
    # the end
    "game_ended": _game_ended,
    "pot_awarded": _pot_awarded,
    "tax_taken": _tax_taken,
    "weapons_used": None,
    "bonus_earned": None,
    "revealed": _revealed,
    "stake_refunded": who_pattern("{amount} back to {who}."),
    "weapon_refunded": _weapon_refunded,
    "game_voided": plain_pattern("The game is called off: everything goes back to its owner."),
}

#: The sentences of the game and of the table.
SENTENCES: Final[Mapping[str, Teller | None]] = {**TABLE_SENTENCES, **SHOWDOWN_SENTENCES}

#: The words of the board; a script has no others of its own for the same things.
BOARD: Final[Mapping[str, Any]] = {
    "weapons": {
        weapon: {**asdict(info), "named": with_article(weapon), "is_plural": weapon in PLURAL}
        for weapon, info in WEAPONS.items()
    },
    "endings": ENDINGS,
    "gone": GONE,
    "statuses": STATUSES,
    "pots": POTS,
    "bare": BARE,
    "level": LEVEL,
    "free_turn": FREE_TURN,
    "mine": MINE,
    "secrets": SECRETS,
}


# The rules page ----------------------------------------------------------------------------


@cache
def weapon_table() -> list[dict[str, Any]]:
    """Return a row for each weapon and for none, with a cell for each opponent: W, L, D, T (wins
    and takes) or S (loses and is taken).
    """
    return [_row(weapon) for weapon in (*ALL, None)]


def beats_of(slug: str) -> dict[str, list[dict[str, str]]]:
    """Return what a weapon ``beats`` and ``loses_to``, in the rule book's order; both empty for a
    landmine.
    """
    if slug not in ALL:
        return {"beats": [], "loses_to": []}
    weapon = Weapon(slug)
    return {
        "beats": [_named(other) for other in ALL if RESULTS[weapon, other] in WINNING],
        "loses_to": [_named(other) for other in ALL if RESULTS[other, weapon] in WINNING],
    }


def _named(weapon: Weapon) -> dict[str, str]:
    info = WEAPONS[weapon]
    return {"slug": weapon.value, "name": info.title, "material": info.material.value}


def _row(weapon: Weapon | None) -> dict[str, Any]:
    info = WEAPONS[weapon] if weapon is not None else None
    return {
        "slug": weapon.value if weapon is not None else "",
        "letter": info.letter if info else "",
        "name": info.title if info else "Bare hands",
        "made_of": [WEAPONS[part].title for part in info.made_of] if info and info.made_of else [],
        "weapon_class": info.weapon_class.value if info else "",
        "material": info.material.value if info else "",
        "cells": [
            {
                "against": WEAPONS[against].title if against else "Bare hands",
                "slug": against.value if against else "",
                "letter": WEAPONS[against].letter if against else "",
                "result": RESULTS[weapon, against].value,
            }
            for against in (*ALL, None)
        ],
    }
