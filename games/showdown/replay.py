"""The replay of Showdown: its stops, the weapons that a seat holds, and the result in a line."""

from collections.abc import Mapping
from typing import Any, Final

from games.contract import Replayed, View
from games.showdown.words import MINE, SHOWDOWN_SENTENCES, counts, weapon_title, with_article
from games.text.answers import names_of
from games.text.telling import Data, Names, name_of, people, points

MOMENTS: Final = frozenset(SHOWDOWN_SENTENCES)


def _holding(own: Data, names: Names) -> str:
    """Return a seat's attacks, its mines and its free weapons."""
    parts = [
        f"{weapon_title(weapon)} against {name_of(int(target), names)}"
        for target, weapon in own["attacks"].items()
    ]
    parts += [
        f"{count} {MINE if count == 1 else f'{MINE}s'} under {name_of(int(target), names)}"
        for target, count in own["mines"].items()
    ]
    return "; ".join([*parts, f"free: {counts(own['stock'])}"])


def _headline(view: View) -> str:
    """Return who won how many points, with the weapon of the last victory."""
    game, names = view["game"], names_of(view)
    winners = game["result"]["winners"]
    if len(winners) != 1:
        return f"{people(winners, names)} share the pot" if winners else "Nobody won"
    winner = winners[0]
    net = game["result"]["seats"][str(winner)]["net"]
    took = f"took {points(net)}" if net > 0 else "won"
    weapon = _weapon(game["last_round"], winner)
    return f"{name_of(winner, names)} {took}{f' with {with_article(weapon)}' if weapon else ''}"


def _weapon(last: Mapping[str, Any] | None, winner: int) -> str | None:
    """Return the weapon with which a seat won a battle of the last round."""
    for battle in last["battles"] if last else ():
        if battle["winner"] == winner:
            used: str | None = battle["a_weapon" if battle["a"] == winner else "b_weapon"]
            return used
    return None


REPLAY: Final = Replayed(MOMENTS, _holding, _headline)
