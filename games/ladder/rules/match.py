"""One match: hands in, counts and clocks out. Instants are seconds of any clock that only rises.
Source: docs/explanation/ladder.md.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

#: A hand is its place here; each beats the one before it.
HANDS: Final = "rps"
CODES: Final = {hand: code for code, hand in enumerate(HANDS)}
THROWS: Final = 1_000
#: Seconds of thinking of a side, and what of each wait is the line's at most.
BANK: Final = 60.0
MOST_TRIP: Final = 0.4
#: Seconds after which a match ends; it counts from this number of throws on.
LONGEST: Final = 900.0
LEAST_THROWS: Final = 300
#: Fills the last byte of packed hands.
NO_HAND: Final = 3


class Reason(StrEnum):
    """The reason of an end; those of forfeits are at the side that forfeits."""

    PLAYED = "played"
    TIME = "time"
    DROPPED = "dropped"
    CLOCK = "clock"
    BAD_HAND = "bad_hand"
    BAD_ANSWER = "bad_answer"
    FLOOD = "flood"
    LEFT = "left"


class LadderMatch:
    """A match under way: seat 0 and 1, codes of hands by throw, ``thought`` in seconds."""

    def __init__(self, began_at: float, throws: int = THROWS) -> None:
        self.began_at, self.throws = began_at, throws
        self.ended_at = began_at
        self.hands = (bytearray(), bytearray())
        self.wins, self.thought = [0, 0], [0.0, 0.0]
        self._in: list[int | None] = [None, None]
        self._asked_at: list[float | None] = [None, None]
        self.reason: Reason | None = None
        self.forfeit: int | None = None

    @property
    def played(self) -> int:
        return len(self.hands[0])

    @property
    def winner(self) -> int | None:
        """The seat that won the match; None for a tie."""
        if self.forfeit is not None:
            return 1 - self.forfeit
        first, second = self.wins
        return None if first == second else int(second > first)

    @property
    def counts(self) -> bool:
        """Whether an ended match is stored; else its programs are paired again."""
        is_enough = self.reason is not Reason.TIME or self.played >= LEAST_THROWS
        return is_enough and self.reason is not Reason.DROPPED

    def ask(self, at: float) -> None:
        """Note that both were asked for the next throw."""
        self._in = [None, None]
        self._asked_at = [at, at]

    def answer(self, seat: int, hand: object, at: float, trip: float) -> bool:
        """Take a seat's answer, which its line delayed by ``trip``; return whether nobody is waited
        for any more. The first hand of a throw counts; another one is a bad answer.
        """
        asked_at = self._asked_at[seat]
        code = CODES.get(hand) if isinstance(hand, str) else None
        if self.reason is not None:
            return False
        if asked_at is None or code is None:
            self.give_up(seat, Reason.BAD_ANSWER if asked_at is None else Reason.BAD_HAND, at)
            return True
        self.thought[seat] += max(0.0, at - asked_at - min(trip, MOST_TRIP))
        if self.thought[seat] > BANK:
            self.give_up(seat, Reason.CLOCK, at)
            return True
        self._asked_at[seat], self._in[seat] = None, code
        other = self._in[1 - seat]
        if other is None:
            return False
        mine, theirs = self.hands[seat], self.hands[1 - seat]
        mine.append(code)
        theirs.append(other)
        if code != other:
            self.wins[seat if (code - other) % 3 == 1 else 1 - seat] += 1
        if len(mine) == self.throws:
            self._end(Reason.PLAYED, at)
        return True

    def look(self, at: float, trips: Sequence[float]) -> bool:
        """Return whether the match is over: a bank is used up, or it has lasted too long. Of two
        empty banks the emptier one forfeits.
        """
        waits = [
            (self.thought[seat] + max(0.0, at - asked_at - min(trips[seat], MOST_TRIP)), -seat)
            for seat, asked_at in enumerate(self._asked_at)
            if asked_at is not None
        ]
        longest, seat = max(waits, default=(0.0, 0))
        if self.reason is None and longest > BANK:
            self.thought[-seat] = BANK
            self.give_up(-seat, Reason.CLOCK, at)
        elif self.reason is None and at - self.began_at > LONGEST:
            self._end(Reason.TIME, at)
        return self.reason is not None

    def give_up(self, seat: int, reason: Reason, at: float) -> None:
        """End the match as lost by a seat; an ended match stays as it is."""
        if self.reason is None:
            self.forfeit = seat
            self._end(reason, at)

    def _end(self, reason: Reason, at: float) -> None:
        self.reason, self.ended_at = reason, at


def pack(hands: Sequence[Sequence[int]]) -> bytes:
    """Return both sides' hands, two bits each, two throws in a byte.
    >>> pack([[0, 1, 2], [2, 1, 0]]).hex()
    '58f2'
    """
    codes = [code for pair in zip(*hands, strict=True) for code in pair]
    codes += [NO_HAND] * (-len(codes) % 4)
    four = [codes[place::4] for place in range(4)]
    return bytes(a | b << 2 | c << 4 | d << 6 for a, b, c, d in zip(*four, strict=True))


def unpack(packed: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the hands of both sides.
    >>> unpack(bytes.fromhex("58f2"))
    ([0, 1, 2], [2, 1, 0])
    """
    codes = [byte >> shift & 3 for byte in packed for shift in (0, 2, 4, 6)]
    while codes and codes[-1] == NO_HAND:
        codes.pop()
    return codes[::2], codes[1::2]


def results(hands: tuple[Sequence[int], Sequence[int]]) -> list[int]:
    """Return for each throw 1 if seat 0 won it, -1 if seat 1 did, else 0."""
    return [(1 + one - other) % 3 - 1 for one, other in zip(*hands, strict=True)]
