"""The bot of Dynamite: it decides by its own view alone, the same that a player gets.

By day it votes once and is done: mostly for a seat that has votes, as a mafioso seldom for a mate.
By night the bots of a mafia with points take turns to confront a player; a bot confronts the same
player only once.  A bot's posts are about votes alone.
"""

from random import Random
from typing import Any, Final

from games.engine.facts import SeatNo, Viewer
from games.mafia.common.bot import TownBot, View, line_about, living, vote_of
from games.mafia.common.rules.phases import Stage
from games.mafia.dynamite.rules.engine import Dynamite
from games.mafia.dynamite.rules.state import PRICE, DynamiteState

#: The probability that a mafioso votes for a mate, and that a bot joins other votes.
FOR_A_MATE: Final = 0.05
WITH_OTHERS: Final = 0.8
#: The probability that a mafioso confronts a player when it has the turn.
BOLD: Final = 0.32

#: The posts that come with a vote; they contain public information only.
LINES: Final = (
    "My vote goes to {name}.",
    "{name}, here is one for you.",
    "Hold still, {name}.",
    "I have nothing against {name}. Somebody has to be shaken.",
    "{name} has been very quiet.",
)
LINES_WITH_OTHERS: Final = (
    "Another one for {name}.",
    "{name} again? Very well.",
    "I go with the others: {name}.",
)


class DynamiteBot(TownBot):
    """Vote, confront and check in by the bot's view."""

    def choose(self, view: View, chance: Random) -> list[dict[str, Any]]:
        game, seat = view["game"], view["you"]["seat"]
        if not _has_decision(game):
            return []
        if game["stage"] == Stage.NIGHT:
            return [*_confrontation(game, seat, chance), {"kind": "done"}]
        if vote_of(game, seat) is not None:
            return [{"kind": "done"}]
        choice = _vote(game, seat, chance)
        line = line_about(view, choice, chance, LINES, LINES_WITH_OTHERS)
        return [*line, {"kind": "vote", "choice": choice}, {"kind": "done"}]

    def has_decision(self, state: DynamiteState, seat: int) -> bool:
        return _has_decision(Dynamite().view(state, Viewer(SeatNo(seat))))


def _has_decision(game: View) -> bool:
    """Whether the bot may act and is not done yet."""
    return bool(game["you"]["may"]) and not game["you"]["is_done"]


def _vote(game: View, seat: int, chance: Random) -> int:
    """Return the seat to vote for: often one that today's votes name, or yesterday's."""
    others = [no for no in living(game) if no != seat]
    mates = [no for no in game["you"]["mates"] or () if no in others]
    if mates and chance.random() < FOR_A_MATE:
        return chance.choice(mates)
    strangers = [no for no in others if no not in mates] or others
    today = [int(no) for no, votes in game["tally"] for _ in range(votes)]
    yesterday = game["last_day"]["votes"] if game["last_day"] else ()
    lately = today or [int(no) for _, no in yesterday if no is not None]
    named = [no for no in lately if no in strangers]
    if named and chance.random() < WITH_OTHERS:
        return chance.choice(named)
    return chance.choice(strangers)


def _confrontation(game: View, seat: int, chance: Random) -> list[dict[str, Any]]:
    """Return a confrontation of a player whom the bot has not confronted, or nothing.

    Mates take turns to spend free points, rotated every night: all bots of a wave see the same
    view, and two of them must not spend the same points.
    """
    you = game["you"]
    if "confront" not in you["may"] or you["target"] is not None:
        return []
    busy = {attacker for attacker, _ in you["confrontations"]}
    free = [no for no in living(game) if no in you["mates"] and no not in busy]
    turns = (you["points"] - you["reserved"]) // PRICE
    first = game["round"] % len(free)
    if seat not in [free[(first + n) % len(free)] for n in range(min(turns, len(free)))]:
        return []
    out = {*you["mates"], *(target for _, target in you["nights"])}
    targets = [no for no in living(game) if no not in out]
    if not targets or chance.random() >= BOLD:
        return []
    return [{"kind": "confront", "target": chance.choice(targets)}]
