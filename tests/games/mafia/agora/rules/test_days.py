"""Days, leaving, victory, awards and rooms.  Source: docs/rules/agora.md."""

from typing import Any

import pytest

from games.engine.errors import BadField, IllegalAction
from games.engine.facts import SPECTATOR, SeatNo, Viewer
from games.engine.protocols import Result
from games.engine.structs import canonical, reader_of, replace
from games.engine.table import RUNNING, Table, TableSeat, TableState
from games.mafia.agora.rules.actions import AgoraAction, Choose, Vote
from games.mafia.agora.rules.engine import FirstAgora
from games.mafia.agora.rules.roles import Role
from games.mafia.agora.town_config import fate
from games.mafia.common.rules.actions import LONGEST_POST, Done, Leave, Post
from tests.games.mafia.agora.rules.kit import NOON, RULES, Town


def by_day(seats: int = 7, **options: bool | int) -> Town:
    town = Town(seats, **options)
    town.late()
    return town


def mafia_of(town: Town) -> list[int]:
    return [*town.are(Role.MAFIOSO), *town.are(Role.AGENT)]


def townies(town: Town) -> list[int]:
    return [seat for seat in town.alive if seat not in mafia_of(town)]


def votes_in(events: Any) -> list[tuple[int, Any]]:
    return [(t.data["seat"], t.data["choice"]) for t in events if t.kind == "voted"]


def results_of(town: Town) -> dict[int, Result]:
    return {seat: one.result for seat, one in RULES.outcome(town.state).items()}


def test_agora_more_than_half_of_the_living_lynch_at_once() -> None:
    for seats, needed in ((5, 3), (6, 4), (7, 4), (8, 5), (17, 9)):
        town = by_day(seats)
        assert (town.view()["living"], town.view()["needed"]) == (seats, needed)
        target, first, phase = town.one(Role.CITIZEN), town.alive[0], RULES.phase(town.state)
        last, *others = town.alive[needed - 1 :]
        town.vote(target, *town.alive[: needed - 1])
        assert (town.view()["stage"], town.view()["tally"]) == ("day", [(target, needed - 1)])
        town.vote(target, last)
        assert (town.view()["stage"], RULES.phase(town.state)) == ("night", phase + 1)
        assert town.last("citizen_died").data["cause"] == "lynched"
        shown = town.view()["last_day"]
        assert shown["lynched"] == target
        assert shown["votes"].count((first, target)) == (first < needed)
        # One more who would have completed the majority makes no second lynching.
        town.refuses("action/not_in_phase", max({*others} - {target}), Vote(target))
        assert town.kinds().count("citizen_died") == 1


def test_agora_votes_are_public_may_change_and_go_back_to_no_opinion() -> None:
    town = by_day()
    town.vote(0, 0, 1, 2)  # for oneself too
    assert town.act(1, Vote(0)).events == (), "the same vote again tells nothing"
    town.vote(3, 2)
    town.vote(None, 1)
    assert votes_in(town.told) == [(0, 0), (1, 0), (2, 0), (2, 3), (1, None)]
    assert {t.audience for t in town.told_of("voted")} == {None}
    assert town.view()["tally"] == [(0, 1), (3, 1)]
    assert [seat["vote"] for seat in town.view()["seats"]] == [0, None, 3, *[None] * 4]


def test_agora_a_vote_is_by_and_for_the_living_of_the_town_and_in_time() -> None:
    town = Town(9)
    victim = town.one(Role.CITIZEN)
    town.night(mafioso=victim)
    town.refuses("action/not_alive", victim, Vote(0))
    town.refuses("action/bad_target", town.alive[0], *map(Vote, (victim, 9, 999)))
    town.refuses("action/not_seated", 9, Vote(town.alive[0]))
    assert RULES.legal_actions(town.state, SeatNo(victim)) == []
    assert town.due_at == RULES.shown_deadline(town.state)


def test_agora_who_leaves_dies_and_votes_by_and_for_a_leaver_are_null_and_counted_again() -> None:
    town = by_day(9)
    gone, target = town.are(Role.CITIZEN)[:2]
    first, second, third, fourth, *_ = [s for s in town.alive if s not in (gone, target)]
    town.vote(gone, first, second)
    town.vote(target, third, fourth, gone)
    town.leave(gone)
    died = {"seat": gone, "cause": "left", "role": None}
    assert town.last("citizen_died").data == died
    town.refuses("action/not_alive", gone, Leave())
    assert town.view()["tally"] == [(target, 2)]
    assert votes_in(town.told[-2:]) == [(first, None), (second, None)]
    assert (town.view()["living"], town.view()["needed"]) == (8, 5)
    town = by_day(8)
    target, gone = town.are(Role.CITIZEN)[:2]
    town.vote(target, *[seat for seat in town.alive if seat != gone][:4])
    assert town.view()["stage"] == "day"
    town.leave(gone)
    assert town.view()["last_day"]["lynched"] == target, "a majority of the votes that stand"
    assert town.view()["stage"] == "night"


def test_agora_a_death_keeps_its_stage_and_by_version_1_only_its_round() -> None:
    town = Town(9)
    by_night, *_, by_day = town.are(Role.CITIZEN)
    assert [seat["died_stage"] for seat in town.view()["seats"]] == [None] * 9
    town.leave(by_night)
    town.late()
    town.leave(by_day)
    shown = {"role": "citizen"}
    fates = [fate(town.view()["seats"][no] | shown)[2] for no in (by_night, by_day)]
    assert fates == ["left town in night 1", "left town on day 1"]
    town = Town(9, rules=FirstAgora())
    town.leave(by_night)
    assert fate(town.view()["seats"][by_night] | shown)[2] == "left town in round 1"
    assert "died_stage" not in canonical(town.state)


def test_agora_at_night_a_leavers_save_is_void_and_choices_on_one_become_none() -> None:
    town = Town(17)
    doctor, victim, gone = town.one(Role.DOCTOR), *town.are(Role.CITIZEN)[:2]
    town.act(doctor, Choose(victim))
    town.choose(Role.MAFIOSO, victim)
    town.choose(Role.SHERIFF, 0)
    town.leave(doctor)
    town.leave(town.one(Role.SHERIFF))
    town.late()
    assert not town.member(victim).is_alive
    assert "file_read" not in town.kinds()
    town.late()
    town.choose(Role.MAFIOSO, gone)
    town.leave(gone)
    assert town.view(town.one(Role.MAFIOSO))["you"]["target"] == "none"
    town.late()
    assert town.view()["last_night"] == {"round": 2, "killed": None}
    # An alteration stands, and the file of who leaves can be read.
    town = Town(12)
    agent, gone, sheriff = map(town.one, (Role.AGENT, Role.CITIZEN, Role.SHERIFF))
    for seat in (agent, sheriff):
        town.act(seat, Choose(gone))
    for seat in (agent, gone):
        town.leave(seat)
    town.late()
    assert town.view(sheriff)["you"]["read_files"] == [(1, gone, True)]


def test_agora_the_kill_stands_while_a_mafioso_lives_whoever_chose_it() -> None:
    town = Town(12)
    one, other, third = town.are(Role.MAFIOSO)
    victim, doctor = town.one(Role.CITIZEN), town.one(Role.DOCTOR)
    town.act(one, Choose(victim))
    town.leave(one)
    town.leave(other)
    town.late()
    assert not town.member(victim).is_alive
    town.late()
    town.act(third, Choose(doctor))
    town.leave(third)
    town.late()
    assert town.member(doctor).is_alive


def test_agora_the_mafia_wins_as_soon_as_it_is_half_of_the_living_and_its_dead_win_too() -> None:
    town = by_day()
    town.lynch(town.one(Role.AGENT))
    while town.view()["stage"] != "over":
        town.night(mafioso=townies(town)[0])
        if town.view()["stage"] == "day":
            town.late()
    assert dict(town.view()["result"]["awards"]) == dict.fromkeys(mafia_of(town), 30)
    # Nothing is read on the morning on which the game is over.
    town = Town(5)
    town.night(mafioso=town.one(Role.CITIZEN))
    for living in (4, 3):
        assert len(town.alive) == living
        town.late()
        victim = town.one(Role.DOCTOR) if living == 4 else townies(town)[0]
        town.night(mafioso=victim, sheriff=town.one(Role.MAFIOSO))
    assert town.view()["stage"] == "over"
    assert "file_read" not in town.kinds()[town.kinds().index("game_ended") - 2 :]


def test_agora_a_mafia_that_leaves_loses_at_once_and_everybody_is_told_who_was_what() -> None:
    town = Town(5)
    gone = town.one(Role.MAFIOSO)
    town.leave(gone)
    assert town.view()["result"]["winner"] == "town"
    assert results_of(town)[gone] == Result.LOST
    roles = [citizen.role.value for citizen in town.state.citizens]
    assert [seat["role"] for seat in town.view()["seats"]] == roles
    assert [role for _, role in town.last("game_ended").data["roles"]] == roles
    town.refuses("action/not_in_phase", town.alive[0], Done())
    town = Town(5, threshold=3)
    town.leave(town.one(Role.MAFIOSO))
    assert town.view()["result"]["awards"] == [], "the threshold is less than the winners"
    assert "award_earned" not in town.kinds()


def test_agora_quiet_nights_and_days_in_a_row_are_a_draw_and_a_death_begins_anew() -> None:
    def end_quietly(town: Town, phases: int) -> None:
        for _ in range(phases - 1):
            town.late()
            assert town.view()["stage"] != "over"
        town.late()
        assert town.view()["result"] == {"reason": "quiet", "winner": None, "awards": []}
        assert set(results_of(town).values()) <= {Result.DRAWN, Result.LOST}

    for limit in (1, 3):
        town = Town(quiet_limit=limit)
        end_quietly(town, 2 * limit)
        assert set(results_of(town).values()) == {Result.DRAWN}
    town = Town(9, quiet_limit=2)
    for _ in range(3):
        town.late()
    town.leave(town.one(Role.CITIZEN))
    town.late()
    assert town.view()["stage"] == "night"
    end_quietly(town, 4)


def test_agora_a_seat_is_open_after_two_phases_without_an_action_where_substitutes_are() -> None:
    for is_wanted in (True, False):
        town = Town(9, substitutes=is_wanted)
        town.act(0, Done())
        town.late()
        town.post(1, "town")  # a post is no action
        town.vote(2, 2)
        town.late()
        open_seats = (1, *range(3, 9)) if is_wanted else ()
        assert RULES.open_seats(town.state) == open_seats


def test_agora_to_take_over_is_to_act_and_the_dead_are_not_offered() -> None:
    town = Town(7, substitutes=True)
    seats = tuple(TableSeat(SeatNo(no), taken=True) for no in range(7))
    state = TableState(RUNNING, town.options, 1, seats, NOON, play=town.state)
    table, seat = Table(RULES), town.one(Role.CITIZEN)
    expelled = table.apply_house(state, {"kind": "expel", "seat": seat}, town.at)
    assert [told.kind for told in expelled.events] == ["seat_offered"]
    assert table.open_seats(expelled.state) == (seat,)
    taken = {"kind": "take_over", "seat": seat}
    town.state = table.apply(expelled.state, None, taken, town.at).state.play
    town.late()
    assert town.member(seat).idle_phases == 0
    town.leave(seat)
    assert table.open_seats(replace(expelled.state, play=town.state)) == ()


ROOMS = ("town", "mafia", "dead", "spectators", "table", "nowhere")


def may_post(town: Town, seat: int) -> list[str]:
    """Return the rooms that accept a post of a seat; does not change the game."""
    taken, refused = [], set()
    for room in ROOMS:
        try:
            RULES.apply(town.state, SeatNo(seat), Post(room, "x"), town.at)
        except IllegalAction as refusal:
            refused.add(refusal.code)
            continue
        taken.append(room)
    assert refused <= {"action/room_closed"}
    shown = town.view(seat)["you"]["rooms"]
    assert sorted(taken) == sorted(room["room"] for room in shown if room["may_post"])
    return taken


def test_agora_the_town_posts_by_day_the_mafia_always_and_the_dead_among_themselves() -> None:
    town = Town(9)
    dead = [town.one(Role.CITIZEN), town.are(Role.MAFIOSO)[1]]
    seats = [town.one(role) for role in (Role.DOCTOR, Role.MAFIOSO, Role.AGENT)]
    assert [may_post(town, seat) for seat in seats] == [[], ["mafia"], ["mafia"]]
    for seat in dead:
        town.leave(seat)
    assert [may_post(town, seat) for seat in dead] == [["dead"], ["dead"]]
    town.late()
    assert [may_post(town, seat) for seat in dead] == [["dead"], ["dead"]]
    assert [may_post(town, seat) for seat in seats[:2]] == [["town"], ["town", "mafia"]]


def test_agora_a_post_is_numbered_in_its_room_and_told_to_those_who_read_there() -> None:
    town = Town(9)
    mafia, agent = {*town.are(Role.MAFIOSO), town.one(Role.AGENT)}, town.one(Role.AGENT)
    gone, first, second = town.are(Role.MAFIOSO)[0], *town.are(Role.CITIZEN)[:2]
    town.post(agent, "mafia", "who?")
    town.leave(gone)
    town.leave(first)
    town.post(gone, "dead", "boo")
    town.post(agent, "mafia", "and now?")
    town.late()
    town.post(second, "town", "a canary")
    assert [(t.data["room"], t.data["no"], t.audience) for t in town.told_of("posted")] == [
        ("mafia", 1, mafia),
        ("dead", 1, {gone, first}),
        ("mafia", 2, mafia - {gone}),
        ("town", 1, None),
    ]
    assert town.view()["town_lines"] == 1
    for kept in (town.view(), town.view(0), town.state.rooms, town.told[-1]):
        assert "canary" not in repr(kept)
    assert "canary" not in repr(Post("town", "a canary"))


def test_agora_a_dead_mafioso_reads_no_further_than_the_moment_of_death() -> None:
    town = Town(9)
    gone, other = town.are(Role.MAFIOSO)
    town.post(gone, "mafia")
    town.leave(gone)
    before = town.view(gone)
    town.post(other, "mafia")
    town.post(other, "mafia")
    assert town.view(gone) == before
    rooms = RULES.rooms(town.state, Viewer(SeatNo(gone)))
    assert (rooms["mafia"].reads_to, rooms["town"].reads_to) == (1, None)
    lines = {room["room"]: room["lines"] for room in before["you"]["rooms"]}
    assert lines == {"town": 0, "mafia": 1, "dead": 0}
    assert RULES.rooms(town.state, Viewer(SeatNo(other)))["mafia"].reads_to is None


def test_agora_each_knows_of_the_own_rooms_alone_and_spectators_chat() -> None:
    """A line of chat is numbered elsewhere than a post: no room takes both."""
    town = Town(9)
    gone = town.one(Role.CITIZEN)
    town.leave(gone)
    doctor, agent = town.one(Role.DOCTOR), town.one(Role.AGENT)
    for seat, own in (doctor, []), (agent, ["mafia"]), (gone, ["dead"]), (11, ["spectators"]):
        assert sorted(RULES.rooms(town.state, Viewer(SeatNo(seat)))) == [*own, "town"]
    assert sorted(RULES.rooms(town.state, SPECTATOR)) == ["spectators", "town"]
    for viewer in (SPECTATOR, *(Viewer(citizen.no) for citizen in town.state.citizens)):
        spoken = [r for r, room in RULES.rooms(town.state, viewer).items() if room.may_speak]
        assert spoken == (["spectators"] if viewer == SPECTATOR else [])


def test_agora_after_the_end_all_rooms_are_open_to_everybody_and_take_no_more_posts() -> None:
    town = Town(5)
    mafioso = town.one(Role.MAFIOSO)
    town.post(mafioso, "mafia")
    town.leave(mafioso)
    for viewer, room in ((SPECTATOR, "spectators"), (Viewer(SeatNo(0)), "table")):
        rooms = RULES.rooms(town.state, viewer)
        assert {"town", "mafia", "dead"} < set(rooms)
        assert all(each.reads_to is None for each in rooms.values())
        assert [name for name, each in rooms.items() if each.may_speak] == [room]
    town.refuses("action/not_in_phase", 0, Post("town", "x"))


def test_agora_a_post_says_something_and_has_its_length() -> None:
    town = Town()
    town.late()
    town.refuses("action/blank_post", 0, *(Post("town", text) for text in (" ", "\n\t ", "\u2003")))
    read = reader_of(AgoraAction).made_of
    for text in ("", "x" * (LONGEST_POST + 1), "a\0b"):
        with pytest.raises(BadField):
            read({"kind": "post", "room": "town", "text": text})
    longest = {"kind": "post", "room": "town", "text": "é" * LONGEST_POST}
    assert len(read(longest).text) == LONGEST_POST
