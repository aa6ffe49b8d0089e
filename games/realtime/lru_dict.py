"""A value for each user, or address, kept in this process for those who were active last."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final, TypeVar

#: The most users of one collection; then the user who was active longest ago is dropped.
MOST_USERS: Final = 10_000

Value = TypeVar("Value")


class LruDict(OrderedDict[Hashable, Value]):
    """A value for each user or address; ``make`` makes the first one."""

    def __init__(self, make: Callable[[], Value]) -> None:
        super().__init__()
        self._make = make

    def of(self, key: Hashable) -> Value:
        """Return the value of a user or address."""
        value = self.pop(key) if key in self else self._make()
        self[key] = value
        if len(self) > MOST_USERS:
            self.popitem(last=False)
        return value
