import json
import stat
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from post_office.models import Email

from accounts import devices
from accounts.models import ApiToken, Device, User
from accounts.tokens import find_token, make_token
from rpsite.management.commands import rotate_secret_key
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db


def said(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


def test_secret_key_is_replaced_once_and_the_former_one_forgotten(tmp_path, monkeypatch) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    key, former = tmp_path / "secret_key", tmp_path / "secret_key.old"
    monkeypatch.setattr(rotate_secret_key, "KEY", key)
    monkeypatch.setattr(rotate_secret_key, "FORMER", former)
    key.write_text("first")
    assert "first" not in said("rotate_secret_key")
    assert (former.read_text(), len(key.read_text()) > 50) == ("first", True)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    with pytest.raises(CommandError, match="--forget"):
        said("rotate_secret_key")
    said("rotate_secret_key", "--forget")
    assert not former.exists()
    monkeypatch.setenv("SECRET_KEY", "of the environment")
    assert "of the environment" not in said("rotate_secret_key")


def test_new_secret_key_keeps_log_ins_and_shared_browsers(client: Client, settings: Any) -> None:
    ann, bob = new_user(), new_user()
    devices.note(user_id=bob.pk, token="t" * 43, address="", at=timezone.now())
    client.force_login(ann)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key of fifty characters and more, of a new site"
    assert client.get(reverse("wallet")).status_code == 200
    devices.note(user_id=ann.pk, token="t" * 43, address="", at=timezone.now())
    assert devices.company_of(ann.pk, [bob.pk]).by_device == {bob.pk}
    settings.SECRET_KEY_FALLBACKS = []
    other = Client()
    other.cookies = client.cookies
    assert other.get(reverse("wallet")).status_code == 200, "signed with the new key by now"


@pytest.mark.plain
def test_tokens_end_by_owner_by_age_and_all() -> None:
    ann, bob = new_user(), new_user()
    (used, secret), (unused, _) = make_token(user=ann, name="a"), make_token(user=bob, name="b")
    ApiToken.objects.filter(pk=unused.pk).update(created_at=timezone.now() - timedelta(days=400))
    assert said("end_tokens", "--unused", "365") == "1 tokens ended\n"
    assert find_token(secret) == used
    make_token(user=bob, name="c")
    for words in (("--user", ann.username), ("--all",)):
        assert said("end_tokens", *words) == "1 tokens ended\n"
        assert find_token(secret) is None
    with pytest.raises(CommandError, match="no account"):
        said("end_tokens", "--user", "nobody-here")


@pytest.mark.plain
@pytest.mark.django_db(transaction=True)
def test_user_is_exported_and_deleted_by_name(tmp_path: Path) -> None:
    ann = new_user()
    file = tmp_path / "ann.json"
    said("export_user", ann.username, "--to", str(file))
    assert json.loads(file.read_text())["profile"][0]["name"] == ann.username
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(CommandError, match="cannot be made"):
        said("export_user", ann.username, "--to", str(file))
    with pytest.raises(CommandError, match="--yes"):
        said("delete_user", ann.username)
    said("delete_user", ann.username, "--yes")
    assert User.objects.get(pk=ann.pk).deleted_at is not None
    with pytest.raises(CommandError, match="no account"):
        said("export_user", ann.username)


@pytest.mark.plain
def test_retention_shows_and_deletes_what_is_older_than_its_rule() -> None:
    ann, now = new_user(), timezone.now()
    for token, days in (("o" * 43, 731), ("n" * 43, 1)):
        devices.note(user_id=ann.pk, token=token, address="", at=now - timedelta(days=days))
    Email.objects.create(from_email="a@localhost", to="b@localhost", subject="", message="")
    Email.objects.update(created=now - timedelta(days=31))
    table = said("retention")
    assert "devices, as keyed hashes: kept for 730 days, 1 older" in table
    assert "mails: kept for 30 days, 1 older" in table
    assert Device.objects.count() == 2
    said("retention", "--delete")
    assert Device.objects.count() == 1
    assert not Email.objects.exists()
