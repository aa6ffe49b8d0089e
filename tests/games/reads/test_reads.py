import json
import logging
from typing import Any

import pytest
from django.contrib.admin import site
from django.urls import reverse
from django.utils import timezone

from accounts import devices
from accounts.models import Device, User
from games import registry
from games.engine.facts import SeatNo, Viewer
from games.engine.structs import canonical
from games.matches.models import Match, SealedRead
from games.moderation import peeking
from games.own_data import personal_data
from games.own_data.deletion import delete_account
from games.reads import boards, odds, sealing
from games.reads.scoring import score_ended
from games.reads.tasks import score_reads
from tests.accounts.admin_kit import administrator
from tests.accounts.kit import browser
from tests.at_once import all_at_once
from tests.games.mafia.common.kit import GAMES, AnyTownKit, town_of
from tests.games.mafia.common.secrecy import bytes_of, everything, in_another_world
from tests.games.match_kit import new_user
from tests.games.reads.kit import address, answer, seal
from tests.refusals import refuses
from tools.referee.trials import trial_of

pytestmark = [pytest.mark.django_db, pytest.mark.parametrize("game", GAMES)]

ROOMS = ("town", "dead", "spectators")


def rows() -> list[Any]:
    return list(SealedRead.objects.order_by("pk").values_list("user", "day", "strengths", "score"))


def share(*users: User, token: str = "", address: str = "") -> None:
    for no, user in enumerate(users):
        own = token or f"{no}" * 43
        devices.note(user_id=user.pk, token=own, address=address, at=timezone.now())


def contest_town(game: str) -> AnyTownKit:
    """Return a town with the option of contests, which players cannot set."""
    kit = AnyTownKit(*(new_user() for _ in range(8)), game=game, seats=8)
    for column in ("origin", "table"):
        text = json.loads(getattr(kit.row, column))
        text["options"]["contest"] = True
        Match.objects.filter(pk=kit.match.pk).update(**{column: canonical(text)})
    kit.start(purse=0)
    return kit


@pytest.mark.plain
@pytest.mark.both_databases
def test_read_is_sealed_once_a_day_and_the_last_one_stays(game: str) -> None:
    kit, user = town_of(game), new_user("watcher")
    seats = list(range(len(kit.people)))
    assert answer(user, kit) == (200, {"day": 1, "seats": seats, "sealed": None})
    first = seal(user, kit, 1)
    assert seal(user, kit, 3, 0)["sealed"] == {str(no): 3 * (no == 0) for no in seats}
    assert first["sealed"] != answer(user, kit)[1]["sealed"]
    assert [(who, day) for who, day, *_ in rows()] == [(user.pk, 1)]
    while kit.play.round == 1:
        kit.vote_round()
        kit.run_out()
    assert answer(user, kit)[1]["sealed"] is None, "another day"
    assert seal(user, kit, 2)["day"] == 2
    assert [day for _, day, *_ in rows()] == [1, 2]


@pytest.mark.plain
@pytest.mark.both_databases
def test_read_refusals_are_alike_whatever_the_reason_is(game: str) -> None:
    kit, watcher = town_of(game), new_user("watcher")
    same, near, program, banned, unknown = (new_user() for _ in range(5))
    share(kit.people[0], same, token="t" * 43)
    share(kit.people[1], near, address="198.51.100.7")
    User.objects.filter(pk=program.pk).update(is_program=True)
    User.objects.filter(pk=banned.pk).update(is_active=False)
    guess = {"day": 1, "strengths": dict.fromkeys(range(len(kit.people)), 0)}
    client = browser(unknown)
    nowhere = client.get(reverse("sealed_read", args=["nowhere"]))
    refusal = nowhere.json()
    assert refusal["error"]["code"] == "forbidden"
    both = [(200, refusal), (409, refusal)]
    for user in (None, kit.people[0], same, near, program, banned):
        assert [answer(user, kit), answer(user, kit, guess)] == both
    contest = contest_town(game)
    private = town_of(game, spectators=False)
    waiting = AnyTownKit(new_user(), game=game)
    over = town_of(game)
    over.end()
    for other in (contest, private, waiting, over):
        assert [answer(watcher, other), answer(watcher, other, guess)] == both
    assert answer(watcher, kit, guess)[0] == 200
    assert len(rows()) == 1


def test_read_of_other_seats_or_another_day_is_refused_and_the_dead_leave_themselves_out(
    game: str,
) -> None:
    kit, user, gone = town_of(game), new_user("watcher"), 3
    right = dict.fromkeys(range(len(kit.people)), 0)
    for day, strengths, code in (
        (2, right, "stale"),
        (1, {0: 1}, "stale"),
        (1, {**right, 99: 1}, "stale"),
        (1, {**right, 0: 4}, "bad_field"),
        (1, {**right, 0: True}, "bad_field"),
        (1, {**right, 0: -1}, "bad_field"),
        (1, None, "bad_field"),
    ):
        status, body = answer(user, kit, {"day": day, "strengths": strengths})
        assert (status, body["error"]["code"]) == (409, code)
    for text in ("", "{", '{"day":1,"strengths":{"a":1}}', '{"day":1,"strengths":{},"more":1}'):
        problem = browser(user).post(address(kit), text, content_type="application/json")
        assert problem.status_code == 409
    assert rows() == []
    kit.act(kit.people[gone], kind="leave")
    kit.vote_round(kit.people[gone])
    kit.run_out()
    dead = kit.people[gone]
    assert gone not in answer(dead, kit)[1]["seats"]
    assert seal(dead, kit, 1)["sealed"]


def test_read_knows_from_the_public_table_how_many_of_the_mafia_are_hidden(game: str) -> None:
    kit, user = town_of(game), new_user("watcher")
    _, (gone, *_) = kit.partners
    kit.act(gone, kind="leave")
    kit.vote_round(gone)
    kit.run_out()
    seats = seal(user, kit)["seats"]
    hidden = registry.table(game).reads.mafia(kit.play)
    assert SealedRead.objects.get().hidden == len({*hidden} & {*seats})


def test_read_before_the_end_is_in_no_byte_for_anybody_else(
    game: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    kit, user, other = town_of(game), new_user("watcher"), new_user("other")
    chief = administrator("chief", "games.view_match", "games.view_seat")
    staff = browser(chief)

    def seen() -> list[Any]:
        pages = [everything(who, kit.match, ROOMS) for who in (None, other, kit.people[0])]
        paths = [reverse("best_readers"), address(kit)]
        more = [bytes_of(browser(who), path) for who in (other, chief) for path in paths]
        admin = bytes_of(staff, reverse("admin:games_match_change", args=[kit.match.pk]))
        return [*pages, *more, admin, list(personal_data.SECTIONS["sealed_reads"](user))]

    before = seen()
    for strength in range(3):
        seal(user, kit, strength)
    score_ended()
    assert seen() == before
    assert not site.is_registered(SealedRead)
    assert [score for *_, score in rows()] == [None]
    text = json.dumps(rows()[0][2])
    assert text not in caplog.text
    assert "seal" not in caplog.text.lower()


def test_read_answers_are_the_same_in_all_worlds_that_look_alike(game: str) -> None:
    kit, user = town_of(game), new_user("watcher")
    kit.act(kit.people[2], kind="leave")
    kit.vote_round(kit.people[2])
    kit.run_out()
    state = kit.snapshot.state
    table, _ = kit.snapshot.table.encode(state)
    Match.objects.filter(pk=kit.match.pk).update(table=table)
    for who, seat in ((user, None), (kit.people[2], SeatNo(2))):
        in_another_world(kit, state.play)
        asked = answer(who, kit)
        guess = {"day": asked[1]["day"], "strengths": {no: no % 4 for no in asked[1]["seats"]}}
        sealed = answer(who, kit, guess)
        assert sealed[0] == 200
        hidden = SealedRead.objects.get(user=who).hidden
        worlds = list(trial_of(game).other_worlds(state.play, Viewer(seat)))
        assert len(worlds) >= 3
        for play in worlds:
            in_another_world(kit, play)
            SealedRead.objects.filter(user=who).delete()
            assert (answer(who, kit), answer(who, kit, guess)) == (asked, sealed)
            assert SealedRead.objects.get(user=who).hidden == hidden
    in_another_world(kit, state.play)


@pytest.mark.plain
@pytest.mark.both_databases
def test_reads_are_scored_after_the_end_once_and_those_who_knew_apart(game: str) -> None:
    kit, user, wrong = town_of(game), new_user("watcher"), new_user("wrong")
    chief = administrator("chief", "games.view_match")
    gone = kit.people[4]
    kit.act(gone, kind="leave")
    kit.vote_round(gone)
    kit.run_out()
    mafia = [no for no in answer(user, kit)[1]["seats"] if no in kit.play.teams]
    town = [no for no in answer(user, kit)[1]["seats"] if no not in kit.play.teams]
    for who in (user, gone, chief):
        seal(who, kit, 3, *mafia)
    seal(wrong, kit, 3, *town)
    peeking.look_at(chief, kit.match.pk, "a report of a player")
    hidden, seats = SealedRead.objects.get(user=user).hidden, [*mafia, *town]
    score_ended()
    assert {score for *_, score in rows()} == {None}, "nothing before the end"
    kit.end()
    score_reads()
    scores = {read.user_id: read.score for read in SealedRead.objects.all()}
    guess = {no: 3 if no in mafia else 0 for no in seats}
    assert scores[user.pk] == odds.score(guess, hidden, mafia) > 0 > scores[wrong.pk]
    assert scores[user.pk] == scores[chief.pk]
    knew = dict(SealedRead.objects.values_list("user", "knew"))
    assert knew == {user.pk: False, wrong.pk: False, gone.pk: True, chief.pk: True}
    before = list(SealedRead.objects.order_by("pk").values())
    SealedRead.objects.filter(user=wrong).update(score=None, knew=None)
    score_ended()
    score_ended()
    assert list(SealedRead.objects.order_by("pk").values()) == before, "it may stop anywhere"


@pytest.mark.both_databases
def test_reads_of_a_void_town_are_deleted_and_of_others_stay(game: str) -> None:
    kit, other, user = town_of(game), town_of(game), new_user("watcher")
    for each in (kit, other):
        seal(user, each, 1)
    kit.void("a test")
    score_ended()
    assert [read.match_id for read in SealedRead.objects.all()] == [other.match.pk]
    assert "Sealed reads" not in story_of(kit, user)


def story_of(kit: AnyTownKit, user: User | None) -> str:
    path = reverse("mafia_story", args=[kit.match.public_id])
    return str(browser(user).get(path).content.decode())


@pytest.mark.plain
@pytest.mark.both_databases
def test_story_has_own_reads_and_the_suspicion_of_three_readers_or_more(game: str) -> None:
    kit, readers = town_of(game), [new_user("reader") for _ in range(3)]
    for user in readers[:2]:
        seal(user, kit, 3, 0)
    kit.vote_round()
    kit.run_out()
    kit.vote_round()
    kit.run_out()
    assert kit.play.round == 2
    for strength, user in enumerate(readers, 1):
        seal(user, kit, strength, 1)
    kit.end()
    assert "Sealed reads" not in story_of(kit, readers[0]), "not scored yet"
    score_ended()
    names = {no: user.username for no, user in enumerate(kit.people)}
    told = boards.reads_in_story(kit.row, names, readers[0].pk)
    assert [read.day for read in told["own"]] == [1, 2]
    assert told["days"] == [2], "two readers are too few"
    suspicion = {name: chances[0] for name, chances, _ in told["lines"]}
    assert suspicion[names[1]] == max(suspicion.values())
    assert suspicion[names[1]] > suspicion[names[2]]
    for viewer, is_own in ((readers[0], True), (new_user(), False), (None, False)):
        page = story_of(kit, viewer)
        assert "Day 2</th>" in page
        assert "Day 1</th>" not in page
        assert ("Your reads" in page) is is_own
    share(*readers[:2], address="198.51.100.7")
    assert boards.reads_in_story(kit.row, names, None)["days"] == [], "two are one person"
    Device.objects.all().delete()
    assert boards.reads_in_story(kit.row, names, None)["days"] == [2]
    SealedRead.objects.filter(user=readers[2]).update(knew=True)
    assert boards.reads_in_story(kit.row, names, None)["days"] == []


@pytest.mark.plain
@pytest.mark.both_databases
def test_board_lists_readers_of_ten_towns_by_the_mean_of_the_towns(game: str) -> None:
    good, bad, new, knowing = (new_user(name) for name in ("good", "bad", "new", "knowing"))
    kits = [AnyTownKit(new_user(), game=game) for _ in range(boards.LEAST_TOWNS)]
    for no, kit in enumerate(kits):
        for user, score in ((good, 0.3), (bad, -0.2), (new, 0.9), (knowing, 1.0)):
            if user is new and no == 0:
                continue
            for day in (1, 2):
                scored = {"score": score + day / 100 - 0.015, "knew": user is knowing}
                row = {"match": kit.match, "user": user, "day": day, "strengths": "{}"}
                SealedRead.objects.create(**row, **scored, hidden=1, at=timezone.now())
    shown = boards.best_readers()
    assert [(row.name, row.towns) for row in shown["rows"]] == [
        (good.username, 10),
        (bad.username, 10),
    ]
    assert [round(row.mean, 9) for row in shown["rows"]] == [0.3, -0.2]
    assert shown["towns"][new.pk] == 9
    assert knowing.pk not in shown["towns"]
    page = browser(new).get(reverse("best_readers")).content.decode()
    assert "you have read 9" in page
    assert "0.300" in page
    Match.objects.filter(pk=kits[0].match.pk).update(listed=False)
    assert boards.best_readers()["rows"] == [], "private tables do not count"


@pytest.mark.both_databases
def test_read_that_comes_after_the_end_is_not_stored(game: str) -> None:
    kit, user = town_of(game), new_user("watcher")
    asked = sealing.asked_of(kit.match.public_id, user)
    kit.end()
    guess = sealing.Guess(asked.day, dict.fromkeys(asked.seats, 1))
    with refuses("forbidden"):
        sealing.seal(user, asked, guess)
    assert rows() == []


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_thirty_reads_at_once_are_one(game: str) -> None:
    kit, user = town_of(game), new_user("watcher")
    calls = [lambda no=no: seal(user, kit, 1 + no % 3, no % 8) for no in range(30)]
    given_back = all_at_once(calls)
    assert len(rows()) == 1
    assert all(each["sealed"] for each in given_back)


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_reads_are_scored_alike_by_two_workers_at_once(game: str) -> None:
    kit, users = town_of(game), [new_user("watcher") for _ in range(3)]
    for no, user in enumerate(users):
        seal(user, kit, no + 1)
    kit.end()
    all_at_once([score_ended] * 4)
    scores = [read.score for read in SealedRead.objects.order_by("pk")]
    assert None not in scores
    SealedRead.objects.update(score=None)
    score_ended()
    assert [read.score for read in SealedRead.objects.order_by("pk")] == scores


@pytest.mark.plain
def test_reads_are_in_the_export_after_the_end_and_go_with_the_account(game: str) -> None:
    kit, user, other = town_of(game), new_user("watcher"), new_user("other")
    for each in (user, other):
        seal(each, kit, 2, 0)
    export = personal_data.SECTIONS["sealed_reads"]
    assert list(export(user)) == [], "nothing of a running game"
    kit.end()
    score_ended()
    [row] = export(user)
    assert row["suspicion_by_seat"]["0"] == 2
    assert (row["game"], row["day"], row["knew_roles"]) == (kit.match.public_id, 1, False)
    assert row["score"] == SealedRead.objects.get(user=user).score
    delete_account(user_id=user.pk)
    assert [who for who, *_ in rows()] == [other.pk]
