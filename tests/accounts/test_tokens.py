"""Tokens of programs: made and shown once, counted, revoked, on their page and in the admin."""

import hashlib
import re
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from accounts import tokens
from accounts.models import ApiToken, User
from tests.accounts.kit import PASSWORD, browser, log_in, make_user

pytestmark = pytest.mark.django_db
PAGE = "/accounts/tokens/"


@pytest.fixture
def user():
    return make_user()


def make(user, name="my bot"):
    return tokens.make_token(user=user, name=name)


@pytest.mark.both_databases
def test_token_is_kept_as_a_hash_and_a_beginning(user):
    token, secret = make(user)
    assert re.fullmatch(r"rrt_[A-Za-z0-9_-]{43}", secret)
    assert (token.prefix, token.sha256) == (secret[:8], hashlib.sha256(secret.encode()).hexdigest())
    row = ApiToken.objects.values().get()
    assert secret not in str(row)
    assert secret not in repr(token) + str(token)
    assert tokens.find_token(secret) == token


@pytest.mark.parametrize("secret", ["", "rrt_", "rrt_wrong", "x" * 500, "rrt_\ud800", "Bearer"])
def test_token_that_is_none_finds_nobody(user, secret):
    make(user)
    assert tokens.find_token(secret) is None


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\u202eb", "a\0b"])
def test_token_has_a_name_that_can_be_read(user, name):
    with pytest.raises(ValidationError) as problem:
        make(user, name)
    assert problem.value.code == "token_name"
    assert ApiToken.objects.count() == 0


def test_token_names_may_be_of_any_script(user):
    assert make(user, "  бот   №1 ")[0].name == "бот №1"


@pytest.mark.both_databases
def test_token_ten_live_ones_are_enough(user):
    made = [make(user)[0] for _ in range(10)]
    with pytest.raises(ValidationError) as problem:
        make(user)
    assert problem.value.code == "too_many_tokens"
    tokens.revoke_token(user_id=user.pk, token_id=made[0].pk)
    make(user)
    make(make_user("sonny"))


def test_token_is_revoked_by_its_own_user_once(user):
    token, secret = make(user)
    assert tokens.revoke_token(user_id=make_user("sonny").pk, token_id=token.pk) is None
    assert tokens.find_token(secret) is not None
    assert tokens.revoke_token(user_id=user.pk, token_id=token.pk) == token
    assert tokens.revoke_token(user_id=user.pk, token_id=token.pk) is None
    assert tokens.find_token(secret) is None


@pytest.mark.both_databases
def test_token_ends_with_another_password_and_with_a_ban(user):
    other = make_user("sonny")
    _, mine = make(user)
    _, theirs = make(other)
    user.set_password("another long password")
    user.save()
    other.is_active = False
    other.save(update_fields=["is_active"])
    assert tokens.find_token(mine) is None
    assert tokens.find_token(theirs) is None
    assert ApiToken.objects.get(user=user).revoked_at is not None
    assert ApiToken.objects.get(user=other).revoked_at is None


def test_token_survives_logging_in_with_an_outdated_hash(user, settings):
    _, secret = make(user)
    newest = "django.contrib.auth.hashers.ScryptPasswordHasher"
    settings.PASSWORD_HASHERS = [newest, *settings.PASSWORD_HASHERS]
    assert log_in(Client(), user.username).status_code == 302
    assert User.objects.get(pk=user.pk).password != user.password
    assert tokens.find_token(secret) is not None


@pytest.mark.both_databases
def test_token_use_is_noted_once_an_hour(user, django_assert_num_queries):
    _, secret = make(user)
    tokens.find_token(secret)
    first = ApiToken.objects.get().last_used_at
    with django_assert_num_queries(1):
        tokens.find_token(secret)
    assert ApiToken.objects.get().last_used_at == first
    ApiToken.objects.update(last_used_at=timezone.now() - timedelta(hours=2))
    tokens.find_token(secret)
    assert ApiToken.objects.get().last_used_at > timezone.now() - timedelta(minutes=1)


# The page ---------------------------------------------------------------------------------


@pytest.fixture
def logged_in(user):
    client = Client()
    log_in(client, user.username)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


@pytest.mark.both_databases
def test_token_page_shows_a_secret_once(logged_in, user):
    response = logged_in.post(PAGE, {"name": "my bot"})
    assert response.status_code == 200
    secret = re.search(r">(rrt_[^<]+)<", response.content.decode())[1]
    assert tokens.find_token(secret).user == user
    assert "no-store" in response["Cache-Control"]
    again = logged_in.get(PAGE)
    assert secret not in again.content.decode()
    assert secret[:8] in again.content.decode()
    assert secret not in str(dict(logged_in.session))


def test_token_page_says_what_is_wrong_and_escapes_names(logged_in):
    response = logged_in.post(PAGE, {"name": "x" * 41})
    assert response.status_code == 422
    assert "1 to 40" in response.content.decode()
    logged_in.post(PAGE, {"name": "<script>alert(1)"})
    assert "<script>alert" not in logged_in.get(PAGE).content.decode()


@pytest.mark.plain
@pytest.mark.both_databases
def test_token_page_revokes_ones_own(logged_in, user):
    token, secret = make(user)
    other, _ = make(make_user("sonny"))
    assert logged_in.post(f"{PAGE}{other.pk}/revoke/").status_code == 302
    assert ApiToken.objects.get(pk=other.pk).revoked_at is None
    assert logged_in.get(f"{PAGE}{token.pk}/revoke/").status_code == 405
    assert logged_in.post(f"{PAGE}{token.pk}/revoke/")["Location"] == PAGE
    assert tokens.find_token(secret) is None


def test_token_page_needs_a_log_in_a_fresh_password_and_a_form(user):
    assert "/accounts/login/" in Client().get(PAGE)["Location"]
    stale, strict = browser(user), browser(user, enforce_csrf_checks=True)
    response = stale.post(PAGE, {"name": "my bot"})
    assert response.status_code == 302
    assert "/accounts/reauthenticate/" in response["Location"]
    assert strict.post(PAGE, {"name": "my bot"}).status_code == 403
    assert ApiToken.objects.count() == 0
    # After entering the password the user gets the requested token.
    given = {"password": PASSWORD, "next": PAGE}
    response = stale.post("/accounts/reauthenticate/", given)
    (token,) = ApiToken.objects.filter(user=user, name="my bot")
    secret = re.search(r">(rrt_[^<]+)<", response.content.decode())[1]
    assert tokens.find_token(secret) == token


def test_token_page_is_linked_from_the_settings_and_the_sessions_page(logged_in):
    assert PAGE in logged_in.get("/settings/").content.decode()
    assert PAGE in logged_in.get("/accounts/sessions/").content.decode()


def test_token_in_the_admin_is_to_look_at_without_its_hash(user, admin_client):
    token, _ = make(user)
    for path in ("", f"{token.pk}/change/"):
        response = admin_client.get(f"/admin/accounts/apitoken/{path}")
        assert response.status_code == 200
        assert token.sha256 not in response.content.decode()
    assert admin_client.post(f"/admin/accounts/apitoken/{token.pk}/delete/").status_code == 403
    assert admin_client.get("/admin/accounts/apitoken/add/").status_code == 403
