"""Refusals that are known by their code alone."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from economy.errors import AdminActionError, LedgerError
from games.engine.errors import IllegalAction

Refusal = AdminActionError | IllegalAction | LedgerError


@contextmanager
def refuses(code: str, match: str | None = None) -> Iterator[pytest.ExceptionInfo[Refusal]]:
    """Require a refusal with this code, and that its message matches a pattern."""
    with pytest.raises((AdminActionError, IllegalAction, LedgerError), match=match) as refusal:
        yield refusal
    assert refusal.value.code == code


def codes(answers: Iterable[Any]) -> list[str]:
    """Return the codes of the answers that are refusals."""
    return [each.code for each in answers if isinstance(each, Refusal)]
