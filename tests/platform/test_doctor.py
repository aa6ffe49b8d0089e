import json
import sqlite3
from datetime import timedelta

import pytest
from django.utils import timezone

from games.matches.models import Component, SelfCheck
from games.matches.processing.status import note_check
from rpsite import backups, doctor
from tests.platform.prepared import copy_all, manage

CANARY = "canary-of-a-secret"


def verdicts(topic: str) -> set[str]:
    return {found.verdict for found in doctor.look() if found.topic == topic}


def no_mail_server(settings):
    settings.POST_OFFICE = {"BACKENDS": {"default": "django.core.mail.backends.smtp.EmailBackend"}}
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1


def future_note(_):
    later = timezone.now() + timedelta(minutes=5)
    Component.objects.create(name="web", since_at=later, beat_at=later)


#: What is wrong, the topic that says so, and its verdict.
WRONG = {
    "short key": (lambda s: setattr(s, "VAPID_PRIVATE_KEY", "short"), "push", "broken"),
    "no key": (lambda s: setattr(s, "VAPID_PRIVATE_KEY", ""), "push", "look"),
    "a key": (lambda s: setattr(s, "VAPID_PRIVATE_KEY", "k7" * 21 + "A"), "push", "well"),
    "no mail server": (no_mail_server, "mail", "broken"),
    "future": (future_note, "clock", "broken"),
    "no copies": (lambda s: setattr(s, "BACKUPS_KEPT", 0), "backups", "look"),
    "a failed restore test": (
        lambda _: note_check(SelfCheck.Kind.RESTORE, "damaged", is_good=False), "parts", "broken",
    ),
    "debug": (lambda s: (setattr(s, "SECURE_SSL_REDIRECT", True), setattr(s, "DEBUG", True)),
        "variables", "broken"),
    "no static files": (lambda s: setattr(s, "STATIC_ROOT", "/nowhere"), "paths", "broken"),
}  # fmt: skip


@pytest.mark.both_databases
@pytest.mark.django_db
@pytest.mark.parametrize("wrong", WRONG)
def test_doctor_names_what_is_wrong(wrong, settings):
    do, topic, verdict = WRONG[wrong]
    do(settings)
    assert verdict in verdicts(topic)


@pytest.mark.django_db
def test_doctor_looks_at_the_free_disk(monkeypatch):
    assert verdicts("disk") == {"well"}
    for name in ("LEAST_FREE", "LEAST_INODES"):
        with monkeypatch.context() as patch:
            patch.setattr(doctor, name, 1 << 62)
            assert verdicts("disk") == {"broken"}
    monkeypatch.setattr(backups, "room", lambda: 1 << 62)
    said = [found.sentence for found in doctor.look() if found.topic == "backups"]
    assert [each for each in said if each.startswith("a copy needs")]


@pytest.mark.processes
@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("wrong", "topics"),
    [
        ("nothing", []),
        ("DATABASE_URL", ["database"]),
        ("REDIS_URL", ["redis"]),
        ("a migration is missing", ["database"]),
        ("a key is readable", ["paths"]),
        ("no triggers", ["database"]),
    ],
)
def test_doctor_ends_with_1_if_something_is_broken_and_prints_no_secret(
    wrong, topics, tmp_path, prepared
):
    var = copy_all(prepared, tmp_path)
    more = {"SECRET_KEY": CANARY * 4}
    with sqlite3.connect(var / "site.sqlite3") as database:
        if wrong == "a migration is missing":
            database.execute("DELETE FROM django_migrations WHERE name = '0004_index_of_banned'")
        if wrong == "no triggers":
            rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            database.executescript("".join(f"DROP TRIGGER {name};" for (name,) in rows.fetchall()))
    if wrong == "a key is readable":
        (var / "vapid_key").write_text("x" * 43)
        (var / "vapid_key").chmod(0o644)
    if wrong.endswith("_URL"):
        scheme = {"DATABASE_URL": "postgres", "REDIS_URL": "redis"}[wrong]
        more[wrong] = f"{scheme}://user:{CANARY}@127.0.0.1:1" + "/name" * (scheme == "postgres")
    done = manage(var, "doctor", "--json", **more)
    assert "Traceback" not in done.stderr
    found = json.loads(done.stdout)
    broken = {each["topic"] for each in found if each["verdict"] == "broken"}
    assert (sorted(broken), done.returncode) == (topics, bool(topics))
    assert all(each["sentence"] for each in found)
    assert CANARY not in done.stdout + done.stderr
