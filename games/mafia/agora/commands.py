"""Commands, answers to questions and confirmations of actions in Agoran Mafia."""

from collections.abc import Iterator, Mapping
from typing import Final

from games.mafia.agora.words import FILES, role_word
from games.mafia.common.commands import FIRST, LAST, named, typing_of, vote_lines
from games.mafia.common.rules.roster import NOBODY
from games.mafia.common.words import choice_word
from games.text.answers import names_of
from games.text.telling import listed
from games.text.typed import (
    Action,
    Command,
    CommandEntry,
    View,
    Words,
    choosing,
    moves_now,
    plain,
)


def _none(words: Words, view: View) -> Command:
    """Choose nobody: as the night's target by night, as the vote by day."""
    words.require_count(0, 0)
    if "choose" in moves_now(view):
        return Action({"kind": "choose", "target": NOBODY})
    return Action({"kind": "vote", "choice": NOBODY})


_vote = choosing("vote", "choice", nobody=NOBODY)
_target = choosing("choose", "target", nobody=NOBODY)

#: All commands, in the order of the help page.
COMMANDS: Final = (
    *FIRST,
    CommandEntry(("vote", "v"), "!vote NAME|none", "vote by day", _vote, "vote"),
    CommandEntry(
        ("unvote",), "!unvote", "have no opinion again", plain("vote", choice=None), "vote"
    ),
    CommandEntry(("target", "t"), "!target NAME|none", "your choice by night", _target, "choose"),
    CommandEntry(("none",), "!none", "nobody: by night your choice, by day your vote", _none),
    *LAST,
)


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
        yield f"Night {number}: the file on {names.get(target)} said {FILES[is_mafia]}."
    for dead, role in you["learned"]:
        yield f"{names.get(dead)} was {role_word(role)}."
    for number in you["saved"]:
        yield f"Night {number}: the doctor saved you."
    if you["is_done"]:
        yield "You are done with this night."


def _votes(view: View) -> Iterator[str]:
    yield f"{view['game']['needed']} of {view['game']['living']} decide."
    yield from vote_lines(view)


def _history(view: View) -> Iterator[str]:
    game, names = view["game"], names_of(view)
    if not game or not (last_night := game["last_night"]):
        return
    yield f"Night {last_night['round']}: {_died(last_night['killed'], 'killed', names)}."
    if last_day := game["last_day"]:
        votes = (
            f"{names.get(no)} for {choice_word(vote, names)}" for no, vote in last_day["votes"]
        )
        yield f"Day {last_day['round']}: {_died(last_day['lynched'], 'lynched', names)}."
        yield f"Votes: {listed(votes)}."


def _died(seat: int | None, how: str, names: Mapping[int, str]) -> str:
    return f"nobody was {how}" if seat is None else f"{names.get(seat)} was {how}"


TYPING: Final = typing_of(
    COMMANDS,
    {"choose": named("Your choice for tonight: {}.", "target")},
    status=_card,
    votes=_votes,
    history=_history,
)
