"""Build the views of the arena: the public part, and each player's own part."""

import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec

from games.arena import words
from games.arena.models import Player, Round
from games.arena.rounds import ENOUGH, options_of, preferences_of
from games.arena.rules.options import RoundOptions
from games.arena.rules.scores import bonus_of, sits_out
from games.engine.facts import instant, iso
from games.engine.structs import plain

#: Seconds after which the same is read again though no round has ended.
RIVALS_FRESH: Final = 60.0


class Fought(msgspec.Struct):
    """A player's part of the last round."""

    move: str
    how: str
    team: int | None
    wins: int
    losses: int
    ties: int
    result: str
    score_delta: int


class OwnStats(msgspec.Struct):
    """A player's stats as cached by a web process; ``choice`` is for the round under way."""

    is_in: bool
    watching: str
    leaves: bool
    resets: bool
    streak: int
    score: int
    best_streak: int
    wins: int
    losses: int
    ties: int
    round_wins: int
    round_losses: int
    round_ties: int
    health: int
    preferences: str
    choice: str = ""
    fought: Fought | None = None
    #: The line on goals that the last round has reached.
    goal: str = ""

    def __repr__(self) -> str:
        return "<OwnStats>"


#: Columns of a player that make an ``OwnStats``, in order.
OF_PLAYER: Final = OwnStats.__struct_fields__[:-3]


class Rivals(msgspec.Struct, frozen=True):
    """The rivals that a process shows until the next round has ended: streaks, the place of each
    streak above 0, broken streaks, and the season. ``read_at``: seconds of a monotonic clock.
    """

    last_no: int = 0
    read_at: float = 0.0
    streaks: Sequence[Mapping[str, Any]] = ()
    places: Mapping[int, int] = {}
    broken: Sequence[Mapping[str, Any]] = ()
    season: Mapping[str, Any] | None = None

    def is_still(self, last_no: int) -> bool:
        return self.last_no == last_no and time.monotonic() - self.read_at < RIVALS_FRESH


class Standing(msgspec.Struct):
    """The public state of the arena; ``told`` is the result of the last resolved round, ``last``
    the same as its stored text.
    """

    round_no: int = 0
    is_selecting: bool = False
    ends_at: datetime | None = None
    shows_until: datetime | None = None
    options: RoundOptions = RoundOptions()
    drawn: str | None = None
    commitment: str = ""
    people: int = 0
    bots: int = 0
    names: Sequence[tuple[str, bool]] = ()
    last_no: int = 0
    last: str = ""
    told: Mapping[str, Any] | None = None
    rivals: Rivals = Rivals()


def own_stats_of(player: Player | OwnStats, choice: str) -> OwnStats:
    """Return a player's stats, without the last round."""
    return OwnStats(*(getattr(player, name) for name in OF_PLAYER), choice)  # type: ignore[call-arg]


def standing_of(current: Round | None, last: Round | None) -> Standing:
    """Return the standing of the arena from its rounds, without the players who are in."""
    found = Standing()
    if last is not None:
        found.last_no, found.last = last.no, last.result
        found.told = msgspec.json.decode(last.result)
    if current is None:
        return found
    found.round_no, found.options = current.no, options_of(current.options)
    found.commitment = current.commitment
    if current.is_under_way:
        found.is_selecting = True
        found.ends_at, found.shows_until = current.ends_at, current.shows_until
        found.drawn = current.drawn.username if current.drawn else None
    return found


def public(standing: Standing) -> dict[str, Any]:
    """Return the public part of the view."""
    # Before the selection has ended it contains no choice and nothing derived from one.
    return {
        "state": "selecting" if standing.is_selecting else "resting",
        "round": standing.round_no,
        "ends_at": _iso(standing.ends_at),
        "shows_result_until": _iso(standing.shows_until),
        "options": plain(standing.options),
        "drawn": standing.drawn,
        "commitment": standing.commitment,
        "people": standing.people,
        "bots": standing.bots,
        "names": [{"name": name, "bot": is_bot} for name, is_bot in standing.names],
        "last": msgspec.Raw(standing.last.encode()) if standing.last else None,
        "reason": None if standing.told is None else words.summary(standing.told),
        "streaks": standing.rivals.streaks,
        "broken": standing.rivals.broken,
        "season": standing.rivals.season,
        "counts_on_boards": standing.people >= ENOUGH,
    }


def replayed(over: Round, fought: Fought | None) -> dict[str, Any]:
    """Return the frame from which the floor is drawn for a round that is over, through the eyes of
    the player of ``fought``, if given.
    """
    standing = standing_of(over, over)
    standing.drawn, standing.people = over.drawn.username if over.drawn else None, over.people
    return {
        "arena": {**public(standing), "last": standing.told},
        "you": fought and {"team": fought.team, "last": _last(standing, fought)},
    }


def own(
    standing: Standing, mine: OwnStats | None, live: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return a player's own part of the view. ``live``: the live choices; shown only if
    ``sees_choices`` holds.
    """
    mine = mine or own_stats_of(Player(), "")
    is_playing = mine.is_in and standing.is_selecting
    has_health = standing.is_selecting and standing.options.survivor
    return {
        "is_in": mine.is_in,
        "is_watching_because": None if mine.is_in else mine.watching or None,
        "choice": (mine.choice or None) if is_playing else None,
        "streak": mine.streak,
        "score": mine.score,
        "best_streak": mine.best_streak,
        "wins": mine.wins,
        "losses": mine.losses,
        "ties": mine.ties,
        "round_wins": mine.round_wins,
        "round_losses": mine.round_losses,
        "round_ties": mine.round_ties,
        "health": mine.health if has_health else None,
        "is_sat_out": is_playing and sits_out(standing.options, mine.health),
        "team": mine.fought.team if mine.fought else None,
        "preferences": preferences_of(mine.preferences),
        "bonus": bonus_of(mine.streak if is_playing else 0, classic=standing.options.classic),
        "live": live if sees_choices(standing, mine) else None,
        "streak_place": standing.rivals.places.get(mine.streak) if mine.is_in else None,
        "last": _own_last(standing, mine),
        "waits_until_round_end": "leave" if mine.leaves else "reset" if mine.resets else None,
    }


def _own_last(standing: Standing, mine: OwnStats) -> dict[str, Any] | None:
    if mine.fought is None:
        return None
    goal = {"goal": mine.goal} if mine.goal else {}
    return {**_last(standing, mine.fought), **goal}


def sees_choices(standing: Standing, mine: OwnStats | None) -> bool:
    """Whether a player may see the live choices now."""
    if mine is None or not mine.is_in or not standing.is_selecting:
        return False
    return bonus_of(mine.streak, classic=standing.options.classic).sees_choices


def _last(standing: Standing, fought: Fought) -> dict[str, Any]:
    return {
        "round": standing.last_no,
        "move": fought.move or None,
        "how": fought.how,
        "wins": fought.wins,
        "losses": fought.losses,
        "ties": fought.ties,
        "result": fought.result,
        "score_delta": fought.score_delta,
        "why": words.why(fought.how, fought.move, fought.wins, fought.losses),
        "reason": standing.told and words.reason(standing.told, fought.move, fought.team),
    }


def _iso(at: datetime | None) -> str | None:
    return None if at is None else iso(instant(at))
