import logging
import re
from html.parser import HTMLParser
from itertools import product

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.forms import BaseForm, FileField
from django.test import Client
from django.urls import reverse

from accounts import tokens
from accounts.adapters import is_local_path
from accounts.services import freeze
from rpsite import views
from tests.accounts.kit import PASSWORD, log_in, make_user, sign_up
from tests.games.table_kit import TableKit, new_user, running_table
from tests.hostile.kit import PAGES, browser

pytestmark = pytest.mark.django_db
OURS = {"accounts", "economy", "games", "rpsite"}


def test_hostile_53_log_in_and_theme_switch_go_to_no_other_site(client):
    for path in (
        "//evil.test", "/\\evil.test", "https://evil.test", "javascript:alert(1)", "tables/", "",
        "///evil.test", "http:///evil.test",
    ):  # fmt: skip
        assert not is_local_path(path)
    assert is_local_path("/tables/")
    assert is_local_path("/?a=b")
    make_user("tessio")
    login = {"login": "tessio", "password": PASSWORD}
    for target in ("//evil.test", "https://evil.test/", "http://testserver/x"):
        answer = Client().post("/accounts/login/", {**login, "next": target})
        assert answer["Location"] == "/"
    back = client.post("/accounts/login/", {**login, "next": "/tables/"})
    assert back["Location"] == "/tables/"
    for target in ("//evil.test", "https://evil.test", "/\\evil.test", ""):
        assert client.post("/theme/", {"theme": "dark", "next": target})["Location"] == "/"


def test_hostile_08_forms_need_a_token():
    strict = Client(enforce_csrf_checks=True)
    make_user("tessio")
    assert strict.post("/theme/", {"theme": "dark"}).status_code == 403
    assert log_in(strict, "tessio").status_code == 403
    assert sign_up(strict, "sonny").status_code == 403


def test_hostile_41_no_page_is_kept_and_none_may_use_a_camera(client):
    for path in PAGES:
        page = Client().get(path)
        # A guest's page may be kept by the guest's own browser, the lobby for a minute unasked.
        assert re.search("no-store|no-cache", page["Cache-Control"]) or path == "/"
        assert "private" in page["Cache-Control"]
        assert "camera=()" in page["Permissions-Policy"]
        assert "microphone=()" in page["Permissions-Policy"]
    client.force_login(make_user())
    for path in PAGES:
        assert "no-store" in client.get(path)["Cache-Control"]


def test_hostile_69_a_mistake_of_ours_has_a_number_that_the_log_has_too(monkeypatch, caplog):
    def fail() -> bool:
        raise ValueError(PASSWORD)

    monkeypatch.setattr(views, "_can_write", fail)
    monkeypatch.setattr(views._Look, "until", 0.0)
    with caplog.at_level(logging.ERROR):
        page = Client(raise_request_exception=False).get("/healthz")
    assert page.status_code == 500
    incident = re.search(rb'Incident <span class="num">([0-9a-f]{8})<', page.content)[1].decode()
    assert f"incident {incident}: ValueError at healthz" in caplog.text
    assert PASSWORD.encode() not in page.content


MARKUP = "</script><img src=x onerror=alert(1)>{{7*7}}"


class Harms(HTMLParser):
    """Elements that a browser would run or load because somebody wrote them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        # Also where a template has calculated.
        self.found = [text for text in ("49}}", "{{49", ">49") if text in page]
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: str(value) for name, value in attrs}
        is_script = given.get("href", "").lower().startswith("javascript:")
        if is_script or given.get("src") == "x" or any(name.startswith("on") for name in given):
            self.found.append(tag)


def test_hostile_43_what_somebody_wrote_is_text(chief):
    kit = running_table()
    kit.void(MARKUP)
    user = kit.people[0]
    tokens.make_token(user=user, name=MARKUP[:40])
    freeze(user_id=user.pk, reason=MARKUP)
    shown = [
        browser().get(reverse("table", args=[kit.match.public_id])),
        browser(user).get("/accounts/tokens/"),
        browser(user).get("/"),
        browser(user).get(f"/@{user.username}/"),
        browser(chief).get("/admin/accounts/user/"),
        browser(chief).get(f"/admin/games/match/{kit.match.pk}/change/"),
    ]
    assert [page.status_code for page in shown] == [200] * len(shown)
    told = [page.content.decode() for page in shown]
    assert [Harms(page).found for page in told] == [[]] * len(told)
    # It was there to be shown, else all this proves nothing.
    assert ["onerror" in page for page in told[:2]] == [True, True]


def test_hostile_44_the_policy_of_every_page():
    for client, path in product((browser(), browser(make_user())), PAGES):
        policy = client.get(path).get("Content-Security-Policy", "")
        parts = dict(part.strip().partition(" ")[::2] for part in policy.split(";"))
        assert parts["default-src"] == "'self'"
        assert parts["connect-src"].startswith("'self'")
        for name in ("object-src", "base-uri", "frame-ancestors"):
            assert parts[name] == "'none'"
        assert re.fullmatch(r"'self'( 'nonce-[\w+/=-]{16,}')?", parts["script-src"])
        assert "unsafe" not in policy
    policies = [browser().get("/")["Content-Security-Policy"] for _ in "ab"]
    nonces = {re.search(r"nonce-[^']+", policy)[0] for policy in policies}
    assert len(nonces) == 2, "a nonce is for one answer"


@pytest.mark.plain
def test_hostile_52_the_admin_filters_by_nothing_that_is_hidden(chief):
    client = browser(chief)
    for query in ("password__startswith=a", "user_permissions__codename=x", "o=password"):
        answer = client.get(f"/admin/accounts/user/?{query}")
        assert answer.status_code in (302, 400) or "pbkdf2" not in answer.content.decode()
        if answer.status_code == 302:
            assert "e=1" in answer["Location"]


def test_hostile_54_no_file_is_taken_and_no_path_leads_out(client):
    client.force_login(make_user())
    file = SimpleUploadedFile("shell.php", b"<?php", "image/png")
    for path in ("/upload/", "/media/", "/accounts/avatar/"):
        assert client.post(path, {"file": file}).status_code == 404
    multipart = {"headers": {"Authorization": "Bearer rrt_x"}}
    assert client.post("/rpc/", {"file": file}, **multipart).status_code in (401, 415)
    for path in (
        "/static/../secret_key", "/static/%2e%2e/secret_key", "/media/../site.sqlite3",
        "/static/..%5csecret_key", "/.git/config", "/var/secret_key",
    ):  # fmt: skip
        assert client.get(path).status_code in (301, 404)
    found, waiting = [], [BaseForm]
    while waiting:
        below = waiting.pop().__subclasses__()
        waiting += below
        found += [form for form in below if form.__module__.split(".")[0] in OURS]
    assert found
    fields = [f for form in found for f in getattr(form, "base_fields", {}).values()]
    assert [field for field in fields if isinstance(field, FileField)] == []


def test_hostile_72_matches_have_names_that_cannot_be_guessed():
    kits = [TableKit(new_user(), new_user()) for _ in range(8)]
    names = {kit.match.public_id for kit in kits}
    assert len(names) == 8
    for name in names:
        # 128 bits in six a character.
        assert re.fullmatch(r"[\w-]{22,}", name)
    assert len({name[:4] for name in names}) == 8, "what is drawn begins differently"
    for kit in kits[:2]:
        for number in (kit.match.pk, "1", "0"):
            assert browser().get(reverse("match_log", args=[str(number)])).status_code == 404
            assert browser().get(f"/matches/{number}/").status_code == 404
