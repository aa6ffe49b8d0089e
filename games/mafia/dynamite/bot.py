"""How a bot lives in Dynamite Town: it knows its own card and what everybody knows.

By day it votes once and is done: most often for somebody who has votes already, a mafioso seldom
for a mate.  By night a mafia with points takes turns at confronting somebody of whom nobody has
shown yet that it is the stronger one.  What a bot says is about votes alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from types import MappingProxyType
from typing import Any, Final

from games.contract import Character
from games.engine.facts import SeatNo, Viewer
from games.mafia.common.bot import View, line_about, living, think_milliseconds, vote_of
from games.mafia.common.rules.phases import Stage
from games.mafia.dynamite.rules.engine import Dynamite
from games.mafia.dynamite.rules.state import PRICE, DynamiteState

#: How often a mafioso votes for a mate, and how often anybody for whoever has votes.
FOR_A_MATE: Final = 0.05
WITH_OTHERS: Final = 0.8
#: How often a mafioso whose turn it is confronts somebody.
BOLD: Final = 0.32
#: One vote in so many comes with a line.
SPEAKS_IN: Final = 3

#: What a bot says with a vote: nothing but what everybody sees.
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


class DynamiteBot:
    """Votes, confronts and checks in by its view."""

    cast: Mapping[str, Character] = MappingProxyType({})

    def choose(self, view: View, chance: Random) -> list[dict[str, Any]]:
        """Return the actions in their wire form, in the order in which to send them."""
        game, seat = view["game"], view["you"]["seat"]
        if not _has_decision(game):
            return []
        if game["stage"] == Stage.NIGHT:
            return [*_confrontation(game, seat, chance), {"kind": "done"}]
        if vote_of(game, seat) is not None:
            return [{"kind": "done"}]
        choice = _vote(game, seat, chance)
        line = _line(view, choice, chance)
        return [*line, {"kind": "vote", "choice": choice}, {"kind": "done"}]

    def has_decision(self, state: DynamiteState, seat: int) -> bool:
        """Whether a bot would do something now; asked of its view, as ``choose`` is."""
        return _has_decision(Dynamite().view(state, Viewer(SeatNo(seat))))

    def think_milliseconds(self, state: DynamiteState, seat: int, chance: Random) -> int:
        """Return how long to wait before acting: seconds by night, longer by day."""
        return think_milliseconds(state, chance)


def _has_decision(game: View) -> bool:
    """Whether one is not done yet, with a vote by day or without one."""
    return bool(game["you"]["may"]) and not game["you"]["is_done"]


# By day ---------------------------------------------------------------------------------------


def _vote(game: View, seat: int, chance: Random) -> int:
    """Return for whom to vote."""
    others = [no for no in living(game) if no != seat]
    mates = [no for no in game["you"]["mates"] or () if no in others]
    if mates and chance.random() < FOR_A_MATE:
        return chance.choice(mates)
    strangers = [no for no in others if no not in mates] or others
    named = [no for no in _votes_lately(game) if no in strangers]
    if named and chance.random() < WITH_OTHERS:
        return chance.choice(named)
    return chance.choice(strangers)


def _votes_lately(game: View) -> list[int]:
    """Return whom today's votes name, or yesterday's where nobody has voted yet."""
    today = [int(no) for no, votes in game["tally"] for _ in range(votes)]
    yesterday = game["last_day"]["votes"] if game["last_day"] else ()
    return today or [int(no) for _, no in yesterday if no is not None]


def _line(view: View, choice: int, chance: Random) -> list[dict[str, Any]]:
    """Say something with a vote, now and then."""
    if chance.randrange(SPEAKS_IN):
        return []
    has_others = any(named == choice for named, _ in view["game"]["tally"])
    return line_about(view, choice, chance.choice(LINES_WITH_OTHERS if has_others else LINES))


# By night -------------------------------------------------------------------------------------


def _confrontation(game: View, seat: int, chance: Random) -> list[dict[str, Any]]:
    you = game["you"]
    if "confront" not in you["may"] or you["target"] is not None or not _has_turn(game, seat):
        return []
    targets = _targets(game)
    if not targets or chance.random() >= BOLD:
        return []
    return [{"kind": "confront", "target": chance.choice(targets)}]


def _has_turn(game: View, seat: int) -> bool:
    """Whether the team's free points reach to one: mates take turns, others first every night.

    All bots of a wave see the same view, and one's points must not be spent by another.
    """
    you = game["you"]
    busy = {attacker for attacker, _ in you["confrontations"]}
    free = [no for no in living(game) if no in you["mates"] and no not in busy]
    turns = (you["points"] - you["reserved"]) // PRICE
    first = game["round"] % len(free)
    return seat in [free[(first + n) % len(free)] for n in range(min(turns, len(free)))]


def _targets(game: View) -> list[int]:
    """Return whom to confront: no mate, and nobody who outlived it and did no harm."""
    out = {*game["you"]["mates"], *(target for _, target in game["you"]["nights"])}
    return [no for no in living(game) if no not in out]
