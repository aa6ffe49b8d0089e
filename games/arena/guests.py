"""Guests' throws: a few rounds without an account, judged privately, in this process's memory."""

import secrets
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from accounts.devices import line_of
from games.arena import words
from games.arena.presenters import Standing
from games.arena.rounds import MOST_BOTS
from games.arena.rules.moves import (
    MOVES,
    Counts,
    Move,
    battles,
    letters,
    signs,
    with_oneself,
    without_oneself,
)
from games.arena.rules.options import PLAIN, RoundOptions
from games.engine.errors import StaleAction, refuse
from games.engine.structs import plain
from games.realtime import protocol
from games.realtime.limits import Bucket, LruDict, TooFast

#: The settings of guests: rounds of one guest, and an hour's of all guests of one address.
GUEST_LIMITS: Final = ("arena.guest_rounds", "arena.guest_rounds_an_hour")
#: A guest's choices a second, and at once: each is answered with a view.
PACE: Final = (2.0, 15.0)
_NAMES: Final = tuple(move.value for move in MOVES)


class Guest(msgspec.Struct):
    """One socket's throws: the choice for a round, what came of the others, and of the last."""

    thrown: int = 0
    round_no: int = 0
    choice: Move | None = None
    won: int = 0
    lost: int = 0
    tied: int = 0
    last: dict[str, Any] | None = None
    pace: Bucket = msgspec.field(default_factory=lambda: Bucket(*PACE))

    def __repr__(self) -> str:
        return "<Guest>"


class Guests:
    """The guests who throw in this process, judged as if one more player had been in the round that
    everybody sees. ``limits``: the values of ``GUEST_LIMITS``.
    """

    def __init__(self, limits: Mapping[str, int]) -> None:
        self._known: dict[object, Guest] = {}
        self._waiting: set[object] = set()
        self.limit(limits)

    def limit(self, limits: Mapping[str, int]) -> None:
        """Take the site's numbers; changed ones reset the addresses."""
        self._most, an_hour = (limits[name] for name in GUEST_LIMITS)
        self._addresses = LruDict(lambda: Bucket(an_hour / 3_600, an_hour))

    def forget(self, key: object) -> None:
        self._known.pop(key, None)
        self._waiting.discard(key)

    def choose(
        self, key: object, address: str, move: Move | None, phase: int, standing: Standing
    ) -> None:
        """Take a guest's choice for the round, or judge it at once while the arena rests. Raises
        StaleAction for another round, action/no_rounds_left, or TooFast for this guest or address.
        """
        if phase != standing.round_no:
            raise StaleAction("another round has begun", round=standing.round_no)
        guest = self._known.setdefault(key, Guest())
        if not guest.pace.take():
            raise TooFast("too many at once, wait a moment", guest.pace.pause)
        is_new = move is not None and (guest.choice is None or guest.round_no != phase)
        if is_new and guest.thrown >= self._most:
            refuse("action/no_rounds_left", "sign up to go on")
        if is_new and not (allowance := self._addresses.of(line_of(address))).take():
            raise TooFast("that is enough from your address for now", allowance.pause)
        if standing.is_selecting:
            guest.round_no, guest.choice = phase, move
            self._waiting.add(key)
        elif move is not None:
            drawn = [secrets.choice(_NAMES) for _ in range(MOST_BOTS)]
            counts = tuple(map(drawn.count, _NAMES))
            _judge(guest, move, (counts[0], counts[1], counts[2]), PLAIN, None)

    def judge(self, standing: Standing) -> None:
        """Judge the choices for the last resolved round; drop those for dropped ones."""
        told = standing.told
        for key in tuple(self._waiting):
            guest = self._known[key]
            if standing.is_selecting and guest.round_no == standing.round_no:
                continue
            self._waiting.discard(key)
            if told is not None and guest.round_no == standing.last_no and guest.choice:
                counts = told["counts"]["rock"], told["counts"]["paper"], told["counts"]["scissors"]
                options = RoundOptions(**told["options"])
                _judge(guest, guest.choice, counts, options, standing.last_no)
            guest.choice = None

    def encoded(self, key: object) -> bytes:
        """Return the member ``guest`` of a view, with its comma; empty before the first choice."""
        guest = self._known.get(key)
        return (
            b"" if guest is None else b',"guest":' + protocol.encode_view(shown(guest, self._most))
        )


def shown(guest: Guest, most: int) -> dict[str, Any]:
    """Return a guest's own part of the view; ``most``: the rounds of a visit."""
    return {
        "left": max(0, most - guest.thrown),
        "choice": guest.choice,
        "won": guest.won,
        "lost": guest.lost,
        "tied": guest.tied,
        "last": guest.last,
    }


def _judge(guest: Guest, move: Move, others: Counts, options: RoundOptions, no: int | None) -> None:
    """Judge a guest's move against a round of others; teams have no place for a guest."""
    index = MOVES.index(move)
    counts = with_oneself(others, index)
    table = signs(counts, inverted=options.inverted, count=options.count)
    found = battles(table[index], without_oneself(counts, index))
    result = ("tied", "won", "lost")[found.sign] if any(found) else "none"
    rows = [dict(zip(_NAMES, row, strict=True)) for row in letters(table)]
    told = {
        "options": plain(options),
        "counts": dict(zip(_NAMES, counts, strict=True)),
        "table": dict(zip(_NAMES, rows, strict=True)),
    }
    guest.thrown += 1
    guest.won += result == "won"
    guest.lost += result == "lost"
    guest.tied += result in ("tied", "none")
    guest.last = {
        "round": no,
        "move": move.value,
        "how": "chosen",
        "wins": found.wins,
        "losses": found.losses,
        "ties": found.ties,
        "result": result,
        "score_delta": 0,
        "why": None,
        "reason": words.reason(told, move.value, None),
        # Of a round that nobody else sees.
        "counts": told["counts"] if no is None else None,
    }
