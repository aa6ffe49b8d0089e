import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.hostile.nights import NIGHT_ROLES, Heard, Line, Town
from tests.hostile.traffic import (
    TOGETHER,
    Found,
    Sample,
    area,
    judge,
    samples_of,
    standard_error,
    wire_samples_of,
)

ROLES = ("citizen", "citizen", "doctor", "sheriff", "mafioso", "citizen", "agent")
BEGAN, ENDED = 1_000.0, 1_010.0


def heard(*frames: Heard) -> Line:
    line = Line(None, "/ws/match/a/")  # type: ignore[arg-type]
    line.heard += frames
    return line


def night(number: int, *, leaks: bool) -> Town:
    """Return a night in which everybody touches something three times, at random moments."""
    chance = random.Random(number)
    roles = chance.sample(ROLES, len(ROLES))
    acts = [(seat, BEGAN + chance.uniform(1, 9)) for seat in range(len(roles)) for _ in range(3)]
    acts.sort(key=lambda act: act[1])
    told: dict[str, Any] = {"roles": roles, "acts": acts, "began": BEGAN, "ended": ENDED}
    start = Heard(BEGAN + 0.1, 4_000, "view")
    frames = [Heard(at + 0.02, 4_000, "view") for who, at in acts if roles[who] in NIGHT_ROLES]
    lines = [heard(start) for _ in roles]
    listener = roles.index("citizen")
    town = Town(number, lines, heard(start, *(frames if leaks else ())), heard(), listener=listener)
    town.told = told
    return town


def found(*, leaks: bool) -> dict[str, Found]:
    samples = [each for no in range(40) for each in samples_of(night(no, leaks=leaks))]
    return {each.name: each for each in judge(samples)}


def test_traffic_a_frame_within_a_private_action_is_found_and_nothing_where_none_is_sent() -> None:
    told = found(leaks=True)
    assert told["spectator: frames near a touch"].power > 0.9
    assert told[TOGETHER].power > 0.9
    for each in found(leaks=False).values():
        assert each.power < 0.5 + 3.5 * each.error, each


def test_traffic_the_size_of_a_view_is_found() -> None:
    samples = []
    for number in range(20):
        town = night(number, leaks=False)
        for line, role in zip(town.lines, town.told["roles"], strict=True):
            size = 4_010 if role in NIGHT_ROLES else 4_000
            line.heard = [Heard(BEGAN + 0.1, size, "view")]
            line.sent = [Heard(BEGAN + 5, 80, "act")]
        samples += wire_samples_of(town)
    assert {each.name: each for each in judge(samples)}["the view at the night's start"].auc == 1.0


def samples(seen: Callable[[random.Random, bool, int], dict[str, float]]) -> list[Sample]:
    """Return 60 towns of 5 to 9, in which three of five seats have a night action."""
    chance = random.Random(40)
    return [
        Sample(town, 5 + town % 5, label, seen(chance, label, 5 + town % 5))
        for town in range(60)
        for seat in range(5 + town % 5)
        for label in [seat % 5 in (0, 2, 3)]
    ]


@pytest.mark.plain
def test_classifier_area_is_a_guess_where_nothing_differs_and_sure_where_all_does() -> None:
    assert area([0, 0, 0, 0], [True, False, True, False]) == 0.5
    assert area([1, 2, 3, 4], [False, False, True, True]) == 1.0
    assert area([1, 2, 3, 3], [False, False, True, False]) == pytest.approx(5 / 6)
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
    assert (set(found), found["bytes"].auc) == ({"bytes", "noise", TOGETHER}, 0.5)
    assert found[TOGETHER].power < 0.5 + 3 * found[TOGETHER].error
