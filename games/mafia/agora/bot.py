"""The bot of Agoran Mafia: it decides by its own view alone, the same that a player gets.

By day the sheriff votes by the files that it has read.  The others seldom vote first: they join
the choice with most votes, a mafioso only against the town.  A bot's posts are about votes alone.
"""

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, Final

from games.contract import Character
from games.engine.facts import SeatNo, Viewer
from games.mafia.agora.rules.engine import Agora
from games.mafia.agora.rules.state import AgoraState
from games.mafia.common.bot import View, line_about, living, post, think_milliseconds, vote_of
from games.mafia.common.rules.ballots import NOBODY
from games.mafia.common.rules.phases import Stage

#: Role -> the probability of choosing nobody.
IDLE: Final = {"mafioso": 0.35, "agent": 0.8}
#: The number of living citizens who may cast the first vote of a day; they change each day.
STARTERS: Final = 2
#: The probability of a post instead of the first vote.
HESITATION: Final = 0.7
#: One vote in this many comes with a post.
SPEAKS_IN: Final = 3

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


class AgoraBot:
    """Choose, vote and check in by the bot's view."""

    cast: Mapping[str, Character] = MappingProxyType({})

    def choose(self, view: View, chance: Random) -> list[dict[str, Any]]:
        game = view["game"]
        if game["stage"] == Stage.NIGHT:
            return _by_night(game, view["you"]["seat"], chance)
        if not _has_vote_to_cast(game, view["you"]["seat"]):
            return []
        if _hesitates(game, view["you"]["seat"], chance):
            return [post(chance.choice(HESITANT))]
        choice = _vote(game, view["you"]["seat"], chance)
        return [*_line(view, choice, chance), {"kind": "vote", "choice": choice}]

    def has_decision(self, state: AgoraState, seat: int) -> bool:
        game = Agora().view(state, Viewer(SeatNo(seat)))
        if game["stage"] == Stage.NIGHT:
            return "done" in game["you"]["may"]
        return _has_vote_to_cast(game, seat)

    def think_milliseconds(self, state: AgoraState, seat: int, chance: Random) -> int:
        return think_milliseconds(state, chance)


# Night ------------------------------------------------------------------------------------------


def _by_night(game: View, seat: int, chance: Random) -> list[dict[str, Any]]:
    if "done" not in game["you"]["may"]:
        return []
    chosen = []
    if "choose" in game["you"]["may"] and game["you"]["target"] is None:
        chosen = [{"kind": "choose", "target": _target(game, seat, chance)}]
    return [*chosen, {"kind": "done"}]


def _target(game: View, seat: int, chance: Random) -> int | str:
    """Return the target of the role's night action; NOBODY if the role has no useful target."""
    you, alive = game["you"], living(game)
    if chance.random() < IDLE.get(you["role"], 0.0):
        return NOBODY
    wanted = {
        "doctor": lambda: alive,
        "sheriff": lambda: _unread(you, alive, seat),
        "mafioso": lambda: [no for no in alive if no not in _own_side(game, seat)],
        "agent": lambda: _unaltered(game, seat),
    }[you["role"]]()
    return chance.choice(wanted) if wanted else NOBODY


def _unread(you: View, alive: Sequence[int], seat: int) -> list[int]:
    read = {target for _, target, _ in you["read_files"]}
    return [no for no in alive if no not in read and no != seat]


def _unaltered(game: View, seat: int) -> list[int]:
    """Return the mafia seats whose files say mafia, as far as the agent's own actions tell."""
    turned = [choice for _, choice in game["you"]["nights"]]
    own_side = _own_side(game, seat)
    return [no for no in living(game) if no in own_side and turned.count(no) % 2 == 0]


# Day --------------------------------------------------------------------------------------------


def _has_vote_to_cast(game: View, seat: int) -> bool:
    """Whether the bot would cast or change a vote now; only a starter casts the first vote."""
    if game["stage"] != Stage.DAY or not game["you"]["is_alive"]:
        return False
    own = vote_of(game, seat)
    if suspects := _suspects(game):
        return own not in suspects
    leader = _leader(game, seat)
    may_begin = own is None and seat in _starters(game)
    return may_begin if leader is None else bool(own != leader)


def _vote(game: View, seat: int, chance: Random) -> int:
    if suspects := _suspects(game):
        return suspects[0]
    leader = _leader(game, seat)
    return chance.choice(_possible(game, seat)) if leader is None else leader


def _hesitates(game: View, seat: int, chance: Random) -> bool:
    """Whether to post instead of casting the first vote: another citizen may know more."""
    is_first = not _suspects(game) and _leader(game, seat) is None
    return is_first and chance.random() < HESITATION


def _leader(game: View, seat: int) -> int | None:
    """Return the citizen with most votes among the bot's possible targets, or None."""
    named = [choice for choice, _ in game["tally"] if choice not in (NOBODY, seat)]
    return next((no for no in named if no not in _clean(game)), None)


def _starters(game: View) -> list[int]:
    """Return the seats that may cast the first vote today; they change every day."""
    alive = living(game)
    first = game["round"] * STARTERS
    return [alive[(first + n) % len(alive)] for n in range(STARTERS)]


def _possible(game: View, seat: int) -> list[int]:
    """Return the candidates for a first vote: not of the bot's own side, and with no clean file."""
    out = _own_side(game, seat) | _clean(game)
    rest = [no for no in living(game) if no != seat]
    return [no for no in rest if no not in out] or rest


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


def _line(view: View, choice: int | str, chance: Random) -> list[dict[str, Any]]:
    """Return a post to accompany a vote, for one vote in ``SPEAKS_IN``."""
    if chance.randrange(SPEAKS_IN):
        return []
    has_others = any(named == choice for named, _ in view["game"]["tally"])
    return line_about(view, choice, chance.choice(LINES_WITH_OTHERS if has_others else LINES))
