from statistics import fmean

from bench.evenings import HABITS, TUNED_ANTE, Numbers, cost, evening, hand, names_of, tables
from economy.apps import FIRST_PRICES
from economy.tunables import TUNABLES
from economy.units import Unit
from games.showdown.rules.state import Options

SITE = Options(ante=TUNED_ANTE)
NUMBERS = Numbers(
    ante=SITE.ante,
    largest_purse=SITE.largest_purse,
    grant=TUNABLES["grant.signup"].default,
    stipend=TUNABLES["stipend.amount"].default,
    floor=TUNABLES["stipend.floor"].default,
    weapon=FIRST_PRICES[Unit.ROCK],
    mine=FIRST_PRICES[Unit.LANDMINE],
)


def test_the_same_seed_gives_the_same_evening() -> None:
    one, again, other = (evening(3, 4, NUMBERS, "hard", seed) for seed in ("a", "a", "b"))
    assert one == again != other
    assert len(one.games) == 4
    assert one.wallet == NUMBERS.grant + sum(game.plain.net for game in one.games)


def test_items_change_neither_betting_nor_pot() -> None:
    evenings = [evening(number, 3, NUMBERS, "hard", "c") for number in range(20)]
    for game in (game for each in evenings for game in each.games):
        for other in game.others:
            assert (other.pot, other.left) == (game.plain.pot, game.plain.left)
            assert other.has_used or other == game.plain


def test_who_is_broke_is_helped_once() -> None:
    poor = NUMBERS._replace(grant=10, stipend=20, floor=11)
    ended = evening(0, 1, poor, "easy", "d")
    assert ended.stipends == 1
    assert ended.wallet == 30 + ended.games[0].plain.net
    assert evening(0, 5, poor._replace(stipend=0, grant=4), "easy", "d").games == []


def gain(habit: int, seats: int, games: int) -> float:
    """Return the share of games that a use wins in addition; nobody has points to raise with."""
    names = ["Clara_Clockwork", *names_of("normal")[: seats - 1]]
    purses, options = [SITE.ante] * seats, Options(seats=seats, ante=TUNED_ANTE)
    found = []
    for seed in range(games):
        own = hand(names, purses, seed, options, HABITS[habit])
        if own.has_used:
            found.append(own.won - hand(names, purses, seed, options).won)
    assert len(found) > 100
    return fmean(found)


def worth(more: float, pot: int) -> float:
    """Return what winning this share of games more is worth in a pot of some antes, in points."""
    return more * pot * SITE.ante * (1 - SITE.tax_bp / 10_000)


def test_a_mine_pays_against_one_opponent_in_a_raised_pot_only() -> None:
    more = gain(0, 2, 700)
    assert worth(more, 2) < cost(HABITS[0], NUMBERS) < worth(more, 8)


def test_two_weapons_pay_for_who_runs_short_against_several() -> None:
    short, always = gain(3, 4, 700), gain(2, 2, 500)
    assert worth(always, 4) < cost(HABITS[2], NUMBERS) < worth(short, 10)


def test_tables_have_a_row_for_each_habit_and_manner() -> None:
    kinds = [(number, strength) for strength in ("hard", "easy") for number in range(12)]
    evenings = [evening(number, 6, NUMBERS, strength, "e") for number, strength in kinds]
    text = "\n".join(tables(evenings, NUMBERS))
    assert all(habit.title in text for habit in HABITS)
    assert text.count("| good |") == text.count("| beginner |") == 4
