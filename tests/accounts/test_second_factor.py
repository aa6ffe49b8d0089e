import json
import re
import time
from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.contrib import admin
from django.core.checks import run_checks
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from fido2.utils import websafe_encode
from post_office.models import Email

from accounts.forms import CredentialField
from accounts.models import ApiToken
from accounts.tokens import make_token
from tests.accounts.kit import NEW, PASSWORD, confirm, confirm_password, log_in, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _as_on_the_site(settings):
    settings.STAFF_SECOND_FACTOR = True
    settings.EMAIL_BACKEND = "post_office.EmailBackend"


def code_of(secret):
    """The code that an app shows now."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def with_app(user):
    """Give a user an authenticator app; return its secret."""
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    return secret


def logged_in(name="tessio", **fields):
    user, client = make_user(name, **fields), Client()
    assert log_in(client, name).status_code == 302
    return user, client


def gets_in(code):
    """Whether the password and this code let in."""
    client = Client()
    answer = log_in(client, "tessio")
    assert answer["Location"].startswith(reverse("mfa_authenticate"))
    assert "_auth_user_id" not in client.session
    client.post(answer["Location"], {"code": code})
    return "_auth_user_id" in client.session


def mails():
    return [(mail.to[0], mail.message) for mail in Email.objects.order_by("pk")]


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_an_administrator_is_led_to_set_up_a_second_factor_and_then_in():
    chief, client = logged_in("chief", is_staff=True, is_superuser=True)
    first = client.get("/admin/")
    assert (first.status_code, first["Location"]) == (302, reverse("mfa_activate_totp"))
    # The password of the log-in a moment ago counts, so that nobody types it twice.
    secret = client.get(first["Location"]).context["form"].secret
    assert client.post(first["Location"], {"code": "000000x"}).status_code == 200
    assert not Authenticator.objects.filter(user=chief).exists()
    done = client.post(first["Location"], {"code": code_of(secret)})
    assert done["Location"] == reverse("mfa_view_recovery_codes")
    assert len(client.get(done["Location"]).context["unused_codes"]) == 10
    assert client.get("/admin/").status_code == 200


def test_a_session_with_a_password_alone_does_not_administer(client):
    chief = make_user("chief", is_staff=True, is_superuser=True)
    with_app(chief)
    client.force_login(chief)
    for path in ("/admin/", "/admin/accounts/user/", "/admin/jsi18n/"):
        answer = client.get(path)
        assert answer.status_code == 302
        assert answer["Location"].startswith(reverse("mfa_reauthenticate"))
        assert client.post(path, {"x": "1"})["Location"].endswith("?next=%2Fadmin%2F")
    code = RecoveryCodes.activate(chief).get_unused_codes()[0]
    shown = client.post(reverse("mfa_reauthenticate"), {"code": code, "next": "/admin/"})
    assert shown["Location"] == "/admin/"
    assert client.get("/admin/").status_code == 200


def test_a_log_in_asks_for_the_code_and_lets_into_the_admin():
    chief, client = make_user("chief", is_staff=True, is_superuser=True), Client()
    secret = with_app(chief)
    asked = log_in(client, "chief")["Location"]
    assert asked.startswith(reverse("mfa_authenticate"))
    assert client.get("/wallet/").status_code == 302
    client.post(asked, {"code": "not it"})
    assert "_auth_user_id" not in client.session
    client.post(asked, {"code": code_of(secret)})
    assert client.session["_auth_user_id"] == str(chief.pk)
    assert client.get("/admin/").status_code == 200


def test_hostile_96_a_code_of_an_app_is_used_once_for_as_long_as_it_is_right():
    user = make_user()
    with time_machine.travel("2026-11-26T12:00:10Z", tick=False) as clock:
        code = code_of(with_app(user))
        assert gets_in(code)
        clock.shift(31)
        assert not gets_in(code)
    code = RecoveryCodes.activate(user).get_unused_codes()[0]
    assert [gets_in(code), gets_in(code)] == [True, False]


def test_hostile_96_a_passkey_is_taken_from_the_sites_own_origin_alone(rf):
    def takes(origin):
        shown = json.dumps({"type": "webauthn.get", "challenge": "AA", "origin": origin})
        given = {"response": {"clientDataJSON": websafe_encode(shown.encode())}}
        with context.request_context(rf.get("/")):
            try:
                return CredentialField().to_python(json.dumps(given)) == given
            except ValidationError:
                return False

    assert takes("http://testserver")
    wrong = ("https://testserver", "http://testserver:1", "http://a.testserver", "", None)
    assert not any(map(takes, wrong))


@pytest.mark.plain
@pytest.mark.both_databases
def test_players_need_no_second_factor_and_a_lost_one_is_taken_away_by_a_command():
    user, client = logged_in()
    assert client.get("/wallet/").status_code == 200
    assert client.get("/admin/").status_code != 200
    assert b"Set up" in client.get(reverse("mfa_index")).content
    with_app(user)
    assert b"Turn off" in client.get(reverse("mfa_index")).content
    assert Authenticator not in admin.site._registry, "nor does the admin have their keys"
    RecoveryCodes.activate(user)
    call_command("forget_second_factor", "Tessio", stdout=(said := StringIO()))
    assert said.getvalue() == "tessio has no second factor any more.\n"
    assert not Authenticator.objects.exists()
    for name in ("tessio", "nobody"):
        with pytest.raises(CommandError):
            call_command("forget_second_factor", name)


def test_a_public_site_that_does_not_ask_administrators_is_refused(settings):
    for required in (True, False):
        settings.STAFF_SECOND_FACTOR = required
        found = {error.id for error in run_checks(include_deployment_checks=True)}
        assert ("rpsite.E005" in found) is not required


def test_a_stolen_session_changes_nothing_of_the_account():
    user, client = logged_in()
    confirm(user)
    token = make_token(user=user, name="mine")[0]
    other = Client()
    log_in(other, "tessio")
    with time_machine.travel(timezone.now() + timedelta(minutes=6)):
        Email.objects.all().delete()
        for path, data in (
            (reverse("account_email"), {"action_add": "", "email": "thief@example.org"}),
            (reverse("account_email"), {"action_remove": "", "email": user.email}),
            (reverse("account_email"), {"action_primary": "", "email": user.email}),
            ("/accounts/tokens/", {"name": "thief's"}),
            (f"/accounts/tokens/{token.pk}/revoke/", {}),
            ("/accounts/sessions/", {}),
            (reverse("mfa_activate_totp"), {"code": "1"}),
            (reverse("mfa_generate_recovery_codes"), {}),
        ):
            asked = client.post(path, data)
            assert asked.status_code == 302, path
            assert asked["Location"].partition("?")[0] == reverse("account_reauthenticate"), path
        assert [a.email for a in EmailAddress.objects.all()] == ["tessio@example.org"]
        assert [t.revoked_at for t in ApiToken.objects.all()] == [None]
        assert "_auth_user_id" in other.session
        assert not Authenticator.objects.exists()
        assert mails() == []
        assert confirm_password(client, "not the password").status_code == 200
        assert client.post("/accounts/tokens/", {"name": "again"}).status_code == 302
        client.post("/accounts/password/change/", {"oldpassword": "wrong", **NEW})
        user.refresh_from_db()
        assert user.check_password(PASSWORD)


def test_the_old_address_hears_of_every_change_of_addresses():
    user, client = logged_in()
    confirm(user)
    confirm_password(client)

    def heard(action, address):
        Email.objects.all().delete()
        client.post(reverse("account_email"), {f"action_{action}": "", "email": address})
        return [text for to, text in mails() if to == user.email]

    assert any("new@example.org" in text for text in heard("add", "new@example.org"))
    EmailAddress.objects.filter(email="new@example.org").update(verified=True)
    assert heard("primary", "new@example.org")
    assert heard("remove", user.email)
    assert not EmailAddress.objects.filter(email=user.email).exists()


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_the_owner_hears_of_passwords_tokens_sessions_and_factors():
    user, client = logged_in()
    confirm(user)
    confirm_password(client)
    secret = client.get(reverse("mfa_activate_totp")).context["form"].secret
    token = make_token(user=user, name="old")[0]
    actions = [
        ("/accounts/tokens/", {"name": "sparring"}, "sparring"),
        (f"/accounts/tokens/{token.pk}/revoke/", {}, "old"),
        ("/accounts/sessions/", {}, "sessions"),
        (reverse("mfa_activate_totp"), {"code": code_of(secret)}, "[Aa]uthenticator"),
        (reverse("mfa_deactivate_totp"), {}, "turned off"),
        ("/accounts/password/change/", {"oldpassword": PASSWORD, **NEW}, "password"),
    ]
    for path, data, word in actions:
        Email.objects.all().delete()
        client.post(path, data)
        ((to, text),) = mails()
        assert to == "tessio@example.org"
        assert re.search(word, text), path
        assert "127.0.0.1" in text


@pytest.mark.parametrize(
    "page", ["add_webauthn", "deactivate_totp", "generate_recovery_codes", "view_recovery_codes"]
)
def test_a_password_is_not_enough_to_replace_the_second_factor(page):
    user, client = logged_in()
    with_app(user)
    codes, page = RecoveryCodes.activate(user), reverse(f"mfa_{page}")
    confirm_password(client)
    kept = Authenticator.objects.values_list("pk", "data").order_by("pk")
    before = list(kept)
    assert client.get(page)["Location"].startswith(reverse("mfa_reauthenticate"))
    assert client.post(page, {}).status_code == 302
    assert list(kept.all()) == before
    code = codes.get_unused_codes()[0]
    client.post(reverse("mfa_reauthenticate"), {"code": code, "next": page})
    assert client.get(page).status_code == 200


@pytest.mark.plain
def test_whoever_has_a_passkey_alone_is_asked_for_it():
    chief, client = logged_in("chief", is_staff=True, is_superuser=True)
    passkey = {"type": Authenticator.Type.WEBAUTHN, "data": {"name": "phone", "credential": {}}}
    Authenticator.objects.create(user=chief, **passkey)
    for path in ("/admin/", reverse("mfa_add_webauthn"), reverse("mfa_activate_totp")):
        assert client.get(path)["Location"].startswith(reverse("mfa_reauthenticate_webauthn"))
    other = Client()
    assert log_in(other, "chief")["Location"].startswith(reverse("mfa_authenticate"))
    assert "_auth_user_id" not in other.session


def test_a_passkey_that_is_none_logs_nobody_in(client):
    make_user("tessio")
    page = reverse("mfa_login_webauthn")
    for given in ("", "{", "null", "[]", '{"id": "x"}', '{"response": 7}'):
        asked = client.get(page, headers={"accept": "application/json"}).json()
        assert asked["request_options"]["publicKey"]["userVerification"] == "required"
        answer = client.post(page, {"credential": given})
        assert (answer.status_code, answer["Location"]) == (302, reverse("account_login"))
        assert "_auth_user_id" not in client.session
