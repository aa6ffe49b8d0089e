import string

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from accounts import receivers
from accounts.adapters import AccountAdapter, network_of
from accounts.models import User
from accounts.names import is_reserved, name_key
from accounts.services import create_bot
from accounts.settings_pages import DEFAULTS, BoardForm
from accounts.signals import session_ended, user_revoked
from accounts.tokens import find_token, make_token
from economy.models import Setting, Transfer
from economy.selectors import balance_of, has_wallet
from tests.accounts.kit import NEW, PASSWORD, confirm_password, log_in, logged_in_as, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
NAMES = st.text(string.ascii_letters + string.digits + "_-", min_size=3, max_size=20)


@pytest.fixture
def heard(django_capture_on_commit_callbacks):
    """Return the calls of the two signals while a function runs, its commit included."""
    said = []

    def on_end(session_key, **_):
        said.append(("session", session_key))

    def on_revoke(user_id, reason, **_):
        said.append((reason, user_id))

    def listen(function):
        said.clear()
        with django_capture_on_commit_callbacks(execute=True):
            function()
        return list(said)

    session_ended.connect(on_end)
    user_revoked.connect(on_revoke)
    yield listen
    session_ended.disconnect(on_end)
    user_revoked.disconnect(on_revoke)


def test_l12_whoever_is_created_has_a_wallet_with_the_grant_once(monkeypatch):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", "--noinput", username="admin", email="a@b.de", verbosity=0)
    for user in (make_user(), User.objects.get(username="admin")):
        user.save()
        assert balance_of(user.pk) == 100
        assert Transfer.objects.filter(key=f"signup:{user.pk}").count() == 1


@pytest.mark.django_db(transaction=True)
def test_user_and_wallet_come_together_or_not_at_all(monkeypatch):
    def fail(*_):
        raise RuntimeError("the ledger is down")

    monkeypatch.setattr(receivers, "open_account", fail)
    with pytest.raises(RuntimeError):
        make_user()
    assert not User.objects.filter(username="tessio").exists()


def test_a_missing_wallet_is_opened_at_log_in(client):
    later = User(username="clemenza", name_key="clemenza")
    later.set_password(PASSWORD)
    User.objects.bulk_create([later])
    assert not has_wallet(later.pk)
    for user in (later, make_user()):
        assert log_in(client, user.username).status_code == 302
        assert balance_of(user.pk) == 100
        client.logout()


@pytest.mark.plain
def test_a_bot_is_a_user_with_a_wallet_whom_nobody_can_log_in_as(client):
    bot = create_bot(name="Mr-Tin")
    assert bot.is_bot
    assert balance_of(bot.pk) == Setting.objects.get(name="grant.signup").value
    for password in ("", "!", bot.password):
        assert log_in(client, "Mr-Tin", password).status_code != 302
    with pytest.raises(Exception, match="taken") as refusal:
        create_bot(name="mr_tin")
    assert refusal.value.code == "name_taken_or_reserved"


def test_d14_the_sessions_page_ends_the_others_and_a_log_out_takes_a_post(client, heard):
    make_user("tessio")
    other = Client(HTTP_USER_AGENT="Mosaic on a fridge, Linux")
    for each in (client, other):
        log_in(each, "tessio")
    others = ("session", other.session.session_key)
    assert b"Unknown browser on Linux" in client.get("/accounts/sessions/").content
    confirm_password(client)
    own = ("session", client.session.session_key)
    said = heard(lambda: client.post("/accounts/sessions/"))
    assert (others in said, own in said) == (True, False)
    assert (logged_in_as(client), logged_in_as(other)) == ("tessio", None)
    assert client.get("/accounts/logout/").status_code == 200
    assert logged_in_as(client) == "tessio"
    assert own in heard(lambda: client.post("/accounts/logout/"))
    assert logged_in_as(client) is None


@pytest.mark.plain
def test_d14_a_ban_and_another_password_revoke_and_other_changes_do_not(client, heard):
    user = make_user()
    log_in(client, user.username)
    form = {"oldpassword": PASSWORD, **NEW}
    said = heard(lambda: client.post("/accounts/password/change/", form))
    assert [line for line in said if line[0] == "password"] == [("password", user.pk)]
    user = User.objects.get(pk=user.pk)
    for changes, revoked in (
        ({"first_name": "Salvatore"}, []),
        ({"is_active": False}, [("banned", user.pk)]),
        ({"is_active": True}, []),
    ):
        vars(user).update(changes)
        assert heard(user.save) == revoked


def test_d14_rehashing_an_unchanged_password_revokes_nobody_and_no_token(client, heard, settings):
    user = make_user()
    token, secret = make_token(user=user, name="my bot")
    newest = "django.contrib.auth.hashers.PBKDF2SHA1PasswordHasher"
    settings.PASSWORD_HASHERS = [newest, *settings.PASSWORD_HASHERS]
    assert heard(lambda: log_in(client, user.username)) == []
    assert User.objects.get(pk=user.pk).password.startswith("pbkdf2_sha1")
    assert find_token(secret) == token


@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_is_not_announced():
    said, user = [], User.objects.get(pk=make_user().pk)

    def on_revoke(**arguments):
        said.append(arguments)

    user_revoked.connect(on_revoke)
    with transaction.atomic():
        user.is_active = False
        user.save()
        transaction.set_rollback(True)
    user_revoked.disconnect(on_revoke)
    assert said == []


@pytest.mark.plain
def test_hostile_95_what_a_user_stores_ends_no_ban_of_the_same_moment():
    user = make_user()
    before = (user.volume, user.password)
    User.objects.filter(pk=user.pk).update(is_active=False, banned_reason="spam")
    BoardForm(DEFAULTS | {"volume": 5}, instance=user).save()
    AccountAdapter().set_password(user, NEW["password1"])
    stored = User.objects.get(pk=user.pk)
    assert (stored.is_active, stored.banned_reason) == (False, "spam")
    assert stored.volume != before[0]
    assert stored.password != before[1]
    user.username = "Sonny"
    user.save(update_fields=["username"])
    assert User.objects.get(pk=user.pk).name_key == "sonny", "a name is stored with its key"


ALIKE = [
    ("tessio", "TESSIO"), ("tessio", "tess_io"), ("tessio", "tess-io"), ("tessio", "tessi0"),
    ("tessio", "tess1o"), ("tessio", "tesslo"), ("tessio", "tessIo"), ("barney", "bamey"),
    ("savvy", "sawy"), ("Ian", "lan"), ("c0rnell1", "cornelli"),
]  # fmt: skip


@pytest.mark.plain
def test_d17_names_that_look_alike_are_one_name_and_those_of_people_are_not_reserved():
    for one, other in ALIKE:
        assert name_key(one) == name_key(other)
    for one, other in [("tessio", "tesio"), ("anna", "hanna"), ("b2b", "bzb")]:
        assert name_key(one) != name_key(other)
    people = ("tessio", "bob", "badminton", "deletedscene", "Rocky", "Botticelli")
    assert not any(map(is_reserved, people))


@given(NAMES)
def test_d17_a_key_depends_on_neither_case_nor_separators_at_the_ends(name):
    assert name_key(name) == name_key(name.upper()) == name_key(f"-{name}_")
    assert len(name_key(name)) <= 20


@pytest.mark.plain
def test_the_database_keeps_look_alikes_out_as_well_and_the_admin_form_is_told():
    make_user("Barney")
    with pytest.raises(IntegrityError), transaction.atomic():
        make_user("bamey")
    with pytest.raises(ValidationError) as refusal:
        User(username="bamey", password="x").full_clean()
    assert "name_taken_or_reserved" in {error.code for error in refusal.value.error_dict["__all__"]}


def test_a_network_is_24_or_64_bits():
    assert network_of("203.0.113.77") == network_of("203.0.113.1") != network_of("203.0.114.1")
    assert network_of("2001:db8:0:1::5") == "2001:db8:0:1::/64"
    assert network_of(None) == ""
