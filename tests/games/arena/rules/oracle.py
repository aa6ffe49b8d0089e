"""The rule book pair by pair, slow and plain: what counting must equal."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from games.arena.rules.options import RoundOptions

BEATS = {("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")}


class Fighter(NamedTuple):
    """A fighting player: the move, and the team (None without teams)."""

    move: str
    team: int | None = None


def result(mine: str, theirs: str, numbers: Counter[str], options: RoundOptions) -> str:
    """Return W, L or T for ``mine``, as the rule book words it."""
    if mine == theirs:
        return "T"
    wins = ((mine, theirs) in BEATS) is not options.inverted
    if options.count:
        winner, loser = (mine, theirs) if wins else (theirs, mine)
        w, l = numbers[winner], numbers[loser]  # noqa: E741 - the rule book's letters
        if w < l < 2 * w:
            return "T"
        if l > w and l >= 2 * w:
            wins = not wins
    return "W" if wins else "L"


def fight(fighters: Sequence[Fighter], options: RoundOptions) -> list[Counter[str]]:
    numbers = Counter(fighter.move for fighter in fighters)
    found = [Counter[str]() for _ in fighters]
    for first, one in enumerate(fighters):
        for second, other in enumerate(fighters[:first]):
            if options.team and one.team == other.team:
                continue
            found[first][result(one.move, other.move, numbers, options)] += 1
            found[second][result(other.move, one.move, numbers, options)] += 1
    return found


def after(streak: int, score: int, battles: Counter[str], options: RoundOptions) -> tuple[int, int]:
    if battles["W"] > battles["L"]:
        streak = max(streak, 0) + 1
        return streak, score + (streak - 1 if streak >= 3 and not options.classic else 1)
    if battles["W"] < battles["L"]:
        return min(streak, 0) - 1, score - 1
    return streak, score


def best_replies(
    opponents: Sequence[str], options: RoundOptions, mates: Sequence[str] = ()
) -> set[str]:
    """Return the best moves against these, each tried by fighting; Count counts the mates' too."""
    gains = {}
    for tried in ("rock", "paper", "scissors"):
        numbers = Counter([*opponents, *mates, tried])
        found = Counter(result(tried, other, numbers, options) for other in opponents)
        gains[tried] = found["W"] - found["L"]
    return {move for move, gain in gains.items() if gain == max(gains.values())}
