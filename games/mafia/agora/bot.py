"""The bot of Agoran Mafia: it decides by its own view alone, the same that a player gets.

By day the sheriff votes by the files that it has read.  The others seldom vote first: they join
the choice with most votes, a mafioso only against the town.  A bot's posts are about votes alone.
"""

from random import Random
from typing import Any, Final

from games.engine.facts import SeatNo, Viewer
from games.mafia.agora.rules.engine import Agora
from games.mafia.agora.rules.state import AgoraState
from games.mafia.common.bot import TownBot, View, line_about, living, post, vote_of
from games.mafia.common.rules.ballots import NOBODY
from games.mafia.common.rules.phases import Stage

#: Role -> the probability of choosing nobody.
IDLE: Final = {"mafioso": 0.35, "agent": 0.8}
#: The number of living citizens who may cast the first vote of a day; they change each day.
STARTERS: Final = 2
#: The probability of a post instead of the first vote.
HESITATION: Final = 0.7

#: The posts that come with a vote; they contain public information only.
LINES: Final = (
    "My vote goes to {name}.",
    "I would start with {name}.",
    "Somebody has to be first. I say {name}.",
    "{name}, tell us what you think.",
    "I have a bad feeling about {name}.",
)
HESITANT: Final = (
    "Who has something to say?",
    "I would rather not be the first.",
    "Let us hear somebody else.",
)
LINES_WITH_OTHERS: Final = (
    "Then let it be {name}.",
    "I go with the others: {name}.",
    "If we do not agree, nothing happens. {name}.",
)


class AgoraBot(TownBot):
    """Choose, vote and check in by the bot's view."""

    def choose(self, view: View, chance: Random) -> list[dict[str, Any]]:
        game, seat = view["game"], view["you"]["seat"]
        you = game["you"]
        if game["stage"] == Stage.NIGHT:
            if "done" not in you["may"]:
                return []
            if "choose" not in you["may"] or you["target"] is not None:
                return [{"kind": "done"}]
            return [{"kind": "choose", "target": _target(game, seat, chance)}, {"kind": "done"}]
        if not _has_vote_to_cast(game, seat):
            return []
        wanted = [*_suspects(game), _leader(game, seat)]
        choice = wanted[0]
        if choice is None:
            # The first vote of the day: another citizen may know more.
            if chance.random() < HESITATION:
                return [post(chance.choice(HESITANT))]
            out = _own_side(game, seat) | _clean(game)
            others = [no for no in living(game) if no != seat]
            choice = chance.choice([no for no in others if no not in out] or others)
        line = line_about(view, choice, chance, LINES, LINES_WITH_OTHERS)
        return [*line, {"kind": "vote", "choice": choice}]

    def has_decision(self, state: AgoraState, seat: int) -> bool:
        game = Agora().view(state, Viewer(SeatNo(seat)))
        if game["stage"] == Stage.NIGHT:
            return "done" in game["you"]["may"]
        return _has_vote_to_cast(game, seat)


def _target(game: View, seat: int, chance: Random) -> int | str:
    """Return the target of the role's night action; NOBODY if the role has no useful target."""
    you, alive = game["you"], living(game)
    role, own_side = you["role"], _own_side(game, seat)
    if chance.random() < IDLE.get(role, 0.0):
        return NOBODY
    wanted = alive  # the doctor's
    if role == "sheriff":
        read = {target for _, target, _ in you["read_files"]}
        wanted = [no for no in alive if no not in read and no != seat]
    elif role == "mafioso":
        wanted = [no for no in alive if no not in own_side]
    elif role == "agent":
        # The mafia's files that say mafia, as far as the agent's own choices tell.
        turned = [choice for _, choice in you["nights"]]
        wanted = [no for no in alive if no in own_side and turned.count(no) % 2 == 0]
    return chance.choice(wanted) if wanted else NOBODY


def _has_vote_to_cast(game: View, seat: int) -> bool:
    """Whether the bot would cast or change a vote now; only a starter casts the first vote."""
    if game["stage"] != Stage.DAY or not game["you"]["is_alive"]:
        return False
    own = vote_of(game, seat)
    if suspects := _suspects(game):
        return own not in suspects
    leader = _leader(game, seat)
    if leader is not None:
        return bool(own != leader)
    alive, first = living(game), game["round"] * STARTERS
    starters = [alive[(first + n) % len(alive)] for n in range(STARTERS)]
    return own is None and seat in starters


def _leader(game: View, seat: int) -> int | None:
    """Return the citizen with most votes among the bot's possible targets, or None."""
    named = [choice for choice, _ in game["tally"] if choice not in (NOBODY, seat)]
    return next((no for no in named if no not in _clean(game)), None)


def _clean(game: View) -> frozenset[int]:
    """Return the seats whose files said that they are not mafia."""
    return frozenset(no for _, no, is_mafia in game["you"]["read_files"] if not is_mafia)


def _suspects(game: View) -> list[int]:
    """Return the living seats whose files said mafia when the sheriff read them."""
    alive = living(game)
    return [no for _, no, is_mafia in game["you"]["read_files"] if is_mafia and no in alive]


def _own_side(game: View, seat: int) -> frozenset[int]:
    """Return the seats known to be of the bot's own side: mafia members know each other."""
    mafia = game["you"]["mafia"]
    return frozenset({seat}) if mafia is None else frozenset(no for no, _ in mafia)
