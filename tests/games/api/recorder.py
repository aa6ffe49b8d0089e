"""Requests to every operation of the reading API, and their answers as text."""

import gzip
import hashlib
import itertools
import json
import random
import secrets
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any, Final
from unittest import mock

import time_machine
from django.db import OperationalError
from django.db.models.sql.compiler import SQLCompiler
from django.test import Client, override_settings

from accounts.tokens import revoke_token, tokens_of
from games.api.operations import ROOT, allowances
from games.api.views import document
from games.matches import services
from tests.accounts.kit import PASSWORD, browser, confirm_password
from tests.games import match_kit
from tests.games.api.kit import ORIGIN, Site, bearer
from tests.games.arena import kit as arena_kit

#: Longer bodies are told by their shape.
SHORT: Final = 120
HEADERS: Final = (
    "Content-Type", "Cache-Control", "Vary", "Allow", "WWW-Authenticate", "Retry-After",
    "Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "Content-Encoding",
)  # fmt: skip
#: Values that a parameter may not have, or only just.
ODD_LIMITS: Final = ("1", "100", "0", "101", "a", "", "01", "+1", "1_0", "%201", "1.0", "1.5", "-1")
ODD_NUMBERS: Final = ("9" * 15, "9" * 16, "1" + "0" * 15, "01", "+1", "1_0", "%201", "1.0")
ODD: Final = (
    *("x" * count for count in (1, 20, 21, 32, 33, 40, 41, 100, 101)),
    "0", "-1", "1.5", "2026-02-30", "2026-01-01", "2026-01-01%0A", "%00", "%FF",
)  # fmt: skip
#: What a query can raise.
AWAY: Final = OperationalError("database is locked")
BUG: Final = ValueError("broken")


def recorded() -> str:
    """Return the answers of a played site, which is the same in each run."""
    chance = random.Random(47)

    def token(count: int = 32) -> str:
        return chance.randbytes(count).hex()

    with (
        time_machine.travel(datetime(2026, 6, 10, 12, tzinfo=UTC), tick=False),
        mock.patch.object(secrets, "token_hex", token),
        mock.patch.object(secrets, "token_urlsafe", token),
        mock.patch.object(services, "_chance", chance),
        mock.patch.object(match_kit, "_numbers", itertools.count(1)),
        mock.patch.object(arena_kit, "_numbers", itertools.count(1)),
        override_settings(SOCKET_RATE=1, SOCKET_BURST=30),
    ):
        recorder = Recorder(Site())
        recorder.ask()
    return recorder.text


class Recorder:
    """A site's callers, and what they are answered."""

    def __init__(self, site: Site) -> None:
        user, fighter = site.people
        user.set_password(PASSWORD)
        user.save()
        owner = browser(user)
        confirm_password(owner)
        old = bearer(fighter)
        revoke_token(user_id=fighter.pk, token_id=tokens_of(user_id=fighter.pk)[0].pk)
        self.site = site
        self.callers: dict[str, tuple[Client, dict[str, str]]] = {
            "guest": (Client(), {}),
            "token": (Client(), bearer(user)),
            "fighter": (Client(), bearer(fighter)),
            "session": (owner, {}),
            "old": (Client(), old),
            "both": (owner, old),
            "basic": (Client(), {"Authorization": "Basic eDp5"}),
        }
        for client, _ in self.callers.values():
            client.raise_request_exception = False
        #: The requests of each answer, and long bodies by their digest.
        self.requests: dict[str, list[str]] = {}
        self.shapes: dict[str, str] = {}

    @property
    def text(self) -> str:
        """Each answer with its requests, and the shapes of long bodies."""
        told = []
        for answer, requests in self.requests.items():
            told += [answer, *(f"    {each}" for each in requests)]
        told += [f"{name} {shape}" for name, shape in sorted(self.shapes.items())]
        return "\n".join(told) + "\n"

    def ask(self) -> None:
        """Send all requests."""
        for path, each in document(ORIGIN)["paths"].items():
            self._ask_operation(path.lstrip("/"), each["get"]["parameters"])
        for path in ("", "x", "me/", "matches/", "matches/x/y", "openapi.json/"):
            self.send("guest", path)
            self.send("guest", path, "POST")
        for method in ("GET", "HEAD", "POST"):
            self.send("guest", "openapi.json", method)

    def _ask_operation(self, path: str, parameters: list[dict[str, Any]]) -> None:
        whole, *others = self._addresses(path)
        for who in self.callers:
            self.send(who, whole)
        for who, address in itertools.product(("guest", "token", "session"), others):
            self.send(who, address)
        # An export takes a log-in, other own data a token too.
        who = "session" if path == "me/export" else "token"
        for method in ("HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"):
            self.send(who, whole, method)
        self.send("old", whole, "POST")
        self._ask_queries(who, path, whole, parameters)
        self._ask_again(who, whole)
        self._ask_too_often(whole)
        for who, problem in itertools.product(("guest", "token"), (AWAY, BUG)):
            with mock.patch.object(SQLCompiler, "execute_sql", side_effect=problem):
                self.send(who, whole, note=f" while {problem}")

    def _addresses(self, path: str) -> list[str]:
        names = [name for name in self.site.values if f"{{{name}}}" in path]
        choices = itertools.product(*(self.site.values[name] for name in names))
        return [path.format(**dict(zip(names, each, strict=True))) for each in choices]

    def _ask_queries(
        self, who: str, path: str, whole: str, parameters: list[dict[str, Any]]
    ) -> None:
        queries = ["?unknown=1", "?unknown=1&unknown=2", "?", "?=1", "?%FF=1"]
        for each in sorted(parameters, key=itemgetter("name")):
            name, values = each["name"], ODD_LIMITS if each["name"] == "limit" else ("", *ODD)
            if each["in"] == "path":
                queries.append(f"?{name}=x")
                for value in (*ODD, *ODD_NUMBERS):
                    self.send(who, path.format(**{name: value}))
                self.send("guest", path.format(**{name: "x" * 50}) + "?limit=a")
                continue
            choices = sorted(each["schema"].get("enum", ()))
            queries += [f"?{name}={value}" for value in (*choices, *values)]
            queries += [f"?{name}=1&{name}=2", f"?{name}=1&unknown=1"]
        for query in queries:
            self.send(who, whole + query)
        self.send("guest", f"{whole}?unknown=1")
        if any(each["name"] == "cursor" for each in parameters):
            self._ask_pages(who, whole)

    def _ask_pages(self, who: str, whole: str) -> None:
        cursor = ""
        for no in range(4):
            answer = self.send(who, f"{whole}?limit=1&cursor={cursor}", note=f" (page {no})")
            cursor = answer.json()["next"]
            if cursor is None:
                return

    def _ask_again(self, who: str, whole: str) -> None:
        tag = self.send(who, whole).get("ETag", '"none"')
        for name in ("If-None-Match", "If-Match"):
            for value, told in (
                (tag, "its tag"), (f"W/{tag}", "a weak tag"), (f'"x", {tag}', "two tags"),
                ('"x"', "another"), ("*", "*"), ("x", "no tag"),
            ):  # fmt: skip
                self.send(who, whole, note=f" {name}: {told}", headers={name: value})
        self.send(who, whole, "HEAD", " If-None-Match: its tag", {"If-None-Match": tag})
        for caller in (who, "guest"):
            for name, value in (("Accept-Encoding", "gzip"), ("Origin", "https://other.example")):
                self.send(caller, whole, note=f" {name}: {value}", headers={name: value})

    def _ask_too_often(self, whole: str) -> None:
        """Say after how many requests the allowance is used up."""
        allowances.clear()
        client, count = Client(raise_request_exception=False), 0
        while (answer := client.get(f"/{ROOT}{whole}")).status_code != 429:
            count += 1
        self._note(f"guest GET {whole} after {count}", answer)

    def send(
        self,
        who: str,
        path: str,
        method: str = "GET",
        note: str = "",
        headers: dict[str, str] | None = None,
    ) -> Any:
        """Send a request and note its answer."""
        allowances.clear()
        client, own = self.callers[who]
        answer = client.generic(method, f"/{ROOT}{path}", headers={**own, **(headers or {})})
        self._note(f"{who} {method} {path}{note}", answer)
        return answer

    def _note(self, request: str, answer: Any) -> None:
        assert "Set-Cookie" not in answer, request
        found = [str(answer.status_code)]
        found += [f"{name}: {answer[name]}" for name in HEADERS if name in answer]
        body = b"".join(answer) if answer.streaming else answer.content
        if answer.get("Content-Encoding") == "gzip" and body:
            body = gzip.decompress(body)
        if "ETag" in answer:
            found.append("ETag: weak" if answer["ETag"].startswith("W/") else "ETag")
            tag = hashlib.sha256(body).hexdigest()[:32]
            assert not body or answer["ETag"].strip('W/"') == tag, request
        found.append(self._told(body.decode(), is_streamed=answer.streaming))
        self.requests.setdefault("; ".join(found), []).append(request)

    def _told(self, text: str, *, is_streamed: bool) -> str:
        if len(text) <= SHORT:
            return text
        if '"openapi"' in text or text.lstrip().startswith("<"):
            return "a page" if "<" in text[:100] else "the document"
        value = json.loads(text)
        # The spaces are always the same, which a shape would not show.
        compact = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        assert is_streamed or compact == text
        shape = shape_of(value)
        name = hashlib.sha256(shape.encode()).hexdigest()[:10]
        self.shapes[name] = shape
        return name


def shape_of(value: Any) -> str:
    """Return the keys of a value in their order, with the types of what they have."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{shape_of(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + "|".join(sorted({shape_of(each) for each in value})) + "]"
    return type(value).__name__ if value is not None else "null"
