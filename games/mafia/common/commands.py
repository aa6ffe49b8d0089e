"""Commands, answers to questions and confirmations of actions in all Mafia games. They use only the
view of the player who types.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from games.mafia.common.words import choice_word
from games.text.answers import Answer, Confirmation, Typing, in_game, names_of, who
from games.text.telling import people
from games.text.typed import (
    BOTS,
    HELP,
    READY,
    REMATCH,
    STAND,
    UNREADY,
    WHO,
    CommandEntry,
    View,
    leave_or_stand,
    plain,
    plain_entry,
    query,
    take_over,
)

STAGES: Final = {"night": "Night {round}.", "day": "Day {round}.", "over": "The game is over."}


#: The beginning of the help page: questions, and commands to take a seat.
FIRST: Final = (
    HELP,
    WHO,
    CommandEntry(("status",), "!status", "how it stands, and your own card", query("status")),
    CommandEntry(("votes",), "!votes", "who votes for whom", query("votes")),
    CommandEntry(("history",), "!history", "the last night and the last day", query("history")),
    plain_entry("sit", "take a free seat"),
    CommandEntry(
        ("take", "sub"), "!take [NAME]", "take over a seat that is open", take_over, "take_over"
    ),
    STAND,
    READY,
    UNREADY,
)
#: The end of the help page: check-in, leaving, and bots.
LAST: Final = (
    plain_entry("done", "nobody need wait for you"),
    plain_entry("undone", "take that back"),
    CommandEntry(
        ("leave",), "!leave", "leave town for good, or your seat", leave_or_stand("leave"), "leave"
    ),
    REMATCH,
    CommandEntry(
        ("end", "play_out"), "!end", "see how it ends when only bots live", plain("play_out"),
        "play_out",
    ),
    *BOTS,
)  # fmt: skip


def vote_lines(view: View) -> Iterator[str]:
    game, names = view["game"], names_of(view)
    for choice, _ in game["tally"]:
        voters = [seat["no"] for seat in game["seats"] if seat["vote"] == choice]
        yield f"{choice_word(choice, names)}: {people(voters, names)}."


def named(pattern: str, field: str) -> Confirmation:
    """Return a confirmation that names the choice: a player or nobody."""
    return lambda action, view: pattern.format(choice_word(action[field], names_of(view)))


#: Kind of action -> the confirmation that its sender gets.
MAFIA_CONFIRMATIONS: Final[Mapping[str, Confirmation]] = {
    "vote": named("Your vote: {}.", "choice"),
    "write_will": "Your last will is kept. It is posted if you die.",
    "done": "You are done. You can take it back until the phase ends.",
    "undone": "You are not done.",
    "leave": "You have left town.",
}


def typing_of(
    commands: tuple[CommandEntry, ...],
    confirmations: Mapping[str, Confirmation],
    *,
    status: Answer,
    votes: Answer,
    history: Answer,
) -> Typing:
    """Return what is typed in a game; ``status`` and ``votes`` are asked in a game and by day."""

    def tell_status(view: View) -> Iterator[str]:
        game = view["game"]
        alive = [seat["no"] for seat in game["seats"] if seat["is_alive"]]
        yield STAGES[game["stage"]].format(round=game["round"])
        yield f"{len(alive)} live: {people(alive, names_of(view))}."
        yield from status(view)

    def tell_votes(view: View) -> Iterator[str]:
        has_votes = view["game"] is not None and view["game"]["stage"] == "day"
        return votes(view) if has_votes else iter(("There are no votes now.",))

    return Typing(
        commands,
        {
            "who": who,
            "status": in_game(tell_status),
            "votes": tell_votes,
            "history": lambda view: iter([*history(view)] or ["Nothing has happened yet."]),
        },
        {**MAFIA_CONFIRMATIONS, **confirmations},
    )
