import json
import re
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from games.engine.facts import Instant, Points, SeatNo, SeatSetup, Viewer
from games.matches.processing import bots
from games.matches.processing.bots import BOT_NAMES
from games.showdown.bot import BOTS, STRENGTHS, TEMPERAMENTS, ShowdownBot, fold_chance
from games.showdown.rules.state import Options
from games.showdown.rules.weapons import BASIC, WEAPONS, Weapon
from tests.games.sample_views import ACTIONS, NOON, RULES, game_view, in_a_round, start, table_view


def named(*temperaments: str) -> tuple[str, ...]:
    strong: dict[str, list[str]] = {}
    for name, (temperament, strength) in reversed(BOTS.items()):
        strong.setdefault(temperament, []).extend([name] if strength == "hard" else [])
    return tuple(strong[temperament].pop() for temperament in temperaments)


def against_a_raise(by: int) -> dict[str, Any]:
    state = start(3).state
    seat = RULES.pending_seats(state)[0]
    raised = ACTIONS.made_of({"kind": "raise_by", "amount": by})
    state = RULES.apply(state, seat, raised, NOON).state
    return game_view(state, RULES.pending_seats(state)[0])["game"]


@pytest.mark.parametrize("temperament", sorted(TEMPERAMENTS))
def test_the_larger_the_raise_the_likelier_the_fold_most_of_all_of_the_cautious(temperament: str):
    kind = TEMPERAMENTS[temperament]
    chances = [fold_chance(against_a_raise(by), kind) for by in (1, 10, 40, 99)]
    assert chances == sorted(chances)
    assert chances[0] == 0 < chances[-1] < 1
    cautious, brawler = (
        fold_chance(against_a_raise(40), TEMPERAMENTS[name]) for name in ("cautious", "brawler")
    )
    assert cautious > brawler


def test_nobody_folds_where_a_check_is_free_and_raises_stay_within_a_quarter_of_the_purse() -> None:
    state = start(2, ante=2).state
    seat = RULES.pending_seats(state)[0]
    view = game_view(start(2).state, seat)
    kinds = {bots.choose(view, Random(n))[0]["kind"] for n in range(200)}
    assert kinds == {"call", "raise_by"}
    for name in BOT_NAMES:
        view = game_view(state, seat, (name, name))
        for n in range(100):
            (action,) = bots.choose(view, Random(n))
            if action["kind"] == "raise_by":
                assert view["game"]["you"]["raise_min"] <= action["amount"] <= 25


def in_a_round_after(seats: int, seat: int, **action: Any) -> dict[str, Any]:
    step = RULES.apply(in_a_round(seats), SeatNo(seat), ACTIONS.made_of(action), NOON)
    return game_view(step.state, seat)


def test_every_opponent_is_attacked_once_and_the_lock_comes_last() -> None:
    half = in_a_round_after(4, 1, kind="attack", weapon="rock", target=2)
    for view, wanted in ((game_view(in_a_round(4), 1), {0, 2, 3}), (half, {0, 3})):
        actions = bots.choose(view, Random(1))
        assert {a["target"] for a in actions if a["kind"] == "attack"} == wanted
        assert actions[-1] == {"kind": "lock"}
    assert bots.choose(in_a_round_after(2, 0, kind="lock"), Random(1)) == []


@pytest.mark.parametrize("owned", [{"stock": {"rock": 1, "landmine": 1}}, {}], ids=["some", "none"])
def test_what_is_in_the_permanent_stock_and_no_more_is_used_when_weapons_run_out(owned) -> None:
    view = game_view(in_a_round(3), 0, **owned)
    view["game"]["you"]["stock"] = dict.fromkeys(view["game"]["you"]["stock"], 0)
    seen: Counter[str] = Counter()
    for n in range(100):
        kinds = [action["kind"] for action in bots.choose(view, Random(n))]
        assert kinds.count("attack") == kinds.count("add") <= 1 >= kinds.count("mine")
        seen.update(kinds)
    if owned:
        assert seen["add"] > 30
        assert seen["mine"] > 5
    else:
        assert set(seen) == {"lock"}


@pytest.mark.plain
def test_the_last_rounds_weapon_changes_what_is_expected() -> None:
    """An opponent who won with Rock is met with paper more often than before."""
    view = game_view(in_a_round(2), 0, names=named("cautious", "cautious"))
    battle = {"a": 0, "b": 1, "a_weapon": "scissors", "b_weapon": "rock", "winner": 1}
    last = {"round": 1, "battles": [{**battle, "taken": None, "taken_by": None}]}

    def share_of_paper() -> int:
        chosen = [bots.choose(view, Random(n))[-2]["weapon"] for n in range(300)]
        return sum(weapon in ("paper", "wall", "mask") for weapon in chosen)

    before = share_of_paper()
    view["game"]["last_round"] = {**last, "wins": {"0": 0, "1": 1}, "points": {"1": 2}}
    assert share_of_paper() > before + 30


def test_a_bot_gets_ready_with_the_options_it_sees_or_waits_if_it_may_not() -> None:
    view = table_view(0)
    assert bots.choose(view, Random(1)) == [{"kind": "ready", "configuration": 3}]
    view["you"]["may"] = ["unready", "stand"]
    assert bots.choose(view, Random(1)) == []


def test_the_same_dice_give_the_same_choice() -> None:
    view = game_view(in_a_round(4), 2)
    copy = json.loads(json.dumps(view))
    assert bots.choose(view, Random(5)) == bots.choose(copy, Random(5))
    assert view == copy, "the view is not changed"


def test_thinking_takes_as_long_as_a_persons_and_longer_about_a_price() -> None:
    bot, chance, state = ShowdownBot(), Random(3), start(2).state
    times = [bot.think_milliseconds(state, 0, chance) for _ in range(500)]
    assert min(times) >= 900
    assert max(times) <= 3500
    assert len(set(times)) > 200
    state = start(3).state
    turn = RULES.pending_seats(state)[0]
    raised = RULES.apply(state, turn, ACTIONS.made_of({"kind": "raise_by", "amount": 9}), NOON)
    asked = [(each, RULES.pending_seats(each)[0]) for each in (state, raised.state)]
    free, priced = (
        sum(bot.think_milliseconds(*each, Random(n)) for n in range(200)) for each in asked
    )
    assert free < priced


def test_names_of_bots_are_allowed_names_and_there_are_several_of_each_kind() -> None:
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{3,20}", name) for name in BOT_NAMES)
    assert set(BOTS) == set(BOT_NAMES)
    assert len(BOT_NAMES) >= 39
    kinds = Counter(BOTS.values())
    assert set(kinds) == {(manner, skill) for manner in TEMPERAMENTS for skill in STRENGTHS}
    assert min(kinds.values()) >= 2
    assert len({re.sub("[_-]", "", name).lower() for name in BOT_NAMES}) == len(BOT_NAMES)


GAMES = 1_000
BOT = ShowdownBot()
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
def test_bots_do_not_give_the_antes_to_whoever_always_raises_all_in(seats, most) -> None:
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
