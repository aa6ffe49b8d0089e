import json
import logging
from unittest import mock

import pytest
from django.db import OperationalError
from django.test import Client

from accounts import tokens
from accounts.models import ApiToken
from games.jsonrpc import views
from games.matches.models import Match
from rpsite.logs import mask
from tests.games.jsonrpc.kit import make_token
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_allowances():
    views._buckets.clear()


CALL = {"jsonrpc": "2.0", "method": "my_duels", "id": 1}


def post(client, content, token=None):
    text = content if isinstance(content, (str, bytes)) else json.dumps(content)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return client.post("/rpc/", text, "application/json", headers=headers)


def test_rpc_http_who_does_not_say_who_they_are_gets_401(client):
    user, banned = new_user(), new_user()
    revoked, of_banned = make_token(user), make_token(banned)
    assert post(client, CALL, revoked).json()["result"] == []
    tokens.revoke_token(user_id=user.pk, token_id=ApiToken.objects.get(user=user).pk)
    banned.is_active = False
    banned.save()
    for token in ("rrt_wrong", "nonsense", revoked, of_banned):
        response = post(client, CALL, token)
        assert (response.status_code, response["WWW-Authenticate"]) == (401, "Bearer")
        assert response.json()["error"]["data"]["token"] == "unauthenticated"
    assert post(client, CALL).status_code in (401, 403)


def test_rpc_a_session_needs_the_token_of_a_form():
    client, user, other = Client(enforce_csrf_checks=True), new_user(), new_user()
    client.force_login(user)
    content = {**CALL, "method": "open_duel"}
    assert (post(client, content).status_code, Match.objects.count()) == (403, 0)
    client.get("/accounts/password/change/")
    headers = {"X-CSRFToken": client.cookies["csrftoken"].value}
    response = client.post("/rpc/", json.dumps(content), "application/json", headers=headers)
    assert response.json()["result"]["status"] == "open"
    # A bearer needs none, and a session beside it is not looked at.
    post(client, content, make_token(other))
    openers = Match.objects.order_by("pk").values_list("opened_by", flat=True)
    assert list(openers) == [user.pk, other.pk]


def test_rpc_http_other_ways_in_are_closed_and_what_is_not_utf8_is_a_parse_error(client):
    token = make_token(new_user())
    assert client.get("/rpc/").status_code == 405
    headers = {"Authorization": f"Bearer {token}"}
    assert client.post("/rpc/", {"a": 1}, headers=headers).status_code == 415
    answer = post(client, b"\xff", token).json()
    assert (answer["error"]["code"], answer["id"]) == (-32700, None)


def test_rpc_http_too_many_calls_get_429(client, settings):
    settings.SOCKET_RATE, settings.SOCKET_BURST = 1, 5
    token = make_token(new_user())
    content = {**CALL, "method": "server_time"}
    statuses = [post(client, content, token).status_code for _ in range(7)]
    assert statuses == [200] * 5 + [429] * 2
    response = post(client, [content] * 3, token)
    assert (response.status_code, response["Retry-After"]) == (429, "1")
    assert response.json()["error"]["code"] == 1008
    assert post(client, content, make_token(new_user())).status_code == 200


@pytest.mark.parametrize(
    ("problem", "code", "token"),
    [(RuntimeError("a secret of ours"), -32603, "internal"),
     (OperationalError("database is locked"), 1007, "busy")],
)  # fmt: skip
def test_rpc_http_a_mistake_of_ours_tells_nothing_and_a_busy_database_is_told_as_busy(
    client, monkeypatch, problem, code, token
):
    monkeypatch.setitem(views.HANDLERS, "my_matches", mock.Mock(side_effect=problem))
    error = post(client, CALL, make_token(new_user())).json()["error"]
    assert (error["code"], error["data"]["token"]) == (code, token)
    if token == "busy":
        assert error["data"]["retry_ms"] > 0
    else:
        data = {"token": "internal", "detail": {}}
        assert error == {"code": code, "message": "Internal error", "data": data}


def test_rpc_no_token_is_ever_logged(client, caplog):
    secret = make_token(new_user())
    with caplog.at_level(logging.DEBUG):
        post(client, CALL, secret)
        post(client, "{}", f"{secret}x")
    assert secret not in caplog.text
    assert secret not in mask(f"headers [(b'authorization', b'Bearer {secret}')]")
