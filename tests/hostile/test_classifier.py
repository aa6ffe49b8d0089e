"""The instrument of case 40: it finds what is there, and nothing where nothing is."""

import random
from collections.abc import Callable

import pytest

from tests.hostile.classifier import TOGETHER, Sample, area, judge, standard_error


def samples(seen: Callable[[random.Random, bool, int], dict[str, float]]) -> list[Sample]:
    """Return 60 towns of 5 to 9, in which three of five seats have a night action."""
    chance = random.Random(40)
    return [
        Sample(town, 5 + town % 5, label, seen(chance, label, 5 + town % 5))
        for town in range(60)
        for seat in range(5 + town % 5)
        for label in [seat % 5 in (0, 2, 3)]
    ]


def test_classifier_area_is_a_guess_where_nothing_differs_and_sure_where_all_does() -> None:
    assert area([0, 0, 0, 0], [True, False, True, False]) == 0.5
    assert area([1, 2, 3, 4], [False, False, True, True]) == 1.0
    assert area([4, 3, 2, 1], [False, False, True, True]) == 0.0
    assert standard_error(0.5, 1000, 1000) == pytest.approx(0.0129, abs=1e-4)


def test_classifier_finds_what_tells_and_what_tells_only_together() -> None:
    def seen(chance: random.Random, label: bool, size: int) -> dict[str, float]:
        hidden = chance.random()
        return {
            "noise": chance.random(), "frames": chance.random() + 0.4 * label,
            "one": hidden + label / 2, "other": hidden,
        }  # fmt: skip

    found = {each.name: each for each in judge(samples(seen))}
    assert found["noise"].power < 0.5 + 3 * found["noise"].error
    assert found["frames"].auc > 0.75
    assert found[TOGETHER].auc > found["frames"].auc


def test_classifier_takes_what_everybody_knows_for_no_find() -> None:
    def seen(chance: random.Random, label: bool, size: int) -> dict[str, float]:
        return {"bytes": 100.0 * size, "noise": chance.random(), "same": 1.0}

    found = {each.name: each for each in judge(samples(seen))}
    assert set(found) == {"bytes", "noise", TOGETHER}
    assert found["bytes"].auc == 0.5
    assert found[TOGETHER].power < 0.5 + 3 * found[TOGETHER].error
