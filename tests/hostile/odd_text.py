"""Odd texts, and every place that takes one: found in resolver, templates, scripts and forms."""

import itertools
import re
from collections import ChainMap
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote, urljoin

from channels.routing import URLRouter
from django.apps import apps
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import User
from games import registry
from tests.boot import ROOT
from tests.games.arena.kit import ArenaKit
from tests.games.contests.kit import ContestKit
from tests.games.duel.kit import DuelKit
from tests.games.mafia.agora.kit import town
from tests.games.mafia.dynamite.kit import band
from tests.games.table_kit import TableKit, new_user

#: What somebody types, or writes by hand.
ODD = (
    "\0", "a\0b", "a\n\rb", "\x01", "\x7f", "\u202eabc", "\ufeff", "𐍈", "²", "٣", "",
    " ", "'", '"><script>', "{{7*7}}", "%s%n", "../..", "null", "[]", "NaN", "1e400", "0", "-1",
    "1.5", "2147483648", "9223372036854775808", "9" * 400, "9" * 5000, "x" * 5000,
    "2020-13-45", "0001-01-01", "9999-12-31",
)  # fmt: skip
#: Bytes that are no UTF-8: half of a surrogate pair, an overlong NUL, a lone byte.
ODD_BYTES = ("%ED%A0%80", "%C0%80", "%FF", "%00", "%2500")
ODD_BODIES = (
    b"", b"\0", b"\xff", b"[", b"[" * 4000, b"null", b"[]", b'"a"', b"{}", b'{"a": "\\u0000"}',
    b'{"text": "\\ud800", "id": "hostile-0001", "phase": 1}',
    b'{"jsonrpc": "2.0", "id": 1, "method": "\\u0000"}',
    b'{"jsonrpc": "2.0", "id": "\\u0000", "method": "watch", "params": ["\\ud800"]}',
    b'{"no": 1e400}', b'{"no": ' + b"9" * 5000 + b"}",
)  # fmt: skip
ODD_TYPES = (
    "application/json", "text/plain", "", "\0", "multipart/form-data",
    "multipart/form-data; boundary=\xff", "application/x-www-form-urlencoded; charset=hex",
    "application/x-www-form-urlencoded; charset=utf-16",
    "multipart/form-data; boundary=x; charset=idna",
)  # fmt: skip

_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>(?:\[[^\]]*\]|[^()\[])*\)")
_ASKED = re.compile(r"\b(?:GET|POST)(?:\.get|\.getlist|\.pop)?[(\[]\"(\w+)\"")
_WRITTEN = re.compile(r"""\bname="([\w-]+)"|\bappend\(["'](\w+)["']|[?&](\w+)=""")


@dataclass(frozen=True, slots=True)
class Route:
    pattern: str

    @property
    def names(self) -> list[str]:
        return ["".join(found) for found in _PARAMETER.findall(self.pattern)]

    def filled(self, values: Mapping[str, str]) -> str:
        return "/" + _PARAMETER.sub(lambda found: values[found[1] or found[2]], self.pattern)

    def odd(self, values: MutableMapping[str, str]) -> Iterator[str]:
        texts = [*(quote(text, safe="") for text in ODD), *ODD_BYTES]
        for name, text in itertools.product(self.names, texts):
            yield self.filled(ChainMap({name: text}, values))


def routes() -> list[Route]:
    return list(dict.fromkeys(Route(text) for text in _patterns(get_resolver().url_patterns)))


def _patterns(found: list[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    for each in found:
        text = before + str(each.pattern).removeprefix("^").removesuffix("$").replace("\\Z", "")
        if isinstance(each, URLResolver):
            yield from _patterns(each.url_patterns, text)
        else:
            yield text


def socket_routes() -> list[Route]:
    from rpsite.routing import websocket_application as application

    while not isinstance(application, URLRouter):
        application = getattr(application, "application", None) or application._application
    return [Route(str(each.pattern)) for each in application.routes[:-1]]


@cache
def parameter_names() -> list[str]:
    """Return the names of all parameters and fields that code, forms, pages and scripts name."""
    found: set[str] = set()
    for folder in ("accounts", "economy", "games", "rpsite", "templates", "static/js"):
        for path in (ROOT / folder).rglob("*.*"):
            if path.suffix in (".py", ".html", ".js"):
                text = path.read_text("utf-8")
                for pattern in (_ASKED, _WRITTEN):
                    found |= {"".join(names) for names in pattern.findall(text)}
    return sorted(found)


def rows_of(route: Route) -> dict[str, str]:
    """Return the key of a row for an address of the admin: ``admin/<app>/<model>/…``."""
    parts = route.pattern.split("/")
    try:
        model = apps.get_model(parts[1], parts[2])
    except (LookupError, IndexError):
        return {}
    row = model._base_manager.order_by("pk").first()
    return {} if row is None else {"object_id": quote(str(row.pk), safe="")}


def something_of_each(player: User) -> tuple[list[Any], dict[str, list[str]]]:
    """Make a match of each game that runs, an arena and a contest."""
    kits: list[Any] = [TableKit(player, new_user()), DuelKit(player, new_user()), town(5), band(8)]
    for kit in kits[:2]:
        kit.start()
    ArenaKit(2)
    contest = ContestKit(5)
    return kits, {
        "public_id": [*(kit.match.public_id for kit in kits), contest.row.public_id],
        "slug": list(registry.slugs()), "name": [player.username], "room": ["day"],
        "day": ["2026-01-01"],
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class PageForm:
    """A form of a page with what it holds when it is shown."""

    method: str
    action: str
    fields: tuple[tuple[str, str], ...]

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(name for name, _ in self.fields))


class Forms(HTMLParser):
    def __init__(self, address: str, page: str) -> None:
        super().__init__()
        self.found: list[PageForm] = []
        self._address = address
        self._open: tuple[str, str] | None = None
        self._fields: list[tuple[str, str]] = []
        self._select = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            action = urljoin(self._address, given.get("action") or self._address)
            self._open = (given.get("method", "get").lower(), action)
            self._fields = []
        elif tag == "select":
            self._select = given.get("name", "")
        elif tag == "option" and self._select and given.get("value"):
            chosen = dict(self._fields)
            if self._select not in chosen or "selected" in given:
                self._fields.append((self._select, given["value"]))
        elif tag in ("input", "textarea", "button") and given.get("name"):
            is_box = given.get("type") in ("checkbox", "radio")
            self._fields += [(given["name"], given.get("value") or "1")] * (
                not is_box or "checked" in given
            )

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""
        elif tag == "form" and self._open:
            fields = [pair for pair in self._fields if pair[0] != "csrfmiddlewaretoken"]
            self.found.append(PageForm(*self._open, tuple(fields)))
            self._open = None
