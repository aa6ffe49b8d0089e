"""The typed commands of the arena, as one table; pure."""

from typing import Final

from games.arena.rules.options import OPTIONS, Preference
from games.text.typed import HELP, Action, Command, CommandEntry, View, Words, plain, query


def _prefer(words: Words, view: View) -> Command:
    """Read an option and the preference for it; raises command/usage."""
    words.require_count(2, 2)
    option, value = (word.lower() for word in words.rest)
    if option not in OPTIONS:
        raise words.refuse(f"The options are {', '.join(OPTIONS)}.")
    if value not in set(Preference):
        raise words.refuse("One wishes it on, off, or any.")
    return Action({"kind": "prefer", "option": option, "value": value})


#: All typed commands, in the order of the help.
COMMANDS: Final = (
    HELP,
    CommandEntry(("status",), "!status", "how the arena stands, and you in it", query("status")),
    CommandEntry(("rock", "r"), "!rock", "choose rock", plain("choose", move="rock")),
    CommandEntry(("paper", "p"), "!paper", "choose paper", plain("choose", move="paper")),
    CommandEntry(
        ("scissors", "s"), "!scissors", "choose scissors", plain("choose", move="scissors")
    ),
    CommandEntry(("nothing", "n"), "!nothing", "take your choice back", plain("choose", move=None)),
    CommandEntry(("join",), "!join", "be in", plain("join")),
    CommandEntry(("leave",), "!leave", "be out after this round", plain("leave")),
    CommandEntry(
        ("prefer",), "!prefer OPTION on|off|any", "wish an option to be on or off", _prefer
    ),
    CommandEntry(("reset",), "!reset", "begin again with all your figures at 0", plain("reset")),
)
