from typing import Any

import pytest

from games.contract import Game
from games.matches.journal.replay import replay_match
from games.matches.models import Match, Presence
from games.matches.processing import outage
from games.matches.processing.bots import ensure_bots
from games.posts import chat
from games.realtime.presence import keep_presence
from tests.games.extra_games import invite
from tests.games.journal_kit import facts_of
from tests.games.match_kit import MatchKit, new_user
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def game(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Game:
    return invite("tests.games.small", settings, monkeypatch)


class SmallKit(MatchKit):
    game = "small"


@pytest.mark.both_databases
def test_forty_people_sit_and_play_to_the_end_and_the_replay_is_the_same() -> None:
    people = [new_user(f"p{no}x") for no in range(40)]
    kit = SmallKit(*people, seats=40)
    kit.start(purse=5)
    for user in people:
        kit.act(user, kind="name", number=1)
    kit.pass_time(1.5)
    row = kit.row
    assert (row.status, row.seats.filter(result="won").count()) == (Match.Status.OVER, 1)
    assert len([fact for fact in facts_of(row, "named") if fact.audience is not None]) == 40
    assert replay_match(row).is_same


def test_forty_seats_can_be_taken_by_thirty_nine_bots_and_every_one_of_them_acts(settings) -> None:
    settings.HOUSE_BOTS = 40
    ensure_bots()
    ann = new_user()
    kit = SmallKit(ann, seats=40)
    kit.act(ann, kind="sit", seat=0, purse=5)
    for _ in range(39):
        kit.act(ann, kind="add_bot")
    kit.act(ann, kind="ready", configuration=1)
    assert kit.row.status == Match.Status.RUNNING
    kit.pass_time(0.2)
    done = [seat["is_done"] for seat in kit.view(ann)["game"]["seats"]]
    assert done == [False] + [True] * 39


def test_forty_who_is_there_is_told_by_the_day_where_it_could_tell_a_role() -> None:
    people = [new_user(f"q{no}x") for no in range(40)]
    kit = SmallKit(*people, seats=40)
    kit.start(purse=5)
    outage.open_process()
    keep_presence({kit.match.pk: {"seats": list(range(40)), "there": [], "watching": 3}})
    assert Presence.objects.get(match=kit.match).spectators == 3
    seat = kit.view(people[0])["seats"][7]
    assert seat["present"] is None
    assert seat["seen_on"] == f"{kit.now.date()}"


def test_lines_of_chat_are_numbered_in_their_own_room() -> None:
    ann, bob, eve = new_user(), new_user(), new_user()
    kit = SmallKit(ann, bob, seats=2)
    kit.seat_everybody(5)

    def say(user: Any, room: str, text: str) -> chat.Line:
        ids = {"match_id": kit.match.pk, "user_id": user.pk, "action_id": f"say-{text}"}
        return chat.say(room=room, text=text, **ids)

    lines = (
        (ann, "table", "one-0001"),
        (eve, "spectators", "two-0002"),
        (bob, "table", "three-03"),
    )
    said = [say(*line) for line in lines]
    found = [(line.serial, line.room, line.no) for line in said]
    assert found == [(1, "table", 1), (2, "spectators", 1), (3, "table", 2)]
    assert "serial" not in said[0].wire
    for room in ("spectators", "mafia"):
        with refuses("forbidden", match="not a room"):
            say(ann, room, "four-004")
