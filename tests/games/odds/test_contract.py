"""A game of one folder does everything.  Source: docs/how-to/add-a-game.md."""

import json
from io import StringIO
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from economy.audit import find_violations
from economy.selectors import balance_of
from games import registry
from games.contract import Game
from games.matches.journal.replay import replay_match
from games.matches.models import Match, RatingChange
from games.matches.queries import selectors
from games.people import records
from games.people.standing import standing_of
from games.replays.histories import full_log
from tests.accounts.kit import browser
from tests.games.extra_games import invite, send_away
from tests.games.match_kit import MatchKit, bell_of, new_user
from tests.games.socket_kit import log_in, opened, running_site
from tools.referee.pipe import answer_lines
from tools.referee.trials import Trial, play_many

pytestmark = pytest.mark.django_db
HOME = "tests.games.odds"


@pytest.fixture(autouse=True)
def game(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Game:
    return invite(HOME, settings, monkeypatch)


class OddsKit(MatchKit):
    game = "odds"

    def seat_everybody(self, purse: int = 0) -> None:
        for seat, user in enumerate(self.people):
            self.act(user, kind="sit", seat=seat)


def begun(**options: Any) -> OddsKit:
    kit = OddsKit(new_user("ann"), new_user("bob"), **options)
    kit.start()
    return kit


def name_both(kit: OddsKit, number: int) -> None:
    for user in kit.people:
        kit.act(user, kind="name", number=number)


def test_contract_random_games_of_it_are_played_and_found_sound_on_the_referees_pipe_too(game):
    summary = play_many("odds", Trial(game.newest).random_game, 200, "odds")
    assert (summary["ended"], summary["violations"]) == (200, [])
    lines = ['{"setup":{"seats":2,"seed":"s"}}', '{"seat":0,"action":{"kind":"name","number":3}}']
    _, refused = answer_lines(game.newest, lines)
    assert json.loads(refused)["error"]["code"] == "bad_field"
    out = StringIO()
    call_command("referee", "odds", "--random", "20", stdout=out)
    assert json.loads(out.getvalue())["ended"] == 20


@pytest.mark.plain
def test_contract_it_is_listed_opened_and_shown_by_the_common_pages() -> None:
    client, form = browser(new_user()), {"stake": 7, "listed": "on", "spectators": "on"}
    assert 'name="stake"' in client.get("/play/odds/new/").content.decode()
    assert client.post("/play/odds/new/", {**form, "stake": 101}).status_code == 200
    assert not Match.objects.exists()
    opened = client.post("/play/odds/new/", form)
    match = Match.objects.get()
    assert opened["Location"] == reverse("match", args=[match.public_id])
    assert (match.game, match.title.partition(" No.")[0]) == ("odds", "The Kitchen")
    board = client.get(opened["Location"])
    assert board.templates[0].name == "odds/board.html"
    options = board.context["initial_view"]["view"]["match"]["options"]
    assert options == {"clock": 10, "listed": True, "seats": 2, "spectators": True, "stake": 7}
    (row,) = selectors.lobby()["odds"]
    assert (row["stake"], row["url"]) == (7, opened["Location"])
    for address in ("/play/odds/", "/"):
        assert match.public_id in client.get(address).content.decode()
    log = client.get(reverse("match_log", args=[match.public_id])).json()
    assert (log["status"], log["events"]) == ("open", [])


@pytest.mark.plain
@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
async def test_contract_it_is_played_by_buttons_and_typed_lines_to_its_end() -> None:
    kit = await sync_to_async(lambda: OddsKit(new_user("ann"), new_user("bob")))()
    cookies = [await sync_to_async(log_in)(user) for user in kit.people]
    async with running_site():
        ann, bob, guest = everybody = [await opened(kit.match, who) for who in (*cookies, None)]
        for seat, each in enumerate((ann, bob)):
            assert (await each.act(kind="sit", seat=seat))["type"] == "ack"
        for each in (ann, bob):
            await each.until_view(lambda view: view["seats"][1]["player"] is not None)
            assert (await each.command("!ready"))["type"] == "ack"
        for each in everybody:
            await each.until_view(lambda view: view["match"]["status"] == "running")
        assert (await ann.act(kind="name", number=1))["type"] == "ack"
        assert (await ann.act(kind="name", number=2))["code"] == "action/not_in_phase"
        seen = await bob.until_view(lambda view: view["game"]["seats"][0]["has_named"])
        assert seen["game"]["seats"][0]["number"] is None
        assert "!name 1|2: name a number" in (await bob.command("!help"))["text"]
        assert (await bob.command("!name 2"))["type"] == "ack"
        over = await guest.until_view(lambda view: view["match"]["status"] == "over")
        assert over["game"]["winner"] == 1
        assert "bob" in over["log"][-2]["text"]
        for each in everybody:
            await each.leave()
    await sync_to_async(check_books)(kit)


def check_books(kit: OddsKit) -> None:
    """The stakes went where they should, the ratings moved, and the replay is the same."""
    assert [balance_of(user.pk) for user in kit.people] == [95, 105]
    assert [seat.result for seat in kit.row.seats.order_by("no")] == ["lost", "won"]
    assert replay_match(kit.row).is_same
    replay = f"/matches/{kit.match.public_id}/replay"
    card = Client().get(f"{replay}/").context["card"]
    assert card["words"] == f"It goes to {kit.people[1].username}."
    shown = Client().get(f"{replay}.json?as=all").json()["views"]
    assert [held["text"] for held in shown[-1]["open"]] == ["1", "2"]
    private = [line["kind"] for line in full_log(kit.row) if line["audience"] is not None]
    assert private == ["named", "named"]


@pytest.mark.plain
def test_contract_it_is_rated_without_a_stake_and_stands_on_the_profile() -> None:
    kit = begun(stake=0)
    ann, bob = kit.people
    name_both(kit, 2)
    # It has no option by which people ask for a rated match.
    assert not RatingChange.objects.exists()
    filters = records.RecordFilters({"kind": "unrated"})
    standing = standing_of.seen_by(bob.pk, ann.pk)
    assert records.finished(ann, bob, "odds", filters, standing).record.won == 1
    page = browser(bob).get(reverse("profile", args=[ann.username])).content.decode()
    assert kit.match.public_id in page


def test_contract_a_bot_plays_it_and_a_clock_ends_it() -> None:
    ann = new_user()
    kit = OddsKit(ann)
    for act in ({"kind": "sit", "seat": 0}, {"kind": "add_bot"}):
        kit.act(ann, **act)
    kit.act(ann, kind="ready", configuration=1)
    assert bell_of(ann.pk)[0]["what"] == "Name a number"
    kit.pass_time(0.2)
    assert kit.view(ann)["game"]["seats"][1] == {"no": 1, "has_named": True, "number": None}
    kit.pass_time(10)
    row = kit.row
    assert (row.status, row.seats.get(no=1).result) == (Match.Status.OVER, "won")
    assert replay_match(row).is_same


def test_contract_the_matches_of_a_game_that_is_gone_sleep(monkeypatch) -> None:
    kit = begun()
    client = browser(kit.people[0])
    send_away("odds", monkeypatch)
    asleep = client.get(reverse("match", args=[kit.match.public_id]))
    assert asleep.status_code == 503
    assert "switched off at the moment" in asleep.content.decode()
    kit.pass_time(60)
    assert (kit.row.status, bell_of(kit.people[0].pk)) == (Match.Status.RUNNING, [])
    assert "odds" not in selectors.lobby()
    statuses = [client.get(address).status_code for address in ("/", "/play/odds/", "/wallet/")]
    assert (statuses, find_violations()) == ([200, 404, 200], [])
    monkeypatch.undo()


@pytest.mark.parametrize("slug", [slug for slug in registry.slugs() if slug != "odds"])
def test_contract_the_rest_of_the_site_goes_on_without_any_one_game(slug, monkeypatch) -> None:
    send_away(slug, monkeypatch)
    kit = begun()
    ann, bob = kit.people
    for address in ("/", "/leaderboard/", "/wallet/", "/economy/", f"/@{bob.username}/"):
        assert browser(ann).get(address).status_code == 200, address
    assert slug not in selectors.lobby()
    name_both(kit, 1)
    assert (kit.row.status, find_violations()) == (Match.Status.OVER, [])
