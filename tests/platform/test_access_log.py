import json
import logging
import re
import threading
from types import SimpleNamespace
from typing import Any, get_args

import pytest
from asgiref.sync import sync_to_async
from celery.signals import before_task_publish, task_postrun, task_prerun
from channels.testing import HttpCommunicator
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client

from accounts import tokens
from games import registry
from games.engine.structs import kind_of
from games.engine.table.actions import Configure, PersonAction
from games.matches.processing.submissions import OPEN_KINDS, Submission
from games.realtime.access import access, trace
from rpsite import logs
from rpsite.access_log import Pages, logged, traced
from rpsite.asgi import pages
from rpsite.logs import AccessFile
from tests.accounts.kit import make_user
from tests.boot import PATIENCE
from tests.games.mafia.agora.kit import town
from tests.games.socket_kit import make_table, opened, running_site, until_true
from tools.referee.trials import trial_of

CANARY = "canaryofasecret"
#: What an action shows at once, in any game, beside those of ``OPEN_KINDS``.
HIDDEN_KINDS = frozenset(
    ("add", "attack", "choose", "combine", "confront", "done", "leave", "mine", "post", "reset",
     "undone", "vote", "withdraw", "write_will")
)  # fmt: skip


@pytest.fixture
def lines(tmp_path, caplog):

    def read(what: str = "") -> list[dict[str, Any]]:
        text = "".join(path.read_text() for path in sorted(tmp_path.glob("*.log")))
        found = [json.loads(line) for line in text.splitlines()]
        return [line for line in found if what in ("", line["what"])]

    handler = AccessFile(str(tmp_path), as_json=True)
    access.addHandler(handler)
    with caplog.at_level(logging.INFO, access.name):
        yield read
    access.removeHandler(handler)
    handler.close()


async def ask(path: str, method: str = "GET", **headers: str) -> dict[str, Any]:
    path, _, query = path.partition("?")
    given = {"host": "localhost", **headers}
    pairs = [(name.encode(), value.encode()) for name, value in given.items()]
    line = HttpCommunicator(traced(logged(pages)), method, path, headers=pairs)
    line.scope |= {"query_string": query.encode(), "client": ("127.0.0.1", 1)}
    answer = await line.get_response(timeout=PATIENCE)
    await line.wait(PATIENCE)
    return dict(answer)


def cookie_of(client: Client) -> dict[str, str]:
    name = settings.SESSION_COOKIE_NAME
    return {"cookie": f"{name}={client.cookies[name].value}"}


@pytest.mark.plain
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("path", "shown", "status"),
    [
        (f"/about/?token={CANARY}", "/about/", 200),
        (f"/invite/{CANARY}/", "/invite/*/", 404),
        (f"/@{CANARY}/", "/@*/", 404),
        (f"/accounts/confirm-email/{CANARY}/", "/accounts/confirm-email/*/", 200),
        (f"/accounts/password/reset/key/1-{CANARY}/", "/accounts/password/reset/key/*-*/", 200),
        (f"/accounts/password/reset/kee/1-{CANARY}/", "?", 404),
    ],
)
async def test_a_request_is_a_line_without_what_may_be_a_secret(path, shown, status, lines):
    answer = await ask(path)
    (line,) = lines("request")
    assert CANARY not in json.dumps(line)
    assert (line["status"], line["method"], line["user"]) == (answer["status"], "GET", None)
    assert (answer["status"], line["path"]) == (status, shown)
    assert line["ms"] > 0
    assert len(line["id"]) == 8


@pytest.mark.django_db(transaction=True)
async def test_a_request_names_its_user_by_number_whether_by_cookie_or_token(lines):
    """The log does not tell who asks for a room of a town, or that somebody seals a read."""
    user, client = await sync_to_async(make_user)("tessio"), Client()
    await sync_to_async(client.force_login)(user)
    _, secret = await sync_to_async(tokens.make_token)(user=user, name=CANARY)
    await ask("/wallet/", **cookie_of(client))
    await ask("/api/v1/me", authorization=f"Bearer {secret}")
    await ask("/healthz")
    kit = await sync_to_async(town)(5)
    await sync_to_async(client.force_login)(kit.people[0])
    await ask(f"/mafia/{kit.match.public_id}/posts/mafia/", "POST", **cookie_of(client))
    for method in ("GET", "POST"):
        await ask(f"/reads/{kit.match.public_id}/", method, **cookie_of(client))
    assert [(line["path"], line["user"]) for line in lines("request")] == [
        ("/wallet/", user.pk),
        ("/api/v1/me", user.pk),
        (f"/mafia/{kit.match.public_id}/posts/*/", None),
    ]
    told = json.dumps(lines())
    assert not [word for word in ("tessio", CANARY, secret) if word in told]


@pytest.mark.django_db(transaction=True)
async def test_an_action_has_the_id_of_its_frame_and_socket(lines):
    match, users, cookies = await sync_to_async(make_table)(seats=2)
    async with running_site():
        page = await opened(match, cookies[0])
        await page.act(kind="sit", seat=0, purse=50)
        await page.act(kind="sit", seat=0, purse=50)
        await page.act(kind="mine", target=1)
        await page.leave()
    (socket,), actions = lines("socket"), lines("action")
    assert (socket["user"], socket["path"]) == (users[0].pk, f"/ws/match/{match.public_id}/")
    assert {line["id"].partition(".")[0] for line in actions} == {socket["id"]}
    assert {(line["user"], line["match"]) for line in actions} == {(users[0].pk, match.pk)}
    told = [(line.get("kind"), line.get("result") == "done") for line in actions]
    # Who mines is a secret, and so is whether he may.
    assert told == [("sit", True), ("sit", False)]


def test_each_kind_of_action_is_open_or_hidden() -> None:
    kinds = {kind_of(each) for each in (*get_args(PersonAction), Configure)}
    for slug in registry.slugs():
        kinds |= {kind_of(each) for each in get_args(trial_of(slug).rules.Action)}
    of_the_arena = {"join", "prefer"}
    of_the_house = {"add_bot", "begin"}
    assert kinds - of_the_arena == (OPEN_KINDS | HIDDEN_KINDS) - of_the_house
    assert not OPEN_KINDS & HIDDEN_KINDS
    for kind in HIDDEN_KINDS:
        assert Submission(1, {"kind": kind}, "hidden-0001", 5).open_facts is None
    for kind in OPEN_KINDS:
        action = {"kind": kind, "hand": CANARY, "salt": CANARY, "purse": 17}
        told = Submission(1, action, f"{CANARY}-0001", 5).open_facts
        assert told == {"user": 5, "match": 1, "kind": kind}


def test_a_task_is_a_line_with_the_id_of_what_sent_it(lines):
    headers = {}
    token = trace.set("0badcafe.7")
    try:
        before_task_publish.send(sender="accounts.send_mail", headers=headers)
        trace.set("")
        task = SimpleNamespace(name="accounts.send_mail", request=SimpleNamespace(**headers))
        task_prerun.send(sender=None, task=task)
        task_postrun.send(sender=None, task=task, state="SUCCESS")
        assert trace.get() == "0badcafe.7"
        task_prerun.send(sender=None, task=SimpleNamespace(name="", request=SimpleNamespace()))
        assert re.fullmatch("[0-9a-f]{8}", trace.get())
    finally:
        trace.reset(token)
    (line,) = lines()
    assert (line["what"], line["task"], line["id"]) == ("task", "accounts.send_mail", "0badcafe.7")
    assert (line["result"], line["ms"] >= 0) == ("success", True)


def record(created: float, **facts: Any) -> logging.LogRecord:
    made = logging.LogRecord("access", logging.INFO, "", 0, "request", None, None)
    made.created = created
    made.facts = [{"id": "0badcafe", **facts}]
    return made


def test_files_are_of_a_day_and_limited_and_old_ones_go(tmp_path):
    day, noon = 86_400, 1_800_000_000.0
    handlers = [AccessFile(str(tmp_path), as_json=False, largest=500, most=3) for _ in range(2)]
    for number in range(100):
        handlers[number % 2].emit(record(noon, number=number))
    files = sorted(tmp_path.iterdir())
    assert len(files) == 3
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in files)
    assert all(path.stat().st_size < 700 for path in files)
    text = "".join(path.read_text() for path in files).splitlines()
    assert text == sorted(text, key=lambda line: int(line.rpartition("=")[2]))
    assert text[-1].endswith("request [0badcafe] number=99")
    handlers[0].emit(record(noon + logs.DAYS * day + day))
    (path,) = tmp_path.iterdir()
    assert path.read_text().count("\n") == 1


def test_a_line_cannot_be_forged_and_a_full_disk_is_no_error(tmp_path):
    handler = AccessFile(str(tmp_path), as_json=False)
    handler.emit(record(0.0, path="/\n00:00:00.000 request [0badcafe] user=1"))
    (path,) = tmp_path.iterdir()
    assert path.read_text().count("\n") == 1
    handler.close()
    AccessFile(str(path), as_json=False).emit(record(0.0))


async def test_requests_use_a_thread_again_but_none_that_still_works(monkeypatch) -> None:
    used: list[int] = []
    may_end = threading.Event()

    def respond(request: HttpRequest) -> HttpResponse:
        used.append(threading.get_ident())
        if request.path == "/slow/":
            assert may_end.wait(PATIENCE)
        return HttpResponse()

    made = Pages()
    monkeypatch.setattr(made, "get_response", respond)

    def line(path: str) -> HttpCommunicator:
        return HttpCommunicator(made, "GET", path, headers=[(b"host", b"localhost")])

    for _ in range(2):
        await line("/").get_response(timeout=PATIENCE)
        await until_true(lambda: len(made._idle) == 1)
    assert len({*used}) == 1
    left = line("/slow/")
    await left.send_input({"type": "http.request", "body": b""})
    await until_true(lambda: len(used) == 3)
    await left.send_input({"type": "http.disconnect"})
    await line("/").get_response(timeout=PATIENCE)
    assert used[2] == used[0] != used[3]
    may_end.set()
    await left.wait(PATIENCE)
    await until_true(lambda: len(made._idle) == 2)
