"""The pages of the duels and of the players: who may do what there, and what they say."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from accounts.models import User
from economy.models import Setting
from games.duel.challenges import challenge
from games.duel.rpc import NOTIFICATIONS
from games.engine.draws import hash_of_salt
from games.jsonrpc.generated import interface_of
from games.matches.models import Match, Seat
from games.matches.processing import writing
from games.matches.processing.bots import ensure_bots
from games.matches.processing.submissions import Submission
from games.matches.queries import selectors
from games.replays.logs import public_log
from tests.games.duel.kit import DuelKit
from tests.games.journal_kit import facts_of
from tests.games.match_kit import new_user
from tests.games.matches.test_views import browser

pytestmark = pytest.mark.django_db


def duel_form(**changed: object) -> dict[str, object]:
    """Return what the form of a new duel sends; None leaves a field out, as an empty box does."""
    form: dict[str, object] = {
        "best_of": 3,
        "clock_seconds": 60,
        "stake": 0,
        "no_ties": "on",
        "rated": "on",
        "listed": "on",
        "spectators": "on",
    }
    return {name: value for name, value in {**form, **changed}.items() if value is not None}


def options_of(match: Match) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(match.table)["options"]
    return found


def board_of(client: Client, match: Match) -> dict[str, Any]:
    """Return the view in a board's page."""
    response = client.get(reverse("duel", args=[match.public_id]))
    assert response.status_code == 200
    view: dict[str, Any] = response.context["initial_view"]["view"]
    return view


@pytest.mark.both_databases
@pytest.mark.parametrize("name", ["duels", "duels_api", "rules_duel"])
def test_page_of_duels_opens_for_guests_and_users(name: str) -> None:
    for client in (browser(), browser(new_user())):
        response = client.get(reverse(name))
        assert response.status_code == 200
        assert "unsafe" not in response["Content-Security-Policy"]


@pytest.mark.parametrize("name", ["duel_quick", "duel_new", "duel_challenge"])
def test_page_that_starts_a_duel_needs_a_login(name: str) -> None:
    response = browser().post(reverse(name), duel_form(opponent="somebody"))
    assert reverse("account_login") in response.url
    assert not Match.objects.exists()


@pytest.mark.both_databases
def test_page_quick_duel_leads_to_a_duel_where_one_waits_ready() -> None:
    ann = new_user()
    response = browser(ann).post(reverse("duel_quick"))
    match = Match.objects.get()
    assert response.url == reverse("duel", args=[match.public_id])
    view = board_of(browser(ann), match)
    assert view["seats"][view["you"]["seat"]]["ready"]
    assert {"best_of": 5, "no_ties": True, "rated": True, "stake": 0}.items() <= options_of(
        match
    ).items()


@pytest.mark.plain
def test_page_quick_duel_says_why_there_is_none() -> None:
    ann = new_user()
    User.objects.filter(pk=ann.pk).update(is_frozen=True)
    response = browser(User.objects.get(pk=ann.pk)).post(reverse("duel_quick"), follow=True)
    assert response.redirect_chain[-1][0] == reverse("duels")
    assert [message.level_tag for message in response.context["messages"]] == ["error"]
    assert not Match.objects.exists()


@pytest.mark.plain
@pytest.mark.both_databases
def test_page_new_duel_opens_one_with_the_chosen_options_and_its_opener_ready() -> None:
    ann = new_user()
    response = browser(ann).post(
        reverse("duel_new"), duel_form(stake=5, no_ties=None, listed=None, clock_seconds=86_400)
    )
    match = Match.objects.get()
    assert response.url == reverse("duel", args=[match.public_id])
    chosen = {"best_of": 3, "no_ties": False, "stake": 5, "clock_seconds": 86_400}
    assert {**chosen, "rated": False, "listed": False}.items() <= options_of(match).items()
    assert board_of(browser(ann), match)["seats"][0]["ready"]
    assert list(Seat.objects.values_list("user", flat=True)) == [ann.pk]


@pytest.mark.parametrize(
    "changed",
    [
        {"best_of": 4},
        {"best_of": 101},
        {"best_of": ""},
        {"clock_seconds": 4},
        {"clock_seconds": 86_401},
        {"stake": -1},
        {"stake": 101},
        {"stake": "1.5"},
    ],
)
def test_page_new_duel_says_what_is_wrong_and_opens_nothing(changed: dict[str, object]) -> None:
    response = browser(new_user()).post(reverse("duel_new"), duel_form(**changed))
    assert response.status_code == 200
    assert set(response.context["form"].errors) == set(changed)
    assert not Match.objects.exists()


@pytest.mark.plain
def test_page_new_duel_ignores_what_only_an_admin_sets() -> None:
    browser(new_user()).post(
        reverse("duel_new"), duel_form(tax_bp=0, largest_stake=9, void_limit=9)
    )
    options = options_of(Match.objects.get())
    assert (options["tax_bp"], options["largest_stake"], options["void_limit"]) == (500, 100, 3)


@pytest.mark.both_databases
@pytest.mark.parametrize("page", ["duel_new", "duel_challenge"])
def test_page_challenge_asks_one_person_by_name_in_any_case(page: str) -> None:
    ann, bob = new_user("ann"), new_user("bob")
    browser(ann).post(reverse(page), duel_form(opponent=bob.username.upper()))
    match = Match.objects.get()
    asked = {"from": ann.username, "to": bob.username}
    assert board_of(browser(bob), match)["match"]["challenge"] == asked
    assert match.public_id in browser(bob).get(reverse("duels")).content.decode()


@pytest.mark.plain
@pytest.mark.parametrize("name", ["nobody-here", "", "oneself"])
def test_page_challenge_says_why_nobody_was_asked(name: str) -> None:
    ann = new_user()
    opponent = ann.username if name == "oneself" else name
    asking = duel_form(opponent=opponent)
    response = browser(ann).post(reverse("duel_challenge"), asking, follow=True)
    ((address, status),) = response.redirect_chain
    assert (address, status) == (f"{reverse('duels')}?opponent={opponent}#challenge", 302)
    (error,) = response.context["form"].errors["opponent"]
    page = response.content.decode()
    assert escape(error) in page
    assert f'value="{opponent}"' in page or not opponent
    assert not Match.objects.exists()


@pytest.mark.plain
@pytest.mark.both_databases
def test_page_decline_is_for_whoever_was_challenged() -> None:
    ann, bob, cyd = new_user(), new_user(), new_user()
    match = challenge(challenger=ann, name=bob.username, options={})
    url = reverse("duel_decline", args=[match.public_id])
    browser(cyd).post(url)
    match.refresh_from_db()
    assert match.status == Match.Status.OPEN
    assert browser(bob).post(url).url == reverse("duels")
    match.refresh_from_db()
    assert match.status == Match.Status.CLOSED
    assert "declined" in str(board_of(browser(ann), match)["match"]["void_reason"])


@pytest.mark.plain
@pytest.mark.parametrize("name", ["home", "duels", "duel_challenges"])
def test_challenge_stands_on_top_of_the_lobby_with_its_terms_and_answers(name: str) -> None:
    ann, bob = new_user("ann"), new_user("bob")
    terms = {"best_of": 3, "stake": 20, "rated": False}
    match = challenge(challenger=ann, name=bob.username, options=terms)
    told = browser(bob).get(reverse(name)).content.decode()
    assert f"{ann.username} challenges you" in told
    assert "Best of 3, 20 points, 30 s a throw" in told
    for answer in ("duel_accept", "duel_decline"):
        assert reverse(answer, args=[match.public_id]) in told
    own = browser(ann).get(reverse(name)).content.decode()
    assert f"You challenge {bob.username}" in own
    assert reverse("duel_withdraw", args=[match.public_id]) in own
    assert "data-challenge=" not in browser(new_user()).get(reverse(name)).content.decode()
    assert reverse("duel_accept", args=[match.public_id]) not in own


def test_page_accept_starts_the_duel_on_the_terms_beside_the_button() -> None:
    ann, bob = new_user(), new_user()
    match = challenge(challenger=ann, name=bob.username, options={"rated": False})
    url = reverse("duel_accept", args=[match.public_id])
    for revision, ready in (("2", []), ("", []), ("1", [True, True])):
        answer = browser(bob).post(url, {"revision": revision})
        assert answer.url == reverse("duel", args=[match.public_id])
        seats = selectors.snapshot_of(match).state.seats
        assert [seat.ready for seat in seats if seats[1].taken] == ready


def test_page_withdraw_returns_to_where_one_was() -> None:
    ann, bob = new_user(), new_user()
    for referer, back in (("http://testserver/", "home"), ("http://testserver/duels/", "duels")):
        match = challenge(challenger=ann, name=bob.username, options={})
        url = reverse("duel_withdraw", args=[match.public_id])
        answer = browser(ann).post(url, headers={"Referer": referer})
        assert answer.url == reverse(back)
        assert not Seat.objects.filter(match=match).exists()


def test_page_of_an_unlisted_duel_has_no_board_for_guests() -> None:
    ann, bob = new_user(), new_user()
    match = challenge(challenger=ann, name=bob.username, options={})
    url = reverse("duel", args=[match.public_id])
    assert b"initial-view" not in browser().get(url).content
    assert browser(bob).get(url)["Cache-Control"] == "no-store, private"


def test_page_of_a_duel_holds_no_hand_of_the_other() -> None:
    kit = DuelKit(new_user(), new_user(), best_of=1)
    kit.start()
    kit.act(kit.ann, kind="throw", hand="scissors")
    for client in (browser(kit.bob), browser()):
        view = board_of(client, kit.match)
        assert view["game"]["seats"][0]["hand_in"]
        assert "scissors" not in json.dumps([view["game"], view["log"]])
    assert "scissors" not in str(public_log(kit.row))
    assert board_of(browser(kit.ann), kit.match)["game"]["you"]["hand"] == "scissors"


@pytest.mark.plain
@pytest.mark.both_databases
def test_profile_tells_ratings_record_and_duels() -> None:
    kit = DuelKit(new_user("ann"), new_user("bob"), best_of=1, rated=True)
    kit.start()
    kit.win(kit.ann)
    url = reverse("profile", args=[kit.ann.username])
    page = browser().get(url).context
    assert page["game"].slug == "duel"
    figures = {figure.label: figure for figure in page["figures"]}
    assert int(figures["Rating"].value) > 1500
    assert figures["Rating"].note == "provisional: 1 rated"
    assert figures["Won"].value == "1"
    assert page["plot"].values == [1500, int(figures["Rating"].value)]
    (duel,) = page["listing"].matches
    assert [name for name, _ in duel.others] == [kit.bob.username]
    assert duel.url == reverse("duel", args=[kit.match.public_id])
    assert browser(kit.bob).get(url).context["together"].theirs == 1
    loser = browser().get(reverse("profile", args=[kit.bob.username]))
    assert loser.context["plot"].values[-1] < 1500
    found = browser().get(url, {"game": "all", "search": kit.bob.username, "result": "lost"})
    assert "No game matches." in found.content.decode()


def test_profile_links_only_to_duels_that_the_viewer_may_see() -> None:
    kit = DuelKit(new_user(), new_user(), best_of=1, spectators=False)
    kit.start()
    kit.win(kit.bob)
    url = reverse("profile", args=[kit.ann.username])
    seen = {
        who: browser(user).get(url).context["listing"].matches[0].url
        for who, user in {"guest": None, "stranger": new_user(), "player": kit.bob}.items()
    }
    own = reverse("duel", args=[kit.match.public_id])
    assert seen == {"guest": "", "stranger": "", "player": own}


@pytest.mark.plain
def test_page_of_habits_is_for_the_players_of_a_finished_duel() -> None:
    kit = DuelKit(new_user(), new_user(), best_of=5)
    kit.start()
    url = reverse("match_insight", args=[kit.match.public_id])
    kit.throw("rock", "scissors")
    kit.throw("rock", "paper")
    kit.throw("paper", "scissors")
    assert browser(kit.ann).get(url).json() == {"lines": []}
    kit.throw("rock", "scissors")
    kit.throw("rock", "scissors")
    name = kit.bob.username
    assert browser(kit.ann).get(url).json()["lines"] == [
        f"After a win you threw Rock twice. {name} beat it once.",
    ]
    assert browser(kit.bob).get(url).json()["lines"][0].startswith("After a win you threw Scissors")
    for user in (None, new_user()):
        assert browser(user).get(url).json() == {"lines": []}


def test_profile_in_another_case_leads_to_the_right_one_and_none_is_not_found() -> None:
    ann = new_user("Ann")
    response = browser().get(reverse("profile", args=[ann.username.lower()]))
    assert response.url == reverse("profile", args=[ann.username])
    assert browser().get(reverse("profile", args=["nobody-here"])).status_code == 404
    User.objects.filter(pk=ann.pk).update(is_active=False)
    assert browser().get(reverse("profile", args=[ann.username])).status_code == 404


def test_profile_offers_a_challenge_to_others_only_and_bots_have_one_too() -> None:
    ann, bob = new_user(), new_user()
    bot = User.objects.create_user("a-bot", is_bot=True)
    asked = {
        player.username: browser(ann).get(reverse("profile", args=[player.username])).context
        for player in (ann, bob, bot)
    }
    assert [page["may_challenge"] for page in asked.values()] == [False, True, False]
    form = browser(ann).get(f"{reverse('duel_new')}?opponent={bob.username}").context["form"]
    assert form["opponent"].value() == bob.username


@pytest.mark.both_databases
def test_reference_for_programs_tells_every_method_and_notification() -> None:
    page = browser(new_user()).get(reverse("duels_api")).content.decode()
    for name in (*interface_of("duel").methods, *(each.name for each in NOTIFICATIONS)):
        assert f"<code>{name}</code>" in page
    assert reverse("openrpc") in page
    assert reverse("account_tokens") in page


@pytest.mark.parametrize("name", ["duel_challenge", "duel_quick", "table_with_bot"])
def test_an_address_for_forms_alone_is_a_page_with_a_way_back(client, name):
    answer = client.get(reverse(name))
    assert answer.status_code == 405
    assert answer["Allow"] == "POST"
    page = answer.content.decode()
    assert "Back to the lobby" in page
    assert client.get(reverse(name), headers={"Accept": "application/json"}).content == b""


def test_unlisted_duel_is_in_the_history_of_its_players_alone() -> None:
    kit = DuelKit(new_user("ann"), new_user("bob"), best_of=1, listed=False)
    kit.start()
    kit.throw("rock", "paper")
    page = f"/@{kit.ann.username}/?game=all"
    for viewer, is_shown in (
        (None, False),
        (new_user("eve"), False),
        (kit.ann, True),
        (kit.bob, True),
    ):
        client = Client()
        if viewer is not None:
            client.force_login(viewer)
        assert (kit.row.title in client.get(page).content.decode()) is is_shown
    Match.objects.filter(pk=kit.match.pk).update(listed=True)
    body = Client().get(page).content.decode()
    assert f'href="/duels/{kit.match.public_id}/replay/"' in body


def test_page_duel_with_a_bot_is_drawn_with_the_salt_of_its_player(settings: Any) -> None:
    settings.HOUSE_BOTS = 3
    ensure_bots()
    ann, salt = new_user(), "a1" * 32
    form = {"bot": "1", "salt_hash": hash_of_salt(salt)}
    browser(ann).post(reverse("duel_quick"), form)
    match = Match.objects.get(opened_by=ann)
    assert match.status == Match.Status.OPEN
    writing.submit(Submission(match.pk, {"kind": "reveal", "salt": salt}, "reveal-1", ann.pk))
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING
    assert [fact.data["salts"] for fact in facts_of(match, "salts_frozen")] == [[[0, salt]]]


@pytest.mark.parametrize("page", ["duel_new", "duel_quick"])
def test_page_opens_no_duel_at_which_its_opener_may_not_sit(page: str) -> None:
    ann = new_user()
    Setting.objects.filter(pk="tables.live_seats").update(value=1)
    DuelKit(new_user(), ann).act(ann, kind="sit", seat=0)
    form = duel_form(opponent="", **({"bot": "1"} if page == "duel_quick" else {}))
    response = browser(ann).post(reverse(page), form, follow=True)
    assert "You may sit at 1 tables at once" in response.content.decode()
    assert not Match.objects.filter(opened_by=ann).exists()
