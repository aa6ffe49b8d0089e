"""A bot's choice of weapons: guess each opponent's weapon, weigh wins against costs. A bot knows
what any player at the table knows: its own stock and the battles of the last round.
"""

from collections.abc import Mapping
from math import exp
from random import Random
from typing import Any, Final

from games.showdown.bot.temperaments import Strength, Temperament
from games.showdown.rules.weapons import ALL, BASIC, COMBINATIONS, RESULTS, WEAPONS, Result, Weapon

Stock = dict[Weapon, int]
#: A bot's temperament and strength.
Nature = tuple[Temperament, Strength]

#: Result of a battle -> its value.
WORTH: Final[Mapping[Result, float]] = {
    Result.WIN: 1.0,
    Result.TAKES: 1.3,
    Result.DRAW: 0.0,
    Result.LOSS: -1.0,
    Result.IS_TAKEN: -1.3,
}

#: The relative probabilities that an unknown opponent uses a basic or a combined weapon.
BASIC_WEIGHT: Final = 3.0
COMBINED_WEIGHT: Final = 1.0

#: Winners tend to repeat a weapon, losers to use one that would have won.
HABIT: Final = 2.0

#: The upper limit of a weapon's cost factor when few are left for many rounds.
MOST_SCARCITY: Final = 3.0

#: Probabilities to add a weapon when short of them, and to plant an owned mine.
ADD_CHANCE: Final = 0.7
MINE_CHANCE: Final = 0.25


def arm(
    game: Mapping[str, Any], nature: Nature, permanent: Mapping[str, int], rng: Random
) -> list[dict[str, Any]]:
    """Return the actions of a round: additions, mines, an attack on each target, the lock."""
    own = game["you"]
    may = set(own["may"])
    stock = {weapon: own["stock"].get(weapon.value, 0) for weapon in ALL}
    actions: list[dict[str, Any]] = []
    may_mine = "mine" in may and own["targets"] and permanent.get("landmine")
    if may_mine and rng.random() < MINE_CHANCE:
        points = {seat["no"]: seat["points"] for seat in game["seats"]}
        leader = max(own["targets"], key=lambda no: (points[no], -no))
        actions = [{"kind": "mine", "target": leader}]
    waiting = [target for target in own["targets"] if str(target) not in own["attacks"]]
    rng.shuffle(waiting)
    if "add" in may:
        actions += _bring_in(stock, permanent, len(waiting), rng)
    if "attack" in may or actions:
        actions += _attacks(game, nature, stock, waiting, rng)
    if "lock" in may:
        actions.append({"kind": "lock"})
    return actions


def _bring_in(
    stock: Stock, permanent: Mapping[str, int], needed: int, rng: Random
) -> list[dict[str, Any]]:
    """Add weapons from the permanent stock if there are fewer weapons than opponents."""
    owned = [weapon for weapon in BASIC for _ in range(permanent.get(weapon.value, 0))]
    rng.shuffle(owned)
    actions = []
    for weapon in owned[: max(0, needed - sum(stock.values()))]:
        if rng.random() < ADD_CHANCE:
            stock[weapon] += 1
            actions.append({"kind": "add", "weapon": weapon.value})
    return actions


def _attacks(
    game: Mapping[str, Any], nature: Nature, stock: Stock, waiting: list[int], rng: Random
) -> list[dict[str, Any]]:
    temperament, strength = nature
    actions: list[dict[str, Any]] = []
    for left, target in zip(range(len(waiting), 0, -1), waiting, strict=True):
        if rng.random() < strength.forgets:
            continue
        may_combine = "combine" in game["you"]["may"] and rng.random() < strength.combines
        guess = expected_weapons(game, target, is_read=rng.random() < strength.reads)
        scores = {
            weapon: _value(weapon, guess) - cost
            for weapon, cost in _choices(game, temperament, stock, left).items()
            if may_combine or stock[weapon]
        }
        if not scores:
            break
        # The better a weapon the more often it is drawn, so that nobody can predict the bot.
        best = max(scores.values())
        odds = [exp((score - best) / temperament.whim) for score in scores.values()]
        actions += _take(rng.choices(list(scores), odds)[0], target, stock)
    return actions


def expected_weapons(
    game: Mapping[str, Any], target: int, *, is_read: bool = True
) -> dict[Weapon, float]:
    """Return the probability of each weapon of the target. ``is_read``: whether the bot considers
    the last round's battles.
    """
    weights = {w: BASIC_WEIGHT if w in BASIC else COMBINED_WEIGHT for w in ALL}
    for battle in (game["last_round"] or {}).get("battles", ()) if is_read else ():
        if target not in (battle["a"], battle["b"]):
            continue
        side, other = ("a", "b") if battle["a"] == target else ("b", "a")
        model = battle[f"{side}_weapon"]
        if battle["winner"] not in (target, None):
            model = _beater(battle[f"{other}_weapon"])
        for weapon in ALL:
            if model and WEAPONS[weapon].material is WEAPONS[Weapon(model)].material:
                weights[weapon] *= HABIT
    total = sum(weights.values())
    return {weapon: weight / total for weapon, weight in weights.items()}


def _beater(weapon: str | None) -> Weapon | None:
    """Return the basic weapon that would have beaten this one."""
    if weapon is None:
        return None
    return next(
        (b for b in BASIC if RESULTS[b, Weapon(weapon)] in (Result.WIN, Result.TAKES)), None
    )


def _value(weapon: Weapon, guess: Mapping[Weapon, float]) -> float:
    return sum(chance * WORTH[RESULTS[weapon, other]] for other, chance in guess.items())


def _choices(
    game: Mapping[str, Any], temperament: Temperament, stock: Stock, left: int
) -> dict[Weapon, float]:
    """Return every available weapon with its cost: 0 if it is in stock. A combined weapon spends
    two basic ones; it is unavailable if that would leave an opponent without any, and costs more
    the fewer are left for the rounds to come.
    """
    total = sum(stock.values())
    costs = {weapon: 0.0 for weapon, count in stock.items() if count}
    if total > left:
        # The leader gets about a point in each round.
        rounds_left = max(1, game["target"] - max(seat["points"] for seat in game["seats"]))
        scarcity = min(MOST_SCARCITY, left * rounds_left / total)
        for pair, made in COMBINATIONS.items():
            need = 2 if len(pair) == 1 else 1
            if made not in costs and all(stock[weapon] >= need for weapon in pair):
                costs[made] = temperament.thrift * scarcity
    return costs


def _take(weapon: Weapon, target: int, stock: Stock) -> list[dict[str, Any]]:
    """Return the attack, after the combination if the weapon must be made."""
    attack = {"kind": "attack", "weapon": weapon.value, "target": target}
    if stock[weapon]:
        stock[weapon] -= 1
        return [attack]
    first, second = WEAPONS[weapon].made_of or (weapon, weapon)
    stock[first] -= 1
    stock[second] -= 1
    return [{"kind": "combine", "first": first.value, "second": second.value}, attack]
