"""Caches between the site and people, which obey its headers: nobody gets another's page."""

import re
from typing import Any

import pytest
from django.test import Client

from tests.accounts.kit import make_user

pytestmark = pytest.mark.django_db
PAGES = ("/", "/tables/", "/rules/", "/fair-play/", "/leaderboard/", "/@tessio/", "/wallet/")


class Proxy:
    """A shared cache in front of the site."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}

    def get(self, client: Client, path: str, headers: dict[str, str]) -> Any:
        if path in self.kept:
            return self.kept[path]
        answer = client.get(path, headers=headers)
        if not {"private", "no-store"} & said_by(answer) and answer.status_code == 200:
            self.kept[path] = answer
        return answer


class Browser:
    """A person's browser, with a cache of its own, behind the proxy."""

    def __init__(self, proxy: Proxy) -> None:
        self.proxy, self.kept, self.statuses = proxy, dict[str, Any](), list[int]()
        self.client = Client(enforce_csrf_checks=True)

    def get(self, path: str) -> Any:
        known = self.kept.get(path)
        headers = {"if-none-match": known["ETag"]} if known and "ETag" in known else {}
        answer = self.proxy.get(self.client, path, headers)
        self.statuses.append(answer.status_code)
        if answer.status_code == 304:
            assert answer.content == b""
            return known
        self.kept.pop(path, None)
        if "no-store" not in said_by(answer):
            self.kept[path] = answer
        return answer

    def post(self, path: str, page: Any, **fields: str) -> int:
        token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', page.content.decode())
        given = {**fields, "csrfmiddlewaretoken": token[1] if token else ""}
        return self.client.post(path, given).status_code


def said_by(answer: Any) -> set[str]:
    return set(answer.get("Cache-Control", "").split(", "))


def test_two_users_and_a_guest_behind_a_cache_never_get_one_anothers_page() -> None:
    proxy, names = Proxy(), ("tessio", "luca", "")
    browsers = {name: Browser(proxy) for name in names}
    for name in filter(None, names):
        browsers[name].client.force_login(make_user(name))
    for path in PAGES * 2:
        for name in names:
            page = browsers[name].get(path)
            if page.status_code == 200:
                assert f'data-viewer="{name}"' in page.content.decode(), (path, name)
    assert proxy.kept == {}
    assert 304 in browsers[""].statuses
    # Back after a log-out shows what the browser has kept, without a question.
    user = browsers["tessio"]
    assert user.post("/accounts/logout/", user.get("/rules/")) == 302
    assert user.kept == {}
    assert 'data-viewer=""' in user.get("/rules/").content.decode()


def test_a_guests_page_that_is_still_the_same_is_not_sent_again_and_its_forms_work() -> None:
    guest = Browser(Proxy())
    first = guest.get("/rules/")
    assert said_by(first) == {"private", "no-cache"}
    assert guest.get("/rules/") is first
    again = guest.client.get("/rules/", headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.cookies.keys()) == (304, first.cookies.keys())
    # Its nonce is not that of the page which the browser shows.
    assert "Content-Security-Policy" not in again
    assert guest.post("/theme/", first, theme="dark", next="/rules/") == 302
    dark = guest.get("/rules/")
    assert 'data-theme="dark"' in dark.content.decode()
    assert guest.get("/rules/") is dark
    # Another secret: the tokens of the kept page are no longer valid.
    del guest.client.cookies["csrftoken"]
    fresh = guest.get("/rules/")
    assert fresh is not dark
    assert guest.post("/theme/", fresh, theme="light", next="/rules/") == 302


@pytest.mark.parametrize("path", ["/accounts/login/", "/@tessio/", "/no-such-page/"])
def test_pages_with_keys_and_refusals_are_not_kept(path: str) -> None:
    make_user("tessio")
    answer = Client().get(path)
    assert "no-store" in said_by(answer)
    assert "ETag" not in answer
