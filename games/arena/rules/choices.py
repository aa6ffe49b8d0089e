"""Choices for players who chose nothing: at random, or the best choice.
Source: docs/rules/arena.md, "A round".
"""

from games.arena.rules.moves import MOVES, ROCK
from games.arena.rules.options import RoundOptions
from games.arena.rules.outcome import Counts, battles, signs, with_oneself
from games.engine.draws import draw_many_below


def random_choices(seed: str, number: int) -> bytes:
    """Return a random move for each player without a choice, in the players' order, as 1 to 3. The
    k-th player gets the k-th number of the stream ``random`` (``draw_many_below``).
    """
    return _as_choices(draw_many_below(seed, "random", len(MOVES), number))


def best_moves(opponents: Counts, everybody: Counts, options: RoundOptions) -> tuple[int, ...]:
    """Return the moves (0 to 2) with the largest battle wins minus battle losses. ``opponents``:
    the choices of those whom the player would battle. ``everybody``: the choices of all who fight;
    with the tried one they are Count's numbers.
    """
    gains = []
    for index in range(len(MOVES)):
        counts = with_oneself(everybody, index)
        table = signs(counts, inverted=options.inverted, count=options.count)
        found = battles(table[index], opponents)
        gains.append(found.wins - found.losses)
    return tuple(index for index, gain in enumerate(gains) if gain == max(gains))


def best_choices(seed: str, label: str, best: tuple[int, ...], number: int) -> bytes:
    """Return the best choice for each player who gets it, in the players' order, as 1 to 3. Of
    several best moves each player gets a random one: the k-th by the k-th number of the stream.
    """
    if len(best) == 1:
        return bytes([best[0] + ROCK]) * number
    picked = draw_many_below(seed, label, len(best), number)
    return _as_choices(picked.translate(bytes(best).ljust(256)))


def _as_choices(indices: bytes) -> bytes:
    return indices.translate(bytes(range(ROCK, 256)).ljust(256))
