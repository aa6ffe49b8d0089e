import json
import random
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.tokens import revoke_token, tokens_of
from games.api.operations import ROOT, allowances
from games.api.views import document
from games.arena.models import Round
from games.arena.personal import forget_old_rounds
from games.jsonrpc.programs import make_program
from games.mafia.agora.rules.roles import Role
from games.matches.models import Flag, LogLeaf, PostReport, Rating
from games.moderation import reports
from games.proofs.commitments import sequence
from games.proofs.queries import proofs
from tests.accounts.kit import browser, confirm_password, make_user
from tests.forms import form
from tests.games.api.kit import ORIGIN, all_items, bearer, ended, problems, read, refusal
from tests.games.arena.kit import playing
from tests.games.duel.kit import DuelKit
from tests.games.mafia.agora.kit import town
from tests.games.match_kit import new_user
from tests.games.proofs.proof_games import logged_days_ago, played
from tests.hostile.odd_text import ODD, ODD_BYTES

pytestmark = pytest.mark.django_db


def duels(number: int, **more: Any) -> list[DuelKit]:
    return [DuelKit(new_user("una"), new_user("ben"), **more) for _ in range(number)]


def ids(items: Iterator[Any]) -> list[str]:
    return [item["public_id"] for item in items]


def test_api_a_list_is_whole_without_repeats_while_matches_are_added() -> None:
    kits = duels(5)
    wanted = [kit.match.public_id for kit in reversed(kits)]
    items = all_items("matches")
    found = [next(items)["public_id"] for _ in range(2)]
    duels(2)
    found += ids(items)
    assert (found, ids(all_items("matches", limit=100))[2:]) == (wanted, wanted)


def test_api_a_cursor_outlasts_a_match_that_leaves_its_list() -> None:
    kits = duels(4)
    for kit in kits:
        kit.start()
    path = "matches?status=running&limit=2"
    first = read(path).json()
    kits[2].act(kits[2].ann, kind="leave")
    assert ids(first["items"]) == [kits[3].match.public_id, kits[2].match.public_id]
    second = read(f"{path}&cursor={first['next']}").json()
    assert ids(second["items"]) == [kits[1].match.public_id, kits[0].match.public_id]
    over = ids(all_items(f"matches?status=over&player={kits[2].bob.username}"))
    assert over == [kits[2].match.public_id]


@pytest.mark.plain
def test_api_the_log_and_the_rounds_are_whole() -> None:
    matches = [played("duel", seed) for seed in range(3)]
    logged_days_ago(matches)
    days = list(all_items("commitments", limit=1))
    assert days[-1]["previous"] == "0" * 64
    assert [day["previous"] for day in days[:-1]] == [day["head"] for day in days[1:]]
    leaves = [leaf for day in days for leaf in all_items(f"commitments/{day['day']}")]
    told = [leaf["leaf"] for leaf in sorted(leaves, key=lambda leaf: leaf["no"])]
    assert told == list(LogLeaf.objects.order_by("no").values_list("text", flat=True))
    seeds = [seed for day in days for seed in all_items(f"commitments/{day['day']}/seeds")]
    assert {seed["public_id"] for seed in seeds} == {match.public_id for match in matches}
    assert len(seeds) == len(matches)


def test_api_a_statement_is_whole_without_repeats() -> None:
    kit = duels(1, best_of=1, stake=10)[0]
    kit.start()
    headers = bearer(kit.ann)
    items = all_items("me/statement", limit=1, headers=headers)
    lines = [next(items)]
    kit.win(kit.ann)
    lines += items
    assert len({line["id"] for line in lines}) == len(lines) >= 2
    whole = list(all_items("me/statement", limit=50, headers=headers))
    assert {line["id"] for line in whole} > {line["id"] for line in lines}
    assert whole[0]["balance"] == read("me", headers=headers).json()["points"]


@pytest.mark.plain
def test_api_lists_programs_and_their_ratings_apart_from_those_of_people() -> None:
    ann = new_user("ann")
    names = ("z_bot", "Ada_bot", "b-x_bot")
    machines = [make_program(owner_id=new_user().pk, name=name) for name in names]
    rating = {"game": "duel", "mu": 30, "sigma": 2, "games": 20}
    for user in (ann, *machines):
        Rating.objects.create(user=user, updated=user.date_joined, **rating)
    User.objects.filter(pk=machines[2].pk).update(is_active=False)
    assert [each["name"] for each in all_items("programs", limit=1)] == ["Ada_bot", "z_bot"]
    boards = {
        of: [row["name"] for row in read(f"leaderboards/ratings/duel{of}").json()]
        for of in ("", "?of=people", "?of=programs")
    }
    assert boards[""] == boards["?of=people"] == [ann.username]
    assert boards["?of=programs"] == ["z_bot", "Ada_bot"]
    assert refusal("leaderboards/ratings/duel?of=bots") == (400, "bad_query")
    assert read("players/z_bot").json()["program"]
    assert not read(f"players/{ann.username}").json()["program"]


def test_api_an_unchanged_answer_is_304_and_a_public_one_open_to_other_sites() -> None:
    kit, hidden = duels(1)[0], duels(1, listed=False)[0]
    hidden.start()
    own = bearer(hidden.ann)
    for path, headers in (
        (f"matches/{kit.match.public_id}", {}),
        ("matches", {}),
        ("leaderboards/points", {}),
        (f"matches/{hidden.match.public_id}", own),
        ("me/matches", own),
        ("me", own),
    ):
        first = read(path, headers=headers)
        tag, is_public = first["ETag"], headers is not own
        assert ("Access-Control-Allow-Origin" in first) is is_public
        assert "Access-Control-Allow-Credentials" not in first
        assert first["Cache-Control"].split(",")[0] == ("public" if is_public else "private")
        for given in (tag, f"W/{tag}", f'"x", {tag}'):
            again = read(path, headers={**headers, "If-None-Match": given})
            assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
            assert again["Cache-Control"] == first["Cache-Control"]
        if not is_public:
            assert {"Authorization", "Cookie"} <= set(first["Vary"].split(", "))
    path, before = f"matches/{kit.match.public_id}", read(f"matches/{kit.match.public_id}")
    kit.start()
    after = read(path, headers={"If-None-Match": before["ETag"]})
    assert (after.status_code, after["ETag"] == before["ETag"]) == (200, False)


def test_api_a_long_answer_is_compressed_if_it_is_public() -> None:
    kit, gzip = ended("duel"), {"Accept-Encoding": "gzip"}
    path = f"matches/{kit.match.public_id}/history"
    answer = read(path, headers=gzip)
    assert answer["Content-Encoding"] == "gzip"
    assert read(path, headers={**gzip, "If-None-Match": answer["ETag"]}).status_code == 304
    mine = read("me/statement", headers={**gzip, **bearer(kit.people[0])})
    assert "Content-Encoding" not in mine


@pytest.mark.plain
def test_api_a_caller_who_asks_too_fast_waits(settings: Any) -> None:
    settings.SOCKET_RATE, settings.SOCKET_BURST = 0.5, 6
    allowances.clear()
    client, path = Client(), f"/{ROOT}matches"
    proof, of_round = reverse("match_proof", args=["x"]), reverse("arena_round_proof", args=[1])
    assert [client.get(path).status_code for _ in range(6)] == [200] * 6
    for address in (path, proof, of_round):
        answer = client.get(address)
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "rate_limited")
        assert int(answer["Retry-After"]) >= 1
    # A token has an allowance of its own.
    headers = bearer(new_user())
    assert client.get(path, headers=headers).status_code == 200
    for address in (proof, of_round):
        allowances.clear()
        assert [client.get(address).status_code for _ in range(2)] == [404, 429]
    allowances.clear()


@pytest.mark.plain
def test_api_a_proof_is_replayed_once(monkeypatch: Any) -> None:
    match = played("duel", seed=1)
    logged_days_ago([match])
    proofs.forget()
    replays = []
    make = proofs._make
    monkeypatch.setattr(proofs, "_make", lambda row: replays.append(row) or make(row))
    path = f"matches/{match.public_id}/proof"
    answers = [read(path), read(path), Client().get(f"/matches/{match.public_id}/proof.json")]
    assert (len(replays), len({answer.content for answer in answers})) == (1, 1)
    # The log's day may be finished later than the match.
    assert answers[0].json()["inclusion"]["closed"]["day"] is not None


def test_api_two_worlds_give_a_spectator_the_same_bytes() -> None:
    una, ben = new_user("una"), new_user("ben")
    worlds = []
    for hand in ("rock", "paper"):
        kit = DuelKit(una, ben)
        kit.start()
        kit.throw(hand, None)
        row = kit.row
        texts = _texts([f"matches/{row.public_id}{part}" for part in ("", "/log")])
        told = "\n".join([*texts, json.dumps(read("matches?limit=1").json()["items"])])
        assert row.seed not in told
        for name, value in (("ID", row.public_id), ("C", row.seed_commitment), ("T", row.title)):
            assert value in told
            told = told.replace(value, name)
        worlds.append(re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d{13}\b", "AT", told))
    assert worlds[0] == worlds[1]


def test_api_what_happens_at_night_is_in_no_byte() -> None:
    kit = town(7, phase_seconds=600)
    name = kit.match.public_id
    paths = ("matches", f"matches/{name}", f"matches/{name}/log")

    def seen() -> list[bytes]:
        return [read(path, headers=who).content for path in paths for who in ({}, doctor)]

    mafioso = kit.people[kit.play.mafia[0].no]
    doctor = bearer(kit.people[0])
    before = seen()
    kit.act(mafioso, kind="post", room="mafia", text="a canary of the mafia")
    for user in kit.people:
        kit.act(user, kind="done")
    assert seen() == before


def test_api_a_reported_post_is_withheld_and_a_new_name_is_read() -> None:
    kit = town(7)
    who = kit.user_of(Role.DOCTOR)
    names = [f"matches/{kit.match.public_id}/{part}" for part in ("log", "history")]
    kit.run_out()
    for no in range(1, 4):
        kit.act(who, kind="post", room="town", text=f"line {no}")
    for citizen in kit.play.mafia:
        kit.act(kit.people[citizen.no], kind="leave")
    assert all("line 1" in told and who.username in told for told in _texts(names))
    for no in (1, 2):
        reports.report_post(kit.row, kit.user_of(Role.SHERIFF), ("town", no), "rude")
    User.objects.filter(pk=who.pk).update(username="renamed")
    for told in _texts(names):
        assert not any(text in told for text in ("line 1", "line 2", "rude", who.username))
        assert all(text in told for text in ("line 3", "renamed", '"is_withheld":true'))
    reports.hide(PostReport.objects.get(no=1))
    Flag.objects.update(closed_at=kit.now)
    for told in _texts(names):
        assert "line 1" not in told
        assert "line 2" in told


def _texts(paths: list[str]) -> list[str]:
    return [read(path).content.decode() for path in paths]


def test_api_an_unlisted_match_is_read_by_its_players_alone() -> None:
    kit = duels(1, listed=False)[0]
    kit.start()
    kit.win(kit.ann)
    for _ in range(2):
        sequence(kit.now)
    name, eve = kit.match.public_id, new_user("eve")
    session = browser(kit.bob)
    paths = [f"matches/{name}{part}" for part in ("", "/log", "/history", "/proof")]
    for path in paths:
        assert refusal(path) == refusal(path, headers=bearer(eve)) == (404, "not_found")
        answers = [read(path, headers=bearer(kit.ann)), read(path, session)]
        assert [answer.status_code for answer in answers] == [200, 200]
        assert not any("Access-Control-Allow-Origin" in answer for answer in answers)
    for who in ({}, bearer(eve), bearer(kit.ann)):
        for path in ("matches", f"matches?player={kit.ann.username}"):
            assert name not in read(path, headers=who).content.decode()
    assert ids(all_items("me/matches", headers=bearer(kit.bob))) == [name]
    # A cursor that names it tells as little as one that names nothing.
    for cursor in (name, "nothing"):
        assert refusal(f"matches?cursor={cursor}") == (400, "bad_cursor")
        assert refusal(f"me/matches?cursor={cursor}", headers=bearer(eve)) == (400, "bad_cursor")
    assert kit.row.seed not in read("matches").content.decode()
    # So is a table without spectators.
    kit = duels(1, spectators=False)[0]
    kit.start()
    path = f"matches/{kit.match.public_id}"
    assert refusal(path) == refusal(path, headers=bearer(eve)) == (404, "not_found")
    assert read(path, headers=bearer(kit.ann)).status_code == 200


def test_api_old_fights_are_seed_and_counts() -> None:
    kit = playing(2)
    kit.play("rock", "paper")
    no, name = kit.no - 1, kit.people[0].username
    path = f"arena/rounds/{no}?player={name}"
    shown = read(path).json()
    assert (shown["fight"]["move"], shown["counts"]["rock"] > 0) == ("rock", True)
    forget_old_rounds(Round.objects.get(no=no).resolved_at + timedelta(days=400))
    old = read(path).json()
    assert (old["fight"], old["choices"], old["is_full"]) == (None, "", False)
    assert (old["seed"], old["counts"]) == (shown["seed"], shown["counts"])
    assert name not in json.dumps(old["counts"])


@pytest.mark.plain
def test_api_own_data_needs_a_valid_token_or_log_in() -> None:
    user = make_user("tessio")
    headers = bearer(user)
    own = ("me", "me/matches", "me/statement", "me/export", "me/arena/rounds")
    for path in own:
        bad = {"Authorization": "Bearer rrt_no"}
        assert refusal(path) == refusal(path, headers=bad) == (401, "unauthenticated")
        assert "Access-Control-Allow-Origin" not in read(path)
        assert (read(path, headers=headers).status_code == 200) is (path != "me/export")
    assert refusal("matches", headers={"Authorization": "Bearer x"}) == (401, "unauthenticated")
    session = browser(user)
    assert all(read(path, session).status_code == 200 for path in own if path != "me/export")
    # A log-in alone does not take everything away, as on the site's own page.
    stale = session.session
    stale["account_authentication_methods"] = []
    stale.save()
    assert refusal("me/export", client=session) == (403, "reauthenticate")
    confirm_password(session)
    exported = read("me/export", session)
    assert json.loads(b"".join(exported))["profile"][0]["name"] == user.username
    revoke_token(user_id=user.pk, token_id=tokens_of(user_id=user.pk)[0].pk)
    assert refusal("me", headers=headers) == (401, "unauthenticated")
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert refusal("me", headers=bearer(user)) == (401, "unauthenticated")
    assert read("players/tessio").status_code == 404


def test_hostile_81_a_token_reads_no_export() -> None:
    user = make_user("tessio")
    assert refusal("me/export", headers=bearer(user)) == (403, "not_by_token")
    # Nor with a cookie beside it.
    session = browser(user)
    confirm_password(session)
    assert refusal("me/export", client=session, headers=bearer(user)) == (403, "not_by_token")
    assert read("me/export", session).status_code == 200


@pytest.mark.plain
def test_api_refuses_what_it_does_not_know() -> None:
    headers = bearer(new_user())
    for path in ("matches?x=1", "matches?limit=0", "matches?limit=101", "matches?limit=1&limit=2",
                 "matches?status=gone", "leaderboards/points?period=x", "me/statement?kind=x",
                 "me/statement?from=2026-13-45", "matches?public_id=x&limit=a"):  # fmt: skip
        assert refusal(path, headers=headers) == (400, "bad_query"), path
    for path in ("me/statement?cursor=x", "arena/rounds?cursor=-1", "commitments?cursor=x",
                 "me/arena/rounds?cursor=1.5"):  # fmt: skip
        assert refusal(path, headers=headers) == (400, "bad_cursor"), path
    for path in ("", "x", "matches/x/y/z", "matches/x", "players/nobody", "commitments/2026-13-45",
                 "commitments/x", "arena/rounds/0", "arena/rounds/x", "arena/rounds/99999",
                 "leaderboards/ratings/x"):  # fmt: skip
        assert refusal(path, headers=headers) == (404, "not_found"), path
    for method in ("post", "put", "delete", "options", "patch"):
        answer = getattr(Client(), method)(f"/{ROOT}matches")
        assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")
        assert answer.json()["error"]["code"] == "bad_method"
    head = Client().head(f"/{ROOT}matches")
    assert (head.status_code, head.content) == (200, b"")


def test_api_answers_odd_texts_with_a_code() -> None:
    headers, asked, chance = bearer(new_user()), 0, random.Random(75)
    odd = [*(quote(text, safe="") for text in ODD), *ODD_BYTES]
    for pattern, operation in document(ORIGIN)["paths"].items():
        parameters = operation["get"]["parameters"]
        base = {each["name"]: "1" for each in parameters if each["in"] == "path"}
        for each in parameters:
            name = each["name"]
            for text in chance.sample(odd, form(5, in_all=10, in_long=len(odd))):
                place = {**base, **({name: text} if name in base else {})}
                path = pattern.lstrip("/").format(**place)
                path += "" if name in base else f"?{name}={text}"
                answer = read(path, headers=headers)
                asked += 1
                if answer.status_code != 200:
                    assert answer.status_code in (400, 404), path
                    assert problems(answer.json(), {"$ref": "#/components/schemas/Refused"}) == []
    assert asked > 150
