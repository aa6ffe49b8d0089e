"""Answers to questions about a game, and confirmations of actions, in Dynamite. All of them use
only the view of the player who asks.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from games.mafia.common.replies import (
    MAFIA_CONFIRMATIONS,
    answers,
    has_votes,
    named,
    status_with,
    vote_lines,
)
from games.mafia.dynamite.commands import COMMANDS
from games.mafia.dynamite.words import card_word, cause_words, team_word
from games.text.answers import Confirmation, confirmed, fixed, names_of
from games.text.telling import listed, name_of, people
from games.text.typed import Query, View


def answer(query: Query, view: View) -> str:
    """Answer a question in words, one line for each fact. Raises KeyError: there is no such
    question.
    """
    return _ANSWERS[query.kind](view)


def confirm(action: Mapping[str, Any], view: View) -> str:
    """Return one sentence that tells the result of an accepted action."""
    return confirmed(action, view, _CONFIRMATIONS)


def _status(view: View) -> Iterator[str]:
    """Tell the number of dead in each team, and the viewer's own card."""
    game = view["game"]
    for team, size, dead in game["teams"]:
        yield f"{team_word(team)}: {dead} of {size} dead."
    yield from _card(game["you"], names_of(view)) if game["you"] else ()


def _card(you: Mapping[str, Any], names: Mapping[int, str]) -> Iterator[str]:
    yield f"You are {'' if you['is_alive'] else 'dead. You were '}a {card_word(you['team'])}."
    if you["danger"] is not None:
        yield f"Your danger points: {you['danger']}. At 3 you explode; otherwise it drops by 1."
    if you["mates"] is not None:
        yield f"The {team_word(you['team'])}: {people(you['mates'], names)}."
        yield f"Your team's points: {you['points']}, {you['reserved']} of them reserved."
    for attacker, target in you["confrontations"] or ():
        yield f"Tonight {name_of(attacker, names)} confronts {name_of(target, names)}."
    for number, target in you["nights"]:
        yield f"Night {number}: you confronted {name_of(target, names)}."
    if you["is_leaving"]:
        yield "You have left, and die of it when this phase ends."
    elif you["is_done"]:
        yield "You are done."


def _votes(view: View) -> str:
    if not has_votes(view):
        return "There are no votes now."
    living = [seat for seat in view["game"]["seats"] if seat["is_alive"]]
    open_votes = [seat["no"] for seat in living if seat["vote"] is None]
    missing = f"No vote yet: {people(open_votes, names_of(view))}." if open_votes else ""
    return "\n".join([*vote_lines(view), *filter(None, [missing])])


def _history(view: View) -> str:
    game, names = view["game"], names_of(view)
    last_day = game and game["last_day"]
    if not last_day:
        return "Nothing has happened yet."
    votes = (
        f"{name_of(no, names)} for {'nobody' if vote is None else name_of(vote, names)}"
        for no, vote in last_day["votes"]
    )
    lines = [f"Day {last_day['round']}: {_died(last_day['died'], game, names)}."]
    lines.append(f"Votes: {listed(votes)}.")
    if night := game["last_night"]:
        lines.append(f"Night {night['round']}: {_died(night['died'], game, names)}.")
    return "\n".join(lines)


def _died(seats: list[int], game: Mapping[str, Any], names: Mapping[int, str]) -> str:
    if not seats:
        return "nobody died"
    told = (
        f"{name_of(one['no'], names)}, {card_word(one['team'])} "
        f"({cause_words(one['causes'], one['team'])})"
        for one in game["seats"]
        if one["no"] in seats
    )
    return f"dead: {listed(told)}"


_ANSWERS: Final = answers(COMMANDS, status=status_with(_status), votes=_votes, history=_history)

_CONFIRMATIONS: Final[Mapping[str, Confirmation]] = {
    **MAFIA_CONFIRMATIONS,
    "confront": named("Tonight you confront {}.", "target"),
    "withdraw": fixed("You confront nobody tonight."),
    "leave": fixed("You have left town, and die of it when this phase ends."),
}
