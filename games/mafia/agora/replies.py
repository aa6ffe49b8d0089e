"""Answers to questions about a game, and confirmations of actions, in Agoran Mafia. All of them use
only the view of the player who asks.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from games.mafia.agora.commands import COMMANDS
from games.mafia.agora.words import role_word, side_word
from games.mafia.common.replies import (
    MAFIA_CONFIRMATIONS,
    answers,
    has_votes,
    named,
    status_with,
    vote_lines,
)
from games.mafia.common.words import choice_word
from games.text.answers import Confirmation, confirmed, names_of
from games.text.telling import listed
from games.text.typed import Query, View


def answer(query: Query, view: View) -> str:
    """Answer a question in words, one line for each fact. Raises KeyError: there is no such
    question.
    """
    return _ANSWERS[query.kind](view)


def confirm(action: Mapping[str, Any], view: View) -> str:
    """Return one sentence that tells the result of an accepted action."""
    return confirmed(action, view, _CONFIRMATIONS)


def _card(view: View) -> Iterator[str]:
    you, names = view["game"]["you"], names_of(view)
    if you is None:
        return
    yield f"You are {'' if you['is_alive'] else 'dead. You were '}the {role_word(you['role'])}."
    if you["mafia"]:
        mafia = (f"{names.get(no, no)} ({role_word(role)})" for no, role in you["mafia"])
        yield f"The mafia: {listed(mafia)}."
    if you["target"] is not None:
        yield f"Your choice for tonight: {choice_word(you['target'], names)}."
    for number, target, is_mafia in you["read_files"]:
        yield f"Night {number}: the file on {names.get(target)} said {side_word(is_mafia)}."
    for dead, role in you["learned"]:
        yield f"{names.get(dead)} was {role_word(role)}."
    for number in you["saved"]:
        yield f"Night {number}: the doctor saved you."
    if you["is_done"]:
        yield "You are done with this night."


def _votes(view: View) -> str:
    if not has_votes(view):
        return "There are no votes now."
    needed = f"{view['game']['needed']} of {view['game']['living']} decide."
    return "\n".join([needed, *vote_lines(view)])


def _history(view: View) -> str:
    game, names = view["game"], names_of(view)
    last_night = game and game["last_night"]
    if not last_night:
        return "Nothing has happened yet."
    lines = [f"Night {last_night['round']}: {_died(last_night['killed'], 'killed', names)}."]
    if last_day := game["last_day"]:
        votes = (
            f"{names.get(no)} for {choice_word(vote, names)}" for no, vote in last_day["votes"]
        )
        lynched = _died(last_day["lynched"], "lynched", names)
        lines += [f"Day {last_day['round']}: {lynched}.", f"Votes: {listed(votes)}."]
    return "\n".join(lines)


def _died(seat: int | None, how: str, names: Mapping[int, str]) -> str:
    return f"nobody was {how}" if seat is None else f"{names.get(seat)} was {how}"


_ANSWERS: Final = answers(COMMANDS, status=status_with(_card), votes=_votes, history=_history)

_CONFIRMATIONS: Final[Mapping[str, Confirmation]] = {
    **MAFIA_CONFIRMATIONS,
    "choose": named("Your choice for tonight: {}.", "target"),
}
