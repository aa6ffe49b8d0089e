"""The instrument of case 40: a leak that is planted is found, and nothing where there is none."""

import random
from typing import Any

from tests.hostile.classifier import TOGETHER, Found, judge
from tests.hostile.nights import NIGHT_ROLES, Heard, Line, Town
from tests.hostile.traffic import samples_of, wire_samples_of

ROLES = ("citizen", "citizen", "doctor", "sheriff", "mafioso", "citizen", "agent")
BEGAN, ENDED = 1_000.0, 1_010.0


def heard(*frames: Heard) -> Line:
    """Return a line by which something came."""
    line = Line(None, "/ws/match/a/")  # type: ignore[arg-type]
    line.heard += frames
    return line


def night(number: int, *, leaks: bool) -> Town:
    """Return a night in which everybody touches something three times, at random moments.

    Where it leaks, each touch of who has a night action sends the spectator a frame.
    """
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
    """Return what forty nights tell."""
    samples = [each for no in range(40) for each in samples_of(night(no, leaks=leaks))]
    return {each.name: each for each in judge(samples)}


def test_traffic_a_frame_within_a_private_action_is_found() -> None:
    told = found(leaks=True)
    assert told["spectator: frames near a touch"].power > 0.9
    assert told[TOGETHER].power > 0.9


def test_traffic_of_a_night_in_which_nothing_is_sent_tells_nothing() -> None:
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
