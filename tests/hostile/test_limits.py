import base64
import json
import logging
import logging.config
import os
import pickle
import sys
import time
from io import StringIO
from itertools import pairwise
from pathlib import Path

import pytest
import redis
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.db import OperationalError

from games.arena.rules.columns import Columns, resolve_arrays
from games.arena.rules.options import RoundOptions
from games.realtime import limits
from rpsite import logs
from rpsite.processes import valkey
from tests.boot import PATIENCE
from tests.faults.rig import Rig
from tests.games.arena.rules.kit import SEED
from tests.games.table_kit import TableKit, new_user

#: Every option that costs work.
LABORIOUS = RoundOptions(count=True, team=True, survivor=True)


def steps_of_a_round(players: int) -> int:
    columns = Columns(b"\0\1\2\3" * (players // 4), [-9] * players, [0] * players, [3] * players)
    steps = 0

    def count(frame, event, argument):
        nonlocal steps
        steps += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        resolve_arrays(columns, LABORIOUS, SEED)
    finally:
        sys.settrace(before)
    return steps


def test_hostile_65_a_round_costs_no_battle_of_two() -> None:
    few, many = steps_of_a_round(1_000), steps_of_a_round(5_000)
    assert many < 6 * few
    assert many < 100 * 5_000, "12,497,500 battles would be more"


FORGED = 'bob\n12:00:00 ERROR games: he has won\r\x1b[2J\u2028{"level":"ERROR"}'


@pytest.mark.plain
def test_hostile_67_nobody_writes_a_line_of_the_log_nor_by_what_goes_wrong() -> None:
    try:
        int(FORGED)
    except ValueError as refused:
        problem = (ValueError, ValueError(FORGED), refused.__traceback__)
    said = logging.makeLogRecord({"msg": "unknown name %s", "args": (FORGED,)})
    failed = logging.LogRecord("site", logging.ERROR, "", 0, "failed", (), problem)
    for record in (said, failed):
        assert logs.MaskSecrets().filter(record)
        line, entry = logs.LineFormatter().format(record), logs.JsonFormatter().format(record)
        first, *rest = line.splitlines()
        assert "\x1b" not in line
        assert len(entry.splitlines()) == 1
        if record is said:
            assert rest == []
            assert "\x1b" not in entry
            assert json.loads(entry)["message"] == f"unknown name {FORGED}"
        else:
            assert first.endswith("failed")
            assert rest
            assert all(each.startswith("    ") for each in rest)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("query", "headers"), [("", {"Host": "evil.example"}), ("x=1&" * 1_500, {})]
)
def test_hostile_87_nobody_fills_the_log_with_tracebacks(
    client, caplog, monkeypatch, query: str, headers: dict[str, str]
) -> None:
    monkeypatch.setattr(limits.time, "monotonic", lambda: 1_000.0)
    for _ in range(30):
        assert client.get(f"/?{query}", headers=headers).status_code == 400
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    made, known = logging.config.DictConfigurator(settings.LOGGING), settings.LOGGING["filters"]
    for name in settings.LOGGING["handlers"]["console"]["filters"]:
        handler.addFilter(made.configure_custom(dict(known[name])))
    handler.setFormatter(logs.LineFormatter())
    for record in caplog.records:
        handler.handle(record)
    lines = stream.getvalue().splitlines()
    assert 1 <= len(lines) <= 20
    assert all(" WARNING django." in line and len(line) < 400 for line in lines)


@pytest.mark.sqlite
@pytest.mark.django_db
def test_the_log_says_how_many_lines_were_left_out_and_keeps_tracebacks_of_our_mistakes(
    monkeypatch,
) -> None:
    def record_of(problem: Exception) -> logging.LogRecord:
        about = (type(problem), problem, None)
        return logging.LogRecord("django.request", logging.ERROR, "", 0, "failed", (), about)

    now = [1_000.0]
    monkeypatch.setattr(limits.time, "monotonic", lambda: now[0])
    brief = logs.Brief()
    for problem in (DisallowedHost(), OperationalError("database is locked")):
        assert [brief.filter(record_of(problem)) for _ in range(23)] == [True] * 20 + [False] * 3
    now[0] += 1
    last = record_of(DisallowedHost())
    assert brief.filter(last)
    assert last.getMessage().endswith("(3 more left out)")
    for problem in (ValueError(), OperationalError("no such table: x")):
        ours = record_of(problem)
        assert brief.filter(ours)
        assert (ours.levelno, ours.exc_info[1]) == (logging.ERROR, problem)


@pytest.mark.django_db
def test_hostile_67_no_payload_and_no_cookie_is_logged(client, caplog) -> None:
    kit = TableKit(new_user(), new_user(), seats=2)
    client.force_login(kit.people[0])
    key = client.session.session_key
    with caplog.at_level(logging.DEBUG):
        kit.start()
        kit.call_all()
        kit.act(kit.people[0], kind="attack", weapon="paper", target=1)
        client.get(f"/tables/{kit.match.public_id}/?canary=word-of-a-client")
        client.post("/rpc/", '{"canary": "word-of-a-client"}', "application/json")
        client.post("/accounts/login/", {"login": "canary", "password": "word-of-a-client"})
    ours = [record for record in caplog.records if not record.name.startswith("django.db")]
    for text in (record.getMessage() for record in ours):
        assert not [each for each in ("word-of-a-client", key, "paper") if each in text]


class Payload:
    def __init__(self, proof: Path) -> None:
        self.proof = proof

    def __reduce__(self) -> tuple:
        return (os.mkdir, (str(self.proof),))


def message(task: str, body: bytes, kind: str = "application/json", encoding="utf-8") -> str:
    name = f"poison-{task}"
    properties = {
        "body_encoding": "base64", "correlation_id": name, "delivery_tag": f"{name}-{kind}",
        "delivery_info": {"exchange": "", "routing_key": "celery"}, "delivery_mode": 2,
    }  # fmt: skip
    return json.dumps(
        {
            "body": base64.b64encode(body).decode(),
            "content-type": kind,
            "content-encoding": encoding,
            "headers": {"task": task, "id": name, "lang": "py", "argsrepr": "()"},
            "properties": properties,
        }
    )


@pytest.mark.processes
@pytest.mark.slow
def test_hostile_68_no_message_in_the_broker_runs_code(rig: Rig) -> None:
    proof = rig.var / "unpickled"
    pickled = pickle.dumps([[Payload(proof)], {}, {}])
    nothing = json.dumps([[], {}, {}]).encode()
    call = json.dumps([[f"touch {proof}"], {}, {}]).encode()
    broker = redis.from_url(rig.valkey.url)
    for poison in (
        message("matches.sweep", pickled, "application/x-python-serialize", "binary"),
        message("os.system", call),
        message("matches.sweep", call),
        message("matches.sweep", b"{"),
    ):
        broker.lpush("celery", poison)
    # What is right is still done, behind all of that: a passed clock acts.
    ann, bob = rig.hand("people", names=["ann", "bob"])
    table = rig.hand("start_game", users=[ann["id"], bob["id"]], stage="betting", ago=60)
    rig.hand("be_web")
    worker = rig.celery("worker", "-c", "1", "--without-mingle", "--without-gossip")
    broker.lpush("celery", message("matches.sweep", nothing))
    until = time.monotonic() + PATIENCE
    # A worker that starts also asks itself for the mails.
    while rig.hand("match", match=table["pk"])["status"] == "running" or broker.llen("celery"):
        assert time.monotonic() < until, rig.said()
        time.sleep(0.1)
    assert broker.publish("/0.celery.pidbox", "{}") == 0, "the worker obeys the broker"
    assert worker.is_alive
    assert not proof.exists()


def test_hostile_68_only_its_owner_reaches_the_sites_own_broker(tmp_path: Path) -> None:
    assert settings.CELERY_ACCEPT_CONTENT == ["json"]
    words = valkey.command(tmp_path / "valkey.sock")
    pairs = dict(pairwise(words))
    assert (pairs["--port"], pairs["--unixsocketperm"]) == ("0", "700")
