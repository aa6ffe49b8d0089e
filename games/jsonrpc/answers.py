"""The answers to one message, sent together once the last one is known.

Source: docs/json-rpc.md "Batches".
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import UNSET

from games.jsonrpc.envelope import Message, failure, result
from games.jsonrpc.errors import Problem
from games.realtime.protocol import write

#: Takes the result of a call, or the ``Problem`` that ended it.
Done = Callable[[Any], None]


class Answers:
    """Collects answers in the order of the message; notifications never get one."""

    def __init__(self, message: Message, send: Callable[[str], None]) -> None:
        self._message, self._send = message, send
        self._open = set(range(len(message.elements)))
        self._known: dict[int, dict[str, Any]] = {}

    def done(self, number: int) -> Done:
        """Return the callback for the outcome of one element; only the first outcome counts."""
        return partial(self._take, number)

    def _take(self, number: int, outcome: Any) -> None:
        if number not in self._open:
            return
        self._open.discard(number)
        element = self._message.elements[number]
        if element.id is not UNSET:
            is_problem = isinstance(outcome, Problem)
            answer = failure if is_problem else result
            self._known[number] = answer(element.id, outcome)
        if not self._open:
            self._finish()

    def _finish(self) -> None:
        answers = [self._known[number] for number in sorted(self._known)]
        if answers:
            self._send(write(answers if self._message.is_batch else answers[0]))
