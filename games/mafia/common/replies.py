"""Answers to questions and confirmations of actions, common to all Mafia games. All of them use
only the view of the player who asks.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from games.mafia.common.words import choice_word
from games.text.answers import (
    TABLE_CONFIRMATIONS,
    Answer,
    Confirmation,
    fixed,
    help_text,
    names_of,
    table_status,
    who,
)
from games.text.telling import people
from games.text.typed import CommandEntry, View

STAGES: Final = {"night": "Night {round}.", "day": "Day {round}.", "over": "The game is over."}


def answers(commands: Iterable[CommandEntry], **own: Answer) -> dict[str, Answer]:
    """Return the answers to all questions: help and who are common, ``own`` are the game's."""
    entries = tuple(commands)
    return {"help": lambda view: help_text(entries, view), "who": who, **own}


def status_with(lines: Callable[[View], Iterable[str]]) -> Answer:
    """Return the answer about the status of a game; ``lines`` are the game's, the own card last."""

    def tell(view: View) -> str:
        if view["game"] is None:
            return table_status(view)
        return "\n".join([*stage_lines(view), *lines(view)])

    return tell


def stage_lines(view: View) -> Iterator[str]:
    """Tell the current phase and the living players."""
    game, names = view["game"], names_of(view)
    living = [seat["no"] for seat in game["seats"] if seat["is_alive"]]
    yield STAGES[game["stage"]].format(round=game["round"])
    yield f"{len(living)} live: {people(living, names)}."


def vote_lines(view: View) -> Iterator[str]:
    """Tell the voters of each choice, the choice with most votes first."""
    game, names = view["game"], names_of(view)
    for choice, _ in game["tally"]:
        voters = [seat["no"] for seat in game["seats"] if seat["vote"] == choice]
        yield f"{choice_word(choice, names)}: {people(voters, names)}."


def has_votes(view: View) -> bool:
    """Whether a game runs and it is day."""
    return view["game"] is not None and view["game"]["stage"] == "day"


def named(pattern: str, field: str) -> Confirmation:
    """Return a confirmation that names the chosen player."""

    def tell(action: Mapping[str, Any], view: View) -> str:
        return pattern.format(choice_word(action[field], names_of(view)))

    return tell


#: Kind of action -> the confirmation that its sender gets.
MAFIA_CONFIRMATIONS: Final[Mapping[str, Confirmation]] = {
    **TABLE_CONFIRMATIONS,
    "vote": named("Your vote: {}.", "choice"),
    "write_will": fixed("Your last will is kept. It is posted if you die."),
    "done": fixed("You are done. You can take it back until the phase ends."),
    "undone": fixed("You are not done."),
    "leave": fixed("You have left town."),
}
