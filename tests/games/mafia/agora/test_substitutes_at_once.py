"""Seats that are taken over at one moment, in two processes, and seen at once by sockets."""

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from economy.audit import find_violations
from games.mafia.agora.rules.roles import Role
from games.matches.journal.match_cache import MatchCache, match_cache
from games.matches.journal.replay import replay_match
from games.matches.models import Replaced, Seat
from games.matches.processing import repair, writing
from games.matches.queries import selectors
from tests.at_once import all_at_once
from tests.games.mafia.agora.kit import TownKit, everybody_else_acts, town
from tests.games.match_kit import new_user
from tests.games.socket_kit import Browser, log_in, running_site

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def offered(role: Role = Role.CITIZEN) -> tuple[TownKit, int]:
    """Return a town of nine on its second night, in which the seat of a role is open."""
    kit = town(9, substitutes=True, phase_seconds=600, age=1300)
    seat = kit.people.index(kit.user_of(role))
    everybody_else_acts(kit, seat)
    return kit, seat


def take(kit: TownKit, user: Any, seat: int) -> Any:
    """Return a call by which somebody takes a seat over."""
    wanted = kit.submission(user, kind="take_over", seat=seat)
    return lambda: writing.apply_batch([wanted], kit.now).answers[0].error


def codes(errors: list[Any]) -> list[str]:
    return sorted("" if error is None else error.code for error in errors)


def test_agora_of_those_who_take_one_seat_at_once_one_gets_it() -> None:
    kit, seat = offered()
    rivals = [new_user("rival") for _ in range(3)]
    found = all_at_once(take(kit, user, seat) for user in rivals)
    assert codes(found) == ["", "action/seat_not_open", "action/seat_not_open"]
    assert Seat.objects.get(match=kit.match, no=seat).user in rivals
    assert Replaced.objects.get().user == kit.people[seat]
    assert replay_match(kit.row).is_same
    assert find_violations() == []


def test_agora_who_takes_over_seats_of_five_towns_at_once_gets_three() -> None:
    towns, user = [offered() for _ in range(5)], new_user("rival")
    found = all_at_once(take(kit, user, seat) for kit, seat in towns)
    assert codes(found) == ["", "", "", *["action/too_many_tables"] * 2]
    assert Seat.objects.filter(user=user).count() == 3


def test_agora_of_those_who_sit_down_on_the_last_seat_at_once_one_gets_it() -> None:
    people = [new_user("citizen") for _ in range(4)]
    kit = TownKit(*people, seats=5)
    for seat, user in enumerate(people):
        kit.act(user, kind="sit", seat=seat)
    rivals = [new_user("rival") for _ in range(4)]
    wishes = [kit.submission(user, kind="sit", seat=4) for user in rivals]
    found = all_at_once(
        lambda one=one: writing.apply_batch([one], kit.now).answers[0].error for one in wishes
    )
    assert codes(found) == ["", *["action/seat_taken"] * 3]
    assert Seat.objects.get(match=kit.match, no=4).user in rivals
    assert Seat.objects.filter(match=kit.match).count() == 5
    assert replay_match(kit.row).is_same


def test_agora_a_take_over_and_the_deadline_at_once_leave_one_truth() -> None:
    kit, seat = offered()
    kit.pass_time((kit.row.due_at - kit.now).total_seconds() - 1)
    new = new_user("new")
    wanted = take(kit, new, seat)
    late = kit.row.due_at

    def fire() -> Any:
        return repair.fire_due([kit.match.pk], late)

    refusal, _ = all_at_once([wanted, fire])
    assert codes([refusal]) in ([""], ["stale"])
    row = kit.row
    assert row.phase == 4
    assert row.replaced.count() == (0 if refusal else 1)
    assert replay_match(row).is_same


def test_agora_another_process_goes_on_with_who_took_over(monkeypatch: pytest.MonkeyPatch) -> None:
    kit, seat = offered(Role.AGENT)
    new, old = new_user("new"), kit.people[seat]
    selectors.snapshot_of(kit.row)
    assert match_cache.get([kit.match.pk])
    here, there = match_cache._held.copy(), MatchCache()
    with monkeypatch.context() as elsewhere:
        for name in (
            "games.matches.journal.loading",
            "games.matches.processing.batch",
            "games.matches.processing.store",
        ):
            elsewhere.setattr(f"{name}.match_cache", there)
        kit.act(new, kind="take_over", seat=seat)
        told = kit.view(new)
    assert match_cache._held == here, "this one has heard of nothing"
    assert kit.view(new) == told
    assert kit.view(old) == kit.view()
    assert kit.answer(old, kind="done").error.code == "action/not_seated"
    kit.act(new, kind="done")


async def test_agora_the_replaced_ones_socket_sees_what_all_see_from_then_on() -> None:
    kit, seat = await sync_to_async(offered)(Role.AGENT)
    old, new = kit.people[seat], await sync_to_async(new_user)("new")
    cookies = [await sync_to_async(log_in)(user) for user in (old, new)]
    path = f"/ws/match/{kit.match.public_id}/"
    async with running_site():
        loser, newcomer, guest = (Browser(path, cookie) for cookie in [*cookies, None])
        for browser in (loser, newcomer, guest):
            assert await browser.open()
            await browser.until_view(lambda view: view["game"] is not None)
        own = (await loser.until_view(lambda view: view["you"]["seat"] == seat))["game"]["you"]
        assert own["mafia"]
        await newcomer.until_view(lambda view: view["you"]["may"] == ["take_over"])
        assert (await newcomer.command(f"!take {old.username}"))["type"] == "ack"
        mine = await newcomer.until_view(lambda view: view["you"]["seat"] == seat)
        assert mine["game"]["you"] == {**own, "idle_phases": 0}
        lost = await loser.until_view(lambda view: view["you"]["seat"] is None)
        public = await guest.until_view(lambda view: view["log"][-1]["kind"] == "seat_taken_over")
        assert lost == public
        assert (await loser.act(kind="done"))["code"] == "action/not_seated"
        # What the seat does and hears later comes to the newcomer alone.
        before = [len(loser.frames), len(guest.frames)]
        said = await newcomer.act(kind="post", room="mafia", text="a canary of the mafia")
        assert said["type"] == "ack"
        for browser in (loser, guest):
            await browser.send(type="seen", revision=browser.revision)
            await browser.until(lambda frame: frame["type"] == "now")
        assert [len(loser.frames), len(guest.frames)] == [count + 1 for count in before]
        assert "canary" not in json.dumps(loser.texts + guest.texts)
        for browser in (loser, newcomer, guest):
            await browser.leave()
