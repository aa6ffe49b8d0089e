"""Commands, answers to questions and confirmations of actions in all Mafia games. They use only the
view of the player who types.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from games.contract import Typing
from games.mafia.common.rules.roster import NOBODY
from games.mafia.common.words import choice_word
from games.text.answers import (
    TABLE_CONFIRMATIONS,
    Answer,
    Confirmation,
    confirmed,
    fixed,
    help_text,
    names_of,
    table_status,
    who,
)
from games.text.telling import people
from games.text.typed import (
    Action,
    Command,
    CommandEntry,
    Reader,
    View,
    Words,
    help_,
    plain,
    query,
    ready,
    remove_bot,
    take_over,
)

STAGES: Final = {"night": "Night {round}.", "day": "Day {round}.", "over": "The game is over."}


def may(view: View) -> list[str]:
    """Return the kinds of actions that the viewer may do in the game now."""
    you = (view["game"] or {}).get("you")
    return you["may"] if you else []


def choosing(kind: str, field: str, *, or_nobody: bool = False) -> Reader:
    """Return a reader for an action that names a player in a field, or nobody."""

    def read(words: Words, view: View) -> Command:
        words.require_count(1, 1)
        is_nobody = or_nobody and words.rest[0].lower() == NOBODY
        return Action({"kind": kind, field: NOBODY if is_nobody else words.player(0, view)})

    return read


def _leave(words: Words, view: View) -> Command:
    """Leave the town for good, or give the seat back when no game runs."""
    words.require_count(0, 0)
    return Action({"kind": "leave" if "leave" in may(view) else "stand"})


#: The beginning of the help page: questions, and commands to take a seat.
FIRST: Final = (
    CommandEntry(("help", "h", "?"), "!help", "this list", help_),
    CommandEntry(("who",), "!who", "the players and the number of spectators", query("who")),
    CommandEntry(("status",), "!status", "how it stands, and your own card", query("status")),
    CommandEntry(("votes",), "!votes", "who votes for whom", query("votes")),
    CommandEntry(("history",), "!history", "the last night and the last day", query("history")),
    CommandEntry(("sit",), "!sit", "take a free seat", plain("sit"), "sit"),
    CommandEntry(
        ("take", "sub"), "!take [NAME]", "take over a seat that is open", take_over, "take_over"
    ),
    CommandEntry(("stand",), "!stand", "give your seat back", plain("stand"), "stand"),
    CommandEntry(("ready",), "!ready", "agree to start with these options", ready, "ready"),
    CommandEntry(("unready",), "!unready", "take that back", plain("unready"), "unready"),
)
#: The end of the help page: check-in, leaving, and bots.
LAST: Final = (
    CommandEntry(("done",), "!done", "nobody need wait for you", plain("done"), "done"),
    CommandEntry(("undone",), "!undone", "take that back", plain("undone"), "undone"),
    CommandEntry(("leave",), "!leave", "leave town for good, or your seat", _leave, "leave"),
    CommandEntry(("rematch",), "!rematch", "play the same again", plain("rematch"), "rematch"),
    CommandEntry(
        ("end", "play_out"), "!end", "see how it ends when only bots live", plain("play_out"),
        "play_out",
    ),
    CommandEntry(
        ("bot", "add_bot", "addbot"), "!bot", "ask a bot to sit down", plain("add_bot"), "add_bot"
    ),
    CommandEntry(
        ("unbot", "remove_bot"), "!unbot BOT", "send a bot away", remove_bot, "remove_bot"
    ),
)  # fmt: skip


def vote_lines(view: View) -> Iterator[str]:
    game, names = view["game"], names_of(view)
    for choice, _ in game["tally"]:
        voters = [seat["no"] for seat in game["seats"] if seat["vote"] == choice]
        yield f"{choice_word(choice, names)}: {people(voters, names)}."


def named(pattern: str, field: str) -> Confirmation:
    """Return a confirmation that names the chosen player."""
    return lambda action, view: pattern.format(choice_word(action[field], names_of(view)))


#: Kind of action -> the confirmation that its sender gets.
MAFIA_CONFIRMATIONS: Final[Mapping[str, Confirmation]] = {
    **TABLE_CONFIRMATIONS,
    "vote": named("Your vote: {}.", "choice"),
    "write_will": fixed("Your last will is kept. It is posted if you die."),
    "done": fixed("You are done. You can take it back until the phase ends."),
    "undone": fixed("You are not done."),
    "leave": fixed("You have left town."),
}


#: Tells something of a view in lines.
Lines = Callable[[View], Iterable[str]]


def typing_of(
    commands: tuple[CommandEntry, ...],
    confirmations: Mapping[str, Confirmation],
    *,
    status: Lines,
    votes: Lines,
    history: Lines,
) -> Typing:
    """Return what is typed in a game; ``status`` and ``votes`` are asked in a game and by day."""

    def tell_status(view: View) -> str:
        game = view["game"]
        if game is None:
            return table_status(view)
        alive = [seat["no"] for seat in game["seats"] if seat["is_alive"]]
        stage = STAGES[game["stage"]].format(round=game["round"])
        living = f"{len(alive)} live: {people(alive, names_of(view))}."
        return "\n".join([stage, living, *status(view)])

    def tell_votes(view: View) -> str:
        has_votes = view["game"] is not None and view["game"]["stage"] == "day"
        return "\n".join(votes(view)) if has_votes else "There are no votes now."

    told = {**MAFIA_CONFIRMATIONS, **confirmations}
    answers: dict[str, Answer] = {
        "help": lambda view: help_text(commands, view),
        "who": who,
        "status": tell_status,
        "votes": tell_votes,
        "history": lambda view: "\n".join(history(view)) or "Nothing has happened yet.",
    }
    return Typing(
        commands,
        lambda asked, view: answers[asked.kind](view),
        lambda action, view: confirmed(action, view, told),
    )
