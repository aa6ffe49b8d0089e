"""The pages of the duels and of the players: who may do what there, and what they say."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from accounts.models import User
from economy.models import Setting
from games.duel.challenges import accept_challenge, challenge
from games.duel.rpc import NOTIFICATIONS
from games.engine.draws import hash_of_salt
from games.jsonrpc.generated import interface_of
from games.matches.models import Match, Seat
from games.matches.processing import writing
from games.matches.processing.bots import ensure_bots
from games.matches.processing.submissions import Submission
from games.matches.queries import selectors
from games.replays.histories import public_log
from tests.games.duel.kit import DuelKit
from tests.games.journal_kit import facts_of
from tests.games.match_kit import new_user
from tests.games.matches.test_views import browser

pytestmark = pytest.mark.django_db


FORM = {"best_of": 3, "clock_seconds": 60, "stake": 0}
BOXES = dict.fromkeys(("no_ties", "rated", "listed", "spectators", "dossiers"), "on")


def duel_form(**changed: object) -> dict[str, object]:
    """Return what the form of a new duel sends; None leaves a field out, as an empty box does."""
    form = {**FORM, **BOXES, **changed}
    return {name: value for name, value in form.items() if value is not None}


def running(*names: str, **options: Any) -> DuelKit:
    kit = DuelKit(*map(new_user, names or ("ann", "bob")), **options)
    kit.start()
    return kit


def text_of(user: User | None, url: str) -> str:
    return browser(user).get(url).content.decode()


def options_of(match: Match) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(match.table)["options"]
    return found


def board_of(client: Client, match: Match) -> dict[str, Any]:
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


@pytest.mark.plain
@pytest.mark.both_databases
def test_page_quick_duel_leads_to_a_duel_where_one_waits_ready_or_says_why_there_is_none() -> None:
    ann, bob = new_user(), new_user()
    response = browser(ann).post(reverse("duel_quick"))
    match = Match.objects.get()
    assert response.url == reverse("duel", args=[match.public_id])
    view = board_of(browser(ann), match)
    assert view["seats"][view["you"]["seat"]]["ready"]
    quick = {"best_of": 5, "no_ties": True, "rated": True, "stake": 0}
    assert quick.items() <= options_of(match).items()
    User.objects.filter(pk=bob.pk).update(is_frozen=True)
    refused = browser(User.objects.get(pk=bob.pk)).post(reverse("duel_quick"), follow=True)
    assert refused.redirect_chain[-1][0] == reverse("duels")
    assert [message.level_tag for message in refused.context["messages"]] == ["error"]
    assert Match.objects.count() == 1


@pytest.mark.plain
@pytest.mark.both_databases
def test_page_new_duel_opens_one_with_the_chosen_options_and_its_opener_ready() -> None:
    ann = new_user()
    chosen = {"best_of": 3, "stake": 5, "clock_seconds": 86_400}
    no_boxes = dict.fromkeys(("no_ties", "rated", "listed", "dossiers"))
    of_admins = {"tax_bp": 0, "largest_stake": 9, "void_limit": 9}
    form = duel_form(**chosen, **no_boxes, **of_admins)
    response = browser(ann).post(reverse("duel_new"), form)
    match = Match.objects.get()
    assert response.url == reverse("duel", args=[match.public_id])
    wanted = {**chosen, **dict.fromkeys(no_boxes, False)}
    wanted |= {"tax_bp": 500, "largest_stake": 100, "void_limit": 3}
    assert wanted.items() <= options_of(match).items()
    assert board_of(browser(ann), match)["seats"][0]["ready"]
    assert list(Seat.objects.values_list("user", flat=True)) == [ann.pk]


@pytest.mark.parametrize(
    "changed",
    [
        *({"best_of": 4}, {"best_of": 101}, {"best_of": ""}, {"clock_seconds": 4}),
        *({"clock_seconds": 86_401}, {"stake": -1}, {"stake": 101}, {"stake": "1.5"}),
    ],
)
def test_page_new_duel_says_what_is_wrong_and_opens_nothing(changed: dict[str, object]) -> None:
    response = browser(new_user()).post(reverse("duel_new"), duel_form(**changed))
    assert response.status_code == 200
    assert set(response.context["form"].errors) == set(changed)
    assert not Match.objects.exists()


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
def test_a_duel_that_counts_for_no_habits_says_so_and_its_rematch_does_not_count_either() -> None:
    ann, bob = new_user("ann"), new_user("bob")
    for given in (None, "on"):
        form = duel_form(opponent=bob.username, best_of=1, stake=0, dossiers=given)
        browser(ann).post(reverse("duel_new"), form)
        match = Match.objects.latest("pk")
        assert options_of(match)["dossiers"] == bool(given)
        assert board_of(browser(bob), match)["match"]["options"]["dossiers"] == bool(given)
        accept_challenge(user=bob, match=match, revision=1, salt={})
        kit = DuelKit.of(match, ann, bob, now=match.opened_at)
        kit.pass_time(10)
        kit.act(bob, kind="resign")
        kit.act(ann, kind="rematch")
        match.refresh_from_db()
        assert options_of(match.successor)["dossiers"] == bool(given)
    listed = browser(ann).get(reverse("duels")).content.decode()
    assert '<input type="hidden" name="dossiers" value="on">' in listed


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
    board, url = (reverse(name, args=[match.public_id]) for name in ("duel", "duel_decline"))
    assert "initial-view" not in text_of(None, board), "an unlisted duel has no board for guests"
    assert browser(bob).get(board)["Cache-Control"] == "no-store, private"
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
    accept, decline, withdraw = (
        reverse(f"duel_{answer}", args=[match.public_id])
        for answer in ("accept", "decline", "withdraw")
    )
    told = text_of(bob, reverse(name))
    for words in ("Best of 3, 20 points, 30 s a throw", accept, decline):
        assert words in told
    assert f"{ann.username} challenges you" in told
    own = text_of(ann, reverse(name))
    assert f"You challenge {bob.username}" in own
    assert (withdraw in own, accept in own) == (True, False)
    assert "data-challenge=" not in text_of(new_user(), reverse(name))


def test_page_accept_starts_the_duel_on_the_terms_beside_the_button() -> None:
    ann, bob = new_user(), new_user()
    match = challenge(challenger=ann, name=bob.username, options={"rated": False})
    url = reverse("duel_accept", args=[match.public_id])
    for revision, ready in (("2", []), ("", []), ("1", [True, True])):
        answer = browser(bob).post(url, {"revision": revision})
        assert answer.url == reverse("duel", args=[match.public_id])
        seats = selectors.snapshot_of(match).state.seats
        assert [seat.ready for seat in seats if seats[1].taken] == ready


@pytest.mark.parametrize("back", ["home", "duels"])
def test_page_withdraw_returns_to_where_one_was(back: str) -> None:
    ann, bob = new_user(), new_user()
    match = challenge(challenger=ann, name=bob.username, options={})
    url = reverse("duel_withdraw", args=[match.public_id])
    headers = {"Referer": f"http://testserver{reverse(back)}"}
    assert browser(ann).post(url, headers=headers).url == reverse(back)
    assert not Seat.objects.filter(match=match).exists()


def test_page_of_a_duel_holds_no_hand_of_the_other() -> None:
    kit = running(best_of=1)
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
    kit = running(best_of=1, rated=True)
    kit.win(kit.ann)
    url, theirs = (reverse("profile", args=[user.username]) for user in kit.people)
    page = browser().get(url).context
    assert page["game"].slug == "duel"
    figures = {figure.label: figure for figure in page["figures"]}
    assert int(figures["Rating"].value) > 1500
    assert (figures["Rating"].note, figures["Won"].value) == ("provisional: 1 rated", "1")
    assert page["plots"][0].values == [1500, int(figures["Rating"].value)]
    (duel,) = page["listing"].matches
    assert [name for name, _ in duel.others] == [kit.bob.username]
    assert duel.url == reverse("duel", args=[kit.match.public_id])
    assert browser(kit.bob).get(url).context["together"].theirs == 1
    assert browser().get(theirs).context["plots"][0].values[-1] < 1500
    found = browser().get(url, {"game": "all", "search": kit.bob.username, "result": "lost"})
    assert "No game matches." in found.content.decode()


def test_profile_links_only_to_duels_that_the_viewer_may_see() -> None:
    kit = running(best_of=1, spectators=False)
    kit.win(kit.bob)
    url = reverse("profile", args=[kit.ann.username])
    seen = [
        browser(user).get(url).context["listing"].matches[0].url
        for user in (None, new_user(), kit.bob)
    ]
    assert seen == ["", "", reverse("duel", args=[kit.match.public_id])]
    # An unlisted one is in the history of its players alone.
    kit = running(best_of=1, listed=False)
    kit.throw("rock", "paper")
    page = f"/@{kit.ann.username}/?game=all"
    viewers = (None, new_user("eve"), kit.ann, kit.bob)
    shown = [kit.row.title in text_of(viewer, page) for viewer in viewers]
    assert shown == [False, False, True, True]
    Match.objects.filter(pk=kit.match.pk).update(listed=True)
    assert f'href="/duels/{kit.match.public_id}/replay/"' in text_of(None, page)


@pytest.mark.plain
def test_page_of_habits_is_for_the_players_of_a_finished_duel() -> None:
    kit = running(best_of=5)
    url = reverse("match_insight", args=[kit.match.public_id])
    for hands in (("rock", "scissors"), ("rock", "paper"), ("paper", "scissors")):
        kit.throw(*hands)
    assert browser(kit.ann).get(url).json() == {"goal": "", "lines": []}
    for _ in range(2):
        kit.throw("rock", "scissors")
    (line,) = browser(kit.ann).get(url).json()["lines"]
    assert line == f"After a win you threw Rock twice. {kit.bob.username} beat it once."
    assert browser(kit.bob).get(url).json()["lines"][0].startswith("After a win you threw Scissors")
    for user in (None, new_user()):
        assert browser(user).get(url).json() == {"goal": "", "lines": []}


def test_profile_in_another_case_leads_to_the_right_one_and_none_is_not_found() -> None:
    ann = new_user("Ann")
    url = reverse("profile", args=[ann.username])
    assert browser().get(reverse("profile", args=[ann.username.lower()])).url == url
    assert browser().get(reverse("profile", args=["nobody-here"])).status_code == 404
    User.objects.filter(pk=ann.pk).update(is_active=False)
    assert browser().get(url).status_code == 404


def test_profile_offers_a_challenge_to_others_only_and_bots_have_one_too() -> None:
    ann, bob = new_user(), new_user()
    players = (ann, bob, User.objects.create_user("a-bot", is_bot=True))
    urls = [reverse("profile", args=[player.username]) for player in players]
    may = [browser(ann).get(url).context["may_challenge"] for url in urls]
    assert may == [False, True, False]
    form = browser(ann).get(f"{reverse('duel_new')}?opponent={bob.username}").context["form"]
    assert form["opponent"].value() == bob.username


@pytest.mark.both_databases
def test_reference_for_programs_tells_every_method_and_notification() -> None:
    page = text_of(new_user(), reverse("duels_api"))
    for name in (*interface_of("duel").methods, *(each.name for each in NOTIFICATIONS)):
        assert f"<code>{name}</code>" in page
    assert reverse("openrpc") in page
    assert reverse("account_tokens") in page


@pytest.mark.parametrize("name", ["duel_challenge", "duel_quick", "table_with_bot"])
def test_an_address_for_forms_alone_is_a_page_with_a_way_back(client, name):
    answer = client.get(reverse(name))
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "Back to the lobby" in answer.content.decode()
    assert client.get(reverse(name), headers={"Accept": "application/json"}).content == b""


def test_page_duel_with_a_bot_is_drawn_with_the_salt_of_its_player(settings: Any) -> None:
    settings.HOUSE_BOTS = 3
    ensure_bots()
    ann, salt = new_user(), "a1" * 32
    browser(ann).post(reverse("duel_quick"), {"bot": "1", "salt_hash": hash_of_salt(salt)})
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
