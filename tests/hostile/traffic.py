"""Case 40: what the traffic of a night tells of who has a night action.

The attacker knows when each citizen has touched something, and not what; looks at counts, bytes,
sizes, moments and gaps of all that others are sent, at pages, and at how long answers take.
Numbers predict a label by ranks of each and by a regression of all, compared only within a stratum:
public facts do not count.  An area under the ROC curve (AUC) of 0.5 is a guess, 1 is certain.

Source: docs/explanation/durability.md S10, S13; Hanley and McNeil, "The meaning and use of the area
under a receiver operating characteristic (ROC) curve", 1982.
"""

import asyncio
import itertools
import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Final

from tests.faults.rig import Rig
from tests.hostile.nights import NIGHT_ROLES, PHASE, Heard, Nights, Town

FOLDS: Final = 5
STEPS, RATE, DECAY = 150, 0.5, 1e-3
TOGETHER: Final = "all together (logistic regression)"


@dataclass(frozen=True, slots=True)
class Sample:
    """One case and what is to be told from it; a ``group`` is learned from or asked, not both."""

    group: int
    stratum: int
    label: bool
    features: dict[str, float]


@dataclass(frozen=True, slots=True)
class Found:
    """The AUC of a feature; ``error`` is the standard error of ``auc``."""

    name: str
    auc: float
    error: float

    @property
    def power(self) -> float:
        """The AUC in the better direction, at least 0.5."""
        return max(self.auc, 1 - self.auc)


def judge(samples: Sequence[Sample]) -> list[Found]:
    """Return how well each feature tells, if it differs at all, and all of them together."""
    names = sorted({name for sample in samples for name in sample.features})
    columns = {name: [sample.features[name] for sample in samples] for name in names}
    told = {name: column for name, column in columns.items() if len(set(column)) > 1}
    found = [_found(name, samples, column) for name, column in told.items()]
    return [*found, _found(TOGETHER, samples, _guesses(samples, list(told.values())))]


def area(scores: Sequence[float], labels: Sequence[bool]) -> float:
    """Return the probability that a true case has the larger score; equal ones count half."""
    order = sorted(range(len(scores)), key=scores.__getitem__)
    ranks, begun = 0.0, 0
    while begun < len(order):
        end = begun
        while end < len(order) and scores[order[end]] == scores[order[begun]]:
            end += 1
        ranks += (begun + end + 1) / 2 * sum(labels[no] for no in order[begun:end])
        begun = end
    true = sum(labels)
    return (ranks - true * (true + 1) / 2) / (true * (len(labels) - true))


def standard_error(auc: float, true: int, false: int) -> float:
    one, other = auc / (2 - auc), 2 * auc * auc / (1 + auc)
    spread = auc * (1 - auc) + (true - 1) * (one - auc**2) + (false - 1) * (other - auc**2)
    return math.sqrt(max(spread, 0.0) / (true * false))


def _found(name: str, samples: Sequence[Sample], scores: Sequence[float]) -> Found:
    """Compare within each stratum, and weigh the strata by their pairs."""
    pairs, won, squares = 0, 0.0, 0.0
    for members in _by_stratum(samples).values():
        labels = [samples[no].label for no in members]
        true, false = sum(labels), len(labels) - sum(labels)
        if true and false:
            auc = area([scores[no] for no in members], labels)
            pairs += true * false
            won += auc * true * false
            squares += (standard_error(auc, true, false) * true * false) ** 2
    assert pairs, "there are not both labels anywhere"
    return Found(name, won / pairs, math.sqrt(squares) / pairs)


def _guesses(samples: Sequence[Sample], columns: Sequence[Sequence[float]]) -> list[float]:
    """Return a score for each sample by what was learned from the other groups."""
    rows = [list(row) for row in zip(*(_levelled(samples, c) for c in columns), strict=True)]
    rows = rows or [[] for _ in samples]
    scores = [0.0] * len(samples)
    folds = [sample.group % FOLDS for sample in samples]
    for fold in set(folds):
        known = [no for no, each in enumerate(folds) if each != fold]
        weights = _learn([rows[no] for no in known], [samples[no].label for no in known])
        for no, each in enumerate(folds):
            if each == fold:
                scores[no] = sum(map(mul, weights, [1.0, *rows[no]]))
    return scores


def _learn(rows: Iterable[list[float]], labels: Sequence[bool]) -> list[float]:
    given = [[1.0, *row] for row in rows]
    columns = list(zip(*given, strict=True))
    weights = [0.0] * len(columns)
    for _ in range(STEPS):
        missed = [
            label - 1 / (1 + math.exp(-max(-30.0, min(30.0, sum(map(mul, weights, row))))))
            for row, label in zip(given, labels, strict=True)
        ]
        weights = [
            weight + RATE * (sum(map(mul, missed, column)) / len(given) - DECAY * weight)
            for weight, column in zip(weights, columns, strict=True)
        ]
    return weights


def _levelled(samples: Sequence[Sample], column: Sequence[float]) -> list[float]:
    """Return a feature with mean 0 and deviation 1 in each stratum."""
    levelled = [0.0] * len(column)
    for members in _by_stratum(samples).values():
        values = [column[no] for no in members]
        mean, deviation = statistics.fmean(values), statistics.pstdev(values)
        for no in members:
            levelled[no] = (column[no] - mean) / deviation if deviation else 0.0
    return levelled


def _by_stratum(samples: Sequence[Sample]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for no, sample in enumerate(samples):
        found[sample.stratum].append(no)
    return found


LIMITS: Final = {"SOCKETS_PER_ADDRESS": "5000", "SOCKET_RATE": "1000", "SOCKET_BURST": "1000"}
#: What S10 allows, and with what standard error it is shown.
MOST, ENOUGH = 0.55, 0.015
#: What S13 allows, in milliseconds, and how many answers are timed.
APART, REFUSALS = 5.0, 100
#: So long after a touch what comes counts as near it; two within the other are one.
NEAR, AT_ONE_MOMENT = 0.3, 0.1


def samples_of(town: Town) -> list[Sample]:
    """Return a sample for each citizen but the one who listens."""
    roles, touches = town.told["roles"], town.told["acts"]
    return [
        Sample(town.number, len(roles), role in NIGHT_ROLES, _features(town, seat, touches))
        for seat, role in enumerate(roles)
        if seat != town.listener
    ]


def _features(town: Town, seat: int, acts: Sequence[tuple[int, float]]) -> dict[str, float]:
    """Return what an attacker may look at, of whom it is known when somebody touched something."""
    began, ended = town.told["began"], town.told["ended"]
    touches: list[float] = []
    for at in (at for who, at in acts if who == seat):
        # What a bot does in one go is one touch.
        if not touches or at - touches[-1] > AT_ONE_MOMENT:
            touches.append(at)
    last = touches[-1] if touches else began
    dawns = (each.at for each in town.spectator.heard if each.kind == "view" and each.at >= ended)
    found = {
        "seat": float(seat),
        "night: length": ended - began,
        "night: end after the last touch": ended - last,
        "night: dawn comes late by": next(dawns, ended) - ended,
    }
    listener = None if town.listener is None else town.lines[town.listener]
    streams = {
        "spectator": town.spectator.heard,
        "lobby": town.lobby.heard,
        "citizen": listener.heard if listener else [],
        "own affairs": town.affairs.heard if town.affairs else [],
        "pages that differ": [page for page in town.pages if page.size],
    }
    for name, heard in streams.items():
        frames = [each for each in heard if each.kind != "now" and began <= each.at < ended]
        found |= {f"{name}: {what}": value for what, value in _whole(frames, began, ended).items()}
        found |= {f"{name}: {what}": value for what, value in _near(frames, touches).items()}
    asked = [each for each in town.spectator.heard if each.kind == "now"]
    found["answers near a touch: seconds"] = _wait_near(asked, touches)
    found["pages near a touch: seconds"] = _wait_near(town.pages, touches)
    return found


def _whole(frames: Sequence[Heard], began: float, ended: float) -> dict[str, float]:
    moments = [began, *(each.at for each in frames), ended]
    gaps = [later - earlier for earlier, later in itertools.pairwise(moments)]
    return {
        "frames": len(frames),
        "bytes": sum(each.size for each in frames),
        "largest": max((each.size for each in frames), default=0),
        "first": moments[1] - began,
        "last": moments[-2] - began,
        "longest gap": max(gaps),
    }


def _near(frames: Sequence[Heard], touches: Sequence[float]) -> dict[str, float]:
    """Return what came soon after the touches, on average."""
    near = [[each for each in frames if at <= each.at < at + NEAR] for at in touches]
    count = max(1, len(near))
    waits = [min((e.at - at for e in frames if e.at >= at), default=PHASE) for at in touches]
    return {
        "frames near a touch": sum(map(len, near)) / count,
        "bytes near a touch": sum(each.size for some in near for each in some) / count,
        "largest near a touch": max((each.size for some in near for each in some), default=0),
        "wait after a touch": sum(waits) / count,
    }


def _wait_near(asked: Iterable[Heard], touches: Sequence[float]) -> float:
    """Return how long those answers took that were under way at a touch, on average."""
    took = [e.took for e in asked for at in touches if e.at - e.took <= at + NEAR and at <= e.at]
    return sum(took) / len(took) if took else 0.0


def wire_samples_of(town: Town) -> list[Sample]:
    """Return a sample for each person of whose own connection the sizes are seen, TLS or not."""
    samples, told = [], town.told
    for role, line in zip(told["roles"], town.lines, strict=False):
        views = [each for each in line.heard if each.kind == "view" and each.at >= told["began"]]
        night = [each.size for each in views if each.at < told["ended"]]
        acts = [each.size for each in line.sent if each.kind == "act"]
        features = {
            "the view at the night's start": views[0].size,
            "the largest view of the night": max(night),
            "the largest frame that is sent": max(acts),
            "views beside those that answer": len(night) - len(acts),
        }
        samples.append(Sample(town.number, len(told["roles"]), role in NIGHT_ROLES, features))
    return samples


def measure(rig: Rig, count: int) -> bool:
    """Print what the traffic of these nights reveals; return whether others' reveals nothing."""
    nights = Nights(rig)

    async def listen() -> dict[str, list[float]]:
        refusals = await nights.ask_in_vain(REFUSALS)
        await nights.listen(count)
        return refusals

    refusals = asyncio.run(listen())
    samples = [sample for town in nights.towns for sample in samples_of(town)]
    found = judge(samples)
    _print(f"what others are sent: {count} nights, {len(samples)} citizens", found)
    wire = [sample for town in nights.towns for sample in wire_samples_of(town)]
    _print(f"one's own connection, its sizes seen from outside: {len(wire)} people", judge(wire))
    medians = {name: statistics.median(taken) for name, taken in refusals.items()}
    print("\n| a choice of who has none (36) | refused after: median ms |\n|---|---|")
    print("\n".join(f"| {name} | {median:.1f} |" for name, median in medians.items()), flush=True)
    rig.prove()
    is_quick = max(medians.values()) - min(medians.values()) <= APART
    return is_quick and all(each.power <= MOST or each.error > ENOUGH for each in found)


def _print(title: str, found: Sequence[Found]) -> None:
    print(f"\n| {title} | AUC | standard error |\n|---|---|---|")
    for each in sorted(found, key=lambda each: -each.power):
        print(f"| {each.name} | {each.auc:.3f} | {each.error:.3f} |")
    if max(each.error for each in found) > ENOUGH:
        print("Too few to judge by: --towns 500")
