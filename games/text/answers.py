"""Answers to typed questions and confirmations of the table's actions, common to all games, from
the view of the player who typed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.text.telling import name_of, points
from games.text.typed import CommandEntry, Query, View, moves_now

#: Tells something of a view, line by line.
Answer = Callable[[View], Iterator[str]]
#: A pattern that the action's fields fill, its players by name; or a function of action and view.
Confirmation = str | Callable[[Mapping[str, Any], View], str]

#: The fields of actions that name a player by the seat.
SEATS: Final = ("seat", "target")


@dataclass(frozen=True, slots=True)
class Typing:
    """The commands of a game, answers by the kind of question, confirmations by the kind of action;
    each is built from the view of the player who types.
    """

    commands: tuple[CommandEntry, ...]
    answers: Mapping[str, Answer]
    confirmations: Mapping[str, Confirmation]

    def answer(self, query: Query, view: View) -> str:
        """Answer a question in words; raises KeyError."""
        if query.kind == "help":
            return help_text(self.commands, view)
        return "\n".join(self.answers[query.kind](view))

    def confirm(self, action: Mapping[str, Any], view: View) -> str:
        """Return a sentence on an accepted action; ``view`` is from before it."""
        kind = action["kind"]
        told = self.confirmations.get(kind) or TABLE_CONFIRMATIONS.get(kind, "Done.")
        if not isinstance(told, str):
            return told(action, view)
        seats = {field: action[field] for field in SEATS if isinstance(action.get(field), int)}
        named = {field: name_of(no, names_of(view)) for field, no in seats.items()}
        return told.format_map({**action, **named})


def names_of(view: View) -> dict[int, str]:
    """Return the players' names by seat."""
    return {seat["no"]: seat["player"]["name"] for seat in view["seats"] if seat["player"]}


def help_text(commands: Iterable[CommandEntry], view: View) -> str:
    """List commands, a line each, in groups: those that are possible now come first."""
    may = {*(view["you"] or {}).get("may", ()), *moves_now(view)}
    groups: dict[str, list[str]] = {"You can now": []} if may else {}
    for entry in commands:
        is_now = bool(entry.kind) and entry.kind in may
        name = "You can now" if is_now else entry.group
        groups.setdefault(name, []).append(f"{entry.usage}: {entry.about}")
    return "\n".join(
        line for name, lines in groups.items() if lines for line in (f"{name}:", *lines)
    )


def table_status(view: View) -> Iterator[str]:
    """List the seated players and their readiness, before a game."""
    yield f"{view['match']['title']}: no game is running."
    for seat in view["seats"]:
        if seat["player"]:
            ready = "ready" if seat["ready"] else "not ready"
            purse = f"purse {seat['purse']}, " if seat["purse"] else ""
            yield f"{seat['player']['name']}: {purse}{ready}."


def in_game(tell: Answer) -> Answer:
    """Return an answer about a running game; before it, the table's status."""
    return lambda view: table_status(view) if view["game"] is None else tell(view)


def who(view: View) -> Iterator[str]:
    """List the seated players, their presence, and the number of spectators."""
    for seat in view["seats"]:
        player = seat["player"]
        if player:
            where = "a bot" if player["bot"] else _whereabouts(seat)
            yield f"Seat {seat['no'] + 1}: {player['name']}, {where}."
        else:
            yield f"Seat {seat['no'] + 1}: free."
    count = view["match"]["watching"]
    yield "1 spectator." if count == 1 else f"{count or 'No'} spectators."


def _whereabouts(seat: Mapping[str, Any]) -> str:
    """Tell a player's presence; by the day alone if live presence could reveal a role."""
    if seat["present"] is not None:
        return "here" if seat["present"] else "away"
    return f"last here on {seat['seen_on']}" if seat["seen_on"] else "not seen yet"


def _sit(action: Mapping[str, Any], view: View) -> str:
    return f"You sit down with {points(action['purse'])}." if "purse" in action else "You sit down."


#: Kind of the table's action -> the confirmation that its sender gets.
TABLE_CONFIRMATIONS: Final[Mapping[str, Confirmation]] = {
    "sit": _sit,
    "take_over": "From now on you play for {seat}.",
    "bring": "Your purse is {purse} now. Press ready for it.",
    "stand": "You stand up.",
    "leave": "You give up this game.",
    "configure": "The options are changed.",
    "ready": "You are ready.",
    "unready": "You are not ready.",
    "rematch": "The next game is open.",
    "play_out": "The rest is played in seconds.",
    "add_bot": "A bot sits down.",
    "remove_bot": "You send {seat} away.",
}
