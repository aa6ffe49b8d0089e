"""Text of what each game's trial says of a random game that was made wrong in every way.

``wrong.txt`` of each game holds it.  After a wanted change of a game or of its trial:
``python -m tests.games.contract.test_wrong_games GAME > tests/games/GAME/wrong.txt``.
"""

import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace as with_fields
from importlib.util import find_spec
from typing import Any
from zlib import crc32

import django
import msgspec
import pytest

from games import registry
from games.engine.facts import Step, Told
from games.engine.structs import replace
from tests.games.contract.kit import folder_of
from tools.referee import trials

SLUGS = [slug for slug in registry.slugs() if find_spec(f"tools.referee.{slug}")]
#: Random games that are played; of the shorter half the richest is made wrong.
GAMES = 8
Way = tuple[str, ...]


def ways(value: Any) -> Iterator[Way]:
    """Yield the way to each field of a struct, through the structs in its fields."""
    for name in value.__struct_fields__:
        inner = getattr(value, name)
        inner = inner[-1] if isinstance(inner, tuple) and inner else inner
        if name != "options" and isinstance(inner, msgspec.Struct):
            yield from ((name, *way) for way in ways(inner))
        if not isinstance(getattr(value, name), msgspec.Struct):
            yield (name,)


def at_end(value: Any, way: Way, do: Callable[[Any], Any]) -> Any:
    """Return a value with the field at the end of a way replaced, in each struct of a tuple."""
    if not way or value is None:
        return do(value)
    if isinstance(value, tuple):
        return tuple(at_end(each, way, do) for each in value)
    return replace(value, **{way[0]: at_end(getattr(value, way[0]), way[1:], do)})


def another(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + 2
        case tuple() | str() if value:
            return value[1:]
    return None if value else 1


def wrong_ends(played: Any) -> Iterator[tuple[str, Any]]:
    """Yield a game with one fact less, more or otherwise, one input less, another last state."""
    kept = played.events
    for kind, told in {told.kind: told for told in kept}.items():
        yield f"without {kind}", with_fields(played, events=[t for t in kept if t is not told])
        yield f"twice {kind}", with_fields(played, events=[*kept, told])
        for way in ways(told.fact):
            other = Told(at_end(told.fact, way, another), told.audience)
            changed = [other if each is told else each for each in kept]
            yield f"{kind} {'.'.join(way)}", with_fields(played, events=changed)
    for way in ways(played.state):
        state = at_end(played.state, way, another)
        yield f"at last {'.'.join(way)}", with_fields(played, state=state)


def wrong_step(step: Step[Any], way: Way | None, audience: Any) -> Step[Any]:
    """Return a step with the field at the end of a way changed, or its facts for an audience."""
    if way is None:
        return Step(step.state, tuple(Told(told.fact, audience) for told in step.events))
    return Step(at_end(step.state, way, another), step.events)


def leaky(view: Any, way: Way) -> Any:
    def seen(self: Any, state: Any, viewer: Any) -> dict[str, Any]:
        leaks: list[Any] = []
        at_end(state, way, leaks.append)
        return {**view(self, state, viewer), "leaks": leaks}

    return seen


def trial_of_wrong_games(slug: str) -> Iterator[str]:
    """Yield what a game's random games come to, and what its trial says of one made wrong."""
    trial = trials.trial_of(slug)
    rules = trial.rules
    games = [trial.play(f"wrong {number}") for number in range(GAMES)]
    yield f"{GAMES} games: {digest([(each.options, each.seats, each.inputs) for each in games])}"
    short = sorted(games, key=lambda played: len(played.inputs))[: GAMES // 2]
    played = max(short, key=lambda played: len({told.kind for told in played.events}))
    if slug == "arena":  # A stretch of it is as good, and shorter.
        played.inputs = played.inputs[:9]
    kept = list(trials.steps(rules, played))
    played.state, middle = kept[-1][2].state, kept[len(kept) // 2][2].state

    def said(fault: str, wrong: Any, replayed: Any) -> Iterator[str]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(trials, "steps", lambda _, game: replayed[: len(game.inputs)])
            try:
                found = Counter(trial.violations(wrong))
            except Exception as problem:
                found = Counter([type(problem).__name__])
        if found.keys() - {"replay gives another state"}:
            kinds = sorted({re.sub(r"\d+", "#", text) for text in found})
            yield f"{fault}: {found.total()} {digest(sorted(found.items()))} {'; '.join(kinds)}"

    for fault, wrong in wrong_ends(played):
        yield from said(fault, wrong, kept[-1:])
    for way, audience in [(None, None), (None, ()), *((way, None) for way in ways(middle))]:
        fault = f"each {'.'.join(way) if way else f'fact for {audience}'}"
        try:
            unfair = [
                (old, entry, wrong_step(step, way, audience)) for old, entry, step in kept[::3]
            ]
        except (TypeError, AttributeError):
            continue
        yield from said(fault, played, unfair)
    for way in ways(middle):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(rules), "view", leaky(type(rules).view, way))
            yield from said(f"all see {'.'.join(way)}", played, kept[::6])


def digest(value: Any) -> str:
    return f"{crc32(repr(value).encode()):08x}"


@pytest.mark.plain
@pytest.mark.parametrize("slug", SLUGS)
def test_contract_the_trial_says_what_is_wrong(slug: str) -> None:
    expected = (folder_of(slug) / "wrong.txt").read_text(encoding="utf-8").splitlines()
    assert list(trial_of_wrong_games(slug)) == expected


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rpsite.settings.test")
    django.setup()
    sys.stdout.writelines(f"{line}\n" for line in trial_of_wrong_games(sys.argv[1]))
