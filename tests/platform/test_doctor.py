"""The doctor says of each part whether it is well, and never a secret."""

import json
import sqlite3
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from games.matches.models import Component, SelfCheck
from games.matches.processing.status import note_check
from rpsite import backups, doctor
from tests.platform import forks
from tests.platform.prepared import copy_all
from tests.platform.site import environment

CANARY = "canary-of-a-secret"


def verdicts(topic: str) -> set[str]:
    """Return the verdicts on one topic."""
    return {found.verdict for found in doctor.look() if found.topic == topic}


def no_mail_server(settings: Any) -> None:
    settings.POST_OFFICE = {"BACKENDS": {"default": "django.core.mail.backends.smtp.EmailBackend"}}
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1


def future_note(_: Any) -> None:
    later = timezone.now() + timedelta(minutes=5)
    Component.objects.create(name="web", since_at=later, beat_at=later)


#: What is wrong, the topic that says so, and its verdict.
WRONG: dict[str, tuple[Callable[[Any], Any], str, str]] = {
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


@pytest.mark.plain
@pytest.mark.both_databases
@pytest.mark.django_db
@pytest.mark.parametrize("wrong", WRONG)
def test_doctor_names_what_is_wrong(wrong: str, settings: Any) -> None:
    do, topic, verdict = WRONG[wrong]
    do(settings)
    assert verdict in verdicts(topic)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["LEAST_FREE", "LEAST_INODES"])
def test_doctor_looks_at_the_free_disk(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdicts("disk") == {"well"}
    monkeypatch.setattr(doctor, name, 1 << 62)
    assert verdicts("disk") == {"broken"}


@pytest.mark.django_db
def test_doctor_looks_at_the_room_for_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
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
    wrong: str, topics: list[str], tmp_path: Path, prepared: Path
) -> None:
    var = copy_all(prepared, tmp_path)
    more = {"SECRET_KEY": CANARY * 4}
    with sqlite3.connect(var / "site.sqlite3") as database:
        if wrong == "a migration is missing":
            database.execute("DELETE FROM django_migrations WHERE name = '0004_index_of_banned'")
        if wrong == "no triggers":
            rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for (name,) in rows.fetchall():
                database.execute(f"DROP TRIGGER {name}")
    if wrong == "a key is readable":
        (var / "vapid_key").write_text("x" * 43)
        (var / "vapid_key").chmod(0o644)
    if wrong == "DATABASE_URL":
        more[wrong] = f"postgres://user:{CANARY}@127.0.0.1:1/name"
    if wrong == "REDIS_URL":
        more[wrong] = f"redis://user:{CANARY}@127.0.0.1:1"
    done = forks.run("manage.py", "doctor", "--json", env=environment(var, **more))
    assert "Traceback" not in done.stderr
    found = json.loads(done.stdout)
    broken = {each["topic"] for each in found if each["verdict"] == "broken"}
    assert sorted(broken) == topics
    assert done.returncode == bool(topics)
    assert [each["topic"] for each in found if each["sentence"] == ""] == []
    assert CANARY not in done.stdout + done.stderr
