import re

import pytest
from django.test import Client

from tests.accounts.kit import PASSWORD, make_user

pytestmark = pytest.mark.django_db

OWN = {"Origin": "http://testserver", "Referer": "http://testserver/rules/duel/"}


@pytest.fixture
def strict() -> Client:
    """A browser whose forms need their token."""
    return Client(enforce_csrf_checks=True)


def token_of(client: Client, path: str) -> str:
    """Return the token of the forms of a page."""
    found = re.search(rb'name="csrfmiddlewaretoken" value="([^"]+)"', client.get(path).content)
    assert found
    return found[1].decode()


def log_in(client: Client, token: str, path: str = "/accounts/login/", **more: str):
    form = {"login": "tessio", "password": PASSWORD, "csrfmiddlewaretoken": token, **more}
    return client.post(path, form, headers=OWN)


@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/signup/"])
@pytest.mark.parametrize("wanted", ["/duels/", "", "//evil.test/", "https://evil.test/"])
def test_who_logs_in_in_two_tabs_goes_on_to_the_page_of_the_second(strict, path, wanted) -> None:
    make_user("tessio")
    first, second = token_of(strict, "/accounts/login/"), token_of(strict, path)
    assert log_in(strict, first).status_code == 302
    answer = log_in(strict, second, path, next=wanted)
    reached = wanted if wanted == "/duels/" else "/"
    assert (answer.status_code, answer["Location"]) == (302, reached)


@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/signup/"])
def test_guest_with_a_stale_form_gets_a_new_one_that_leads_there(strict: Client, path: str) -> None:
    strict.get(path)
    answer = log_in(strict, "x" * 64, path, next="/duels/")
    assert (answer.status_code, answer["Location"]) == (302, f"{path}?next=%2Fduels%2F")
    page = strict.get(answer["Location"])
    assert b'value="/duels/"' in page.content
    assert b"expired" in page.content


@pytest.mark.plain
def test_a_stale_form_can_be_sent_again_with_what_was_typed_but_secrets(strict: Client) -> None:
    user = make_user("tessio")
    stale = token_of(strict, "/rules/duel/")
    log_in(strict, token_of(strict, "/accounts/login/"))
    form = {"theme": "light", "next": "/rules/duel/", "csrfmiddlewaretoken": stale}
    refused = strict.post("/theme/", form, headers=OWN)
    assert refused.status_code == 403
    user.refresh_from_db()
    assert user.theme != "light"
    page = refused.content.decode()
    hidden = r'type="hidden" name="([^"]+)" value="([^"]+)"'
    again = dict(re.findall(hidden, page.split("<main")[1]))
    assert again["theme"] == "light"
    assert 'href="http://testserver/rules/duel/"' in page
    assert strict.post("/theme/", again, headers=OWN).status_code == 302
    user.refresh_from_db()
    assert user.theme == "light"
    form = {"oldpassword": "a-secret-word", "password1": "a-newer-secret", "password2": "x"}
    form["csrfmiddlewaretoken"] = stale
    refused = strict.post("/accounts/password/change/", form, headers=OWN)
    assert refused.status_code == 403
    assert b"secret" not in refused.content.split(b"<main")[1]


@pytest.mark.parametrize(
    "origin", [None, "https://evil.test", "null", "http://testserver.evil.test"]
)
def test_a_form_of_another_site_gets_nothing_to_send(strict: Client, origin: str | None) -> None:
    make_user("tessio")
    log_in(strict, token_of(strict, "/accounts/login/"))
    form = {"login": "tessio", "theme": "light", "next": "/duels/"}
    for path in ("/theme/", "/accounts/login/"):
        refused = strict.post(path, form, headers=origin and {"Origin": origin})
        assert refused.status_code == 403
        assert b"light" not in refused.content.split(b"<main")[1].split(b"</main")[0]
