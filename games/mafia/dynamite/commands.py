"""Commands, answers to questions and confirmations of actions in Dynamite."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from games.mafia.common.commands import FIRST, LAST, typing_of, vote_lines
from games.mafia.dynamite.words import card_word, cause_words, team_word
from games.text.answers import names_of
from games.text.telling import listed, name_of, people
from games.text.typed import CommandEntry, View, choosing, plain_entry

#: All commands, in the order of the help page.
COMMANDS: Final = (
    *FIRST,
    CommandEntry(
        ("vote", "v"), "!vote NAME", "vote by day", choosing("vote", "choice"), "vote"
    ),
    CommandEntry(
        ("confront", "c"), "!confront NAME", "two points of your mafia, by night",
        choosing("confront", "target"), "confront",
    ),
    plain_entry("withdraw", "take your confrontation back"),
    *LAST,
)  # fmt: skip


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


def _votes(view: View) -> Iterator[str]:
    yield from vote_lines(view)
    living = [seat for seat in view["game"]["seats"] if seat["is_alive"]]
    if open_votes := [seat["no"] for seat in living if seat["vote"] is None]:
        yield f"No vote yet: {people(open_votes, names_of(view))}."


def _history(view: View) -> Iterator[str]:
    game, names = view["game"], names_of(view)
    if not game or not (last_day := game["last_day"]):
        return
    votes = (
        f"{name_of(no, names)} for {'nobody' if vote is None else name_of(vote, names)}"
        for no, vote in last_day["votes"]
    )
    yield f"Day {last_day['round']}: {_died(last_day['died'], game, names)}."
    yield f"Votes: {listed(votes)}."
    if night := game["last_night"]:
        yield f"Night {night['round']}: {_died(night['died'], game, names)}."


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


TYPING: Final = typing_of(
    COMMANDS,
    {
        "confront": "Tonight you confront {target}.",
        "withdraw": "You confront nobody tonight.",
        "leave": "You have left town, and die of it when this phase ends.",
    },
    status=_status,
    votes=_votes,
    history=_history,
)
