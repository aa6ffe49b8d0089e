"""The tables of the rules page, made from the rules themselves."""

from typing import Any

from games.showdown.rules.weapons import ALL, RESULTS, WEAPONS, WINNING, Weapon


def weapon_table() -> list[dict[str, Any]]:
    """Return a row for each weapon and one for no weapon, with a cell for each opponent. A cell's
    result is W, L, D, T (wins and takes) or S (loses and is taken), for the row.
    """
    return [_row(weapon) for weapon in (*ALL, None)]


def beats_of(slug: str) -> dict[str, list[dict[str, str]]]:
    """Return the weapons that a weapon ``beats`` and ``loses_to``; both are empty for a landmine.
    Each has slug, name and material, in the rule book's order.
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
