"""The observer against closed forms, and the figures that are made from it."""

import math
from collections.abc import Callable
from random import Random

import pytest

from games.duel.reading import (
    HANDS,
    LEAST,
    UNIFORM,
    Cell,
    Observer,
    best_reply,
    bits_of,
    contexts_of,
    dearest,
    edge_of,
    read,
)
from games.duel.rules.state import BEATS, Hand

ROCK, PAPER, SCISSORS = HANDS
Player = Callable[[list[tuple[Hand, Hand]], Random], Hand]

#: The expectations after 200 throws, to the last bit.
RECORDED = [
    "0x1.1089e42aaffe6p-2",
    "0x1.094243e81d028p-1",
    "0x1.b9e3280a2bf93p-3",
]


def uniform(_: list[tuple[Hand, Hand]], chance: Random) -> Hand:
    return chance.choice(HANDS)


def cycle(earlier: list[tuple[Hand, Hand]], _: Random) -> Hand:
    return HANDS[len(earlier) % 3]


def always(_: list[tuple[Hand, Hand]], __: Random) -> Hand:
    return ROCK


def chain(earlier: list[tuple[Hand, Hand]], chance: Random) -> Hand:
    """Repeat with a chance of one half, else one of the others."""
    if not earlier:
        return ROCK
    last = earlier[-1][0]
    return last if chance.random() < 0.5 else chance.choice([h for h in HANDS if h != last])


def stay_after_a_win(earlier: list[tuple[Hand, Hand]], chance: Random) -> Hand:
    if earlier and BEATS[earlier[-1][0]] == earlier[-1][1] and chance.random() < 0.7:
        return earlier[-1][0]
    return chance.choice(HANDS)


def played(player: Player, count: int, seed: int = 1) -> list[tuple[Hand, Hand]]:
    """Return throws of a player against a uniform one."""
    chance, throws = Random(seed), list[tuple[Hand, Hand]]()
    for _ in range(count):
        throws.append((player(throws, chance), chance.choice(HANDS)))
    return throws


#: The true edges: of a chain that repeats by ½, the reply wins ½ and loses ¼; after a win (one
#: throw in three) a hand comes by 0.7 + 0.1 and each other by 0.1.
TRUE = [(uniform, 0), (cycle, 100), (always, 100), (chain, 25), (stay_after_a_win, 70 / 3)]


@pytest.mark.parametrize(("player", "true"), TRUE, ids=[player.__name__ for player, _ in TRUE])
def test_reader_edge_holds_the_true_one_after_5000_throws(player: Player, true: float) -> None:
    edge = edge_of(read(played(player, 5_000)))
    assert edge is not None
    learning = 100 * 60 / 5_000  # what it costs to find out which expert is right
    assert edge.value - edge.give_or_take <= true <= edge.value + edge.give_or_take + learning
    assert edge.give_or_take < 4


def test_reader_expects_probabilities_and_nothing_at_first() -> None:
    observer = Observer()
    assert observer.expected() == pytest.approx(UNIFORM)
    assert best_reply(observer.expected()) is None
    for own, theirs in played(stay_after_a_win, 300):
        expected = observer.expected()
        assert math.isclose(sum(expected), 1)
        assert all(0 < one < 1 for one in expected)
        observer.learn(own, theirs)


def test_reader_is_the_same_on_every_machine() -> None:
    """The bits of one long reading, recorded once."""
    observer = Observer()
    for own, theirs in played(chain, 200, seed=7):
        observer.learn(own, theirs)
    assert [one.hex() for one in observer.expected()] == RECORDED


def test_reader_with_a_prior_reads_at_once_and_without_its_last_throw_not() -> None:
    prior = {"o:r": [900, 50, 50], "o:p": [50, 900, 50], "o:s": [50, 50, 900]}
    fresh, knowing = Observer(), Observer(prior)
    for observer in (fresh, knowing):
        observer.learn(PAPER, ROCK)
    assert knowing.expected()[1] > fresh.expected()[1]
    assert best_reply(knowing.expected()) == SCISSORS
    knowing.learn(None, ROCK)
    assert knowing.expected() == pytest.approx(UNIFORM)
    assert prior["o:p"] == [50, 900, 50]


def test_reader_contexts_need_their_throws() -> None:
    assert contexts_of([]) == ("", "", "", "", "")
    assert contexts_of([(ROCK, ROCK), (PAPER, SCISSORS)]) == (
        "o:p",
        "oo:rp",
        "ro:lp",
        "tt:rs",
        "r:l",
    )


def test_reader_figures_begin_with_30_throws() -> None:
    cells = read(played(always, LEAST))
    assert edge_of(cells[:-1]) is bits_of(cells[:-1]) is None
    edge, bits = edge_of(cells), bits_of(cells)
    assert edge is not None
    assert bits is not None
    assert edge.value == pytest.approx(100 * (LEAST - 2) / LEAST), "nothing repeats before"
    assert 1 < bits < math.log2(3)


def test_reader_dearest_throw_is_the_surest_lost_one() -> None:
    expected = UNIFORM, (0.5, 0.3, 0.2), (0.8, 0.1, 0.1), (0.6, 0.2, 0.2), (0.4, 0.35, 0.25)
    cells = [Cell(p, ROCK, int(place != 2)) for place, p in enumerate(expected)]
    # The third reply did not win: it cost nothing.
    assert dearest(cells, [0, 1, 2, 3, 4]) == 3
    assert dearest([cells[0]._replace(won=0)], [0]) is None
    assert dearest(cells, []) is None


def replies(player: Player, seed: int, throws: int = 21) -> tuple[int, int]:
    """Return wins and losses of a reader against a player in one duel."""
    chance, observer, earlier = Random(seed), Observer(), list[tuple[Hand, Hand]]()
    wins = losses = 0
    while wins + losses < throws and max(wins, losses) <= throws // 2:
        reply = best_reply(observer.expected()) or chance.choice(HANDS)
        hand = player(earlier, chance)
        wins += BEATS[reply] == hand
        losses += BEATS[hand] == reply
        earlier.append((hand, reply))
        observer.learn(hand, reply)
    return wins, losses


def test_reader_beats_who_repeats_in_most_long_duels_and_a_uniform_one_in_half() -> None:
    def share(player: Player) -> float:
        duels = (replies(player, seed) for seed in range(400))
        return sum(wins > losses for wins, losses in duels) / 400

    assert share(chain) > 0.6
    assert abs(share(uniform) - 0.5) < 0.08
