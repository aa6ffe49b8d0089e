"""The look back of a finished town, and thumbs in it."""

import json
from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts import devices
from accounts.models import User
from games.mafia.agora import town_config as agora
from games.mafia.agora.rules.roles import Role
from games.mafia.common.postmortem import Period, phases_of, turning_point
from games.mafia.dynamite import town_config as dynamite
from games.matches.models import Match, Thumb
from games.own_data.deletion import delete_account
from games.own_data.personal_data import SECTIONS
from games.people.profiles import public_figures
from games.people.thumbs import MOST, OPEN_FOR, REFUSALS, set_thumb, thumbs_in
from tests.accounts.kit import browser
from tests.at_once import all_at_once
from tests.games.mafia.agora.kit import TownKit, town
from tests.games.mafia.common.kit import town_of
from tests.games.match_kit import new_user
from tests.refusals import codes, refuses

Facts = list[tuple[int, str, dict[str, Any]]]

#: Seat 0 is the mafioso. Night 1: 4 dies; day 1: 3 is lynched by the vote of 0; night 2: saved.
LOOKS = {0: "mafia", 1: "town", 2: "town", 3: "town", 4: "town", 5: "town"}
PLAYED: Facts = [
    (1, "game_started", {"seats": list(LOOKS)}),
    (1, "night_began", {"round": 1}),
    (2, "target_chosen", {"seat": 0, "role": "mafioso", "target": 4}),
    (3, "citizen_died", {"seat": 4, "cause": "killed", "role": None}),
    (3, "file_read", {"seat": 5, "target": 1, "is_mafia": False}),
    (3, "day_began", {"round": 1}),
    (4, "voted", {"seat": 1, "choice": 3}),
    (5, "voted", {"seat": 2, "choice": 3}),
    (6, "voted", {"seat": 2, "choice": None}),
    (7, "voted", {"seat": 2, "choice": 3}),
    (8, "voted", {"seat": 0, "choice": 3}),
    (8, "citizen_died", {"seat": 3, "cause": "lynched", "role": None}),
    (8, "night_began", {"round": 2}),
    (9, "nobody_died", {"round": 2}),
    (9, "saved_by_doctor", {"seat": 5}),
    (9, "day_began", {"round": 2}),
    (10, "citizen_died", {"seat": 1, "cause": "left", "role": None}),
    (10, "voted", {"seat": 5, "choice": None}),
]


def test_phases_have_who_lived_the_last_choices_and_whose_vote_decided() -> None:
    nights_and_days = phases_of(PLAYED)
    assert [each.title for each in nights_and_days] == ["Night 1", "Day 1", "Night 2", "Day 2"]
    first, day, second, last = nights_and_days
    assert (first.living, first.dead, first.choices) == (frozenset(LOOKS), {4}, {0: 4})
    assert (first.marks, second.marks) == ([("file_read", 1)], [("saved_by_doctor", 5)])
    assert day.choices == {1: 3, 2: 3, 0: 3}
    assert [each.decided_by for each in nights_and_days] == [None, 0, None, None]
    assert (last.living, last.left) == (frozenset({0, 1, 2, 5}), frozenset({0, 2, 5}))


def test_the_turning_point_is_the_greatest_change_of_the_towns_chance() -> None:
    played = phases_of(PLAYED)
    chance = agora.town_chance
    found = turning_point(played[:2], LOOKS, agora.TOWN, "town", won=False)
    assert found is not None
    assert found[1:] == (chance(4, 1, False), chance(3, 1, True))
    assert found.phase is played[1]
    # A kill changes nothing, since each night has one; a save does.
    assert turning_point(played[:1], LOOKS, agora.TOWN, "town", won=True) is None
    assert turning_point(played[2:3], LOOKS, agora.TOWN, "town", won=True) is None
    saved = turning_point(played[2:3], LOOKS, agora.TOWN, "town", won=False)
    assert saved is not None
    assert saved[1:] == (chance(3, 1, True), chance(3, 1, False)) == (1 / 3, 0.25)


def test_the_towns_chance_falls_with_each_of_the_mafia_and_rises_with_each_of_the_town() -> None:
    for is_night in (True, False):
        assert agora.town_chance(3, 0, is_night) == 1.0
        assert agora.town_chance(2, 2, is_night) == 0.0
        for no in range(2, 12):
            # Two more, so that as many nights come before the end.
            assert agora.town_chance(no + 2, 1, is_night) >= agora.town_chance(no, 1, is_night)
            assert agora.town_chance(no, 2, is_night) <= agora.town_chance(no, 1, is_night)


def test_the_chances_of_the_three_mafias_are_one_in_all() -> None:
    for living in ({"rock": 2, "paper": 2, "scissors": 3}, {"rock": 1, "paper": 0, "scissors": 2}):
        chances = [dynamite.chance(living, side, False) for side in dynamite.TOWN.sides]
        assert sum(chances) == pytest.approx(1)
    assert dynamite.chance({"rock": 2, "paper": 0, "scissors": 1}, "scissors", False) == 1
    played = [Period("day", 1, frozenset(range(4)), dead={2})]
    looks = {0: "rock", 1: "paper", 2: "scissors", 3: "dynamite"}
    found = turning_point(played, looks, dynamite.TOWN, "rock", won=True)
    assert found is not None
    assert found[1:] == (pytest.approx(1 / 3), 1.0)


def finished(kit: TownKit | None = None) -> TownKit:
    """Return a town in which the doctor saved somebody and the mafioso was lynched."""
    kit = kit or town(5)
    doctor, mafioso = kit.user_of(Role.DOCTOR), kit.user_of(Role.MAFIOSO)
    for user in (doctor, mafioso):
        kit.act(user, kind="choose", target=kit.seat(kit.user_of(Role.CITIZEN)))
    kit.act(kit.user_of(Role.SHERIFF), kind="choose", target=kit.seat(mafioso))
    kit.run_out()
    kit.lynch_the_mafioso()
    assert kit.row.status == Match.Status.OVER
    return kit


def path(kit: Any, name: str = "mafia_postmortem") -> str:
    return reverse(name, args=[kit.match.public_id])


@pytest.mark.plain
@pytest.mark.django_db
@pytest.mark.both_databases
def test_agora_a_finished_town_shows_lives_the_turning_point_and_the_most_suspected() -> None:
    kit = town(5)
    for user in (None, *kit.people):
        assert browser(user).get(path(kit)).status_code == 404
    mafioso, saved = kit.user_of(Role.MAFIOSO), kit.user_of(Role.CITIZEN)
    finished(kit)
    response = browser().get(path(kit))
    assert response["Cache-Control"] == "no-store, private"
    found = response.context["postmortem"]
    night, day = ([each[2][no] for each in found["lives"]] for no in range(2))
    marks = {no: [mark.words for mark in cell] for no, cell in enumerate(night)}
    name = saved.username
    assert marks[kit.seat(saved)][-1] == "saved by the doctor"
    assert marks[kit.seat(mafioso)] == [
        f"chooses {name}, ordinary citizen", "read by the sheriff"
    ]  # fmt: skip
    assert [mark.words for mark in day[kit.seat(mafioso)]][-1:] == ["lynched on day 1"]
    turning = found["turning"]
    assert turning.startswith(f"Day 1. {mafioso.username}, a mafioso, is lynched.")
    before = f"{agora.town_chance(4, 1, False):.0%}".replace("%", " %")
    assert f"Town's chance by numbers alone went from {before} to 100 %." in turning
    assert turning.endswith("gave the deciding vote.")
    assert found["suspected"] == f"{mafioso.username} (mafioso), 3 votes"
    story = browser().get(path(kit, "mafia_story")).content.decode()
    for text in (response.content.decode(), story):
        assert "Turning point:" in text
        assert '<th scope="row">' in text
        assert "saved by the doctor" in text


@pytest.mark.plain
@pytest.mark.django_db
def test_dynamite_a_finished_town_shows_the_winners_turning_point() -> None:
    kit = town_of("dynamite", 8)
    kit.vote_round(kit.people[0])
    kit.run_out()
    kit.end()
    found = browser().get(path(kit)).context["postmortem"]
    assert len(found["lives"]) == 8
    (stapled,) = (cell for letter, fate, (cell, *_) in found["lives"] if fate["no"] == 0)
    assert [mark.words for mark in stapled] == ["killed by a rampaging stapler on day 1"]
    outcome = kit.row.outcome
    assert ("'s chance by numbers alone went from" in found["turning"]) == (outcome != "draw")
    void = town(5)
    void.void("test")
    assert browser().get(path(void)).status_code == 404
    assert browser().get(path(void, "mafia_story")).context["postmortem"] is None


def share_a_device(*users: User) -> None:
    for user in users:
        at = timezone.now()
        devices.note(user_id=user.pk, token="t" * 43, address="192.0.2.1", at=at)


@pytest.mark.plain
@pytest.mark.django_db
@pytest.mark.both_databases
def test_thumbs_are_given_once_taken_back_and_refused_by_one_code_each() -> None:
    kit = town(6)
    giver, other, bot, program = kit.people[:4]
    give = partial(set_thumb, match=kit.match, giver=giver, seat=1, is_given=True)
    with refuses("thumb/not_over"):
        give(match=kit.row)
    kit.end()
    row = kit.row
    assert row.ended_at is not None
    give = partial(give, match=row)
    User.objects.filter(pk=bot.pk).update(is_bot=True)
    User.objects.filter(pk=program.pk).update(is_program=True)
    for seat in (0, 2, 3, 17):
        with refuses("thumb/bad_target"):
            give(seat=seat)
    for stranger in (new_user(), bot, program):
        with refuses("thumb/not_a_player"):
            give(giver=stranger)
    with refuses("thumb/too_late"):
        give(at=row.ended_at + OPEN_FOR)
    share_a_device(giver, kit.people[4])
    with refuses("thumb/same_device"):
        give(seat=4)
    User.objects.filter(pk=giver.pk).update(is_frozen=True)
    with refuses("forbidden"):
        give(giver=User.objects.get(pk=giver.pk))
    User.objects.filter(pk=giver.pk).update(is_frozen=False)
    give()
    give()
    give(giver=other, seat=0)
    at = timezone.now()
    assert list(Thumb.objects.values_list("giver", "receiver").order_by("pk")) == [
        (giver.pk, other.pk), (other.pk, giver.pk),
    ]  # fmt: skip
    shown = thumbs_in(row, giver.pk, at)
    assert {no: tuple(each) for no, each in shown.items()} == {
        0: (1, False, False), 1: (1, True, True), 4: (0, False, True), 5: (0, False, True),
    }  # fmt: skip
    assert not any(each.may_change for each in thumbs_in(row, new_user().pk, at).values())
    figures = {figure.label: figure.value for _, each in public_figures(other) for figure in each}
    assert figures["Thumbs"] == "1"
    exported = [list(SECTIONS["thumbs"](user)) for user in (giver, other)]
    assert [[each["to"] for each in rows] for rows in exported] == [
        [other.username, giver.username], [other.username, giver.username],
    ]  # fmt: skip
    give(is_given=False)
    give(is_given=False)
    assert Thumb.objects.get().receiver == giver
    delete_account(user_id=giver.pk)
    assert not Thumb.objects.exists()
    with refuses("thumb/bad_target"):
        give(giver=other, seat=0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
def test_limit_of_thumbs_at_once() -> None:
    kit = town(7)
    kit.end()
    giver = kit.people[0]
    calls: list[Callable[[], Any]] = [
        partial(set_thumb, match=kit.row, giver=giver, seat=no % 6 + 1, is_given=True)
        for no in range(30)
    ]
    answers = all_at_once(calls)
    given = set(Thumb.objects.values_list("receiver", flat=True))
    assert (len(given), Thumb.objects.count()) == (MOST, MOST)
    assert set(codes(answers)) == {"thumb/limit"}
    assert set(REFUSALS) >= set(codes(answers))


def posted(user: User | None, kit: Any, fields: Iterable[tuple[str, str]], **headers: str) -> Any:
    return browser(user).post(path(kit, "mafia_thumb"), dict(fields), headers=headers)


@pytest.mark.plain
@pytest.mark.django_db
def test_thumbs_by_the_page_with_a_script_and_without() -> None:
    kit = town(5)
    asked = {"X-Requested-With": "fetch"}
    giver, other = kit.people[:2]

    def code(user: User | None, **fields: str) -> tuple[int, str]:
        response = posted(user, kit, fields.items(), **asked)
        return response.status_code, json.loads(response.content)["error"]["code"]

    assert code(giver, give="1") == (409, "thumb/not_over")
    kit.end()
    assert code(None, give="1") == (401, "unauthenticated")
    for fields in ({}, {"give": "x"}, {"give": "-1"}, {"give": "²"}, {"give": "1", "take": "1"}):
        assert code(giver, **fields) == (400, "bad_field")
    assert not Thumb.objects.exists()
    response = posted(giver, kit, [("give", "1")], **asked)
    assert response.url == path(kit)
    page = browser(giver).get(path(kit)).content.decode()
    assert 'name="take" value="1" aria-pressed="true"' in page
    assert posted(giver, kit, [("take", "1")]).url == path(kit, "mafia_story")
    assert posted(giver, kit, [("give", "0")]).url == path(kit, "mafia_story")
    assert not Thumb.objects.exists()
    Match.objects.filter(pk=kit.match.pk).update(ended_at=kit.row.ended_at - timedelta(days=8))
    assert 'name="give"' not in browser(other).get(path(kit)).content.decode()
