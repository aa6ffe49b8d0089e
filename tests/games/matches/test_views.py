"""The pages and the reading API: who may see what, and what a page never says."""

import json

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.duel.pairing import pair_quick
from games.matches.models import Match, Seat, WebProcess
from games.realtime import protocol
from tests.accounts.kit import browser
from tests.games.journal_kit import facts_of
from tests.games.table_kit import TableKit, new_user, running_table

pytestmark = pytest.mark.django_db


def table_form(**changed: object) -> dict[str, object]:
    """Return what the form of a new table sends."""
    form = {
        "seats": 3, "ante": 2, "target": 4, "betting_clock": 10, "round_clock": 15,
        "largest_purse": 60, "listed": "on", "spectators": "on",
    }  # fmt: skip
    return {**form, **changed}


@pytest.mark.both_databases
@pytest.mark.parametrize("name", ["home", "tables", "rules_showdown", "credits", "account_login"])
def test_page_opens_for_guests_and_users(name: str) -> None:
    for client in (browser(), browser(new_user())):
        response = client.get(reverse(name))
        assert response.status_code in (200, 302)
        if response.status_code == 200:
            assert "script-src 'self'" in response["Content-Security-Policy"]
            assert "unsafe" not in response["Content-Security-Policy"]


@pytest.mark.plain
@pytest.mark.parametrize("name", ["tables", "duels", "mafia"])
def test_guests_are_led_to_sign_up_before_they_open_a_game(name: str) -> None:
    page = browser().get(reverse(name)).content.decode()
    assert f"{reverse('account_signup')}?next=/" in page
    assert f'"{reverse("table_new")}"' not in page
    assert f'"{reverse("duel_new")}"' not in page


@pytest.mark.plain
@pytest.mark.both_databases
def test_page_new_table_opens_a_table_with_the_chosen_options_but_those_of_admins() -> None:
    assert reverse("account_login") in browser().post(reverse("table_new"), table_form()).url
    ann = new_user()
    sent = table_form(tax_bp=0, win_bonus=99)
    response = browser(ann).post(reverse("table_new"), sent)
    match = Match.objects.get(opened_by=ann)
    assert response.url == reverse("table", args=[match.public_id])
    options = json.loads(match.table)["options"]
    assert (options["seats"], options["ante"], options["largest_purse"]) == (3, 2, 60)
    assert (options["tax_bp"], options["win_bonus"]) == (500, 1)


@pytest.mark.parametrize(
    "changed",
    [
        {"seats": 5}, {"ante": 0}, {"ante": "1.5"}, {"target": 2}, {"betting_clock": 1},
        {"largest_purse": 1}, {"round_clock": ""},
    ],
)  # fmt: skip
def test_page_new_table_says_what_is_wrong_and_opens_nothing(changed: dict[str, object]) -> None:
    response = browser(new_user()).post(reverse("table_new"), table_form(**changed))
    assert response.status_code == 200
    assert response.context["form"].errors
    assert not Match.objects.exists()


@pytest.mark.plain
@pytest.mark.both_databases
def test_page_play_a_bot_opens_a_table_with_one() -> None:
    ann = new_user()
    response = browser(ann).post(reverse("table_with_bot"))
    match = Match.objects.get(opened_by=ann)
    assert response.url == reverse("table", args=[match.public_id])
    assert sorted(Seat.objects.filter(match=match).values_list("user__is_bot", flat=True)) == [
        False,
        True,
    ]
    assert browser(ann).get(reverse("table_with_bot")).status_code == 405


def test_page_of_an_unknown_and_of_a_forbidden_table_are_alike() -> None:
    ann, bob, stranger = new_user(), new_user(), new_user()
    kit = TableKit(ann, bob, seats=2, spectators=False)
    kit.start()
    forbidden = browser(stranger).get(reverse("table", args=[kit.match.public_id]))
    unknown = browser(stranger).get(reverse("table", args=["no-such-table"]))
    assert forbidden.status_code == unknown.status_code == 404
    assert browser(ann).get(reverse("table", args=[kit.match.public_id])).status_code == 200


def test_page_of_a_table_hears_of_the_users_other_tables_and_is_not_kept_by_caches() -> None:
    kit = TableKit(new_user(), new_user())
    url = reverse("table", args=[kit.match.public_id])
    assert "js/me.js" in browser(kit.people[0]).get(url).content.decode()
    as_guest = browser().get(url)
    assert "js/me.js" not in as_guest.content.decode()
    assert as_guest["Cache-Control"] == "no-store, private"


def test_log_of_a_running_match_has_public_facts_without_time() -> None:
    kit = running_table(seats=2)
    kit.call_all()
    kit.act(kit.people[0], kind="attack", weapon="rock", target=1)
    body = browser().get(reverse("table_log", args=[kit.match.public_id])).json()
    assert body["seed"] is None
    assert [event["n"] for event in body["events"]] == list(range(1, len(body["events"]) + 1))
    assert all("at" not in event and "audience" not in event for event in body["events"])
    assert "attack_chosen" not in {event["kind"] for event in body["events"]}


@pytest.mark.both_databases
def test_log_of_a_finished_match_tells_everything() -> None:
    kit = running_table(seats=2, target=3)
    kit.play_to_the_end()
    body = browser().get(reverse("table_log", args=[kit.match.public_id])).json()
    assert body["seed"] == kit.row.seed
    assert len(body["events"]) == len(facts_of(kit.match))
    assert "attack_chosen" in {event["kind"] for event in body["events"]}


def test_view_at_four_seats_fits_eight_kilobytes_and_shows_no_sequence_number() -> None:
    people = [User.objects.create_user(f"a_name_of_20_chars_{n}") for n in range(4)]
    kit = TableKit(*people, seats=4, target=15)
    kit.start()
    largest = 0
    for _ in range(60):
        if kit.row.status != "running":
            break
        for user in (*people, None):
            view = kit.view(user)
            largest = max(largest, len(protocol.encode_view(view)))
            assert "seq" not in json.dumps(view)
        kit.play_like_bots(kit.snapshot)
        kit.pass_time(1.0)
    assert 2_000 < largest <= 8_192


@pytest.mark.plain
@pytest.mark.both_databases
def test_page_catches_up_with_a_passed_clock() -> None:
    """A viewer sees the current state, even if no process has fired the clock."""
    kit = running_table(age=60, seats=2)
    assert kit.row.due_at < timezone.now()
    WebProcess.objects.update(beat_at=timezone.now())
    response = browser().get(reverse("table", args=[kit.match.public_id]))
    assert response.context["initial_view"]["view"]["match"]["status"] == "over"
    assert kit.row.status == "over"


@pytest.mark.plain
def test_page_of_a_duel_and_of_a_table_lead_to_each_other_and_home_shows_both() -> None:
    ann = new_user()
    table, duel = TableKit(ann).match, pair_quick(user=ann)
    client = browser(ann)
    for match, own, other in ((duel, "duel", "table"), (table, "table", "duel")):
        wrong, right = (reverse(name, args=[match.public_id]) for name in (other, own))
        assert client.get(wrong).url == right
    lobby = browser().get(reverse("home")).context["lobby"]
    shown = {game: [row["public_id"] for row in lobby[game]] for game in ("showdown", "duel")}
    assert shown == {"showdown": [table.public_id], "duel": [duel.public_id]}
    mine = client.get(reverse("home")).context["mine"]
    assert [row["public_id"] for row in mine] == [duel.public_id]
