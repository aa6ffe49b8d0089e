"""Typed commands of every table: their results and errors, the reader of their words, their
entries.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.engine.errors import IllegalAction, refusal, refuse

#: A player's view of the whole table (docs/reference/protocol.md, "The view").
View = Mapping[str, Any]

#: The limit of digits in a number; every amount on the site is shorter.
MOST_DIGITS: Final = 12


@dataclass(frozen=True, slots=True)
class Action:
    """A command for an action of the table or of the game, in its wire form."""

    action: dict[str, Any]


@dataclass(frozen=True, slots=True)
class SideCommand:
    """A command beside the match, such as a shop. ``run`` is the dotted name of a function of the
    user's id (None for a guest), ``given`` and the command's id, which returns the answer.
    """

    run: str
    given: Mapping[str, Any]
    is_guests: bool = False
    changes: bool = True


@dataclass(frozen=True, slots=True)
class Query:
    """A question about the match, such as status, help or who."""

    kind: str


Command = Action | SideCommand | Query


@dataclass(frozen=True, slots=True)
class Words:
    """A command line whose command was found: its usage, and the words after the name."""

    usage: str
    rest: Sequence[str]

    def refuse(self, problem: str) -> IllegalAction:
        return refusal("command/usage", f"{problem} The form is: {self.usage}", usage=self.usage)

    def require_count(self, least: int, most: int) -> None:
        if len(self.rest) < least:
            raise self.refuse("Something is missing.")
        if len(self.rest) > most:
            raise self.refuse(f"“{self.rest[most]}” is too much.")

    def number(self, index: int, default: int | None = None) -> int | None:
        """Read a whole number of at least 1, or return the default. Raises command/usage."""
        if index >= len(self.rest):
            return default
        word = self.rest[index]
        if not (word.isascii() and word.isdigit() and len(word) <= MOST_DIGITS and int(word)):
            raise self.refuse(f"“{word}” is not a whole number from 1 upwards.")
        return int(word)

    def player(self, index: int, view: View) -> int:
        """Read a player's name or the beginning of one."""
        return find_player(self.rest[index], view)


def find_player(word: str, view: View) -> int:
    """Return the seat of the one player whose name equals the word, else begins with it; the viewer
    last. Raises command/unknown_player, command/ambiguous_player.
    """
    names = {seat["no"]: seat["player"]["name"] for seat in view["seats"] if seat["player"]}
    # Posts write "@Name", and people a comma after it.
    sought = word.lower().removeprefix("@").rstrip(",.:;!?")
    begun = [no for no, name in names.items() if name.lower().startswith(sought)]
    exact = [no for no in begun if len(names[no]) == len(sought)]
    found = exact or [no for no in begun if no != view["you"]["seat"]] or begun
    if not sought or not found:
        refuse("command/unknown_player", f"Nobody at this table is called “{word}”.", player=word)
    if len(found) > 1:
        candidates = " or ".join(names[no] for no in found)
        message = f"“{word}” could be {candidates}."
        refuse("command/ambiguous_player", message, player=word, candidates=candidates)
    seat: int = found[0]
    return seat


def own_of(view: View) -> Mapping[str, Any]:
    """Return what a game shows its viewer alone; empty without a game or a seat in it."""
    own: Mapping[str, Any] = (view.get("game") or {}).get("you") or {}
    return own


def moves_now(view: View) -> set[str]:
    """Return the kinds of actions that the viewer may do in the game now."""
    own = own_of(view)
    return {*own.get("may", ()), *own.get("legal", ())}


Reader = Callable[[Words, View], Command]


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """One command; the first of its names is shown. ``kind`` is the action that it becomes, empty
    for one that is always possible; ``group`` is its heading in the help.
    """

    names: tuple[str, ...]
    usage: str
    about: str
    read: Reader
    kind: str = ""
    group: str = "At the table"


def wordless(command: Callable[[View], Command]) -> Reader:
    """Return a reader for a command without arguments."""

    def read(words: Words, view: View) -> Command:
        words.require_count(0, 0)
        return command(view)

    return read


def plain(kind: str, **fields: Any) -> Reader:
    """Return a reader for an action without arguments."""
    return wordless(lambda _: Action({"kind": kind, **fields}))


def choosing(kind: str, field: str, *, nobody: str = "", **fields: Any) -> Reader:
    """Return a reader for an action that names a player in a field, or ``nobody``."""

    def read(words: Words, view: View) -> Command:
        words.require_count(1, 1)
        is_nobody = words.rest[0].lower() == nobody
        return Action(
            {"kind": kind, **fields, field: nobody if is_nobody else words.player(0, view)}
        )

    return read


def leave_or_stand(kind: str) -> Reader:
    """Return a reader that gives up the game by this kind of action, else the seat."""
    return wordless(lambda view: Action({"kind": kind if kind in moves_now(view) else "stand"}))


def query(kind: str) -> Reader:
    """Return a reader for a question without arguments."""
    return wordless(lambda _: Query(kind))


def help_(words: Words, view: View) -> Command:
    """Request the list of commands."""
    return Query("help")  # extra words are ignored: a request for help is never refused


def sit(words: Words, view: View) -> Command:
    """Take the first free seat, with the named purse or the offered one."""
    words.require_count(0, 1)
    purse = words.number(0)
    named = {} if purse is None else {"purse": purse}
    return Action({"kind": "sit", **named})


def take_over(words: Words, view: View) -> Command:
    """Take over the named player's open seat, else the first. Raises command/no_free_seat."""
    words.require_count(0, 1)
    if words.rest:
        return Action({"kind": "take_over", "seat": words.player(0, view)})
    seats = [seat["no"] for seat in view["seats"] if seat["is_open"]]
    if not seats:
        refuse("command/no_free_seat", "No seat of this game is open.")
    return Action({"kind": "take_over", "seat": seats[0]})


def bring(words: Words, view: View) -> Command:
    """Change the purse."""
    words.require_count(1, 1)
    return Action({"kind": "bring", "purse": words.number(0)})


def _ready(view: View) -> Command:
    """Get ready for the options that the view shows."""
    return Action({"kind": "ready", "configuration": view["match"]["options_revision"]})


ready: Final = wordless(_ready)
remove_bot: Final = choosing("remove_bot", "seat")


def plain_entry(kind: str, about: str, group: str = "At the table") -> CommandEntry:
    """Return the command of an action without arguments, named like the action."""
    return CommandEntry((kind,), f"!{kind}", about, plain(kind), kind, group)


HELP: Final = CommandEntry(("help", "h", "?"), "!help", "this list", help_)
WHO: Final = CommandEntry(
    ("who",), "!who", "the players and the number of spectators", query("who")
)
STAND: Final = plain_entry("stand", "give your seat back")
READY: Final = CommandEntry(
    ("ready",), "!ready", "agree to start with these options", ready, "ready"
)
UNREADY: Final = plain_entry("unready", "take that back")
REMATCH: Final = plain_entry("rematch", "play the same again")
BOTS: Final = (
    CommandEntry(
        ("bot", "add_bot", "addbot"), "!bot", "ask a bot to sit down", plain("add_bot"), "add_bot"
    ),
    CommandEntry(
        ("unbot", "remove_bot"), "!unbot BOT", "send a bot away", remove_bot, "remove_bot"
    ),
)
