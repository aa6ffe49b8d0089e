import hashlib
import re
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from accounts import tokens
from accounts.models import ApiToken
from tests.accounts.kit import PASSWORD, browser, confirm_password, log_in, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
PAGE = "/accounts/tokens/"


@pytest.fixture
def user():
    return make_user()


def make(user, name="my bot"):
    return tokens.make_token(user=user, name=name)


@pytest.mark.plain
def test_token_is_kept_as_a_hash_and_a_beginning(user):
    token, secret = make(user)
    assert re.fullmatch(r"rrt_[A-Za-z0-9_-]{43}", secret)
    assert (token.prefix, token.sha256) == (secret[:8], hashlib.sha256(secret.encode()).hexdigest())
    assert secret not in str(ApiToken.objects.values().get()) + repr(token) + str(token)
    assert tokens.find_token(secret) == token
    for wrong in ("", "rrt_", "rrt_wrong", "x" * 500, "rrt_\ud800", "Bearer"):
        assert tokens.find_token(wrong) is None


@pytest.mark.plain
def test_token_has_a_name_that_can_be_read_in_any_script(user):
    for name in ("", "   ", "x" * 41, "a\u202eb", "\u3164", "\0"):
        with pytest.raises(ValidationError) as problem:
            make(user, name)
        assert problem.value.code == "token_name"
    assert ApiToken.objects.count() == 0
    assert make(user, "  бот   №1 ")[0].name == "бот №1"
    assert make(user, "a\0b\u200b")[0].name == "ab"


def test_token_ten_live_ones_are_enough(user):
    made = [make(user)[0] for _ in range(10)]
    with pytest.raises(ValidationError) as problem:
        make(user)
    assert problem.value.code == "too_many_tokens"
    tokens.revoke_token(user_id=user.pk, token_id=made[0].pk)
    make(user)
    make(make_user("sonny"))


@pytest.mark.plain
def test_token_is_revoked_by_its_own_user_once_and_ends_with_another_password_and_a_ban(user):
    other = make_user("sonny")
    token, secret = make(user)
    assert tokens.revoke_token(user_id=other.pk, token_id=token.pk) is None
    assert tokens.find_token(secret) is not None
    assert tokens.revoke_token(user_id=user.pk, token_id=token.pk) == token
    assert tokens.revoke_token(user_id=user.pk, token_id=token.pk) is None
    (mine, my_secret), (theirs, their_secret) = make(user), make(other)
    user.set_password("another long password")
    user.save()
    other.is_active = False
    other.save(update_fields=["is_active"])
    for each in (secret, my_secret, their_secret):
        assert tokens.find_token(each) is None
    revoked = dict(ApiToken.objects.values_list("pk", "revoked_at"))
    assert revoked[mine.pk] is not None
    assert revoked[theirs.pk] is None


def test_token_use_is_noted_once_an_hour(user, django_assert_num_queries):
    _, secret = make(user)
    tokens.find_token(secret)
    first = ApiToken.objects.get().last_used_at
    with django_assert_num_queries(2):
        tokens.find_token(secret)
    assert ApiToken.objects.get().last_used_at == first
    ApiToken.objects.update(last_used_at=timezone.now() - timedelta(hours=2))
    tokens.find_token(secret)
    assert ApiToken.objects.get().last_used_at > timezone.now() - timedelta(minutes=1)


@pytest.fixture
def logged_in(client, user):
    log_in(client, user.username)
    confirm_password(client)
    return client


def test_token_page_shows_a_secret_once_says_what_is_wrong_and_escapes_names(logged_in, user):
    response = logged_in.post(PAGE, {"name": "<script>alert(1)"})
    assert response.status_code == 200
    secret = shown_secret(response)
    assert tokens.find_token(secret).user == user
    assert "no-store" in response["Cache-Control"]
    again = logged_in.get(PAGE).content.decode()
    assert (secret in again, secret[:8] in again, "<script>alert" in again) == (False, True, False)
    assert secret not in str(dict(logged_in.session))
    response = logged_in.post(PAGE, {"name": "x" * 41})
    assert response.status_code == 422
    assert "1 to 40" in response.content.decode()
    for page in ("/settings/", "/accounts/sessions/"):
        assert PAGE in logged_in.get(page).content.decode()


def shown_secret(response):
    return re.search(r">(rrt_[^<]+)<", response.content.decode())[1]


@pytest.mark.plain
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
    assert tokens.find_token(shown_secret(response)) == token


def test_token_in_the_admin_is_to_look_at_without_its_hash(user, admin_client):
    token, page = make(user)[0], "/admin/accounts/apitoken/"
    for path in (page, f"{page}{token.pk}/change/"):
        response = admin_client.get(path)
        assert response.status_code == 200
        assert token.sha256 not in response.content.decode()
    assert admin_client.post(f"{page}{token.pk}/delete/").status_code == 403
    assert admin_client.get(f"{page}add/").status_code == 403
