"""Measure how often a simple, sensible player wins against the bots, by the rules alone.

Seeds are fixed, so a change of a number is a change of the bots.
"""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from games.engine.facts import Instant, Points, SeatNo, SeatSetup, Viewer
from games.engine.structs import Reader
from games.showdown.bot import BOTS, ShowdownBot
from games.showdown.rules.actions import ShowdownAction
from games.showdown.rules.engine import Showdown
from games.showdown.rules.state import Options
from games.showdown.rules.weapons import BASIC, WEAPONS, Weapon

GAMES = 1_000
RULES, BOT = Showdown(), ShowdownBot()
ACTIONS: Reader[ShowdownAction] = Reader(ShowdownAction)
PERSON, OPPONENT = SeatNo(0), SeatNo(1)

BEATEN_BY = {Weapon.ROCK: Weapon.PAPER, Weapon.PAPER: Weapon.SCISSORS, Weapon.SCISSORS: Weapon.ROCK}


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
@pytest.mark.parametrize(("strength", "least"), [("normal", 0.45), ("easy", 0.60)])
def test_bots_that_are_normal_are_beaten_every_other_time_and_easy_ones_two_times_of_three(
    strength: str, least: float, counters: float
) -> None:
    assert least <= share(strength, counters) <= least + 0.1


def test_bots_that_are_hard_are_beaten_seldom() -> None:
    assert share("hard", 0.5, games=300) < 0.40


def folds(number: int, name: str, seats: int) -> tuple[int, int]:
    """Raise all in at once; return the numbers of bots that had to pay to stay, and of folds."""
    chance, at = Random(number), Instant(0)
    setups = [SeatSetup(SeatNo(no), Points(20)) for no in range(seats)]
    state = RULES.setup(Options(seats=seats), setups, f"{number:064x}", at).state
    asked = folded = 0
    while (game := RULES.public_view(state))["stage"] == "betting":
        at = Instant(at + 10)
        seat = RULES.pending_seats(state)[0]
        game = RULES.view(state, Viewer(seat))
        you = game["you"]
        if seat != PERSON:
            acts = BOT.choose({"game": game, "you": {"name": name, "stock": {}}}, chance)
            if game["bet"]["to_match"] == 20:
                asked += 1
                folded += acts == [{"kind": "fold"}]
        elif "raise_by" in you["may"]:
            acts = [{"kind": "raise_by", "amount": you["raise_max"]}]
        else:
            acts = [{"kind": "call"}]
        for action in acts:
            state = RULES.apply(state, seat, ACTIONS.made_of(action), at).state
    return asked, folded


@pytest.mark.parametrize(("seats", "most"), [(2, 0.5), (4, 0.6)])
def test_bots_do_not_give_the_antes_to_whoever_always_raises_all_in(
    seats: int, most: float
) -> None:
    names = list(BOTS)
    seen = [folds(number, names[number % len(names)], seats) for number in range(GAMES)]
    asked, folded = sum(each for each, _ in seen), sum(each for _, each in seen)
    assert asked >= GAMES * (seats - 1) * 0.9
    assert 0.3 <= folded / asked <= most


@pytest.mark.parametrize("manner", ["cautious", "steady", "gambler", "brawler"])
def test_bots_of_no_manner_fold_two_thirds_of_the_time_to_an_all_in(manner: str) -> None:
    names = [name for name, (temperament, _) in BOTS.items() if temperament == manner]
    seen = [folds(number, names[number % len(names)], 2) for number in range(GAMES)]
    asked, folded = sum(each for each, _ in seen), sum(each for _, each in seen)
    assert folded / asked < 0.65
