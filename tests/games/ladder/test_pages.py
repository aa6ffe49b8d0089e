"""The pages of the ladder, its old days, and what it knows of a user."""

import gzip
import json
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from accounts.models import User
from games.ladder import archiving, house, queries, results
from games.ladder.models import Entrant, LadderDay, Pooled
from games.matches.models import Rating
from games.own_data.deletion import delete_account
from games.own_data.personal_data import SECTIONS, export_of
from tests.accounts.kit import browser
from tests.games.ladder.kit import allow, new_program, stored
from tests.games.match_kit import new_user
from tests.games.own_data.test_personal_data import parts_of

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def entrant(user: User) -> Entrant:
    return Entrant.objects.select_related("user").get(user=user)


@pytest.fixture
def two() -> tuple[Entrant, Entrant]:
    return entrant(new_program()), entrant(new_program())


@pytest.mark.plain
def test_ladder_page_is_there_for_everybody_before_the_first_match() -> None:
    page = Client().get("/ladder/")
    assert page.status_code == 200
    text = page.content.decode()
    for name in ("ladder.py", "ladder.mjs"):
        source = (queries.EXAMPLES / name).read_text()
        assert len(source.splitlines()) <= 20
        assert escape(source) in text
    assert "def uniform(" in text
    assert "No program has played yet" in text


@pytest.mark.plain
def test_ladder_page_shows_board_matrix_live_and_last_matches(two) -> None:
    one, other = two
    Entrant.objects.filter(pk=one.pk).update(source="https://code.example/ann/one")
    row = stored(one, other, forfeit=1)
    [ours, *_] = results.house_entrants()
    stored(one, ours)
    Pooled.objects.create(
        name="ladder",
        holder="x",
        until=timezone.now() + timedelta(minutes=1),
        live=json.dumps([[one.name, "copy", 321, 100, 99]]),
    )
    text = browser(new_user()).get("/ladder/").content.decode()
    assert f'href="/@{one.name}/"' in text
    assert 'href="https://code.example/ann/one" rel="nofollow ugc noopener"' in text
    assert f'href="/ladder/{row.public_id}/"' in text
    assert "321" in text
    assert "forfeit" in text
    rungs = queries.board()
    assert [each.place for each in rungs] == [1, 2, 3]
    assert (rungs[0].name, rungs[0].author) == (one.name, "")
    assert next(each for each in rungs if each.is_house).name == ours.house
    cells = {rung.name: cells for rung, cells in queries.matrix(rungs)}
    mine, theirs = rungs[0].name, other.name
    assert cells[mine][0] == queries.Against()
    at = [each.name for each in rungs].index(theirs)
    ahead = round(100 * (row.won_first - row.won_second) / row.throws)
    assert cells[mine][at].ahead == ahead
    assert cells[theirs][0].ahead == -ahead
    etag = Client().get("/ladder/etag/").json()["etag"]
    assert f'data-etag="{etag}"' in text


def test_ladder_board_is_in_the_order_of_the_lower_ends_of_ratings(two) -> None:
    one, other = two
    row = stored(one, other)
    many, few = (one, other) if row.won_first < row.won_second else (other, one)
    owner = new_user("ann")
    User.objects.filter(pk=few.user_id).update(owner=owner)
    Rating.objects.filter(user=many.user_id).update(mu=27.0, sigma=1.0)
    Rating.objects.filter(user=few.user_id).update(mu=32.0, sigma=6.0)
    assert [each.name for each in queries.board()] == [many.name, few.name]
    assert [each.author for each in queries.board()] == ["", owner.username]
    page = Client().get("/ladder/").content.decode()
    assert f'<a href="/@{owner.username}/">' in page
    Rating.objects.filter(user=few.user_id).update(sigma=3.0)
    assert [each.name for each in queries.board()] == [few.name, many.name]


def test_ladder_live_matches_go_with_the_lease() -> None:
    now = timezone.now()
    Pooled.objects.create(name="ladder", holder="x", until=now, live='[["a","b",1,1,0]]')
    assert queries.live(now) == [["a", "b", 1, 1, 0]]
    assert queries.live(now + queries.FRESH * 2) == []


def test_ladder_page_of_a_match_has_figures_once_the_worker_made_them(two) -> None:
    row = stored(*two)
    page = f"/ladder/{row.public_id}/"
    assert "The figures are being made" in Client().get(page).content.decode()
    assert archiving.draw_figures() == 1
    assert archiving.draw_figures() == 0
    text = Client().get(page).content.decode()
    row.refresh_from_db()
    figures = json.loads(row.figures)
    assert figures["won"] in text
    assert figures["won"].count("M") == row.won_first
    assert figures["lost"].count("M") == row.won_second
    assert [sum(counts) for counts in figures["hands"]] == [row.throws] * 2
    lead = row.won_first - row.won_second
    assert figures["points"].split()[-1] == f"{row.throws},{-lead}"
    # The first program throws rock half of the time: a reader wins above that.
    if house.READER in house.HOUSE:
        value, within = figures["read"][0]
        assert value > within > 0
    assert Client().get("/ladder/nothing/").status_code == 404


def test_ladder_figures_of_a_known_match() -> None:
    figures = archiving.figures_of(([0, 0, 1], [2, 1, 1]))
    assert figures["won"] == "M0 0h1v1h-1z"
    assert figures["lost"] == "M1 0h1v1h-1z"
    assert figures["points"] == "0,0 3,0"
    assert figures["hands"] == [[2, 1, 0], [0, 2, 1]]
    assert figures["read"] == [None, None]


def test_ladder_old_days_go_into_a_file_and_results_stay(two) -> None:
    now = datetime(2026, 11, 27, 12, tzinfo=UTC)
    old = stored(*two, at=now - timedelta(days=40))
    same = stored(*two, at=now - timedelta(days=40, hours=1))
    kept = stored(*two, at=now - timedelta(days=30))
    hands = bytes(old.hands)
    archiving.draw_figures()
    assert archiving.pack_oldest_day(now) == 2
    assert archiving.pack_oldest_day(now) == 0
    for row in (old, same, kept):
        row.refresh_from_db()
    assert [row.hands is None for row in (old, same, kept)] == [True, True, False]
    assert (old.figures, old.throws, bool(old.ratings)) == ("", 205, True)
    day = (now - timedelta(days=40)).date().isoformat()
    answer = Client().get(f"/ladder/days/{day}.jsonl.gz")
    lines = [json.loads(line) for line in gzip.decompress(answer.content).splitlines()]
    assert {line["public_id"] for line in lines} == {old.public_id, same.public_id}
    line = next(line for line in lines if line["public_id"] == old.public_id)
    codes = [["rps".index(hand) for hand in side] for side in line["hands"]]
    assert results.pack(codes) == hands
    assert line["programs"] == [each.key for each in two]
    assert all(each.name not in json.dumps(lines) for each in two)
    assert (
        f"/ladder/days/{day}.jsonl.gz" in Client().get(f"/ladder/{old.public_id}/").content.decode()
    )
    for wrong in ("2026-01-01", "yesterday", "2026-13-99"):
        assert Client().get(f"/ladder/days/{wrong}.jsonl.gz").status_code == 404
    allow(days_kept=20)
    assert archiving.pack_oldest_day(now) == 1
    assert LadderDay.objects.count() == 2


def test_ladder_export_names_a_programs_matches_with_its_own_hands_alone(two) -> None:
    row = stored(*two)
    user = two[1].user
    assert user is not None
    about, match = archiving.rows_of(user)
    assert about["matches"] == 1
    assert (match["public_id"], match["opponent"], match["seat"]) == (row.public_id, two[0].name, 1)
    assert match["hands"].count("r") < row.throws / 2
    assert len(match["hands"]) == row.throws
    assert list(archiving.rows_of(new_user())) == []
    assert [each for each in SECTIONS["ratings"](user) if each.get("game") == "ladder"]


@pytest.mark.django_db(transaction=True)
def test_ladder_export_of_an_owner_holds_that_of_each_program(two) -> None:
    row, user, owner = stored(*two), two[0].user, new_user()
    assert user is not None
    User.objects.filter(pk=user.pk).update(owner=owner)
    whole = json.loads("".join(parts_of(export_of(owner))))
    assert [each["public_id"] for each in whole[user.username]["ladder"][1:]] == [row.public_id]
    assert whole["ladder"] == []


def test_ladder_deletion_forgets_the_source_and_the_name_in_files(two) -> None:
    row, entrant_ = stored(*two), two[0]
    Entrant.objects.filter(pk=entrant_.pk).update(source="https://a.example/")
    assert entrant_.user is not None
    delete_account(user_id=entrant_.user.pk)
    left = Entrant.objects.get(pk=entrant_.pk)
    assert (left.source, left.key == entrant_.key) == ("", False)
    assert [each.pk for each in queries.board()] == [two[1].pk]
    text = Client().get(f"/ladder/{row.public_id}/").content.decode()
    assert entrant_.name not in text
    owner, last = new_user(), two[1].user
    assert last is not None
    User.objects.filter(pk=last.pk).update(owner=owner)
    delete_account(user_id=owner.pk)
    assert queries.board() == []


def test_ladder_api_lists_board_matches_and_ratings(two) -> None:
    for _ in range(3):
        row = stored(*two)
    board = Client().get("/api/v1/ladder").json()
    assert [each["name"] for each in board] == [each.name for each in queries.board()]
    part = Client().get("/api/v1/ladder/matches?limit=2").json()
    assert len(part["items"]) == 2
    assert part["items"][0]["public_id"] == row.public_id
    rest = Client().get(f"/api/v1/ladder/matches?cursor={part['next']}").json()
    assert (len(rest["items"]), rest["next"]) == (1, None)
    assert Client().get("/api/v1/leaderboards/ratings/ladder?of=programs").status_code == 200
    assert Client().get("/api/v1/leaderboards/ratings/nothing").status_code == 404
