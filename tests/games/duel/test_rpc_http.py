"""JSON-RPC over HTTP: who may call, what is answered, what is done."""

import json
import logging

import pytest
from django.db import OperationalError
from django.test import Client

from accounts import tokens
from accounts.models import ApiToken
from games.jsonrpc import http_methods, views
from games.matches.models import Entry, Match
from tests.games.duel.rpc_kit import make_token
from tests.games.match_kit import new_user
from tests.games.socket_kit import running_site  # noqa: F401

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_allowances():
    views._buckets.clear()


def post(client, content, token=None, **more):
    text = content if isinstance(content, (str, bytes)) else json.dumps(content)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return client.post("/rpc/", text, "application/json", headers=headers, **more)


def call(client, token, method, *params, **named):
    """Call a method and return its result, or the error's code and token."""
    content = {"jsonrpc": "2.0", "method": method, "params": list(params) or named, "id": 1}
    answer = post(client, content, token).json()
    if "error" in answer:
        return answer["error"]["code"], answer["error"]["data"]["token"]
    return answer["result"]


def test_rpc_http_a_new_duel_replaces_the_callers_own_empty_ones(client):
    ann, bob = new_user(), new_user()
    one, two = make_token(ann), make_token(bob)
    empty = call(client, one, "open_duel")["public_id"]
    joined = call(client, one, "open_duel")["public_id"]
    assert Match.objects.get(public_id=empty).status == "closed"
    call(client, two, "join_duel", joined)
    newest = call(client, one, "open_duel")["public_id"]
    assert Match.objects.get(public_id=joined).status == "open", "somebody sits there"
    assert {row["public_id"] for row in call(client, two, "list_duels")} == {joined, newest}


def test_rpc_http_a_duel_is_listed_until_it_is_full(client):
    one, two, third = (make_token(new_user()) for _ in range(3))
    opened = call(client, one, "open_duel", best_of=5, no_ties=1, clock_seconds=60)
    assert opened["socket"] == f"/ws/rpc/duel/{opened['public_id']}/"
    assert opened["status"] == "open"
    (listed,) = call(client, two, "list_duels")
    assert (listed["public_id"], listed["best_of"]) == (opened["public_id"], 5)
    assert call(client, one, "my_duels") == []
    for token in (one, two):
        call(client, token, "join_duel", opened["public_id"])
    assert call(client, third, "join_duel", opened["public_id"]) == (1000, "action/table_full")
    (mine,) = call(client, one, "my_duels")
    assert mine["public_id"] == opened["public_id"]
    assert Entry.objects.filter(match__public_id=opened["public_id"]).count() == 2


def test_rpc_http_what_is_refused_opens_nothing(client):
    for options in ({"best_of": 4}, {"tax_bp": 0}, {"rated": True, "stake": 5}):
        call(client, make_token(new_user()), "open_duel", **options)
    assert Match.objects.count() == 0


def test_rpc_http_who_does_not_say_who_they_are_gets_401(client):
    for token in (None, "rrt_wrong", "nonsense"):
        response = post(client, {"jsonrpc": "2.0", "method": "my_duels", "id": 1}, token)
        assert response.status_code == 401 if token else response.status_code in (401, 403)
        if response.status_code == 401:
            assert response["WWW-Authenticate"] == "Bearer"
            assert response.json()["error"]["data"]["token"] == "unauthenticated"


def test_rpc_http_a_revoked_token_and_a_banned_user_get_401(client):
    user = new_user()
    token = make_token(user)
    assert call(client, token, "my_duels") == []
    tokens.revoke_token(user_id=user.pk, token_id=ApiToken.objects.get(user=user).pk)
    assert post(client, "{}", token).status_code == 401
    banned = new_user()
    token = make_token(banned)
    banned.is_active = False
    banned.save()
    assert post(client, "{}", token).status_code == 401


def test_rpc_a_session_needs_the_token_of_a_form():
    client = Client(enforce_csrf_checks=True)
    user = new_user()
    client.force_login(user)
    content = {"jsonrpc": "2.0", "method": "open_duel", "id": 1}
    assert post(client, content).status_code == 403
    assert Match.objects.count() == 0
    client.get("/accounts/password/change/")
    token = client.cookies["csrftoken"].value
    response = client.post(
        "/rpc/", json.dumps(content), "application/json", headers={"X-CSRFToken": token}
    )
    assert response.json()["result"]["status"] == "open"
    # A bearer needs none, and a session beside it is not looked at.
    other = new_user()
    post(client, content, make_token(other))
    assert list(Match.objects.order_by("pk").values_list("opened_by", flat=True)) == [
        user.pk,
        other.pk,
    ]


def test_rpc_http_what_is_not_utf8_is_a_parse_error(client):
    answer = post(client, b"\xff", make_token(new_user())).json()
    assert (answer["error"]["code"], answer["id"]) == (-32700, None)


def test_rpc_http_notifications_are_carried_out_without_an_answer(client):
    opening = {"jsonrpc": "2.0", "method": "open_duel"}
    response = post(client, [opening], make_token(new_user()))
    assert (response.status_code, response.content) == (204, b"")
    assert Match.objects.count() == 1


def test_rpc_http_other_ways_in_are_closed(client):
    token = make_token(new_user())
    assert client.get("/rpc/").status_code == 405
    headers = {"Authorization": f"Bearer {token}"}
    assert client.post("/rpc/", {"a": 1}, headers=headers).status_code == 415
    assert post(client, "[" + " " * 9000 + "]", token).status_code == 413


def test_rpc_http_too_many_calls_get_429(client, settings):
    settings.SOCKET_RATE, settings.SOCKET_BURST = 1, 5
    token = make_token(new_user())
    content = {"jsonrpc": "2.0", "method": "server_time", "id": 1}
    statuses = [post(client, content, token).status_code for _ in range(7)]
    assert statuses == [200] * 5 + [429] * 2
    response = post(client, [content] * 3, token)
    assert (response.status_code, response["Retry-After"]) == (429, "1")
    assert response.json()["error"]["code"] == 1008
    assert post(client, content, make_token(new_user())).status_code == 200


def test_rpc_http_a_mistake_of_ours_tells_nothing(client, monkeypatch):
    def fail(*given):
        raise RuntimeError("a secret of ours")

    monkeypatch.setitem(http_methods.HANDLERS, "my_matches", fail)
    token = make_token(new_user())
    response = post(client, {"jsonrpc": "2.0", "method": "my_duels", "id": 1}, token)
    assert response.json()["error"] == {
        "code": -32603,
        "message": "Internal error",
        "data": {"token": "internal", "detail": {}},
    }


def test_rpc_http_a_busy_database_is_told_as_busy(client, monkeypatch):
    def fail(*given):
        raise OperationalError("database is locked")

    monkeypatch.setitem(http_methods.HANDLERS, "my_matches", fail)
    call = {"jsonrpc": "2.0", "method": "my_duels", "id": 1}
    error = post(client, call, make_token(new_user())).json()["error"]
    assert (error["code"], error["data"]["token"]) == (1007, "busy")
    assert error["data"]["retry_ms"] > 0


def test_openrpc_is_public(client):
    response = client.get("/rpc/openrpc.json")
    assert response.status_code == 200
    assert response.json()["openrpc"].startswith("1.")
    discovered = call(client, make_token(new_user()), "rpc.discover")
    assert discovered == response.json()


def test_rpc_no_token_is_ever_logged(client, caplog):
    secret = make_token(new_user())
    with caplog.at_level(logging.DEBUG):
        post(client, {"jsonrpc": "2.0", "method": "my_duels", "id": 1}, secret)
        post(client, "{}", f"{secret}x")
    assert secret not in caplog.text
    from rpsite.logs import mask

    assert secret not in mask(f"headers [(b'authorization', b'Bearer {secret}')]")
