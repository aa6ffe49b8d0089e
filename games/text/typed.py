"""The results of typed commands, their errors, and the reader of their words.
Source: docs/rules/showdown.md, "Commands".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.engine.errors import IllegalAction

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
    """A command for a function beside the match, such as a shop.

    ``run`` is the dotted name of a function of the user's id, ``given`` and the command's id; it
    returns the text of the answer.  ``is_guests``: whether guests may use it (the user's id is then
    None).  ``changes``: whether it changes data of the user.
    """

    run: str
    given: Mapping[str, Any]
    is_guests: bool = False
    changes: bool = True


@dataclass(frozen=True, slots=True)
class Query:
    """A question about the match that changes nothing, such as status, help or who."""

    kind: str


Command = Action | SideCommand | Query


class CommandError(IllegalAction):
    """The typed command cannot be carried out; nothing has changed."""

    code = "command/refused"


class UnknownCommand(CommandError):
    """There is no command with this name."""

    code = "command/unknown"


class BadUsage(CommandError):
    """A word of the command is missing, too many or of the wrong kind; detail: usage."""

    code = "command/usage"


class UnknownPlayer(CommandError):
    """No player at the table has a name that begins like this; detail: player."""

    code = "command/unknown_player"


class AmbiguousPlayer(CommandError):
    """More than one player's name begins like this; detail: player, candidates."""

    code = "command/ambiguous_player"


class NoFreeSeat(CommandError):
    """No seat of the table is open to be taken over."""

    code = "command/no_free_seat"


@dataclass(frozen=True, slots=True)
class Words:
    """A command line whose command was found: its usage, and the words after the name."""

    usage: str
    rest: Sequence[str]

    def refuse(self, problem: str) -> BadUsage:
        """Return the error for a wrong word, with the usage in its message."""
        return BadUsage(f"{problem} The form is: {self.usage}", usage=self.usage)

    def require_count(self, least: int, most: int) -> None:
        """Reject too few or too many words; raises BadUsage."""
        if len(self.rest) < least:
            raise self.refuse("Something is missing.")
        if len(self.rest) > most:
            raise self.refuse(f"“{self.rest[most]}” is too much.")

    def number(self, index: int, default: int | None = None) -> int | None:
        """Read a whole number of at least 1, or return the default; raises BadUsage."""
        if index >= len(self.rest):
            return default
        word = self.rest[index]
        if not (word.isascii() and word.isdigit() and len(word) <= MOST_DIGITS and int(word)):
            raise self.refuse(f"“{word}” is not a whole number from 1 upwards.")
        return int(word)

    def player(self, index: int, view: View) -> int:
        """Read a player's name or the beginning of one; raises UnknownPlayer, AmbiguousPlayer."""
        return find_player(self.rest[index], view)


def find_player(word: str, view: View) -> int:
    """Return the seat of the one player whose name equals the word or begins with it.

    A whole name takes precedence over a prefix; other players take precedence over
    the viewer, since hardly any command has the viewer as its target.

    Raises:
        UnknownPlayer: nobody at the table.
        AmbiguousPlayer: several.

    Source: docs/rules/showdown.md, "Commands".
    """
    names = {seat["no"]: seat["player"]["name"] for seat in view["seats"] if seat["player"]}
    sought = word.lower()
    begun = [no for no, name in names.items() if name.lower().startswith(sought)]
    exact = [no for no in begun if len(names[no]) == len(sought)]
    found = exact or [no for no in begun if no != view["you"]["seat"]] or begun
    if not found:
        raise UnknownPlayer(f"Nobody at this table is called “{word}”.", player=word)
    if len(found) > 1:
        candidates = " or ".join(names[no] for no in found)
        raise AmbiguousPlayer(
            f"“{word}” could be {candidates}.", player=word, candidates=candidates
        )
    seat: int = found[0]
    return seat
