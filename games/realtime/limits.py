"""Limits by user and by network address: token buckets, and the rates of the chat."""

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Final, TypeVar

from games.engine.errors import IllegalAction

#: The most users of one collection; then the user who was active longest ago is dropped.
MOST_USERS: Final = 10_000

Value = TypeVar("Value")

#: Lines allowed in ``SPAN`` seconds: for one user, and for all users of one network address.
USER_LINES: Final = 5
ADDRESS_LINES: Final = 15
SPAN: Final = 5.0
#: Seconds: a user who floods again within them is muted for as long.
MUTED: Final = 60.0
#: Upper bound on the users and addresses in memory.
MOST_KNOWN: Final = 20_000


class Bucket:
    """A token bucket: ``rate`` a second, ``burst`` at once."""

    __slots__ = ("_at", "burst", "level", "rate")

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst, self.level = rate, burst, burst
        self._at = time.monotonic()

    def take(self) -> bool:
        now = time.monotonic()
        self.level = min(self.burst, self.level + (now - self._at) * self.rate)
        self._at = now
        if self.level < 1:
            return False
        self.level -= 1
        return True

    @property
    def pause(self) -> float:
        """The seconds from the last ``take`` until there is a token."""
        return max(0.0, 1 - self.level) / self.rate


class LruDict(OrderedDict[Hashable, Value]):
    """A value for each user or address that was active lately; ``make`` makes the first one."""

    def __init__(self, make: Callable[[], Value]) -> None:
        super().__init__()
        self._make = make

    def of(self, key: Hashable) -> Value:
        value = self.pop(key) if key in self else self._make()
        self[key] = value
        if len(self) > MOST_USERS:
            self.popitem(last=False)
        return value


class TooFast(IllegalAction):
    """Refused for now; one fits again in ``retry_ms`` milliseconds; detail: seconds."""

    code = "rate_limited"

    def __init__(self, message: str, seconds: float) -> None:
        super().__init__(message, seconds=-int(-seconds // 1))
        self.retry_ms = -int(-seconds * 1000 // 1)


class Muted(TooFast):
    """A user who floods the chat again within a minute is muted for a minute."""

    code = "muted"


class Voice:
    """The recent lines of one user or address, by the monotonic clock. A shared voice (an address)
    is slowed and never muted: another user may have flooded from it.
    """

    __slots__ = ("_flooded_at", "_is_shared", "_most", "_muted_until", "phrase_at", "said_at")

    def __init__(self, most: int, *, is_shared: bool) -> None:
        self._most, self._is_shared = most, is_shared
        self.said_at: deque[float] = deque()
        self._flooded_at: float | None = None
        self._muted_until = 0.0
        self.phrase_at: float | None = None

    def is_quiet(self, now: float) -> bool:
        """Whether the record can be dropped: it affects no later line."""
        return max((self._flooded_at or 0.0, self._muted_until, *self.said_at)) + MUTED <= now

    def require_room(self, now: float) -> None:
        """Require room for a line; raises TooFast at the first flood in a minute, Muted at
        another one more than ``SPAN`` seconds later.
        """
        if now < self._muted_until:
            raise _muted(self._muted_until - now)
        while self.said_at and self.said_at[0] <= now - SPAN:
            self.said_at.popleft()
        if len(self.said_at) < self._most:
            return
        flooded_at = self._flooded_at
        if flooded_at is None or flooded_at <= now - MUTED:
            self._flooded_at = now
        elif flooded_at <= now - SPAN and not self._is_shared:
            self._flooded_at, self._muted_until = None, now + MUTED
            raise _muted(MUTED)
        raise TooFast("one line a second, please", self.said_at[0] + SPAN - now)


class ChatLimits:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._voices: dict[Hashable, Voice] = {}
        #: Pages submit long posts from their own threads.
        self._lock = Lock()

    def take(self, user_id: int, address: str, *, is_phrase: bool = False) -> None:
        """Count a line that is not refused, of quick phrases one in ``SPAN``; raises TooFast or
        Muted.
        """
        with self._lock:
            now, known = self._clock(), self._voices
            if len(known) > MOST_KNOWN:
                known = {whose: voice for whose, voice in known.items() if not voice.is_quiet(now)}
                self._voices = known = known if len(known) <= MOST_KNOWN else {}
            user = known.setdefault(user_id, Voice(USER_LINES, is_shared=False))
            there = known.setdefault(address, Voice(ADDRESS_LINES, is_shared=True))
            if is_phrase and user.phrase_at is not None and now < user.phrase_at + SPAN:
                wait = user.phrase_at + SPAN - now
                raise TooFast("one quick phrase in five seconds, please", wait)
            user.require_room(now)
            there.require_room(now)
            user.said_at.append(now)
            there.said_at.append(now)
            if is_phrase:
                user.phrase_at = now


def _muted(seconds: float) -> Muted:
    return Muted("you talk too much and are not heard for a minute", seconds)
