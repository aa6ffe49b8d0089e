import base64
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from py_vapid import Vapid02

from accounts import push
from accounts.models import PushChoice, PushSubscription, User
from accounts.push import has_been_asked
from tests.accounts.kit import PASSWORD, log_in, make_user
from tests.accounts.push_service import PushBrowser, PushService, base64url, push_service

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

PUBLIC = "https://push.example.net/send/abc"
NOT_PUBLIC = [
    "http://push.example.net/a", "https://push.example.net:8443/a",
    "https://user@push.example.net/a", "https://127.0.0.1/a", "https://[::1]/a",
    "https://172.16.0.1/a", "https://2130706433/a", "https://0x7f.1/a", "https://localhost/a",
    "https://localhost./a", "https://push.example.net/ a",
    "https://push.example.net/\r\nHost: x", "https://push.example.net/" + "a" * 500,
    "https://push.example.net:x/a", f"https://{'a' * 64}.example/a", "https://a..example/a",
    "ftp://push.example.net/a", "//push.example.net/a", "",
]  # fmt: skip
PAGE = "/settings/notifications/browser/"


@pytest.fixture(autouse=True)
def _has_key(settings) -> None:
    settings.VAPID_PRIVATE_KEY = base64url(bytes(range(1, 33)))


@pytest.fixture
def service(settings) -> Iterator[PushService]:
    with push_service() as service:
        settings.PUSH_TRUSTED = service.address
        yield service


def subscribed(user: User, endpoint: str = PUBLIC, **change: str) -> PushBrowser:
    browser = PushBrowser()
    given = {"session_key": "s", "endpoint": endpoint, **browser.keys, **change}
    push.subscribe(user_id=user.pk, **given)
    return browser


def sent(run: push.Run | None = None) -> list[push.Sent]:
    """Send a message to all browsers at once, the oldest first."""
    rows = PushSubscription.objects.order_by("pk")
    return (run or push.Run()).send([push.Message(row, {"title": "t"}, "t") for row in rows])


@pytest.mark.plain
def test_message_is_encrypted_for_its_browser_and_signed_for_service(service: PushService) -> None:
    browser = subscribed(make_user(), f"{service.address}send/abc?x=1")
    message = {"title": "Bell Street", "body": "A new day in your town.", "url": "/agora/x/"}
    (row,) = PushSubscription.objects.all()
    assert push.Run().send([push.Message(row, message, "topic")]) == [push.Sent.TAKEN]
    ((path, headers, body),) = service.got
    assert path == "/send/abc?x=1"
    assert b"Bell Street" not in body
    assert json.loads(browser.read(body)) == message
    assert (headers["Content-Encoding"], headers["Topic"]) == ("aes128gcm", "topic")
    assert int(headers["TTL"]) == push.KEPT_FOR
    token, key = headers["Authorization"].removeprefix("vapid t=").split(",k=")
    assert Vapid02.verify(headers["Authorization"])
    assert key == push.public_key()
    claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
    assert claims["aud"] == service.address.rstrip("/")
    assert claims["sub"].startswith("mailto:")
    assert time.time() < claims["exp"] <= time.time() + 86_400 + 60


@pytest.mark.parametrize(
    "answer", ["201 TAKEN", "404 GONE", "410 GONE", "500 FAILED", "429 FAILED", "307 FAILED"]
)
def test_browser_that_is_gone_is_forgotten_and_no_other(service: PushService, answer: str) -> None:
    status, outcome = answer.split()
    subscribed(make_user(), f"{service.address}a")
    service.status, service.headers = int(status), {"Location": f"{service.address}b"}
    assert sent() == [push.Sent[outcome]]
    assert [path for path, _, _ in service.got] == ["/a"], "a redirect is not followed"
    assert PushSubscription.objects.exists() == (outcome != "GONE")


def test_a_name_that_does_not_resolve_is_left_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(push, "BUDGET", 0.2)
    subscribed(make_user())
    resolved, ended, used = threading.Event(), threading.Event(), []

    def lookup(*_: object, **__: object) -> list[tuple[object, ...]]:
        resolved.wait(20)
        return [(0, 0, 0, "", ("93.184.216.34", 443))]

    class Watched(push._Call):
        def run(self) -> None:
            super().run()
            ended.set()

    monkeypatch.setattr(push, "_Call", Watched)
    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    monkeypatch.setattr(socket, "create_connection", lambda *given: used.append(given))
    assert sent() == [push.Sent.TIMED_OUT], "the name is still asked for"
    resolved.set()
    assert ended.wait(20)
    assert used == []


@pytest.mark.parametrize("begins", [b"\x16\x03\x03\x40\x00", b"HTTP/1.1 201 "])
def test_a_service_that_sends_byte_after_byte_is_cut_off(settings, monkeypatch, begins) -> None:
    """As a handshake of TLS, and as the head of an answer without TLS."""
    monkeypatch.setattr(push, "BUDGET", 0.3)
    cut = threading.Event()

    def drip(listener: socket.socket) -> None:
        taken, _ = listener.accept()
        with taken, suppress(OSError):
            taken.sendall(begins)
            while True:
                taken.sendall(b"a")
                cut.wait(0.02)
        cut.set()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        scheme = "https" if begins.startswith(b"\x16") else "http"
        settings.PUSH_TRUSTED = f"{scheme}://127.0.0.1:{listener.getsockname()[1]}/"
        subscribed(make_user(), f"{settings.PUSH_TRUSTED}a")
        thread = threading.Thread(target=drip, args=[listener])
        thread.start()
        assert sent() == [push.Sent.TIMED_OUT]
        assert cut.wait(20)
        thread.join()


@pytest.mark.plain
def test_a_browser_is_left_out_of_a_run_after_a_time_out_and_forgotten_after_three_in_a_row(
    service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "BUDGET", 0.5)
    subscribed(make_user("ann_of"), f"{service.address}silent")
    subscribed(make_user("bob_of"), f"{service.address}well")
    service.silent = "/silent"
    service.waits = silence = threading.Event()
    run = push.Run()
    assert sent(run) == [push.Sent.TIMED_OUT, push.Sent.TAKEN], "the service still waits"
    service.got.clear()
    assert sent(run) == [push.Sent.LEFT_OUT, push.Sent.TAKEN]
    assert PushSubscription.objects.get(user__username="ann_of").time_outs == 1
    assert [path for path, _, _ in service.got] == ["/well"]
    for service.waits in (silence, None, silence, silence, silence):
        assert PushSubscription.objects.count() == 2
        expected = push.Sent.TIMED_OUT if service.waits else push.Sent.TAKEN
        assert sent() == [expected, push.Sent.TAKEN]
    silence.set()
    assert [row.endpoint for row in PushSubscription.objects.all()] == [f"{service.address}well"]


@pytest.mark.parametrize(
    "change",
    [
        *({"endpoint": endpoint} for endpoint in NOT_PUBLIC),
        *({"p256dh": key} for key in ("", "A" * 87, "ü" * 87)),
        *({"auth": key} for key in ("", "AAAA")),
    ],
)
def test_addresses_not_of_public_https_and_bad_keys_are_refused(change: dict[str, str]) -> None:
    with pytest.raises(push.BadSubscription):
        subscribed(make_user(), **change)
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "0.0.0.0", "224.0.0.1", "::1", "fe80::1%eth0", "fc00::1", "::ffff:172.16.0.1",
        "64:ff9b::a00:1", "64:ff9b:1::7f00:1", "64:ff9b:1:7f00:0:100::", "2002:a00:1::",
        "2002:808:808::1", "2001:0:808:808::1", "::127.0.0.1", "::8.8.8.8", "::ffff:8.8.8.8",
        "::ffff:0:127.0.0.1", "2a00:1450::5efe:7f00:1", "2a00:1450::200:5efe:7f00:1", "fec0::1",
        "2001:db8::1", "3fff::1", "5f00::1", "ff0e::1", "192.88.99.1", "255.255.255.255",
    ],
)  # fmt: skip
def test_hostile_84_a_name_of_a_private_host_gets_no_message_and_is_forgotten(monkeypatch, address):
    """The name was public when it was stored, or two addresses were given."""
    subscribed(make_user())
    found = [(0, 0, 0, "", (each, 443)) for each in ("93.184.216.34", address)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    monkeypatch.setattr(socket, "create_connection", lambda *_: pytest.fail("nothing connects"))
    assert sent() == [push.Sent.GONE]
    assert not PushSubscription.objects.exists()


@pytest.mark.plain
def test_the_very_address_that_was_checked_is_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    for public in ("8.8.8.8", "2001:4860:4860::8888", "2a00:1450:4001::5e"):
        assert push.is_public(public)
    subscribed(make_user())
    asked, used = [], []

    def lookup(host: str, *_: object, **__: object) -> list[tuple[object, ...]]:
        asked.append(host)
        return [(0, 0, 0, "", ("93.184.216.34", 443))]

    def connect(place: tuple[str, int], *_: object) -> None:
        used.append(place)
        raise OSError("no network in tests")

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    monkeypatch.setattr(socket, "create_connection", connect)
    assert sent() == [push.Sent.FAILED]
    assert (asked, used) == (["push.example.net"], [("93.184.216.34", 443)])


def test_the_sixth_browser_replaces_the_oldest_and_one_address_has_one_user() -> None:
    ann, bob = make_user("ann_of"), make_user("bob_of")
    for no in range(push.MOST_BROWSERS + 1):
        subscribed(ann, f"{PUBLIC}{no}")
    left = set(PushSubscription.objects.filter(user=ann).values_list("endpoint", flat=True))
    assert left == {f"{PUBLIC}{no}" for no in range(1, push.MOST_BROWSERS + 1)}
    subscribed(bob, f"{PUBLIC}3")
    assert PushSubscription.objects.get(endpoint=f"{PUBLIC}3").user == bob


@pytest.mark.plain
def test_a_browser_is_turned_on_and_off_by_its_page(client: Client, settings) -> None:
    user = make_user()
    given = {"do": "on", "endpoint": PUBLIC, **PushBrowser().keys}
    assert client.post(PAGE, given).status_code == 403
    client.force_login(user)
    assert not has_been_asked(user.pk)
    state = client.get(PAGE).json()
    assert (state["key"], state["asked"]) == (push.public_key(), False)
    assert client.post(PAGE, {"do": "asked"}).status_code == 204
    assert client.get(PAGE).json()["asked"] is True
    assert has_been_asked(user.pk)
    assert client.post(PAGE, given).status_code == 204
    assert PushSubscription.objects.get().session_key == client.session.session_key
    assert client.post(PAGE, given | {"endpoint": "https://172.16.0.1/"}).status_code == 422
    assert client.post(PAGE, {"do": "off", "endpoint": PUBLIC}).status_code == 204
    assert not PushSubscription.objects.exists()
    assert client.post(PAGE, {"do": "sing"}).status_code == 400
    assert PushChoice.objects.count() == 1
    settings.VAPID_PRIVATE_KEY = ""
    assert b"does not send notifications" in client.get("/settings/notifications/").content


@pytest.mark.plain
def test_a_page_asks_whether_the_site_knows_its_browser_and_renews_it(client: Client) -> None:
    ann, bob = make_user("ann"), make_user("bob")
    subscribed(ann)

    def known(user: User) -> bool:
        client.force_login(user)
        found = client.post(PAGE, {"do": "look", "endpoint": PUBLIC}).json()
        assert found["key"] == push.public_key()
        return bool(found["is_known"])

    assert client.post(PAGE, {"do": "look", "endpoint": PUBLIC}).status_code == 403
    assert known(ann)
    assert not known(bob), "somebody else turned it on in this browser"
    assert not has_been_asked(bob.pk), "to look is not to be asked"
    given = {"do": "renew", "before": PUBLIC, "endpoint": f"{PUBLIC}2", **PushBrowser().keys}
    assert client.post(PAGE, given).status_code == 204
    assert [each.endpoint for each in PushSubscription.objects.all()] == [PUBLIC]
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ann)
    assert strict.post(PAGE, given).status_code == 403
    token = strict.get(PAGE).json()["token"]
    assert strict.post(PAGE, given, headers={"X-CSRFToken": token}).status_code == 204
    (left,) = PushSubscription.objects.all()
    assert (left.user, left.endpoint) == (ann, f"{PUBLIC}2")
    assert not known(ann)


@pytest.mark.plain
@pytest.mark.django_db(transaction=True)
def test_a_browser_is_forgotten_with_its_log_in(client: Client) -> None:
    user = make_user()
    log_in(client, user.username, PASSWORD)
    client.post(PAGE, {"do": "on", "endpoint": PUBLIC, **PushBrowser().keys})
    subscribed(user, f"{PUBLIC}2", session_key="of another browser")
    client.post("/accounts/logout/")
    assert [each.session_key for each in PushSubscription.objects.all()] == ["of another browser"]
    user.set_password("another password 7")
    user.save()
    assert not PushSubscription.objects.exists()
    assert not Session.objects.exists()
