"""A token bucket for rate limits."""

import time


class Bucket:
    """A token bucket: ``rate`` a second, ``burst`` at once."""

    __slots__ = ("_at", "burst", "level", "rate")

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst, self.level = rate, burst, burst
        self._at = time.monotonic()

    def take(self) -> bool:
        """Take one token; False when there is none."""
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
