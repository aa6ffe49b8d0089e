import json
import re
from typing import Any

import pytest
from django.urls import reverse

from economy.models import Setting
from games import registry
from games.engine.draws import hash_of_salt
from games.engine.errors import IllegalAction
from games.engine.facts import SeatNo, Viewer
from games.engine.structs import canonical
from games.matches import services as matches
from games.matches.journal.replay import replay_match
from games.matches.models import Match, PostReport
from games.matches.processing import writing
from games.matches.processing.bots import ensure_bots
from games.matches.processing.seating import has_seats
from games.matches.processing.submissions import Submission
from games.matches.queries import selectors
from games.moderation import reports
from games.realtime import protocol
from games.replays.histories import full_log
from tests.accounts.kit import browser
from tests.forms import form
from tests.games.journal_kit import facts_of
from tests.games.mafia.common.kit import GAMES, AnyTownKit, town_of, wanted
from tests.games.mafia.common.secrecy import everything, in_another_world
from tests.games.match_kit import new_user
from tools.referee.trials import trial_of

pytestmark = [pytest.mark.django_db, pytest.mark.parametrize("game", GAMES)]


@pytest.fixture
def bots(settings: Any) -> None:
    settings.HOUSE_BOTS = 40
    ensure_bots()


def sizes_of(game: str) -> tuple[int, int]:
    """Return the least and the greatest number of players for whom the form tells the roles."""
    page = browser(new_user()).get(reverse("mafia_new"), {"setup": game})
    return min(page.context["casts"]), max(page.context["casts"])


def quick(user: Any, game: str, **more: str) -> tuple[Match, str]:
    """Open a game by one press of a button; return it, and where that leads."""
    response = browser(user).post(reverse("mafia_quick"), {"setup": game, **more})
    return Match.objects.filter(opened_by=user).latest("pk"), response["Location"]


def test_mafia_a_void_gives_nobody_anything_and_only_then_there_is_a_story(game: str) -> None:
    kit = town_of(game, 5)
    path = reverse("mafia_story", args=[kit.match.public_id])
    assert {browser(user).get(path).status_code for user in (None, kit.people[0])} == {404}
    kit.void("a test")
    assert kit.row.status == Match.Status.VOID
    assert {seat.result for seat in kit.row.seats.all()} == {""}
    assert full_log(kit.row)
    assert browser().get(path).context["headline"] == "Called off"


def test_mafia_wants_and_the_length_of_views_are_alike_for_every_role(game: str) -> None:
    kit = town_of(game, phase_seconds=600)
    views = [json.loads(protocol.encode_view(kit.view(user))) for user in kit.people]
    assert len({len(canonical(view["game"]["you"])) for view in views}) == 1

    def wants() -> set[tuple[str, ...]]:
        return {tuple(wanted(user)) for user in kit.people}

    seen = []
    for _ in range(2):
        seen.append(wants())
        kit.vote_round()
        for user in kit.people if kit.play.stage == "night" else ():
            kit.act(user, kind="done")
        assert wants() == {()}
        kit.run_out()
    assert {("Check in for the night",)} in seen
    assert {("Vote",)} in seen


def test_mafia_a_long_day_of_posts_by_their_rooms_address_leaves_views_small(game: str) -> None:
    kit = town_of(game, sizes_of(game)[1], phase_seconds=60)
    if kit.play.stage == "night":
        kit.run_out()
    address, text = reverse("mafia_posts", args=[kit.match.public_id, "town"]), "🂡" * 4_000
    body = {"id": "a-long-post-1", "phase": kit.row.phase, "text": text}
    sent = json.dumps(body, ensure_ascii=False).encode()
    for _ in range(2):
        answer = browser(kit.people[0]).post(address, sent, content_type="application/json")
        assert answer.json() == {"id": "a-long-post-1"}
    assert [post["text"] for post in browser().get(address).json()["posts"]] == [text]
    for no in range(40):
        kit.act(kit.people[no % len(kit.people)], kind="post", room="town", text="語" * 2_000)
    kit.vote_round()
    for user in (None, *kit.partners[1][:1], kit.people[0], kit.people[-1]):
        assert len(protocol.encode_view(kit.view(user))) < 32 * 1024
    before = kit.row.phase
    kit.run_out()
    assert (kit.row.phase, kit.view()["game"]["living"]) == (before + 1, len(kit.people))
    assert replay_match(kit.row).is_same


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
    other_worlds = trial_of(game).other_worlds
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


@pytest.mark.plain
def test_mafia_a_private_room_and_its_reports_are_for_those_of_the_team(game: str) -> None:
    kit = town_of(game)
    room, (one, mate) = kit.partners
    other = next(user for user in kit.people if user not in (one, mate))
    for text in ("the first", "an insult", "the last"):
        kit.act(one, kind="post", room=room, text=text)
    path = reverse("mafia_report", args=[kit.match.public_id, room, 2])
    answers = [browser(user).post(path, {"reason": "bad"}) for user in (other, mate)]
    assert [answer.status_code for answer in answers] == [404, 200]
    public, posts = (
        reverse("mafia_posts", args=[kit.match.public_id, each]) for each in ("town", room)
    )
    before = browser().get(public).content
    reports.hide(PostReport.objects.get())
    assert browser().get(public).content == before, "nobody else is told of what is hidden"
    page = browser(mate).get(posts).json()
    assert page["hidden"] == [2]
    assert [post["text"] for post in page["posts"]] == ["the first", "", "the last"]
    assert browser(other).get(posts).status_code == browser().get(posts).status_code == 404


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
def test_mafia_quick_opens_a_game_full_of_bots_after_another(game: str, bots: None) -> None:
    ann = new_user()
    for number in range(4):
        match, location = quick(ann, game)
        assert (match.game, match.status) == (game, Match.Status.RUNNING)
        assert location == reverse("mafia_game", args=[match.public_id])
        seats = selectors.match_view(selectors.snapshot_of(match), 0)["seats"]
        assert [seat["player"]["bot"] for seat in seats] == [False] + [True] * (len(seats) - 1)
        assert all(seat["ready"] for seat in seats)
        writing.submit(Submission(match.pk, {"kind": "leave"}, f"leave-of-{number}", ann.pk))
    assert Match.objects.filter(opened_by=ann).count() == 4
    assert browser().get(location).templates[0].name == registry.table(game).template


@pytest.mark.parametrize("given", ["with a hash", "", "5A" * 32])
def test_mafia_quick_deals_with_a_salt_or_without(game: str, given: str, bots: None) -> None:
    ann, salt, has_hash = new_user(), "a1" * 32, given == "with a hash"
    shown = browser(ann).get(reverse("home")).content.decode()
    field = '<input type="hidden" name="salt_hash">'
    assert re.search(rf'action="{reverse("mafia_quick")}">(<[^>]*>)*?{field}', shown)
    match, _ = quick(ann, game, salt_hash=hash_of_salt(salt) if has_hash else given)
    if has_hash:
        assert match.status == Match.Status.OPEN
        writing.submit(Submission(match.pk, {"kind": "reveal", "salt": salt}, "reveal-1", ann.pk))
        match.refresh_from_db()
    assert match.status == Match.Status.RUNNING
    salts = [fact.data["salts"] for fact in facts_of(match, "salts_frozen")]
    assert salts == ([[[0, salt]]] if has_hash else [])


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
    assert reverse("account_login") in browser().post(reverse(name), {"setup": game}).url
    assert not Match.objects.exists()
    ann = new_user()
    Setting.objects.filter(pk="tables.live_seats").update(value=1)
    AnyTownKit(new_user(), ann, game=game).act(ann, kind="sit", seat=0)
    response = browser(ann).post(reverse(name), sent(game), follow=True)
    assert "You may sit at 1 tables at once" in response.content.decode()
    assert not Match.objects.filter(opened_by=ann).exists()


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
    for seats in (least - 1, most + 1):
        with pytest.raises(IllegalAction) as refused:
            matches.open_match(opened_by=new_user(), options={"seats": seats}, game=game)
        assert refused.value.code == "action/bad_option"
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
    # It starts with no fewer.
    kit = AnyTownKit(*(new_user() for _ in range(least - 1)), game=game, seats=least)
    kit.seat_everybody(0)
    for user in kit.people:
        kit.act(user, kind="ready", configuration=1)
    kit.pass_time(30)
    assert kit.row.status == Match.Status.OPEN
