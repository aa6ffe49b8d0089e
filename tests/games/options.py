"""Options of each game with which random games are played."""

from typing import Any

OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "agora": ({"seats": 5, "phase_seconds": 60}, {"seats": 7, "phase_seconds": 600}),
    "duel": ({"best_of": 3}, {"best_of": 9, "no_ties": True, "stake": 5}),
    "dynamite": ({"seats": 4, "phase_seconds": 60}, {"seats": 8, "phase_seconds": 600}),
    "showdown": ({"seats": 2, "target": 3}, {"seats": 3, "target": 7}, {"seats": 4, "target": 7}),
}
