"""The programs of the house, each against what it should beat."""

from random import Random

import pytest

from games.ladder.house import HOUSE, Thrower

THROWS = 600


def meet(one: Thrower, other: Thrower, throws: int = THROWS) -> int:
    """Return the throws that the first program won above those that it lost."""
    first, second, ahead = next(one), next(other), 0
    for _ in range(throws):
        ahead += (1 + first - second) % 3 - 1
        first, second = one.send((first, second)), other.send((second, first))
    return ahead


def of(name: str, seed: int = 7) -> Thrower:
    return HOUSE[name](Random(seed))


@pytest.mark.parametrize(
    ("strong", "weak"),
    [
        ("beat_last", "rock"),
        ("frequency", "rock"),
        ("markov", "cycle"),
        ("markov2", "copy"),
        ("cycle", "copy"),
        *([("reader", "cycle"), ("reader", "frequency")] if "reader" in HOUSE else []),
    ],
)
def test_ladder_house_a_program_beats_the_one_that_it_reads(strong: str, weak: str) -> None:
    assert meet(of(strong), of(weak, 8)) > THROWS / 2


@pytest.mark.parametrize("name", HOUSE)
def test_ladder_house_a_seed_gives_the_same_hands(name: str) -> None:
    def hands(seed: int) -> list[int]:
        program, other = of(name, seed), Random(3)
        found = [next(program)]
        for _ in range(200):
            found.append(program.send((found[-1], other.randrange(3))))
        return found

    assert hands(1) == hands(1)
    assert set(hands(1)) <= {0, 1, 2}


def test_ladder_house_nobody_beats_the_uniform_one_by_much() -> None:
    for name in HOUSE:
        assert abs(meet(of(name), of("uniform", 5), 2_000)) < 6 * (2_000 * 2 / 3) ** 0.5
