"""One sentence that says why a round ended as it did: for each player, and for spectators; pure.
Source: docs/rules/arena.md "A round".
"""

from collections.abc import Mapping
from typing import Any, Final

from games.arena.rules.moves import MOVES
from games.text.telling import listed

#: The public result of a round, as ``rules.view.told_round`` makes it.
Told = Mapping[str, Any]

NO_BATTLE: Final = "There was nobody to battle, so nothing changed."
_MOVES: Final = tuple(move.value for move in MOVES)
_VERBS: Final = {"W": "beat", "L": "lost to", "T": "tied with"}


def reason(told: Told, move: str, team: int | None) -> str | None:
    """Return why a player won, lost or tied a round; None for one who sat out. ``move``: the
    player's, empty for one who sat out. ``team``: 0 or 1 under Team.
    """
    if not move:
        return None
    opponents = _opponents(told, move, team)
    others = [other for other in _MOVES if other != move and opponents[other]]
    if not others:
        return f"Everybody you met threw {move}, too." if opponents[move] else NO_BATTLE
    turned = [_turned(told, move, other) for other in others if _is_turned(told, move, other)]
    if turned and len(turned) == len(others) and team is None:
        return f"Count: {', '.join(turned)}."
    met: dict[str, list[str]] = {letter: [] for letter in _VERBS}
    for other in others:
        met[told["table"][move][other]].append(_number(opponents[other], other))
    deeds = listed(f"{_VERBS[letter]} {listed(met[letter])}" for letter in met if met[letter])
    where = "" if team is None else "Team: "
    if turned:
        return f"Count: {', '.join(turned)}; {where.lower()}you {deeds}."
    where = f"Inverted{', team' if where else ''}: " if told["options"]["inverted"] else where
    return f"{where}you {deeds}." if where else f"You {deeds}."


def summary(told: Told) -> str:
    """Return why a round ended as it did, for those who were not in it."""
    counts = told["counts"]
    thrown = [move for move in _MOVES if counts[move]]
    if len(thrown) < 2:
        return f"All threw {thrown[0]}: a tie." if thrown else "Nobody threw."
    pairs, is_turned = list[str](), False
    for loser, winner in zip(_MOVES, (*_MOVES[1:], _MOVES[0]), strict=True):
        if not (counts[loser] and counts[winner]):
            continue
        first, second = (loser, winner) if told["options"]["inverted"] else (winner, loser)
        if _is_turned(told, first, second):
            is_turned = True
            pairs.append(_turned(told, first, second))
        else:
            verb = "beats" if counts[first] == 1 and first != "scissors" else "beat"
            pairs.append(
                f"{_number(counts[first], first)} {verb} {_number(counts[second], second)}"
            )
    head = "Count: " if is_turned else "Inverted: " if told["options"]["inverted"] else ""
    return f"{head}{'; '.join(pairs)}."


def _opponents(told: Told, move: str, team: int | None) -> Mapping[str, int]:
    if team is not None:
        teams: list[Mapping[str, int]] = told["teams"]
        return teams[1 - team]
    counts = told["counts"]
    return {other: counts[other] - (other == move) for other in _MOVES}


def _is_turned(told: Told, move: str, other: str) -> bool:
    """Whether the numbers made something else of two moves than the direction in force."""
    wins = (_MOVES.index(other) + 1) % 3 == _MOVES.index(move)
    usual = "W" if wins != told["options"]["inverted"] else "L"
    return bool(told["table"][move][other] != usual)


def _turned(told: Told, move: str, other: str) -> str:
    """Write the result of two moves that their numbers have changed, the larger number first."""
    counts = told["counts"]
    many, few = sorted((move, other), key=lambda each: -counts[each])
    end = "a tie" if told["table"][many][few] == "T" else f"{many} won"
    return f"{_number(counts[many], many)} against {_number(counts[few], few)}: {end}"


def _number(count: int, move: str) -> str:
    return f"{count:,} {move}{'' if count == 1 or move == 'scissors' else 's'}"
