"""Simulate evenings at Showdown's tables: ``python -m bench.evenings``.

Bots of four manners play the pure rules at tables of two to four.  A game in which the good player
uses bought items is played again without them, from the same seed; the difference is their worth.
The same seed gives the same tables.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

from bench.stats import percentile
from economy.units import Unit
from games.engine.facts import Instant, Points, SeatNo, SeatSetup, Viewer
from games.engine.structs import Reader
from games.engine.table.state import offered_purse
from games.showdown.bot import BOTS, TEMPERAMENTS, ShowdownBot
from games.showdown.rules.actions import ShowdownAction
from games.showdown.rules.engine import Showdown
from games.showdown.rules.state import Options, Status, TableState

RULES: Final = Showdown()
BOT: Final = ShowdownBot()
ACTIONS: Final = Reader[ShowdownAction](ShowdownAction)
OWN: Final = SeatNo(0)
SIZES: Final = (2, 3, 4)
#: A pot of this many antes of each player is a raised one.
RAISED: Final = 2
#: The ante for which the prices are tuned, in points.
TUNED_ANTE: Final = 5

Game = Mapping[str, Any]
Actions = list[dict[str, Any]]


class Habit(NamedTuple):
    """When a player uses an item that they own, once a game."""

    title: str
    items: Mapping[Unit, int]
    #: View of the game -> the actions that use the items, empty if they are kept.
    use: Callable[[Game], Actions]


class Hand(NamedTuple):
    """A game's figures for the good player; ``net``, ``pot`` and ``tax`` in points.

    ``left``: the players who were still in after the betting.
    """

    won: float
    net: int
    pot: int
    tax: int
    left: int
    has_used: bool


class Numbers(NamedTuple):
    """The numbers that are tuned, in points."""

    ante: int
    largest_purse: int
    grant: int
    stipend: int
    floor: int
    weapon: int
    mine: int


def _points(game: Game) -> dict[int, int]:
    return {seat["no"]: seat["points"] for seat in game["seats"]}


def plant(game: Game) -> Actions:
    """Put a mine under the leading opponent."""
    points = _points(game)
    leader = max(game["you"]["targets"], key=lambda no: (points[no], -no))
    return [{"kind": "mine", "target": leader}]


def plant_where_it_matters(game: Game) -> Actions:
    """Put a mine against one opponent for a raised pot, against two a tie before the target."""
    targets, points = game["you"]["targets"], _points(game)
    match_point = game["target"] - 1
    is_raised = game["pot"] >= RAISED * game["ante"] * len(points)
    is_close = points[OWN] >= match_point and max(points[no] for no in targets) >= match_point
    wanted = is_raised if len(targets) == 1 else is_close and len(targets) == 2
    return plant(game) if wanted else []


def add_two(game: Game) -> Actions:
    """Add one each of the two basic weapons that are rarest in the own stock."""
    stock = game["you"]["stock"]
    rarest = sorted(("rock", "paper", "scissors"), key=lambda weapon: stock[weapon])
    return [{"kind": "add", "weapon": weapon} for weapon in rarest[:2]]


def add_two_when_short(game: Game) -> Actions:
    """Add two against two or three opponents when there is no more than one for each."""
    targets, left = game["you"]["targets"], sum(game["you"]["stock"].values())
    return add_two(game) if len(targets) > 1 and left <= len(targets) else []


TWO: Final = {Unit.ROCK: 2}
HABITS: Final = (
    Habit("a mine in each game", {Unit.LANDMINE: 1}, plant),
    Habit("a mine where it matters", {Unit.LANDMINE: 1}, plant_where_it_matters),
    Habit("two weapons in each game", TWO, add_two),
    Habit("two weapons when short", TWO, add_two_when_short),
)


def names_of(strength: str, manner: str | None = None) -> list[str]:
    """Return the bots of a strength, and of a manner if one is given."""
    return [
        name
        for name, (temper, skill) in BOTS.items()
        if skill == strength and manner in (None, temper)
    ]


def play(
    names: Sequence[str], purses: Sequence[int], seed: int, options: Options, habit: Habit | None
) -> tuple[TableState, bool]:
    """Play a game to its end; say whether the first player has used what the habit says."""
    chance, at, has_used = Random(seed), Instant(0), habit is None
    seats = [SeatSetup(SeatNo(no), Points(purse)) for no, purse in enumerate(purses)]
    state = RULES.setup(options, seats, f"{seed:064x}", at).state
    while not RULES.is_over(state):
        at = Instant(at + 10)
        seat = RULES.pending_seats(state)[0]
        game = RULES.view(state, Viewer(seat))
        if habit and seat == OWN and not has_used and game["you"]["targets"]:
            for action in (used := habit.use(game)):
                state = RULES.apply(state, seat, ACTIONS.made_of(action), at).state
            has_used = bool(used)
            game = RULES.view(state, Viewer(seat))
        view = {"game": game, "you": {"name": names[seat], "stock": {}}}
        for action in BOT.choose(view, chance):
            state = RULES.apply(state, seat, ACTIONS.made_of(action), at).state
    return state, has_used and habit is not None


def hand(
    names: Sequence[str],
    purses: Sequence[int],
    seed: int,
    options: Options,
    habit: Habit | None = None,
) -> Hand:
    """Play one game and return its figures for the first player."""
    state, has_used = play(names, purses, seed, options, habit)
    assert state.result is not None
    winners, payouts = state.result.winners, state.result.payouts
    return Hand(
        won=1 / len(winners) if OWN in winners else 0.0,
        net=RULES.outcome(state)[OWN].net,
        pot=sum(payout.amount for payout in payouts),
        tax=sum(payout.tax for payout in payouts),
        left=sum(seat.status != Status.FOLDED for seat in state.seats),
        has_used=has_used,
    )


class Compared(NamedTuple):
    """A game between ``size`` players: without items, and with each of ``HABITS``."""

    size: int
    plain: Hand
    others: Sequence[Hand]


class Evening(NamedTuple):
    """An evening of one player; ``wallet`` are the points at its end."""

    manner: str
    strength: str
    wallet: int
    stipends: int
    games: Sequence[Compared]


def evening(number: int, games: int, numbers: Numbers, strength: str, seed: str) -> Evening:
    """Play an evening's games from a new account's grant; one stipend is given if it is due."""
    chance = Random(f"{seed}/{number}")
    manner = list(TEMPERAMENTS)[number % len(TEMPERAMENTS)]
    name = chance.choice(names_of(strength, manner))
    limits = numbers.ante, numbers.largest_purse
    wallet, stipends = numbers.grant, 0
    played: list[Compared] = []
    for _ in range(games):
        if wallet < numbers.floor and not stipends:
            wallet, stipends = wallet + numbers.stipend, 1
        size, game_seed = chance.choice(SIZES), chance.getrandbits(64)
        names = [name, *chance.sample(names_of("normal"), size - 1)]
        if wallet < numbers.ante:
            break
        options = Options(
            seats=size, ante=Points(numbers.ante), largest_purse=Points(numbers.largest_purse)
        )
        owned = [wallet, *(chance.randint(*_usual(numbers)) for _ in names[1:])]
        purses = [offered_purse(limits, points) for points in owned]
        plain = hand(names, purses, game_seed, options)
        compared = HABITS if strength == "hard" else ()
        others = [hand(names, purses, game_seed, options, habit) for habit in compared]
        played.append(Compared(size, plain, others))
        wallet += plain.net
    return Evening(manner, strength, wallet, stipends, played)


def _usual(numbers: Numbers) -> tuple[int, int]:
    """Return the points that the others at a table own, at least and at most."""
    return numbers.grant // 2, numbers.grant * 3


def cost(habit: Habit, numbers: Numbers) -> int:
    """Return the price of what a habit uses in a game, in points."""
    prices = {Unit.LANDMINE: numbers.mine}
    return sum(prices.get(unit, numbers.weapon) * count for unit, count in habit.items.items())


def tables(evenings: Sequence[Evening], numbers: Numbers) -> Iterator[str]:
    """Write the figures as Markdown."""
    good = [each for each in evenings if each.strength == "hard"]
    compared = [game for each in good for game in each.games]
    yield "| players | games | mean pot | median | nine of ten below | won | net a game | tax |"
    yield "|---|---|---|---|---|---|---|---|"
    for size in SIZES:
        plain = [game.plain for game in compared if game.size == size]
        pots = [each.pot for each in plain]
        yield (
            f"| {size} | {len(plain)} | {fmean(pots):.1f} | {percentile(pots, 0.5)}"
            f" | {percentile(pots, 0.9)} | {fmean(each.won for each in plain):.0%}"
            f" | {fmean(each.net for each in plain):+.1f}"
            f" | {fmean(each.tax for each in plain):.2f} |"
        )
    yield ""
    yield "| habit | still in | used in | games won more | points more a use | price | left |"
    yield "|---|---|---|---|---|---|---|"
    for no, habit in enumerate(HABITS):
        for size in SIZES:
            pairs = [(game.others[no], game.plain) for game in compared if game.plain.left == size]
            yield from _row(habit, size, pairs, cost(habit, numbers))
    yield ""
    yield "| after an evening | manner | one of ten below | median | nine of ten below | stipend |"
    yield "|---|---|---|---|---|---|"
    yield from _wallets(evenings)


def _row(habit: Habit, size: int, pairs: Sequence[tuple[Hand, Hand]], price: int) -> Iterator[str]:
    used = [(own, plain) for own, plain in pairs if own.has_used]
    if len(used) < 2:
        return
    more = [own.net - plain.net for own, plain in used]
    won = fmean(own.won - plain.won for own, plain in used)
    error = stdev(more) / len(more) ** 0.5
    yield (
        f"| {habit.title} | {size} | {len(used) / len(pairs):.0%} | {won:+.1%}"
        f" | {fmean(more):.2f} ± {error:.2f} | {price} | {fmean(more) - price:+.2f} |"
    )


def _wallets(evenings: Sequence[Evening]) -> Iterator[str]:
    for strength, title in (("hard", "good"), ("easy", "beginner")):
        for manner in TEMPERAMENTS:
            mine = [each for each in evenings if (each.strength, each.manner) == (strength, manner)]
            ends = [each.wallet for each in mine]
            low, middle, high = (percentile(ends, share) for share in (0.1, 0.5, 0.9))
            helped = sum(each.stipends for each in mine) / len(mine)
            yield f"| {title} | {manner} | {low} | {middle} | {high} | {helped:.1%} |"


def parsed() -> argparse.Namespace:
    """Return the options of the command line; numbers default to the site's, the ante to TUNED."""
    from economy.apps import FIRST_PRICES
    from economy.tunables import TUNABLES

    site = Options()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--evenings", type=int, default=1_000)
    parser.add_argument("--games", type=int, default=10, help="games of an evening")
    parser.add_argument("--seed", default="evenings")
    for name, value in {
        "ante": TUNED_ANTE,
        "largest_purse": site.largest_purse,
        "grant": TUNABLES["grant.signup"].default,
        "stipend": TUNABLES["stipend.amount"].default,
        "floor": TUNABLES["stipend.floor"].default,
        "weapon": FIRST_PRICES[Unit.ROCK],
        "mine": FIRST_PRICES[Unit.LANDMINE],
    }.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=value)
    return parser.parse_args()


def main() -> None:
    """Simulate the evenings of good players and of beginners, and print the tables."""
    given = parsed()
    numbers = Numbers(*(getattr(given, name) for name in Numbers._fields))
    evenings = [
        evening(number, given.games, numbers, strength, given.seed)
        for strength in ("hard", "easy")
        for number in range(given.evenings)
    ]
    print("\n".join(tables(evenings, numbers)))


if __name__ == "__main__":
    main()
