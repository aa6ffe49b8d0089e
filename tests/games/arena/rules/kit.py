from typing import Any

from hypothesis import strategies as st

from games.arena.rules.moves import Move
from games.arena.rules.options import RoundOptions
from games.engine.facts import Instant, SeatNo, SeatSetup
from tests.games.arena.rules.by_player import Player, RoundInput, RoundResult, resolve
from tools.referee.arena.engine import Arena
from tools.referee.arena.state import ArenaState, Options

RULES = Arena()
NOON = Instant(1_795_262_400_000)
SEED = "5eed" * 16

options = st.builds(RoundOptions, *[st.booleans()] * 6)
choices = st.none() | st.sampled_from(list(Move))
seeds = st.integers(0, 10**9).map("{:x}".format)


@st.composite
def rounds(draw: st.DrawFn, most: int = 60, least: int = 0) -> RoundInput:
    number = draw(st.integers(least, most))
    lopsided = draw(st.sampled_from([choices, st.sampled_from([Move.ROCK, Move.PAPER]), st.none()]))
    players = [
        Player(
            id=2 * index + 1,
            choice=draw(lopsided),
            streak=draw(st.integers(-8, 8)),
            score=draw(st.integers(-50, 50)),
            health=draw(st.integers(0, 3)),
        )
        for index in range(number)
    ]
    return RoundInput(draw(options), draw(seeds), players, draw(st.integers(1, 12)))


def round_of(*given: Player, seed: str = SEED, at: int = 1, **chosen: bool) -> RoundResult:
    return resolve(RoundInput(RoundOptions(**chosen), seed, given, at))


def on(*moves: str | None, **past: int) -> list[Player]:
    return [
        Player(index, None if move is None else Move(move), **past)
        for index, move in enumerate(moves)
    ]


def moves_of(counts: tuple[int, int, int]) -> list[str]:
    return [str(move) for move, number in zip(Move, counts, strict=True) for _ in range(number)]


def arena(seats: int = 3, seed: str = SEED, **numbers: Any) -> ArenaState:
    there = [SeatSetup(SeatNo(no)) for no in range(seats)]
    return RULES.setup(Options(**numbers), there, seed, NOON).state
