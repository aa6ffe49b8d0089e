"""Nights: roles, choices, files, the check-in and the hidden end.  Source: docs/rules/agora.md."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.choices import clean_options
from games.engine.errors import StaleAction
from games.engine.facts import Instant, Points, SeatNo, SeatSetup
from games.engine.structs import canonical
from games.mafia.agora.rules.actions import Choose
from games.mafia.agora.rules.roles import NIGHT_ROLES, Role, roles_for
from games.mafia.agora.rules.state import Options
from games.mafia.common.rules.actions import Done, Undone
from tests.games.mafia.agora.rules.kit import NOON, RULES, Town
from tests.refusals import refuses

#: citizens -> (doctor, sheriff, detective, agent, mafiosi), as the rule book's table has it.
TABLE = {
    3: (0, 0, 0, 0, 1),
    4: (1, 0, 0, 0, 1),
    5: (1, 1, 0, 0, 1),
    **{no: (1, 1, 1, 1, no // 3 - 1) for no in range(6, 18)},
}
COUNTED = (Role.DOCTOR, Role.SHERIFF, Role.DETECTIVE, Role.AGENT, Role.MAFIOSO)


def test_agora_roles_are_as_many_as_the_table_says_and_dealt_by_the_seed_to_every_seat() -> None:
    for citizens, counts in TABLE.items():
        roles = roles_for(citizens)
        assert (len(roles), tuple(map(roles.count, COUNTED))) == (citizens, counts)
        assert set(roles) <= {Role.CITIZEN, *COUNTED}
    dealt = {tuple(c.role for c in Town(seed=f"seed {n}").state.citizens) for n in range(60)}
    assert len(dealt) > 50
    assert all({roles[seat] for roles in dealt} == set(Role) for seat in range(7))
    assert Town(seed="s").state.citizens == Town(seed="s").state.citizens


def test_agora_three_to_seventeen_play_less_than_five_in_contests_and_without_points() -> None:
    contest, public = Options(seats=3, contest=True), Options()
    for why, seats, options, points in (
        ("3 to 17 play", 2, contest, 0),
        ("3 to 17 play", 18, contest, 0),
        ("at least 5", 4, public, 0),
        ("no points", 5, public, 1),
    ):
        setups = [SeatSetup(SeatNo(no), Points(points * (no == 2))) for no in range(seats)]
        with pytest.raises(ValueError, match=why):
            RULES.setup(options, setups, "s", NOON)
    with refuses("action/bad_option") as refused:
        clean_options(Options, {"seats": 4})
    assert (refused.value.detail["least"], len(Town(4).state.citizens)) == (5, 4)


def test_agora_the_living_doctor_saves_that_very_citizen_who_alone_is_told() -> None:
    town = Town()
    victim, other = town.are(Role.CITIZEN)
    town.night(mafioso=victim, doctor=victim)
    assert town.member(victim).is_alive
    saved = town.last("saved_by_doctor")
    assert (dict(saved.data), saved.audience) == ({"seat": victim}, {victim})
    assert town.last("nobody_died").audience is None
    assert [town.view(seat)["you"]["saved"] for seat in (victim, other)] == [[1], []]
    town.late()
    town.night(mafioso=victim, doctor=other)
    assert not town.member(victim).is_alive
    assert town.kinds().count("saved_by_doctor") == 1
    town = Town(9)
    doctor, victim = town.one(Role.DOCTOR), town.one(Role.CITIZEN)
    town.night(mafioso=doctor, doctor=victim)
    assert not town.member(doctor).is_alive
    town.late()
    town.refuses("action/not_alive", doctor, Choose(victim))
    town.night(mafioso=victim)
    assert not town.member(victim).is_alive


def test_agora_every_role_may_choose_oneself_ones_own_side_and_the_same_again() -> None:
    for role in (Role.DOCTOR, Role.SHERIFF, Role.AGENT, Role.MAFIOSO):
        town = Town()
        seat = town.one(role)
        for _ in range(2):
            town.act(seat, Choose(seat if role != Role.MAFIOSO else "none"))
            town.late()
            town.late()
        assert town.member(seat).is_alive
        assert len(town.view(seat)["you"]["nights"]) == 2
    town = Town(9)
    one, other = town.are(Role.MAFIOSO)
    town.act(one, Choose(other))
    town.late()
    assert not town.member(other).is_alive, "the mafia may kill its own"
    # The last choice of the mafiosi stands for all of them, and only they hear.
    town = Town(9)
    one, other = town.are(Role.MAFIOSO)
    first, second = town.are(Role.CITIZEN)[:2]
    town.act(one, Choose(first))
    assert town.view(other)["you"]["target"] == first
    town.act(other, Choose(second))
    assert town.view(one)["you"]["target"] == second
    assert town.last("target_chosen").audience == {one, other}
    assert town.view(town.one(Role.AGENT))["you"]["target"] is None
    town.late()
    assert [town.member(seat).is_alive for seat in (first, second)] == [True, False]


def test_agora_the_sheriff_reads_files_also_of_the_killed_but_not_when_killed() -> None:
    town = Town()
    sheriff, bad, victim = map(town.one, (Role.SHERIFF, Role.MAFIOSO, Role.CITIZEN))
    town.night(sheriff=bad)
    read = town.last("file_read")
    assert (read.data, read.audience) == (
        {"seat": sheriff, "target": bad, "is_mafia": True},
        {sheriff},
    )
    town.late()
    town.night(sheriff=sheriff)
    assert town.view(sheriff)["you"]["read_files"] == [(1, bad, True), (2, sheriff, False)]
    town.late()
    town.night(sheriff=victim, mafioso=victim)
    assert town.last("file_read").data["target"] == victim
    town.late()
    town.night(sheriff=sheriff, mafioso=sheriff)
    assert town.kinds().count("file_read") == 3


def test_agora_an_alteration_shows_and_is_final_in_that_night_and_a_second_one_undoes_it() -> None:
    town = Town()
    agent, bad = town.one(Role.AGENT), town.one(Role.MAFIOSO)
    for altered in (False, True):
        town.act(agent, Choose("none"))
        town.act(agent, Choose(bad))
        assert "choose" not in town.view(agent)["you"]["may"]
        town.refuses("action/choice_final", agent, Choose(agent), Choose(0), Choose("none"))
        assert town.member(bad).is_file_mafia is altered
        town.night(sheriff=bad)
        assert town.last("file_read").data["is_mafia"] is altered
        town.late()


def test_agora_the_detective_learns_every_role_by_whatever_cause_while_alive() -> None:
    town = Town(12)
    detective = town.one(Role.DETECTIVE)
    killed, lynched, left = dead = town.are(Role.CITIZEN)[:3]
    town.night(mafioso=killed)
    town.lynch(lynched)
    town.leave(left)
    learned = town.told_of("role_learned")
    assert [(t.data["dead"], t.audience) for t in learned] == [(no, {detective}) for no in dead]
    assert [seat for seat, _ in town.view(detective)["you"]["learned"]] == dead
    town.leave(detective)
    assert town.kinds().count("role_learned") == 3


def test_agora_without_a_living_mafioso_there_is_no_kill_and_the_agent_plays_on() -> None:
    town = Town()
    town.late()
    town.lynch(town.one(Role.MAFIOSO))
    agent = town.one(Role.AGENT)
    assert town.view()["stage"] == "night"
    assert "choose" in town.view(agent)["you"]["may"]
    town.night(agent=agent)
    assert town.view()["last_night"]["killed"] is None
    town.lynch(agent)
    assert town.view()["result"]["reason"] == "mafia_dead"


def test_agora_a_choice_is_of_a_night_role_by_night_and_of_somebody_who_lives() -> None:
    town = Town(9)
    victim, doctor = town.one(Role.CITIZEN), town.one(Role.DOCTOR)
    for role in (Role.CITIZEN, Role.DETECTIVE):
        town.refuses("action/no_night_action", town.one(role), Choose("none"))
    town.night(mafioso=victim)
    town.refuses("action/not_in_phase", doctor, Choose(doctor), Done())
    town.late()
    town.refuses("action/bad_target", doctor, *map(Choose, (victim, 9, 999)))


def test_agora_all_done_ends_the_night_at_the_next_sixth_or_minute_and_shows_nothing() -> None:
    for seconds, grid in ((60, 10_000), (120, 20_000), (600, 60_000), (86_400, 60_000)):
        town = Town(phase_seconds=seconds)
        before = town.view()
        town.all_done()
        assert town.due_at == NOON + grid
        assert RULES.shown_deadline(town.state) == NOON + 1_000 * seconds
        assert (town.view(), RULES.phase(town.state)) == (before, 1)
        with pytest.raises(StaleAction):
            RULES.apply(town.state, SeatNo(0), Undone(), Instant(NOON + grid))
        town.late()
        assert town.view()["stage"] == "day"
    town = Town(early_end=False)
    town.all_done()
    assert town.due_at == NOON + 600_000


def test_agora_the_hidden_end_is_taken_back_with_a_done_and_a_choice_may_still_change() -> None:
    town = Town()
    ends_at = town.state.clock.ends_at
    town.all_done()
    victim = town.one(Role.CITIZEN)
    town.choose(Role.MAFIOSO, victim)
    assert town.due_at == NOON + 60_000
    town.act(victim, Undone())
    assert town.due_at == ends_at
    town.at = Instant(NOON + 200_000)
    town.act(victim, Done())
    assert town.due_at == NOON + 240_000
    town.late()
    assert not town.member(victim).is_alive
    town.late()
    began = town.state.clock.began_at
    town.all_done()
    assert town.due_at == began + 60_000, "the dead need not check in"
    town = Town(9)
    gone = town.one(Role.CITIZEN)
    town.all_done(gone)
    town.leave(gone)
    assert town.due_at == NOON + 60_000, "nor who leaves"


def test_agora_done_is_for_everybody_alike_and_only_the_seat_hears_of_it() -> None:
    town = Town()
    for seat, action, kind in (
        *((seat, Done(), "checked_in") for seat in range(7)),
        (3, Undone(), "check_in_withdrawn"),
    ):
        step = town.act(seat, action)
        assert [(t.kind, t.audience) for t in step.events] == [(kind, {seat})]
        assert town.act(seat, action).events == ()


@settings(max_examples=40, deadline=None)
@given(st.permutations(range(4)), st.lists(st.integers(0, 8), min_size=4, max_size=4))
def test_agora_the_order_of_choices_does_not_matter(order: list[int], targets: list[int]) -> None:
    roles = (Role.DOCTOR, Role.SHERIFF, Role.AGENT, Role.MAFIOSO)

    def after(ranks: list[int]) -> tuple[str, list[str]]:
        town = Town(9)
        for rank in ranks:
            town.choose(roles[rank], targets[rank])
        step = town.late()
        return canonical(step.state), [repr((t.data, t.audience)) for t in step.events]

    assert after(list(order)) == after([0, 1, 2, 3])


def test_agora_the_kinds_of_what_one_may_do_do_not_tell_others_a_role() -> None:
    town = Town()
    kinds = {c.role: town.view(c.no)["you"]["may"] for c in town.state.citizens}
    assert {role for role, may in kinds.items() if "choose" in may} == NIGHT_ROLES
    assert all(may[-2:] == ["done", "leave"] for may in kinds.values())
    first, *others = (
        [a.target for a in RULES.legal_actions(town.state, c.no) if isinstance(a, Choose)]
        for c in town.state.citizens
        if c.has_night_action
    )
    assert all(each == first for each in others)
