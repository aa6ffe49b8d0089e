"""Walks through the site as text: who opens what, what is shown, and what is stored then.

A walk is a file: its first line names parts of the world, ``## una /tables/`` opens a page,
``## una /theme/ {"theme": "dark"}`` sends a form, ``## rows games.Seat`` looks at the database;
what follows is the answer.  After a wanted change: ``WALKS=write ./run test tests/games/walks``.
"""

import itertools
import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from html.parser import HTMLParser
from random import Random, SystemRandom
from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from tests.accounts.kit import browser
from tests.games import match_kit
from tests.games.arena import kit as arena_kit
from tests.games.contests import kit as contest_kit

#: When walks take place, a Friday.
NOON = "2027-01-15 12:00+00:00"
#: Elements of which nothing is told; those that stand within a line.
SILENT = frozenset({"script", "style", "svg", "head", "footer", "template"})
INLINE = frozenset({"a", "b", "strong", "em", "span", "time", "abbr", "small", "code", "i"})
MARKS = ("checked", "selected", "disabled", "hidden", "required", "multiple")
#: The most letters of a line: whole texts are not what a walk is about.
MOST = 110
#: The most lines of an answer that are told: it says how many it has.
MOST_LINES = 120
#: What is another one on each page, or with each change of a script.
CHANGING = re.compile(r"(sha256-|static/)[\w./+=-]+|argon2\S+|md5\$\S+")


@contextmanager
def same_each_time(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Take all chance from a seed, let the time stand, and count names from one."""
    chance = Random(7)
    random.seed(7)
    patch.setattr(SystemRandom, "getrandbits", lambda self, bits: chance.getrandbits(bits))
    patch.setattr(SystemRandom, "randbytes", lambda self, size: chance.randbytes(size))
    patch.setattr(SystemRandom, "random", lambda self: chance.random())
    for kit in (match_kit, arena_kit):
        patch.setattr(kit, "_numbers", itertools.count(1))
    patch.setattr(contest_kit, "_names", itertools.count(1))
    cache.clear()
    with time_machine.travel(NOON, tick=False):
        yield


class Page(HTMLParser):
    """Lines of what a page shows and offers, with the data of its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._line: list[str] = []
        self._silent = 0
        self._is_data = False
        self.feed(text)
        self._end_line()

    def _end_line(self) -> None:
        if line := " ".join(" ".join(self._line).split()):
            self.lines.append(line[:MOST])
        self._line = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Say where a link leads, and what a field holds."""
        given = dict(attrs)
        if tag in SILENT:
            self._silent += 1
            self._is_data = given.get("type") == "application/json"
        if self._silent or given.get("name") == "csrfmiddlewaretoken":
            return
        if tag not in INLINE:
            self._end_line()
        if tag in ("a", "form"):
            self._line.append(f"[{given.get('href') or given.get('action') or ''}]")
        if tag in ("input", "select", "textarea", "button", "option"):
            named = [f"{key}={given[key] or ''}" for key in ("name", "value") if key in given]
            marks = [name for name in MARKS if name in given]
            self._line.append(f"<{' '.join([tag, *named, *marks])}>")
        self._line += [
            f"{name}={value}" if value else name for name, value in attrs if name[:5] == "data-"
        ]

    def handle_endtag(self, tag: str) -> None:
        """End a line with its element."""
        if tag in SILENT:
            self._silent, self._is_data = self._silent - 1, False
        elif tag not in INLINE and not self._silent:
            self._end_line()

    def handle_data(self, data: str) -> None:
        """Keep what is shown, and data for scripts."""
        if self._is_data:
            self.lines += _of_json(json.loads(data))
        elif not self._silent:
            self._line.append(data)


def _of_json(value: Any) -> list[str]:
    """Return data as lines, small parts in one."""
    if not isinstance(value, dict):
        return [json.dumps(value)]
    lines = []
    for name, part in value.items():
        text = json.dumps(part)
        if isinstance(part, dict) and len(text) > MOST:
            lines += [f"{name}.{line}" for line in _of_json(part)]
        elif isinstance(part, list) and len(text) > MOST:
            lines += [
                f"{name}[{no}] {line}" for no, each in enumerate(part) for line in _of_json(each)
            ]
        else:
            lines.append(f"{name}: {text}")
    return lines


class Walk:
    """Some people with browsers; ``names``: what stands for ids that chance has made."""

    def __init__(self, people: Mapping[str, User], names: Mapping[str, str]) -> None:
        self.browsers = {name: browser(user) for name, user in people.items()}
        self.browsers["guest"] = Client()
        self.names = names
        self._told: set[str] = set()

    def take(self, script: Iterable[str]) -> Iterator[str]:
        """Yield the steps of a script, each with its answer; what was told is not told again."""
        for step in script:
            yield step
            status, *answer = self._step(*step[3:].split(" ", 2))
            yield f"  {self._named(status)}"
            new = map(self._named, answer)
            new = [line for line in dict.fromkeys(new) if line not in self._told]
            self._told.update(new)
            yield from (f"  {line}" for line in new[:MOST_LINES])

    def _named(self, line: str) -> str:
        for name, value in self.names.items():
            line = line.replace(value, f"{{{name}}}")
        return CHANGING.sub("…", line)

    def _step(self, who: str, what: str, sent: str = "") -> Iterator[str]:
        if who == "rows":
            yield from (f"{apps.get_model(what).objects.count()} rows", *_rows(what))
            return
        for name, value in self.names.items():
            what = what.replace(f"{{{name}}}", value)
        client = self.browsers[who]
        answer = client.post(what, json.loads(sent)) if sent else client.get(what)
        kind = answer.headers.get("Content-Type", "")
        text = b"".join(answer) if answer.streaming else answer.content
        lines = _lines(kind, text)
        told = [str(answer.status_code), answer.headers.get("Location", ""), f"{len(lines)} lines"]
        yield " ".join(filter(None, told))
        yield from lines


def _lines(kind: str, text: bytes) -> list[str]:
    if "json" in kind:
        return _of_json(json.loads(text))
    if kind.startswith("text/html"):
        return Page(text.decode()).lines
    return (
        [line[:MOST] for line in text.decode().splitlines()] if kind.startswith("text/") else [kind]
    )


def _rows(label: str) -> Iterator[str]:
    """Yield what is stored of a model, but empty columns."""
    for row in apps.get_model(label).objects.order_by("pk").values():
        parts = [
            f"{name}={str(value)[:MOST]}" for name, value in row.items() if value or value is False
        ]
        yield " ".join(parts)
