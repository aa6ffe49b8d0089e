import gc
import itertools
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib import admin
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from games import registry
from games.api.operations import allowances
from games.jsonrpc import views
from games.jsonrpc.generated import interface_of
from games.jsonrpc.interface import HTTP
from games.jsonrpc.openrpc import NAMES, document
from tests.accounts.admin_kit import administrator
from tests.accounts.kit import confirm_password, make_user
from tests.forms import IS_LONG, TURN, form
from tests.games.mafia.agora.kit import town
from tests.games.socket_kit import Browser, make_table, running_site
from tests.games.table_kit import TableKit, new_user
from tests.hostile import odd_text
from tests.hostile.odd_text import ODD, ODD_BYTES, Forms, PageForm, Route, rows_of

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

#: Texts tried in one place, and fields of a form; all of them in the long form.
SOME, FIELDS = form((1, 4), in_long=(1_000, 1_000))
#: Routes of the admin that are tried, mostly Django's, and of the site.
ADMIN_ROUTES, SITE_ROUTES = form((7, 50), in_long=(1_000, 1_000))
#: Texts for a field of the admin alone; Django checks the fields of a form one by one.
OF_DJANGO = 3
#: Characters of all odd parameters of a request; servers refuse much longer ones.
LONGEST = 30_000
#: Requests after which the test client's cycles are freed.
MANY = 500
METHOD_REFUSED = 405


def some(texts: Sequence[Any], chance: random.Random) -> list[Any]:
    return chance.sample(texts, min(SOME, len(texts)))


@dataclass
class Site:
    """People in the middle of every game, and what failed when they asked for something."""

    visitors: list[Client]
    values: dict[str, list[str]]
    chance: random.Random = field(default_factory=lambda: random.Random(75 + TURN))
    groups: dict[tuple[Route, str], list[list[Client]]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    asked: int = 0

    def routes(self) -> list[Route]:
        of_admin = [route for route in odd_text.routes() if route.pattern.startswith("admin/")]
        others = [route for route in odd_text.routes() if route not in of_admin]
        chosen = self.chance.sample(others, min(SITE_ROUTES, len(others)))
        return chosen + self.chance.sample(of_admin, min(ADMIN_ROUTES, len(of_admin)))

    def addresses(self, route: Route) -> Iterator[str]:
        known = rows_of(route)
        choices = [
            [known[name]] if name in known else self.values.get(name, ["1"]) for name in route.names
        ]
        for values in itertools.product(*choices):
            yield route.filled(dict(zip(route.names, values, strict=True)))

    def base(self, route: Route) -> dict[str, str]:
        return {name: self.values.get(name, "1")[0] for name in route.names} | rows_of(route)

    def ask(self, client: Client, method: str, path: str, *given: Any) -> Any:
        self.asked += 1
        if self.asked % MANY == 0:
            gc.collect()
        with transaction.atomic():
            send = partial(client.generic, "POST") if method == "body" else getattr(client, method)
            answer = send(path, *given)
            if answer.status_code >= 500:
                self.failed.append(f"{answer.status_code} {method} {path[:120]} {given!r:.300}")
            transaction.set_rollback(True)
        return answer

    def callers(self, route: Route, method: str) -> list[Client]:
        """Return a visitor; in the long form one of each group that gets the same answer."""
        if not IS_LONG:
            return [self.chance.choice(self.visitors)]
        if (route, method) not in self.groups:
            found = defaultdict(list)
            for client in self.visitors:
                answer = self.ask(client, method, route.filled(self.base(route)))
                found[answer.status_code].append(client)
            found.pop(METHOD_REFUSED, None)
            self.groups[route, method] = list(found.values())
        return [self.chance.choice(group) for group in self.groups[route, method]]

    def everybody(self, route: Route, method: str, path: str, *given: Any) -> None:
        for client in self.callers(route, method):
            self.ask(client, method, path, *given)

    def given(self, names: list[str], text: str) -> dict[str, str]:
        """Return parameters that all hold the text, as many as a request has room for."""
        room = max(1, LONGEST // (len(text) + 1))
        return dict.fromkeys(self.chance.sample(names, min(room, len(names))), text)


@pytest.fixture
def site(settings: Any) -> Iterator[Site]:
    """A site with a match of each game that runs, a contest, an arena and three visitors."""
    settings.ACCOUNT_RATE_LIMITS = False
    settings.SOCKET_RATE = settings.SOCKET_BURST = 1_000_000
    player, chief = make_user("tessio"), administrator("chief", superuser=True)
    kits, values = odd_text.something_of_each(player)
    visitors = [Client(raise_request_exception=False) for _ in range(4)]
    for client, user in zip(visitors[1:], (player, chief, kits[2].people[0]), strict=True):
        client.force_login(user)
    confirm_password(visitors[1])
    there = Site(visitors, {name: [*found, "x"] for name, found in values.items()})
    cache.clear()
    # Allowances by user id, which is that of a user of an earlier test.
    views._buckets.clear()
    allowances.clear()
    yield there
    assert there.asked > form(10, in_long=60)
    assert there.failed == [], f"{len(there.failed)} of {there.asked}"


@pytest.mark.plain
def test_hostile_75_what_no_database_stores_is_not_found_or_not_understood(client):
    for path in ("/tables/a%00b/", "/@%00/", "/mafia/%01/", "/invite/%7F/", "/x%00"):
        assert client.get(path).status_code == 404
    kit = TableKit(new_user(), new_user())
    assert client.get(f"/mafia/{kit.match.public_id}/votes/").status_code == 404, "another game"
    client.force_login(make_user())
    assert client.get("/mafia/", {"setup": "a\0"}).status_code == 400
    for given in ({"name": "a\0", "reason": "x"}, {"name": "a", "re\0ason": "x"}):
        assert client.post("/arena/report/", given).status_code == 400
    odd = "application/x-www-form-urlencoded; charset=hex"
    assert client.generic("POST", "/theme/", b"theme=%41", odd).status_code == 400
    # A multipart form is no JSON.
    answer = client.post(f"/mafia/{town(5).match.public_id}/posts/day/", {"text": "hello"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "bad_json")
    cookie = f"sessionid={'a' * 20}\0"
    assert Client(headers={"cookie": cookie}).get("/").status_code == 400


def test_hostile_75_a_huge_key_of_the_admin_is_of_no_row_or_not_understood(admin_client):
    huge = [str(2**63), "9" * 400]
    for model, key in itertools.product(admin.site._registry, huge):
        for page in ("change", "delete", "history"):
            name = f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}"
            assert admin_client.get(reverse(name, args=[key])).status_code in (302, 403, 404)
    for key in huge:
        answer = admin_client.post("/admin/auth/group/add/", {"name": "1", "permissions": key})
        # PostgreSQL's backend finds no such row, and the form says so.
        assert answer.status_code == (400 if connection.vendor == "sqlite" else 200)


def test_hostile_75_no_address_fails(site):
    for route in site.routes():
        odd = list(route.odd(site.base(route)))
        for address in some(odd, site.chance):
            site.everybody(route, "get", address)
            site.everybody(route, "post", address)


@pytest.mark.slow
def test_hostile_75_no_parameter_fails(site):
    names = odd_text.parameter_names()
    assert {"before", "reason", "setup", "theme", "next"} <= set(names)
    for route in site.routes():
        address = site.chance.choice(list(site.addresses(route)))
        for text in some(ODD, site.chance):
            given = site.given(names, text)
            site.everybody(route, "get", address, given)
            site.everybody(route, "post", address, given)
        for query in some(ODD_BYTES, site.chance):
            site.everybody(route, "get", f"{address}?next={query}&before={query}&{query}=1")
        odd = list(itertools.product(odd_text.ODD_BODIES, odd_text.ODD_TYPES))
        for body, kind in some(odd, site.chance):
            for client in site.callers(route, "post")[-1:]:
                site.ask(client, "body", address, body, kind)


def shown_forms(site: Site) -> Iterator[tuple[Client, PageForm]]:
    seen = set()
    for route in site.routes():
        addresses = list(site.addresses(route))
        looked = addresses if IS_LONG else [site.chance.choice(addresses)]
        for client, address in itertools.product(site.visitors, looked):
            page = site.ask(client, "get", address)
            if page.status_code != 200 or "text/html" not in page.headers.get("Content-Type", ""):
                continue
            for shown in Forms(address, page.content.decode()).found:
                key = (route.pattern, shown.method, tuple(shown.names))
                if shown.action.startswith("/") and key not in seen:
                    seen.add(key)
                    yield client, shown


def test_hostile_75_no_call_fails(site):
    for game in registry.tables():
        methods = document(interface_of(game.slug), "http://testserver")["methods"]
        for method in (each for each in methods if NAMES[HTTP] in each["x-servers"]):
            given = method["examples"][0]["params"]
            example = {each["name"]: each["value"] for each in given}
            for part, text in itertools.product(example, ODD):
                call = {"jsonrpc": "2.0", "id": 1, "method": method["name"]}
                body = json.dumps({**call, "params": {**example, part: text}})
                path = f"/rpc/{game.slug}/"
                answer = site.ask(site.visitors[1], "body", path, body, "application/json")
                assert answer.json()["error"]["data"]["token"] in ("bad_field", "not_found")


@pytest.mark.slow
def test_hostile_75_no_form_fails(site):
    tried = set()
    for client, shown in shown_forms(site):
        if (shown.action, tuple(shown.names)) in tried:
            continue
        tried.add((shown.action, tuple(shown.names)))
        fields = dict(shown.fields)
        for text in some(ODD, site.chance):
            site.ask(client, shown.method, shown.action, dict.fromkeys(fields, text))
        texts = site.chance.sample(ODD, OF_DJANGO) if shown.action.startswith("/admin/") else ODD
        for name in site.chance.sample(shown.names, min(FIELDS, len(shown.names))):
            for text in some(texts, site.chance):
                site.ask(client, shown.method, shown.action, {**fields, name: text})
    assert len(tried) >= form(1, in_long=40)


@pytest.mark.django_db(transaction=True)
async def test_hostile_75_no_socket_fails():
    match, _, cookies = await sync_to_async(make_table)()
    base = defaultdict(lambda: "x", public_id=match.public_id)
    chance = random.Random(75)
    found = {}
    async with running_site():
        for route in [*odd_text.socket_routes(), Route("ws/nothing/"), Route("")]:
            odd = list(route.odd(base))
            for path in [route.filled(base), *some(odd, chance)]:
                browser = Browser(path, cookies[0])
                found[path] = await browser.open()
                await browser.leave()
        for cookie in ('sessionid="aaaaaaaaaaaaaaaaaaaa\\000"', f"{cookies[0]}\0"):
            assert not await Browser("/ws/lobby/", cookie).open()
            two = Browser("/ws/lobby/", cookie)
            two.line.scope["headers"].append((b"cookie", b"theme=dark"))
            assert not await two.open()
    wanted = {"/ws/lobby/": True, f"/ws/match/{match.public_id}/": True}
    wanted |= {"/ws/nothing/": False, "/": False}
    assert {path: found[path] for path in wanted} == wanted
    assert not any(is_open for path, is_open in found.items() if "%00" in path)
