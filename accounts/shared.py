"""Answers that are the same for everybody: read once a second in each process, then shown to all.
Nothing of a request, no secret and no token may be in them.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Final, Generic, TypeVar

from django.conf import settings
from django.db.models import QuerySet, Value
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from economy.models import Setting
from economy.parts import given
from economy.sql import Compiled
from economy.tunables import TUNABLES

Answer = TypeVar("Answer")

#: The most answers that are kept of one read, and the most users whose changes are remembered.
MOST: Final = 1_000
#: User -> when a change by the user was last stored here, by the monotonic clock.
_changed: dict[int, float] = {}
_reads: "list[Shared[Any]]" = []


class Shared(Generic[Answer]):
    """A read whose answers are kept for a second, or for ``seconds``, by their parameters."""

    def __init__(self, read: Callable[..., Answer], seconds: int = 1) -> None:
        self._read, self._seconds = read, seconds
        self._kept: dict[tuple[Hashable, ...], tuple[float, Answer]] = {}
        _reads.append(self)

    def seen_by(self, viewer_id: int | None, *given: Hashable) -> Answer:
        """Return an answer that is newer than the last change by the viewer; None: a guest."""
        now = time.monotonic()
        if kept := self._kept.get(given):
            read_at, answer = kept
            is_own = viewer_id is not None and _changed.get(viewer_id, 0.0) >= read_at
            if now - read_at < self._seconds * settings.SHARED_SECONDS and not is_own:
                return answer
        made = self._read(*given)
        if len(self._kept) >= MOST:
            self._kept.clear()
        self._kept[given] = (now, made)
        return made


class Shown(dict[str, Any]):
    """A shared answer, with the parts of pages that were made of it."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        super().__init__(content)
        self._parts: dict[tuple[str, str], SafeString] = {}

    def part(self, template: str, key: str = "") -> SafeString:
        """Return a template that needs ``shown``, and its ``rows`` of a key; without a request."""
        if (found := self._parts.get((template, key))) is None:
            text = render_to_string(template, {"shown": self, "rows": self.get(key)})
            self._parts[template, key] = found = mark_safe(text.strip())  # noqa: S308
        return found


def _facts() -> QuerySet[Any, Any]:
    numbers = Setting.objects.values_list(Value("number"), "name", "value")
    return numbers.union(*(query() for query in given("site_facts")), all=True)


_FACTS: Final = Compiled(_facts)


def _read_facts() -> Mapping[str, Mapping[str, int]]:
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for fact, name, number in _FACTS.rows(now=timezone.now()):
        found[fact][name] = number
    stored = found["number"]
    found["number"] = {name: stored.get(name, each.default) for name, each in TUNABLES.items()}
    return found


#: Facts of the whole site, by their names: all in one statement.
site_facts: Final = Shared(_read_facts)


def site_numbers(viewer_id: int | None = None) -> Mapping[str, int]:
    """Return all numbers that administrators set, for pages; what moves points reads them."""
    return site_facts.seen_by(viewer_id)["number"]


def note_changes(user_ids: Iterable[int | None]) -> None:
    """Note that these users have stored something: what they see next is read after it."""
    now = time.monotonic()
    if len(_changed) >= MOST:
        old = now - settings.SHARED_SECONDS
        for user_id in [pk for pk, at in _changed.copy().items() if at < old]:
            _changed.pop(user_id, None)
    _changed.update((user_id, now) for user_id in user_ids if user_id is not None)


def forget() -> None:
    """Forget all answers."""
    for read in _reads:
        read._kept.clear()
