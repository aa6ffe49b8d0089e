"""A value for each user, kept in this process for the users who were active last."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final, TypeVar

#: The most users of one collection; then the user who was active longest ago is dropped.
MOST_USERS: Final = 10_000

Value = TypeVar("Value")


class LastUsers(OrderedDict[int, Value]):
    """A value for each user; ``make`` makes the first one."""

    def __init__(self, make: Callable[[], Value]) -> None:
        super().__init__()
        self._make = make

    def of(self, user_id: int) -> Value:
        """Return a user's value."""
        value = self.pop(user_id) if user_id in self else self._make()
        self[user_id] = value
        if len(self) > MOST_USERS:
            self.popitem(last=False)
        return value
