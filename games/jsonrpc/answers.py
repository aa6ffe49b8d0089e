"""The answers to one message, sent together once the last one is known.
Source: docs/reference/json-rpc.md "Batches".
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from django.db import InterfaceError, OperationalError
from msgspec import UNSET

from economy.errors import LedgerError
from games.engine.errors import IllegalAction
from games.jsonrpc.envelope import Call, Invalid, Message, failure, result
from games.jsonrpc.errors import INTERNAL_ERROR, Problem, own, refused, standard
from games.realtime.protocol import write

log = logging.getLogger(__name__)

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
            answer = failure if isinstance(outcome, Problem) else result
            self._known[number] = answer(element.id, outcome)
        if not self._open and self._known:
            answers = [self._known[number] for number in sorted(self._known)]
            self._send(write(answers if self._message.is_batch else answers[0]))


def carry_out(
    message: Message, send: Callable[[str], None], act: Callable[[Call, Done], None]
) -> None:
    """Carry out the calls of a message in order, and send their answers. ``act``: carries out one
    call, at once or later; may raise the refusal of the call.
    """
    answers = Answers(message, send)
    for number, element in enumerate(message.elements):
        done = answers.done(number)
        try:
            if isinstance(element, Invalid):
                done(element.problem)
            else:
                act(element, done)
        except Problem as problem:
            done(problem)
        except (IllegalAction, LedgerError) as refusal:
            done(refused(refusal))
        except (OperationalError, InterfaceError) as problem:
            log.warning("a call could not be carried out: %s", problem)
            done(own("busy"))
        except Exception:
            log.exception("a call failed")
            done(standard(INTERNAL_ERROR))
