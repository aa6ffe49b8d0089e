"""How often somebody who plays simply and sensibly wins against the bots: measured, in pure rules.

Seeds are fixed, so a change of a number is a change of the bots.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from games.kernel.facts import Instant, Points, SeatNo, SeatSetup, Viewer
from games.kernel.structs import Reader
from games.showdown.bot import ShowdownBot
from games.showdown.bot.temperaments import BOTS
from games.showdown.rules.actions import ShowdownAction
from games.showdown.rules.engine import Showdown
from games.showdown.rules.options import Options
from games.showdown.rules.weapons import BASIC, WEAPONS, Weapon

GAMES = 1_000
RULES, BOT = Showdown(), ShowdownBot()
ACTIONS: Reader[ShowdownAction] = Reader(ShowdownAction)
PERSON, OPPONENT = SeatNo(0), SeatNo(1)

BEATEN_BY = {
    Weapon.ROCK: Weapon.PAPER,
    Weapon.PAPER: Weapon.SCISSORS,
    Weapon.SCISSORS: Weapon.ROCK,
}


def sensible(game: Mapping[str, Any], chance: Random, counters: float) -> list[dict[str, Any]]:
    """Call every bet; attack with what there is most of, or what beats what was shown last."""
    own = game["you"]
    if game["stage"] == "betting":
        return [{"kind": "call"}]
    held = [weapon for weapon in BASIC if own["stock"][weapon]]
    if not held:
        return [{"kind": "lock"}]
    wanted = _counter(game) if chance.random() < counters else None
    if wanted not in held:
        wanted = chance.choices(held, [own["stock"][weapon] for weapon in held])[0]
    return [{"kind": "attack", "weapon": wanted.value, "target": OPPONENT}, {"kind": "lock"}]


def _counter(game: Mapping[str, Any]) -> Weapon | None:
    battles = (game["last_round"] or {}).get("battles", ())
    shown = next((battle["b_weapon"] for battle in battles), None)
    return BEATEN_BY[WEAPONS[Weapon(shown)].material] if shown else None


def won(number: int, name: str, counters: float) -> float:
    """Play one game against a bot; return 1 for a win, 1/2 for a shared one."""
    chance = Random(number)
    seats = [SeatSetup(no, Points(20)) for no in (PERSON, OPPONENT)]
    at = Instant(0)
    state = RULES.setup(Options(seats=2), seats, f"{number:064x}", at).state
    while not RULES.is_over(state):
        at = Instant(at + 10)
        seat = RULES.pending_seats(state)[0]
        game = RULES.view(state, Viewer(seat))
        you = {"name": name, "stock": {}}
        acts = (
            sensible(game, chance, counters)
            if seat == PERSON
            else BOT.choose({"game": game, "you": you}, chance)
        )
        for action in acts:
            state = RULES.apply(state, seat, ACTIONS.made_of(action), at).state
    winners = state.result.winners if state.result else ()
    return 1 / len(winners) if PERSON in winners else 0.0


def share(strength: str, counters: float, games: int = GAMES) -> float:
    """Return how much of the games somebody wins against all bots of a strength, in turn."""
    names = [name for name, (_, skill) in BOTS.items() if skill == strength]
    return sum(won(n, names[n % len(names)], counters) for n in range(games)) / games


@pytest.mark.parametrize("counters", [0.0, 0.5])
def test_bots_of_normal_strength_are_beaten_every_other_time(counters: float) -> None:
    assert 0.45 <= share("normal", counters) <= 0.55


@pytest.mark.parametrize("counters", [0.0, 0.5])
def test_bots_that_are_easy_are_beaten_two_times_of_three(counters: float) -> None:
    assert 0.60 <= share("easy", counters) <= 0.70


def test_bots_that_are_hard_are_beaten_seldom() -> None:
    assert share("hard", 0.5, games=300) < 0.40
