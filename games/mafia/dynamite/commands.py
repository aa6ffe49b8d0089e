"""The table of chat commands of Rock, Paper, Scissors, Dynamite; pure.
Source: docs/reference/commands.md "Typed in Rock, Paper, Scissors, Dynamite".
"""

from typing import Final

from games.mafia.common.commands import FIRST, LAST
from games.text.typed import Action, Command, CommandEntry, View, Words, plain


def _vote(words: Words, view: View) -> Command:
    """Vote for a player by name."""
    words.require_count(1, 1)
    return Action({"kind": "vote", "choice": words.player(0, view)})


def _confront(words: Words, view: View) -> Command:
    """Confront a player by name tonight."""
    words.require_count(1, 1)
    return Action({"kind": "confront", "target": words.player(0, view)})


#: All commands, in the order of the help page.
COMMANDS: Final = (
    *FIRST,
    CommandEntry(("vote", "v"), "!vote NAME", "vote by day", _vote, "vote"),
    CommandEntry(
        ("confront", "c"), "!confront NAME", "two points of your mafia, by night", _confront,
        "confront",
    ),
    CommandEntry(
        ("withdraw",), "!withdraw", "take your confrontation back", plain("withdraw"), "withdraw"
    ),
    *LAST,
)  # fmt: skip
