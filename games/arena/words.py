"""Texts of the arena, and one sentence that says why a round ended as it did; pure."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from games.arena.commands import COMMANDS
from games.arena.rules.moves import MOVES
from games.text.answers import Typing
from games.text.telling import listed

View = Mapping[str, Any]

#: The options in short; an option's name is its key, capitalised.
OPTIONS: Final[Mapping[str, str]] = {
    "blitz": "3 seconds to choose instead of 5",
    "classic": "no bonuses for streaks",
    "inverted": "reversed: scissors beat rock",
    "count": "with too many on the losing move, a battle is tied or reversed",
    "team": "two random teams; you battle the other one only",
    "survivor": "three lives; a lost round costs one",
}
RESULTS: Final[Mapping[str, str]] = {
    "won": "You won the round",
    "lost": "You lost the round",
    "tied": "The round was a tie",
    "none": "You had no battle",
}
#: Why somebody only watches, "" for no reason -> the text.
WATCHING: Final[Mapping[str, str]] = {
    "left": "You have left the arena. Your figures are kept.",
    "idle": "You were moved to watching after too many rounds without a choice."
    " Your figures are kept.",
    "gone": "You were moved to watching because your connection was lost. Your figures are kept.",
    "": "You can join at any time, and play in the current round.",
}
#: What happens when the round is over -> the text.
WAITING: Final[Mapping[str, str]] = {
    "leave": "You leave when the round is over. Your choice still counts.",
    "reset": "All your figures go back to 0 when the round is over. It still counts.",
}
RESTING: Final = "The arena rests"
#: The words of the board.
BOARD: Final[Mapping[str, Any]] = {
    "options": OPTIONS,
    "results": RESULTS,
    "watching": WATCHING,
    "waiting": WAITING,
    "resting": RESTING,
}


def headline(no: int, reason: str, fight: Mapping[str, Any] | None) -> str:
    """Return a round that is over in a line, through the eyes of the player of ``fight``, if given.
    >>> headline(7, "", {"name": "ann", "result": "won", "move": "paper"})
    'ann won round 7 with Paper'
    """
    if fight is None or fight["result"] == "none":
        return f"Round {no:,}: {reason.rstrip('.')}"
    return f"{fight['name']} {fight['result']} round {no:,} with {fight['move'].title()}"


def why(how: str, move: str, wins: int, losses: int) -> str | None:
    """Return why a move was made for a player; None if the player chose or sat out.
    >>> why("best", "rock", 3, 1)
    'Your streak is -5 or lower: rock was the best reply to all others, 3 won, 1 lost.'
    """
    if how == "best":
        return (
            f"Your streak is -5 or lower: {move} was the best reply to all others,"
            f" {wins} won, {losses} lost."
        )
    return f"You chose nothing: {move} was drawn for you." if how == "random" else None


def options_told(options: Mapping[str, bool]) -> str:
    """Return the names of the options that are on.
    >>> options_told({"blitz": True, "count": True, "team": False})
    'Blitz, Count'
    """
    return ", ".join(name.capitalize() for name, is_on in options.items() if is_on) or "none"


def _status(view: View) -> Iterator[str]:
    arena, you = view["arena"], view["you"]
    if arena["state"] == "selecting":
        told = options_told(arena["options"])
        yield f"Round {arena['round']} is being chosen for; options: {told}."
    else:
        yield f"{RESTING} until somebody joins."
    yield f"In: {arena['people']} and {arena['bots']} bots."
    if you is None:
        yield "Log in to play."
        return
    if you["is_in"]:
        yield f"Your choice: {you['choice'] or 'nothing yet'}."
    else:
        yield WATCHING[you["is_watching_because"] or ""]
    yield f"Score {you['score']}, streak {you['streak']}, best streak {you['best_streak']}."
    if (last := you["last"]) is not None:
        yield f"Round {last['round']}: {RESULTS[last['result']]}."


TYPING: Final = Typing(
    COMMANDS,
    {"status": _status},
    {
        "choose": lambda action, _: f"You choose {action['move'] or 'nothing'}.",
        "join": "You are in.",
        "prefer": lambda action, _: f"{action['option'].capitalize()}: {action['value']}.",
        **WAITING,
    },
)


#: The public result of a round, as ``rules.view.told_round`` makes it.
Told = Mapping[str, Any]

NO_BATTLE: Final = "There was nobody to battle, so nothing changed."
_MOVES: Final = tuple(move.value for move in MOVES)
_VERBS: Final = {"W": "beat", "L": "lost to", "T": "tied with"}


def reason(told: Told, move: str, team: int | None) -> str | None:
    """Return why a player won, lost or tied a round; None for one who sat out, whose ``move`` is
    empty. ``team``: 0 or 1 under Team.
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
