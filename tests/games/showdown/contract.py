"""Data of Showdown for the contract suite."""

import itertools
import random
from collections.abc import Iterator
from typing import Any
from zlib import crc32

from games.engine.facts import SeatNo, Viewer
from games.engine.structs import Kinded, replace
from games.showdown.bot import BOTS, ShowdownBot
from games.showdown.rules.actions import Attack, RaiseBy
from games.showdown.rules.engine import Showdown
from games.showdown.rules.state import SeatState, TableState
from games.text.typed import View
from tests.games.contract.kit import Contract, facts
from tests.games.sample_views import ACTIONS, NOON, RULES, game_view, in_a_round, start, table_view
from tests.games.showdown.rules.kit import first_round, play, view
from tests.games.table_kit import TableKit, new_user

#: The actions of a round that only their seat learns of.
OWN = frozenset({"attack", "combine", "mine", "reset", "add"})


def worlds(state: TableState, viewer: Viewer) -> Iterator[TableState]:
    """Return states in which the other seats have other weapons, mines and habits."""
    for number in (1, 2):
        chance = random.Random(f"{number} {state.phase}")
        seats = [s if s.no == viewer.seat else _otherwise(s, chance) for s in state.seats]
        yield replace(state, seats=tuple(seats), seed="another")


def _otherwise(seat: SeatState, chance: random.Random) -> SeatState:
    """Return a seat with other secrets; the number of added weapons is public."""
    rock = chance.randint(0, sum(seat.added))
    planted = tuple((SeatNo(no), chance.randint(1, 3)) for no in sorted(chance.sample(range(4), 2)))
    return replace(
        seat,
        stock=tuple(chance.randint(0, 9) for _ in range(9)),
        attacks=(),
        mines=planted[: chance.randint(0, 2)],
        planted=planted,
        added=(rock, 0, sum(seat.added) - rock),
        is_active=chance.random() < 0.5,
        absences=chance.randint(0, 1),
        rounds_active=chance.randint(0, 9),
    )


def blind(state: TableState, viewer: Viewer) -> Iterator[tuple[SeatNo, Kinded, Any]]:
    if viewer.seat is not None:
        for action in Showdown().legal_actions(state, viewer.seat)[::5]:
            if action.kind in OWN:
                yield viewer.seat, action, worlds(state, viewer)


def unheard(state: TableState, seat: SeatNo) -> list[Kinded]:
    return [a for a in Showdown().legal_actions(state, seat)[::2] if a.kind in OWN]


def unlisted(state: TableState, seat: SeatNo, action: Any) -> bool:
    """Whether it is a raise within what the seat's own view promises, of which few are listed, or
    several listed actions in one.
    """
    you = view(state, seat)["you"]
    if isinstance(action, Attack):
        return (action.make or action.everyone) and "attack" in you["may"]
    return isinstance(action, RaiseBy) and you["raise_min"] <= action.amount <= you["raise_max"]


def largest() -> tuple[TableState, int]:
    """Return a game of four at its end, with as much of everything as there can be."""
    state = first_round(4, target=15, largest_purse=100_000)
    grown = []
    for seat in state.seats:
        mines = tuple((SeatNo(no), 99) for no in range(4) if no != seat.no)
        more = {"brought": 100_000, "stake": 100_000, "stock": (99,) * 9, "points": 14}
        grown.append(replace(seat, **more, mines=mines, planted=mines, added=(999,) * 3))
    state = replace(state, seats=tuple(grown), pots=state.pots * 4, round=57, phase=99)
    pairs = itertools.permutations(range(4), 2)
    lines = [f"{no} attack twin_blades {other}" for no, other in pairs]
    return play(state, *lines, "deadline").state, 5_000


def views() -> dict[str, View]:
    def after(state: TableState, seat: SeatNo | None = None, **action: Any) -> TableState:
        seat = RULES.pending_seats(state)[0] if seat is None else seat
        return RULES.apply(state, seat, ACTIONS.made_of(action), NOON).state

    raised = after(start(3).state, kind="raise_by", amount=4)
    fight, pair = in_a_round(), in_a_round(2)
    attacked = after(pair, SeatNo(0), kind="attack", weapon="rock", target=1)
    folded = after(start(2).state, kind="fold")
    shares = ((6, 0, {"0": 6}), (10, 1, {"0": 4, "1": 5}))
    pots = [dict(zip(("amount", "tax", "shares"), pot, strict=True)) for pot in shares]
    shared = game_view(pair, 0)
    shared["game"] |= {"stage": "over", "result": {"winners": [0], "pots": pots}}
    return {
        "before": table_view(0, ("tessio", "bob", None)),
        "pair": game_view(pair, 0),
        "attacked": game_view(attacked, 0, stock={"landmine": 2}),
        "attacked, watched": game_view(attacked, None),
        "folded": game_view(folded, None),
        "void": game_view(RULES.void(start(2).state).state, None),
        "shared": shared,
        "betting, watched": game_view(raised, None),
        "open": table_view(1),
        "free": table_view(None, ("tessio", None, "bob", None)),
        "fifth": table_view(0, ("tessio", None, None, "tom")),
        "tom's": table_view(3),
        "betting": game_view(raised, RULES.pending_seats(raised)[0]),
        "round": game_view(fight, 1),
        "watched": game_view(fight, None),
    }


def begin(age: float = 0) -> TableKit:
    people = map(new_user, ("una", "ben", "cy"))
    kit = TableKit(*people, seats=3, age=age, betting_clock=120, round_clock=120)
    kit.start()
    return kit


def bots() -> Iterator[str]:
    """Yield the facts of games among bots of each strength and temperament."""
    for number in range(0, 4 * len(BOTS), 4):
        names = (list(BOTS) * 4)[number : number + 4 - number // len(BOTS) % 3]
        chance = random.Random(number)
        step = start(len(names), f"{chance.getrandbits(256):064x}", target=5)
        yield f"bots {number}: {' '.join(names)}"
        lines = list(facts(step.events))
        while not RULES.is_over(step.state):
            phase, (seat, *_) = step.state.phase, RULES.pending_seats(step.state)
            for action in ShowdownBot().choose(game_view(step.state, seat, names), chance):
                if step.state.phase == phase:
                    step = RULES.apply(step.state, seat, ACTIONS.made_of(action), NOON)
                    lines += facts(step.events)
        # Of those who play a second time only a digest is told.
        yield from lines if number < len(BOTS) else [f"  {crc32(repr(lines).encode()):08x}"]


CONTRACT = Contract(
    options=({"seats": 2, "target": 3}, {"seats": 3, "target": 7}, {"seats": 4, "target": 7}),
    begin=begin,
    games=(80, 160, 10_000),
    reasons=frozenset({"target", "folds", "last_left"}),
    worlds=worlds,
    blind=blind,
    unheard=unheard,
    traces={"add": "something_added"},
    unlisted=unlisted,
    largest=largest,
    views=views,
    bots=bots,
)
