import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from economy.models import Setting
from games import registry
from games.duel.challenges import challenge
from games.duel.pairing import pair_quick
from games.mafia.agora.rules.roles import Role
from games.matches import services as matches
from games.matches.models import Match, Seat, WebProcess
from games.matches.processing import writing
from games.matches.processing.submissions import Submission
from games.matches.queries.addresses import match_url, replay_url
from games.notices.attention import next_turn, turns_of
from games.posts import chat
from games.realtime import protocol
from tests.accounts.kit import browser
from tests.games.journal_kit import facts_of
from tests.games.mafia.agora.kit import TownKit, town
from tests.games.table_kit import TableKit, new_user, running_table

pytestmark = pytest.mark.django_db


def table_form(**changed: object) -> dict[str, object]:
    form = {
        "seats": 3, "ante": 2, "target": 4, "betting_clock": 10, "round_clock": 15,
        "largest_purse": 60, "listed": "on", "spectators": "on",
    }  # fmt: skip
    return {**form, **changed}


@pytest.mark.both_databases
@pytest.mark.parametrize("name", ["home", "tables", "rules_showdown", "credits", "account_login"])
def test_page_opens_for_guests_and_users(name: str) -> None:
    for client in (browser(), browser(new_user())):
        assert client.get(reverse(name)).status_code in (200, 302)


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
    assert sorted(seat.user.is_bot for seat in Seat.objects.filter(match=match)) == [False, True]
    assert browser(ann).get(reverse("table_with_bot")).status_code == 405


def test_page_of_an_unknown_and_of_a_forbidden_table_are_alike_and_its_own_is_not_kept() -> None:
    kit, stranger = running_table(seats=2, spectators=False), browser(new_user())
    url = reverse("table", args=[kit.match.public_id])
    unknown = reverse("table", args=["no-such-table"])
    assert [stranger.get(each).status_code for each in (url, unknown)] == [404, 404]
    page = browser(kit.people[0]).get(url)
    assert page.status_code == 200
    assert "js/me.js" in page.content.decode(), "it hears of the user's other tables"
    as_guest = browser().get(reverse("table", args=[TableKit(new_user()).match.public_id]))
    assert "js/me.js" not in as_guest.content.decode()
    assert as_guest["Cache-Control"] == "no-store, private"


@pytest.mark.both_databases
def test_log_of_a_match_has_public_facts_without_time_and_everything_once_it_is_finished() -> None:
    kit = running_table(seats=2, target=3)
    kit.call_all()
    kit.act(kit.people[0], kind="attack", weapon="rock", target=1)
    address = reverse("table_log", args=[kit.match.public_id])
    body = browser().get(address).json()
    assert body["seed"] is None
    assert [event["n"] for event in body["events"]] == list(range(1, len(body["events"]) + 1))
    assert all("at" not in event and "audience" not in event for event in body["events"])
    assert "attack_chosen" not in {event["kind"] for event in body["events"]}
    kit.play_to_the_end()
    body = browser().get(address).json()
    assert (body["seed"], len(body["events"])) == (kit.row.seed, len(facts_of(kit.match)))
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


#: What differs between two answers to the same request.
CHANCE = re.compile(r'nonce="[^"]*"|name="csrfmiddlewaretoken" value="[^"]*"')


def seen(match: Match, url: str | None = None) -> tuple[int, str]:
    answer = browser().get(url or match_url(match))
    return answer.status_code, CHANCE.sub("", answer.content.decode())


def opened(user: User, slug: str = "showdown", **options: object) -> Match:
    return matches.open_and_sit(
        opened_by=user, options={"listed": False, "spectators": False, **options}, game=slug
    )


def act(user: User, match: Match, **action: object) -> None:
    number = match.entries.count()
    writing.submit(Submission(match.pk, action, f"invited-{number:04d}", user.pk))


@pytest.mark.plain
@pytest.mark.parametrize("slug", [game.slug for game in registry.tables()])
def test_address_of_a_private_table_invites_a_guest_to_the_free_seat(slug: str) -> None:
    Setting.objects.filter(name="grant.signup").update(value=123)
    ann = new_user("ann")
    match = opened(ann, slug)
    status, page = seen(match)
    assert status == 200
    assert f"{ann.username} invites you to {registry.get(slug).title}" in page
    assert "Sign up and sit (123 free points)" in page
    for way in ("signup", "login"):
        assert f'href="/accounts/{way}/?next={match_url(match)}"' in page
    assert page.count(f'data-seat="{match.public_id}"') == 2


def test_challenge_by_its_address_tells_a_guest_who_asks_and_not_whom() -> None:
    answer = browser().get(match_url(opened(new_user(), ante=7, target=9)))
    assert "Ante 7 · first to 9" in answer.content.decode()
    assert answer["Cache-Control"] == "no-store, private"
    ann, bob = new_user("ann"), new_user("bob")
    match = challenge(challenger=ann, name=bob.username, options={"best_of": 3, "stake": 20})
    status, page = seen(match)
    assert status == 200
    assert f"{ann.username} has challenged somebody" in page
    assert "Best of 3 · stake 20" in page
    assert bob.username not in page
    assert "Sign up and sit" not in page


def test_invitation_is_the_same_whatever_else_is_at_the_table() -> None:
    ann = new_user("ann")
    match = opened(ann)
    told = seen(match)
    bob = new_user("bob")
    act(bob, match, kind="sit", purse=13)
    act(bob, match, kind="ready", configuration=1, salt_hash="ab" * 32)
    act(ann, match, kind="bring", purse=17)
    chat.say(
        match_id=match.pk, user_id=ann.pk, room="table", text="a canary", action_id="said-0001"
    )
    match.refresh_from_db()
    assert seen(match) == told
    for word in (bob.username, "canary", match.title, match.seed_commitment, "17"):
        assert not re.search(rf"\b{word}\b", told[1].replace(match.public_id, ""))


def test_invitation_ends_with_the_last_free_seat_and_with_the_start() -> None:
    kit = TableKit(new_user(), new_user(), seats=2, listed=False, spectators=False)
    assert seen(kit.row)[0] == 404  # nobody sits there who could invite
    kit.act(kit.people[0], kind="sit", purse=20)
    assert seen(kit.row)[0] == 200
    kit.act(kit.people[1], kind="sit", purse=20)
    unknown = seen(kit.row, "/tables/no-such-table/")
    assert unknown[0] == 404
    for _ in range(3):
        assert _without_address(seen(kit.row), kit.row) == _without_address(unknown, kit.row)
        if kit.row.status == Match.Status.OPEN:
            kit.make_ready()
            kit.pass_time(5.0)
        else:
            kit.play_to_the_end()


def _without_address(answer: tuple[int, str], match: Match) -> tuple[int, str]:
    return answer[0], answer[1].replace(match.public_id, "X").replace("no-such-table", "X")


def test_private_game_that_accounts_may_watch_asks_a_guest_to_log_in_and_tells_nothing() -> None:
    pages = set()
    for names, options in ((("ann", "bob"), {"ante": 5}), (("cat", "dan"), {"ante": 9})):
        kit = TableKit(*map(new_user, names), seats=2, listed=False, **options)
        kit.start()
        pages.add(_without_address(seen(kit.row), kit.row))
        kit.play_to_the_end()
        pages.add(_without_address(seen(kit.row), kit.row))
    assert len(pages) == 1
    ((status, page),) = pages
    assert status == 200
    assert "A private table" in page
    assert seen(kit.row, replay_url(kit.row))[0] == 200
    assert seen(kit.row, f"{match_url(kit.row)}log.json")[0] == 404


DAY = 86_400


def slow(ann: User, phase_seconds: int) -> TownKit:
    others = [new_user() for _ in range(4)]
    kit = TownKit(ann, *others, seats=5, phase_seconds=phase_seconds)
    kit.start(purse=0)
    return kit


def titles(user: User) -> list[str]:
    return [turn.title for turn in turns_of(user.pk)]


@pytest.mark.both_databases
def test_turns_are_those_of_all_games_by_deadline() -> None:
    ann = new_user("ann")
    middle, soon = (slow(ann, seconds) for seconds in (2 * DAY, DAY))
    table = matches.open_match(
        opened_by=ann, options={}, game="agora", begins_at=soon.now + timedelta(days=3)
    )
    kit = TownKit(ann)
    kit.match = table
    kit.act(ann, kind="sit")
    names = [match.title for match in (soon.match, middle.match, table)]
    assert titles(ann) == names
    assert titles(soon.people[1]) == [soon.match.title]
    due = [turn.due_at for turn in turns_of(ann.pk)]
    assert due == sorted(due)
    assert due[0] == soon.row.due_at
    middle.act(ann, kind="done")
    assert titles(ann) == [names[0], *names[2:]]
    page = browser(ann).get(reverse("turns"))
    assert [turn.title for turn in page.context["turns"]] == titles(ann)
    assert all(turn.url in page.content.decode() for turn in page.context["turns"])


def test_turns_go_round_from_each_game_to_the_next() -> None:
    ann = new_user("ann")
    kits = [slow(ann, seconds) for seconds in (DAY, 2 * DAY, 3 * DAY)]
    paths = [match_url(kit.match) for kit in kits]

    def after(match: Match | None) -> Any:
        query = {"after": match.public_id} if match else {}
        return browser(ann).get(reverse("turn_next"), query).headers["Location"]

    assert after(None) == paths[0]
    assert [after(kit.match) for kit in kits] == [paths[1], paths[2], paths[0]]
    kits[1].act(ann, kind="done")
    assert [after(kit.match) for kit in kits] == [paths[2], paths[2], paths[0]]
    kits[2].act(ann, kind="done")
    assert [after(kit.match) for kit in kits] == [reverse("turns"), paths[0], paths[0]]
    kits[0].act(ann, kind="done")
    assert {after(kit.match) for kit in kits} == {reverse("turns")}
    assert next_turn(ann.pk, None) is None


def test_turns_show_the_public_deadline_and_nothing_of_others() -> None:
    """All but one are done: the hidden end of the night is in no answer."""
    kit = town(5, phase_seconds=600)
    last = kit.user_of(Role.DOCTOR)
    pages = []
    for user in [user for user in kit.people if user != last]:
        pages.append([turn.due_at for turn in turns_of(last.pk)])
        kit.act(user, kind="done")
    kit.act(last, kind="done")
    kit.act(kit.people[0], kind="undone")
    assert len({str(page) for page in pages}) == 1
    assert pages[0][0].timestamp() * 1000 == kit.play.clock.ends_at


def test_turns_are_for_users_alone() -> None:
    for name in ("turns", "turn_next"):
        assert browser().get(reverse(name)).status_code == 302
    ann = new_user("ann")
    assert "Nothing waits for you" in browser(ann).get(reverse("turns")).content.decode()
    stranger = town(5)
    path = browser(ann).get(reverse("turn_next"), {"after": stranger.match.public_id})
    assert path.headers["Location"] == reverse("turns")
