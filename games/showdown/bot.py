"""The decisions of Showdown's bots, by their own view alone, and their temperaments; pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp
from random import Random
from types import MappingProxyType
from typing import Any, Final

from games.contract import Character
from games.engine.facts import SeatNo
from games.showdown.rules.betting import call_amount
from games.showdown.rules.state import TableState
from games.showdown.rules.weapons import ALL, BASIC, COMBINATIONS, RESULTS, WEAPONS, Result, Weapon


@dataclass(frozen=True, slots=True)
class Temperament:
    """From 0 to 1: ``caution`` folds to high prices, ``boldness`` raises, ``appetite`` is the
    largest raise as a share of the purse, ``thrift`` dislikes to spend two weapons on one, ``whim``
    leaves the best choice.
    """

    caution: float
    boldness: float
    appetite: float
    thrift: float
    whim: float


@dataclass(frozen=True, slots=True)
class Strength:
    """Probabilities: that a bot ``combines`` weapons, ``reads`` the opponent's last weapon,
    ``forgets`` an opponent.
    """

    combines: float
    reads: float
    forgets: float


#: ``tests/games/showdown/test_bot_strength.py`` measures them against a simple sensible player.
STRENGTHS: Final[Mapping[str, Strength]] = {
    "easy": Strength(combines=0.0, reads=0.0, forgets=0.14),
    "normal": Strength(combines=0.25, reads=0.1, forgets=0.06),
    "hard": Strength(combines=1.0, reads=1.0, forgets=0.0),
}

TEMPERAMENTS: Final[Mapping[str, Temperament]] = {
    "cautious": Temperament(caution=0.95, boldness=0.2, appetite=0.06, thrift=0.7, whim=0.25),
    "steady": Temperament(caution=0.6, boldness=0.4, appetite=0.1, thrift=0.5, whim=0.3),
    "gambler": Temperament(caution=0.45, boldness=0.8, appetite=0.22, thrift=0.4, whim=0.45),
    "brawler": Temperament(caution=0.3, boldness=0.55, appetite=0.15, thrift=0.15, whim=0.35),
}

#: Bot -> the name of its temperament, and of its strength.
BOTS: Final[Mapping[str, tuple[str, str]]] = {
    "Lefty_Malone": ("cautious", "easy"), "Quiet_Sal": ("cautious", "normal"),
    "Nickels_Novak": ("cautious", "hard"), "Aunt_Carmela": ("cautious", "normal"),
    "Two-Coat_Eddie": ("steady", "easy"), "Sister_Agnes": ("steady", "normal"),
    "Bookkeeper_Bo": ("steady", "hard"), "Ma_Ricotta": ("steady", "normal"),
    "Dice_Delvecchio": ("gambler", "easy"), "Lucky_Lorraine": ("gambler", "normal"),
    "Long-Shot_Louie": ("gambler", "hard"), "Ruby_Diamante": ("gambler", "normal"),
    "Knuckles_McGraw": ("brawler", "easy"), "Big_Theodora": ("brawler", "normal"),
    "Crowbar_Kowalski": ("brawler", "hard"), "Tiny_the_Door": ("brawler", "normal"),
    "Penny_Pincher": ("cautious", "easy"), "Doc_Hollow": ("steady", "easy"),
    "Seven_Come_Sal": ("gambler", "easy"), "Iron_Fist_Ivan": ("brawler", "easy"),
    "Gentle_Giuseppe": ("cautious", "normal"), "Steady_Freddie": ("steady", "normal"),
    "Jackpot_Jill": ("gambler", "normal"), "Rhino_Ramirez": ("brawler", "normal"),
    "Nonna_Bianchi": ("cautious", "hard"), "Clara_Clockwork": ("steady", "hard"),
    "Wild_Card_Wanda": ("gambler", "hard"), "Bull_Brannigan": ("brawler", "hard"),
    "Slow_Hand_Stan": ("cautious", "normal"), "Mister_Umber": ("steady", "normal"),
    "Double_Down_Dan": ("gambler", "normal"), "Hatpin_Hattie": ("brawler", "normal"),
    "Professor_Plume": ("cautious", "easy"), "Irma_Ironside": ("steady", "easy"),
    "Roulette_Rita": ("gambler", "easy"), "Sledge_Sullivan": ("brawler", "easy"),
    "Sober_Stella": ("cautious", "normal"), "Plain_Jane_Doyle": ("steady", "normal"),
    "Chancy_Chauncey": ("gambler", "normal"), "Mad_Dog_Mabel": ("brawler", "normal"),
}  # fmt: skip

#: The descriptions of temperaments and of strengths, for people.
MANNERS: Final[Mapping[str, str]] = {
    "cautious": "folds rather than pay",
    "steady": "plays it straight",
    "gambler": "raises for the fun of it",
    "brawler": "hardly ever folds",
}
SKILLS: Final[Mapping[str, str]] = {
    "easy": "never combines and now and then leaves you a free battle",
    "normal": "combines now and then",
    "hard": "combines whenever it pays and reads your habits",
}


def cast() -> Mapping[str, Character]:
    """Return the description of each bot, the mildest first."""
    mildest_first = sorted(BOTS.items(), key=lambda bot: list(SKILLS).index(bot[1][1]))
    return {
        name: Character(manner, skill, f"{MANNERS[manner]}; {SKILLS[skill]}")
        for name, (manner, skill) in mildest_first
    }


#: The temperament and the strength of a bot that is not in the table.
STRANGER: Final = ("steady", "normal")


def temperament_of(name: str | None) -> Temperament:
    """Return a bot's temperament; an unknown one is steady."""
    return TEMPERAMENTS[BOTS.get(name or "", STRANGER)[0]]


def strength_of(name: str | None) -> Strength:
    """Return a bot's strength; an unknown one is normal."""
    return STRENGTHS[BOTS.get(name or "", STRANGER)[1]]


#: No bot folds to at most this many antes if that is also a small part of its purse.
TRIFLE_ANTES: Final = 2
TRIFLE_SHARE: Final = 0.05

#: The highest probability to fold.  Even the most careful bot calls nearly every other time;
#: otherwise an opponent who always raises all in would win every ante.
MOST_FOLDS: Final = 0.6

#: The weights of a price's odds, and of its part of the purse, in the decision to fold.
ODDS_WEIGHT: Final = 3.0
PURSE_WEIGHT: Final = 1.0

#: The probability of a raise at boldness 1: as the first raise, and over an earlier one.
OPENING_BLUFF: Final = 0.45
COUNTER_BLUFF: Final = 0.2

#: A raise of this many antes is always acceptable to a bot.
FUN_ANTES: Final = 3


def bet(game: Mapping[str, Any], temperament: Temperament, rng: Random) -> list[dict[str, Any]]:
    """Return the one action for this turn; none when it is another's. Before the first round all
    hands are equal, so only price, pot and temperament count.
    """
    may = game["you"]["may"]
    if "call" not in may:
        return []
    if "fold" in may and rng.random() < fold_chance(game, temperament):
        return [{"kind": "fold"}]
    amount = _bluff(game, temperament, rng) if "raise_by" in may else None
    return [{"kind": "raise_by", "amount": amount} if amount else {"kind": "call"}]


def fold_chance(game: Mapping[str, Any], temperament: Temperament) -> float:
    """Return the probability of folding to the current price."""
    price: int = game["you"]["call_amount"] or 0
    purse: int = max(1, _own_seat(game)["purse"])
    if price <= game["ante"] * TRIFLE_ANTES and price <= max(1, purse * TRIFLE_SHARE):
        return 0.0
    odds: float = price / (game["pot"] + price)
    players = sum(seat["status"] in ("in", "all_in") for seat in game["seats"])
    dislike = ODDS_WEIGHT * (odds - 1 / players) + PURSE_WEIGHT * price / purse
    return min(MOST_FOLDS, max(0.0, temperament.caution * dislike))


def _bluff(game: Mapping[str, Any], temperament: Temperament, rng: Random) -> int | None:
    """Return the amount of a raise, or None for a call."""
    is_opening = game["bet"]["to_match"] <= game["ante"]
    chance = OPENING_BLUFF if is_opening else COUNTER_BLUFF
    least: int = game["you"]["raise_min"]
    most: int = game["you"]["raise_max"]
    fun = max(FUN_ANTES * game["ante"], int(temperament.appetite * _own_seat(game)["purse"]))
    if rng.random() >= chance * temperament.boldness or least > fun:
        return None
    # squared: small raises are the rule, large ones the exception
    return min(most, least + int((fun - least + 1) * rng.random() ** 2))


def _own_seat(game: Mapping[str, Any]) -> Mapping[str, Any]:
    number = game["you"]["seat"]
    own: Mapping[str, Any] = next(seat for seat in game["seats"] if seat["no"] == number)
    return own


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
    """Add weapons from the permanent stock if there are fewer than opponents."""
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
    """Return the probability of each weapon of the target; ``is_read``: by the last round's battles
    too.
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
    """Return each available weapon with its cost, 0 if in stock. A combined one spends two: it must
    leave an attack for each opponent, and costs more the fewer are left for the rounds to come.
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


#: Milliseconds between a view and an action: a person's pace, well within any clock.
LEAST_THINKING: Final = 900
USUAL_THINKING: Final = 1_700
MOST_THINKING: Final = 3_500
#: Added to the usual delay when there is a price to pay.
PRICED: Final = 500


class ShowdownBot:
    """Bet and choose weapons by the bot's temperament and strength."""

    cast: Mapping[str, Character] = MappingProxyType(cast())

    def choose(self, view: Mapping[str, Any], chance: Random) -> list[dict[str, Any]]:
        game = view["game"]
        temperament = temperament_of(view["you"]["name"])
        if game["stage"] == "betting":
            return bet(game, temperament, chance)
        if game["stage"] == "over" or game["you"]["locked"]:
            return []
        nature = temperament, strength_of(view["you"]["name"])
        return arm(game, nature, view["you"]["stock"] or {}, chance)

    def has_decision(self, state: TableState, seat: int) -> bool:
        return True

    def think_milliseconds(self, state: TableState, seat: int, chance: Random) -> int:
        own = state.seat(SeatNo(seat))
        has_price = state.turn == seat and own is not None and call_amount(state, own) > 0
        usual = USUAL_THINKING + (PRICED if has_price else 0)
        return int(chance.triangular(LEAST_THINKING, MOST_THINKING, usual))
