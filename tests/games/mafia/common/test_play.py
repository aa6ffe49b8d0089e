"""Each Mafia game on the site: opened, played by bots, called off; the same for every role."""

import json
import re
from importlib import import_module
from typing import Any

import pytest
from django.urls import reverse

from economy.audit import find_violations
from economy.models import Setting
from games import registry
from games.engine.draws import hash_of_salt
from games.engine.errors import IllegalAction
from games.engine.facts import SeatNo, Viewer
from games.engine.structs import canonical
from games.matches.journal.replay import replay_match
from games.matches.models import Match, PostReport
from games.matches.processing import writing
from games.matches.processing.bots import ensure_bots
from games.matches.processing.seating import has_seats
from games.matches.processing.submissions import Submission
from games.matches.queries import selectors
from games.matches.services import matches
from games.moderation import reports
from games.notices import attention
from games.realtime import protocol
from games.replays.logs import full_log
from tests.accounts.kit import browser
from tests.forms import form
from tests.games.journal_kit import facts_of
from tests.games.mafia.common.kit import GAMES, AnyTownKit, town_of
from tests.games.mafia.common.secrecy import everything, in_another_world
from tests.games.match_kit import new_user

pytestmark = [pytest.mark.django_db, pytest.mark.parametrize("game", GAMES)]


def sizes_of(game: str) -> tuple[int, int]:
    """Return the least and the greatest number of players for whom the form tells the roles."""
    page = browser(new_user()).get(reverse("mafia_new"), {"setup": game})
    return min(page.context["casts"]), max(page.context["casts"])


def test_mafia_one_person_and_bots_play_a_whole_game(game: str, settings: Any) -> None:
    settings.HOUSE_BOTS = 12
    ensure_bots()
    ann = new_user("ann")
    kit = AnyTownKit(ann, game=game, seats=8, phase_seconds=60)
    kit.act(ann, kind="sit", seat=0)
    for _ in range(7):
        kit.act(ann, kind="add_bot")
    kit.act(ann, kind="ready", configuration=1)
    kit.pass_time(6)
    assert kit.row.status == Match.Status.RUNNING
    for _ in range(600):
        if kit.row.status != Match.Status.RUNNING:
            break
        kit.pass_time(5)
        kit.play_like_bots(kit.snapshot)
    assert kit.row.status == Match.Status.OVER
    assert "winner" in str(kit.view(ann)["game"]["result"])
    assert replay_match(kit.row).is_same
    # Ann's own choices know no posts.
    posted = [fact.data for fact in facts_of(kit.row, "posted")]
    said = [post["text"] for post in posted if post["seat"] != 0]
    assert said
    assert len(set(said)) == len(said)


def test_mafia_a_void_gives_nobody_anything_and_tells_who_was_what(game: str) -> None:
    kit = town_of(game, 5)
    kit.void("a test")
    assert kit.row.status == Match.Status.VOID
    assert {seat.result for seat in kit.row.seats.all()} == {""}
    assert full_log(kit.row)
    assert find_violations() == []
    story = browser().get(reverse("mafia_story", args=[kit.match.public_id]))
    assert story.context["headline"] == "Called off"


def test_mafia_a_game_is_for_its_number_of_people_and_starts_with_no_fewer(game: str) -> None:
    least, most = sizes_of(game)
    for seats in (least - 1, most + 1):
        with pytest.raises(IllegalAction) as refused:
            matches.open_match(opened_by=new_user(), options={"seats": seats}, game=game)
        assert refused.value.code == "action/bad_option"
    kit = AnyTownKit(*(new_user() for _ in range(least - 1)), game=game, seats=least)
    kit.seat_everybody(0)
    for user in kit.people:
        kit.act(user, kind="ready", configuration=1)
    kit.pass_time(30)
    assert kit.row.status == Match.Status.OPEN


def test_mafia_what_the_game_wants_of_one_is_alike_for_every_role(game: str) -> None:
    kit = town_of(game, phase_seconds=600)

    def wanted() -> set[tuple[str, ...]]:
        return {tuple(need["what"] for need in attention.needs_of(u.pk)) for u in kit.people}

    seen = []
    for _ in range(2):
        seen.append(wanted())
        kit.vote_round()
        for user in kit.people if kit.play.stage == "night" else ():
            kit.act(user, kind="done")
        assert wanted() == {()}
        kit.run_out()
    assert {("Check in for the night",)} in seen
    assert {("Vote",)} in seen


def test_mafia_views_of_all_roles_are_of_one_length(game: str) -> None:
    kit = town_of(game)
    views = [json.loads(protocol.encode_view(kit.view(user))) for user in kit.people]
    assert len({len(canonical(view["game"]["you"])) for view in views}) == 1


def test_mafia_view_of_a_long_day_of_a_full_town_is_small(game: str) -> None:
    kit = town_of(game, sizes_of(game)[1], phase_seconds=60)
    if kit.play.stage == "night":
        kit.run_out()
    for no in range(40):
        kit.act(kit.people[no % len(kit.people)], kind="post", room="town", text="語" * 2_000)
    kit.vote_round()
    for user in (None, *kit.partners[1][:1], kit.people[0], kit.people[-1]):
        assert len(protocol.encode_view(kit.view(user))) < 32 * 1024
    before = kit.row.phase
    kit.run_out()
    assert (kit.row.phase, kit.view()["game"]["living"]) == (before + 1, len(kit.people))


@pytest.mark.parametrize("phase", [1, 2])
def test_mafia_no_byte_of_any_page_tells_who_else_is_what(game: str, phase: int) -> None:
    kit = town_of(game)
    room, (mate, _) = kit.partners
    outsider = next(user for no, user in enumerate(kit.people) if no not in kit.play.teams)
    kit.act(mate, kind="post", room=room, text="hush")
    if phase == 2:
        kit.vote_round()
        kit.run_out()
    rooms = (*(each.room for each in kit.play.rooms), "table", "spectators", "nowhere")
    state = kit.snapshot.state
    table, _ = kit.snapshot.table.encode(state)
    Match.objects.filter(pk=kit.match.pk).update(table=table)
    other_worlds = import_module(f"{registry.package(game)}.testing").other_worlds
    for user in (None, outsider, mate):
        seat = None if user is None else SeatNo(kit.people.index(user))
        in_another_world(kit, state.play)
        seen = everything(user, kit.match, rooms)
        worlds = list(other_worlds(state.play, Viewer(seat)))
        assert len(worlds) >= 3
        for play in worlds[:: form(2, in_all=1)]:
            in_another_world(kit, play)
            assert everything(user, kit.match, rooms) == seen
    in_another_world(kit, state.play)


def test_mafia_a_private_room_and_its_reports_are_for_those_of_the_team(game: str) -> None:
    kit = town_of(game)
    room, (one, mate) = kit.partners
    other = next(user for user in kit.people if user not in (one, mate))
    for text in ("the first", "an insult", "the last"):
        kit.act(one, kind="post", room=room, text=text)
    path = reverse("mafia_report", args=[kit.match.public_id, room, 2])
    assert browser(other).post(path, {"reason": "bad"}).status_code == 404
    assert browser(mate).post(path, {"reason": "bad"}).status_code == 200
    reports.hide(PostReport.objects.get())
    posts = reverse("mafia_posts", args=[kit.match.public_id, room])
    page = browser(mate).get(posts).json()
    assert page["hidden"] == [2]
    assert [post["text"] for post in page["posts"]] == ["the first", "", "the last"]
    assert browser(other).get(posts).status_code == browser().get(posts).status_code == 404


def test_mafia_a_post_of_4000_characters_of_any_script_goes_by_its_rooms_address(
    game: str,
) -> None:
    kit = town_of(game)
    if kit.play.stage == "night":
        kit.run_out()
    address, text = reverse("mafia_posts", args=[kit.match.public_id, "town"]), "🂡" * 4_000
    body = {"id": "a-long-post-1", "phase": kit.row.phase, "text": text}
    for _ in range(2):
        sent = json.dumps(body, ensure_ascii=False).encode()
        answer = browser(kit.people[0]).post(address, sent, content_type="application/json")
        assert answer.json() == {"id": "a-long-post-1"}
    assert [post["text"] for post in browser().get(address).json()["posts"]] == [text]
    assert replay_match(kit.row).is_same


def test_mafia_there_is_no_story_of_a_running_game(game: str) -> None:
    kit = town_of(game)
    path = reverse("mafia_story", args=[kit.match.public_id])
    for user in (None, kit.people[0]):
        assert browser(user).get(path).status_code == 404


def test_mafia_lobby_shows_forming_running_and_finished_games_by_set_up(game: str) -> None:
    kit = town_of(game)
    forming = AnyTownKit(new_user(), game=game, seats=8)
    page = browser().get(reverse("mafia"), {"setup": game})
    assert [each.slug for each, _ in page.context["shown"]] == [game]
    rows = {row["public_id"]: row["status"] for row in page.context["lobby"][game]}
    assert rows == {kit.match.public_id: "running", forming.match.public_id: "open"}
    assert page.context["finished"] == []
    kit.end()
    page = browser().get(reverse("mafia"))
    assert {each.slug for each, _ in page.context["shown"]} == set(GAMES)
    assert [row.title for row in page.context["finished"]] == [kit.match.title]
    assert reverse("mafia_story", args=[kit.match.public_id]) in page.content.decode()
    assert browser().get(reverse("mafia"), {"setup": "nowhere"}).status_code == 404


@pytest.mark.plain
def test_mafia_quick_opens_a_game_full_of_bots_and_its_opener_ready(
    game: str, settings: Any
) -> None:
    settings.HOUSE_BOTS = 40
    ensure_bots()
    ann = new_user()
    response = browser(ann).post(reverse("mafia_quick"), {"setup": game})
    match = Match.objects.get()
    assert response["Location"] == reverse("mafia_game", args=[match.public_id])
    seats = selectors.match_view(selectors.snapshot_of(match), 0)["seats"]
    assert match.game == game
    assert [seat["player"]["bot"] for seat in seats] == [False] + [True] * (len(seats) - 1)
    assert all(seat["ready"] for seat in seats)
    assert browser().get(response["Location"]).templates[0].name == registry.table(game).template


@pytest.mark.parametrize("given", ["with a hash", "", "5A" * 32])
def test_mafia_begun_in_one_press_is_dealt_with_the_salt_of_its_player_or_goes_without(
    game: str, given: str, settings: Any
) -> None:
    settings.HOUSE_BOTS = 12
    ensure_bots()
    ann, salt = new_user(), "a1" * 32
    shown = browser(ann).get(reverse("home")).content.decode()
    field = '<input type="hidden" name="salt_hash">'
    assert re.search(rf'action="{reverse("mafia_quick")}">(<[^>]*>)*?{field}', shown)
    hashed = hash_of_salt(salt) if given == "with a hash" else given
    browser(ann).post(reverse("mafia_quick"), {"setup": game, "salt_hash": hashed})
    match = Match.objects.get(opened_by=ann)
    if given == "with a hash":
        assert match.status == Match.Status.OPEN
        writing.submit(Submission(match.pk, {"kind": "reveal", "salt": salt}, "reveal-1", ann.pk))
        match.refresh_from_db()
    assert match.status == Match.Status.RUNNING
    salts = [fact.data["salts"] for fact in facts_of(match, "salts_frozen")]
    assert salts == ([[[0, salt]]] if given == "with a hash" else [])


def test_mafia_towns_that_one_has_left_are_no_tables_and_the_next_begins(
    game: str, settings: Any
) -> None:
    settings.HOUSE_BOTS = 12
    ensure_bots()
    ann = new_user()
    for number in range(4):
        browser(ann).post(reverse("mafia_quick"), {"setup": game})
        match = Match.objects.filter(opened_by=ann).latest("pk")
        assert match.status == Match.Status.RUNNING
        leave = {"kind": "leave"}
        writing.submit(Submission(match.pk, leave, f"leave-of-{number}", ann.pk))
    assert Match.objects.filter(opened_by=ann).count() == 4


def test_mafia_the_dead_sit_at_no_table(game: str) -> None:
    kit = town_of(game)
    while kit.play.member(0).is_alive:
        for user in kit.alive[1:]:
            # A majority ends the day at once.
            if kit.play.stage == "day" and kit.play.member(0).is_alive:
                kit.act(user, kind="vote", choice=0)
        if kit.play.member(0).is_alive:
            kit.run_out()
    assert kit.row.status == Match.Status.RUNNING
    alive = kit.alive[0]
    assert [has_seats(user.pk, 1) for user in (kit.people[0], alive)] == [False, True]


@pytest.mark.parametrize("name", ["mafia_quick", "mafia_new"])
def test_mafia_page_opens_no_game_at_which_its_opener_may_not_sit(game: str, name: str) -> None:
    ann = new_user()
    Setting.objects.filter(pk="tables.live_seats").update(value=1)
    AnyTownKit(new_user(), ann, game=game).act(ann, kind="sit", seat=0)
    response = browser(ann).post(reverse(name), sent(game), follow=True)
    assert "You may sit at 1 tables at once" in response.content.decode()
    assert not Match.objects.filter(opened_by=ann).exists()


@pytest.mark.parametrize("name", ["mafia_quick", "mafia_new"])
def test_mafia_page_that_opens_a_game_needs_a_login(game: str, name: str) -> None:
    assert reverse("account_login") in browser().post(reverse(name), {"setup": game}).url
    assert not Match.objects.exists()


def sent(game: str, **changed: object) -> dict[str, object]:
    """Return what the form of a new game sends; None leaves a field out."""
    fields: dict[str, object] = {
        "setup": game, "seats": 9, "length": 3, "unit": "3600", "listed": "on", "spectators": "on",
    }  # fmt: skip
    return {name: value for name, value in {**fields, **changed}.items() if value is not None}


@pytest.mark.plain
@pytest.mark.both_databases
def test_mafia_form_opens_a_game_with_the_chosen_options_and_its_opener_seated(game: str) -> None:
    ann = new_user()
    browser(ann).post(reverse("mafia_new"), sent(game, spectators=None))
    match = Match.objects.get()
    options = json.loads(match.table)["options"]
    chosen = {"seats": 9, "phase_seconds": 10_800, "listed": True, "spectators": False}
    assert chosen.items() <= options.items()
    assert options.get("early_end", False) is options.get("reveal_on_death", False) is False
    assert match.game == game
    assert list(match.seats.values_list("no", "user_id")) == [(0, ann.pk)]


def test_mafia_form_says_what_is_wrong_and_opens_nothing(game: str) -> None:
    least, most = sizes_of(game)
    for field, changed in (
        ("seats", {"seats": least - 1}),
        ("seats", {"seats": most + 1}),
        ("length", {"length": 0}),
        ("length", {"length": 8, "unit": "86400"}),
        ("unit", {"unit": "1"}),
    ):
        response = browser(new_user()).post(reverse("mafia_new"), sent(game, **changed))
        assert set(response.context["form"].errors) == {field}
    assert not Match.objects.exists()
    largest = sent(game, seats=most, length=7, unit="86400")
    assert browser(new_user()).post(reverse("mafia_new"), largest).status_code == 302
    options = json.loads(Match.objects.get().table)["options"]
    assert (options["seats"], options["phase_seconds"]) == (most, 604_800)
