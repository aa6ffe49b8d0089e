"""Nights: roles, choices, files, the check-in and the hidden end.  Source: docs/rules/agora.md."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.choices import clean_options
from games.engine.errors import BadOption, BadTarget, NotInPhase, StaleAction
from games.engine.facts import Instant, Points, SeatNo, SeatSetup
from games.engine.structs import canonical
from games.mafia.agora.rules.actions import ChoiceFinal, Choose, NoNightAction
from games.mafia.agora.rules.engine import Agora
from games.mafia.agora.rules.options import Options
from games.mafia.agora.rules.roles import NIGHT_ROLES, Role, roles_for
from games.mafia.common.rules.actions import Done, NotAlive, Undone
from tests.games.mafia.agora.rules.kit import NOON, RULES, Town

#: citizens -> (doctor, sheriff, detective, agent, mafiosi), as the rule book's table has it.
TABLE = {
    3: (0, 0, 0, 0, 1),
    4: (1, 0, 0, 0, 1),
    5: (1, 1, 0, 0, 1),
    **dict.fromkeys((6, 7, 8), (1, 1, 1, 1, 1)),
    **dict.fromkeys((9, 10, 11), (1, 1, 1, 1, 2)),
    **dict.fromkeys((12, 13, 14), (1, 1, 1, 1, 3)),
    **dict.fromkeys((15, 16, 17), (1, 1, 1, 1, 4)),
}
COUNTED = (Role.DOCTOR, Role.SHERIFF, Role.DETECTIVE, Role.AGENT, Role.MAFIOSO)


@pytest.mark.parametrize("citizens", TABLE)
def test_agora_roles_are_as_many_as_the_table_says(citizens: int) -> None:
    roles = roles_for(citizens)
    assert len(roles) == citizens
    assert tuple(roles.count(role) for role in COUNTED) == TABLE[citizens]
    assert set(roles) <= {Role.CITIZEN, *COUNTED}


def test_agora_roles_are_dealt_by_the_seed_and_to_every_seat() -> None:
    dealt = {
        tuple(citizen.role for citizen in Town(seed=f"seed {n}").state.citizens) for n in range(60)
    }
    assert len(dealt) > 50
    assert all({roles[seat] for roles in dealt} == set(Role) for seat in range(7))
    assert Town(seed="s").state.citizens == Town(seed="s").state.citizens


def test_agora_each_is_told_the_own_role_and_the_mafia_each_other() -> None:
    town = Town(9)
    for citizen in town.state.citizens:
        (card,) = [t for t in town.told if t.kind == "role_dealt" and t.data["seat"] == citizen.no]
        assert (card.data["role"], card.audience) == (citizen.role.value, {citizen.no})
    mafia = {*town.are(Role.MAFIOSO), town.one(Role.AGENT)}
    named = town.last("mafia_named")
    assert named.audience == mafia
    assert {seat for seat, _ in named.data["members"]} == mafia
    assert len(mafia) == 3


@pytest.mark.parametrize("seats", [2, 18])
def test_agora_fewer_than_three_and_more_than_seventeen_do_not_play(seats: int) -> None:
    setups = [SeatSetup(SeatNo(no)) for no in range(seats)]
    with pytest.raises(ValueError, match="3 to 17 play"):
        Agora().setup(Options(seats=3, contest=True), setups, "s", NOON)


def test_agora_three_and_four_play_in_contests_only() -> None:
    with pytest.raises(BadOption) as refused:
        clean_options(Options, {"seats": 4})
    assert refused.value.detail["least"] == 5
    setups = [SeatSetup(SeatNo(no)) for no in range(4)]
    with pytest.raises(ValueError, match="at least 5"):
        Agora().setup(Options(), setups, "s", NOON)
    assert len(Town(4).state.citizens) == 4


def test_agora_nobody_brings_points() -> None:
    setups = [SeatSetup(SeatNo(no), Points(no == 2)) for no in range(5)]
    with pytest.raises(ValueError, match="no points"):
        Agora().setup(Options(), setups, "s", NOON)


def test_agora_the_target_dies_and_the_role_is_not_told() -> None:
    town = Town()
    victim = town.one(Role.CITIZEN)
    town.night(mafioso=victim)
    died = town.last("citizen_died")
    assert (dict(died.data), died.audience) == (
        {"seat": victim, "cause": "killed", "role": None},
        None,
    )
    assert town.view()["seats"][victim]["role"] is None
    assert town.view()["stage"] == "day"
    assert town.view()["last_night"] == {"round": 1, "killed": victim}


def test_agora_a_table_can_show_the_roles_of_the_dead() -> None:
    town = Town(reveal_on_death=True)
    victim = town.one(Role.SHERIFF)
    town.night(mafioso=victim)
    assert town.last("citizen_died").data["role"] == "sheriff"
    assert [seat["role"] for seat in town.view()["seats"] if seat["role"]] == ["sheriff"]


def test_agora_the_doctor_saves_that_very_citizen_who_alone_is_told() -> None:
    town = Town()
    victim, other = town.are(Role.CITIZEN)
    town.night(mafioso=victim, doctor=victim)
    assert town.citizen(victim).is_alive
    saved = town.last("saved_by_doctor")
    assert (dict(saved.data), saved.audience) == ({"seat": victim}, {victim})
    assert town.last("nobody_died").audience is None
    assert town.view(victim)["you"]["saved"] == [1]
    assert town.view(other)["you"]["saved"] == []
    town.late()
    town.night(mafioso=victim, doctor=other)
    assert not town.citizen(victim).is_alive
    assert town.kinds().count("saved_by_doctor") == 1


@pytest.mark.parametrize("role", [Role.DOCTOR, Role.SHERIFF, Role.AGENT, Role.MAFIOSO])
def test_agora_every_role_may_choose_oneself_ones_own_side_and_the_same_again(role: Role) -> None:
    town = Town()
    seat = town.one(role)
    for _ in range(2):
        town.act(seat, Choose(seat if role != Role.MAFIOSO else "none"))
        town.late()
        town.late()
    assert town.citizen(seat).is_alive
    assert len(town.view(seat)["you"]["nights"]) == 2


def test_agora_the_mafia_may_kill_its_own() -> None:
    town = Town(9)
    one, other = town.are(Role.MAFIOSO)
    town.act(one, Choose(other))
    town.late()
    assert not town.citizen(other).is_alive


def test_agora_the_last_choice_of_the_mafiosi_stands_for_all_of_them_and_only_they_hear() -> None:
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
    assert (town.citizen(first).is_alive, town.citizen(second).is_alive) == (True, False)


def test_agora_the_sheriff_reads_the_file_as_it_says() -> None:
    town = Town()
    sheriff, bad = town.one(Role.SHERIFF), town.one(Role.MAFIOSO)
    town.night(sheriff=bad)
    read = town.last("file_read")
    assert (dict(read.data), read.audience) == (
        {"seat": sheriff, "target": bad, "is_mafia": True},
        {sheriff},
    )
    town.late()
    town.night(sheriff=sheriff)
    assert town.view(sheriff)["you"]["read_files"] == [(1, bad, True), (2, sheriff, False)]


def test_agora_an_alteration_shows_in_that_very_night_and_a_second_one_undoes_it() -> None:
    town = Town()
    bad = town.one(Role.MAFIOSO)
    town.night(sheriff=bad, agent=bad)
    assert town.last("file_read").data["is_mafia"] is False
    town.late()
    town.night(agent=bad, sheriff=bad)
    assert town.last("file_read").data["is_mafia"] is True


def test_agora_an_alteration_is_final_for_that_night_and_none_is_not() -> None:
    town = Town()
    agent = town.one(Role.AGENT)
    town.act(agent, Choose("none"))
    town.act(agent, Choose(agent))
    assert "choose" not in town.view(agent)["you"]["may"]
    for target in (agent, 0, "none"):
        with pytest.raises(ChoiceFinal):
            town.act(agent, Choose(target))
    assert town.citizen(agent).is_file_mafia is False
    town.late()
    town.late()
    town.act(agent, Choose(agent))
    assert town.citizen(agent).is_file_mafia is True


def test_agora_the_sheriff_is_told_of_somebody_killed_that_night_but_not_when_killed() -> None:
    town = Town()
    sheriff, victim = town.one(Role.SHERIFF), town.one(Role.CITIZEN)
    town.night(sheriff=victim, mafioso=victim)
    assert town.last("file_read").data["target"] == victim
    town.late()
    town.night(sheriff=sheriff, mafioso=sheriff)
    assert town.kinds().count("file_read") == 1


def test_agora_a_doctor_who_is_killed_still_saves_and_a_dead_one_does_not() -> None:
    town = Town(9)
    doctor, victim = town.one(Role.DOCTOR), town.one(Role.CITIZEN)
    town.night(mafioso=doctor, doctor=victim)
    assert not town.citizen(doctor).is_alive
    town.late()
    with pytest.raises(NotAlive):
        town.act(doctor, Choose(victim))
    town.night(mafioso=victim)
    assert not town.citizen(victim).is_alive


def test_agora_the_detective_learns_every_role_by_whatever_cause_while_alive() -> None:
    town = Town(12)
    detective = town.one(Role.DETECTIVE)
    killed, lynched, left = town.are(Role.CITIZEN)[:3]
    town.night(mafioso=killed)
    town.lynch(lynched)
    town.leave(left)
    learned = [t for t in town.told if t.kind == "role_learned"]
    assert [t.data["dead"] for t in learned] == [killed, lynched, left]
    assert {t.audience for t in learned} == {frozenset({detective})}
    assert [seat for seat, _ in town.view(detective)["you"]["learned"]] == [killed, lynched, left]
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


def test_agora_a_role_without_a_night_action_chooses_nobody() -> None:
    town = Town()
    for role in (Role.CITIZEN, Role.DETECTIVE):
        with pytest.raises(NoNightAction):
            town.choose(role, "none")


def test_agora_a_choice_is_of_somebody_who_lives() -> None:
    town = Town(9)
    victim = town.one(Role.CITIZEN)
    town.night(mafioso=victim)
    town.late()
    for target in (victim, 9, 999):
        with pytest.raises(BadTarget):
            town.choose(Role.DOCTOR, target)


def test_agora_a_night_action_is_for_the_night_and_a_vote_is_not() -> None:
    town = Town()
    town.late()
    with pytest.raises(NotInPhase):
        town.choose(Role.DOCTOR, 0)
    with pytest.raises(NotInPhase):
        town.act(0, Done())


# The check-in ---------------------------------------------------------------------------------


def test_agora_all_done_ends_the_night_at_the_next_sixth_or_minute_and_shows_nothing() -> None:
    for seconds, grid in ((60, 10_000), (120, 20_000), (600, 60_000), (86_400, 60_000)):
        town = Town(phase_seconds=seconds)
        before = town.view()
        town.all_done()
        due_at = RULES.deadline(town.state)
        assert due_at is not None
        assert due_at == NOON + grid
        assert RULES.shown_deadline(town.state) == NOON + 1_000 * seconds
        assert town.view() == before
        assert RULES.phase(town.state) == 1
        town.late()
        assert town.view()["stage"] == "day"


def test_agora_the_hidden_end_is_taken_back_with_a_done_and_a_choice_may_still_change() -> None:
    town = Town()
    ends_at = town.state.clock.ends_at
    town.all_done()
    victim = town.one(Role.CITIZEN)
    town.choose(Role.MAFIOSO, victim)
    assert RULES.deadline(town.state) == NOON + 60_000
    town.act(victim, Undone())
    assert RULES.deadline(town.state) == ends_at
    town.at = Instant(NOON + 200_000)
    town.act(victim, Done())
    assert RULES.deadline(town.state) == NOON + 240_000
    town.late()
    assert not town.citizen(victim).is_alive


def test_agora_done_is_for_everybody_alike_and_only_the_seat_hears_of_it() -> None:
    town = Town()
    for seat in range(7):
        step = town.act(seat, Done())
        assert [(t.kind, t.audience) for t in step.events] == [("checked_in", {seat})]
        assert town.act(seat, Done()).events == ()
    step = town.act(3, Undone())
    assert [(t.kind, t.audience) for t in step.events] == [("check_in_withdrawn", {3})]
    assert town.act(3, Undone()).events == ()


def test_agora_without_early_end_the_night_lasts_its_whole_time() -> None:
    town = Town(early_end=False)
    town.all_done()
    assert RULES.deadline(town.state) == NOON + 600_000


def test_agora_the_dead_need_not_check_in() -> None:
    town = Town(9)
    town.night(mafioso=town.one(Role.CITIZEN))
    town.late()
    began = town.state.clock.began_at
    town.all_done()
    assert RULES.deadline(town.state) == began + 60_000


def test_agora_an_action_after_the_hidden_end_is_late() -> None:
    town = Town()
    town.all_done()
    with pytest.raises(StaleAction):
        RULES.apply(town.state, SeatNo(0), Undone(), Instant(NOON + 60_000))


@settings(max_examples=40, deadline=None)
@given(st.permutations(range(4)), st.lists(st.integers(0, 8), min_size=4, max_size=4))
def test_agora_the_order_in_which_choices_come_does_not_matter(
    order: list[int], targets: list[int]
) -> None:
    """The choices of a night come to the same, in any order."""
    roles = (Role.DOCTOR, Role.SHERIFF, Role.AGENT, Role.MAFIOSO)

    def after(ranks: list[int]) -> tuple[str, list[str]]:
        town = Town(9)
        for rank in ranks:
            town.choose(roles[rank], targets[rank])
        step = town.late()
        return canonical(step.state), [repr((t.data, t.audience)) for t in step.events]

    assert after(list(order)) == after([0, 1, 2, 3])


def test_agora_all_orders_of_one_night_are_the_same() -> None:
    found = set()
    for order in itertools.permutations(("doctor", "sheriff", "agent", "mafioso")):
        town = Town()
        victim = town.one(Role.SHERIFF)
        town.night(**dict.fromkeys(order, victim))
        found.add(canonical(town.state))
    assert len(found) == 1


def test_agora_the_kinds_of_what_one_may_do_do_not_tell_others_a_role() -> None:
    town = Town()
    kinds = {c.role: town.view(c.no)["you"]["may"] for c in town.state.citizens}
    assert {role for role, may in kinds.items() if "choose" in may} == NIGHT_ROLES
    assert all(may[-2:] == ["done", "leave"] for may in kinds.values())
    targets = [
        [a.target for a in RULES.legal_actions(town.state, c.no) if isinstance(a, Choose)]
        for c in town.state.citizens
        if c.has_night_action
    ]
    assert all(each == targets[0] for each in targets)
