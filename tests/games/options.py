"""The options of random games of each game."""

from typing import Any

#: Games that are played with other options than the default ones.
OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "agora": ({"seats": 5, "phase_seconds": 60}, {"seats": 7, "phase_seconds": 600}),
    "duel": ({"best_of": 3}, {"best_of": 9, "no_ties": True, "stake": 5}),
    "dynamite": ({"seats": 4, "phase_seconds": 60}, {"seats": 8, "phase_seconds": 600}),
    "showdown": ({"seats": 2, "target": 3}, {"seats": 3, "target": 7}, {"seats": 4, "target": 7}),
}


def options_of(slug: str) -> tuple[dict[str, Any], ...]:
    """Return the options with which a game is played at random."""
    return OPTIONS.get(slug, ({},))
