"""Days, leaving, victory and awards.  Source: docs/rules/agora.md."""

import pytest

from games.engine.errors import BadTarget, NotInPhase, NotSeated, StaleAction, TooEarly
from games.engine.facts import Instant, SeatNo
from games.engine.protocols import Result
from games.mafia.agora.rules.actions import Choose, Vote
from games.mafia.agora.rules.roles import Role
from games.mafia.common.rules.actions import Done, NotAlive
from games.mafia.common.rules.ballots import Choice
from tests.games.mafia.agora.rules.kit import NOON, RULES, Town


def by_day(seats: int = 7, **options: bool | int) -> Town:
    """Return a town on its first day, nobody dead."""
    town = Town(seats, **options)
    town.late()
    return town


def mafia_of(town: Town) -> list[int]:
    return [*town.are(Role.MAFIOSO), *town.are(Role.AGENT)]


def townies(town: Town) -> list[int]:
    return [seat for seat in town.alive if seat not in mafia_of(town)]


@pytest.mark.parametrize(("seats", "needed"), [(5, 3), (6, 4), (7, 4), (8, 5), (17, 9)])
def test_agora_more_than_half_of_the_living_lynch_at_once(seats: int, needed: int) -> None:
    town = by_day(seats)
    assert (town.view()["living"], town.view()["needed"]) == (seats, needed)
    target = town.one(Role.CITIZEN)
    town.vote(target, *town.alive[: needed - 1])
    assert town.view()["stage"] == "day"
    assert town.view()["tally"] == [(target, needed - 1)]
    town.vote(target, town.alive[needed - 1])
    assert town.view()["stage"] == "night"
    assert town.last("citizen_died").data["cause"] == "lynched"
    assert town.view()["last_day"]["lynched"] == target
    assert town.view()["last_day"]["votes"].count((town.alive[0], target)) == (
        town.alive[0] < needed
    )


def test_agora_a_majority_for_nobody_ends_the_day_without_a_death() -> None:
    town = by_day()
    town.lynch("none")
    assert dict(town.last("nobody_lynched").data) == {"round": 1, "is_wanted": True}
    assert town.view()["stage"] == "night"
    assert len(town.alive) == 7


def test_agora_without_a_majority_in_time_nobody_is_lynched() -> None:
    town = by_day()
    town.vote(0, 1, 2, 3)
    town.late()
    assert dict(town.last("nobody_lynched").data) == {"round": 1, "is_wanted": False}
    assert len(town.alive) == 7


def test_agora_votes_are_public_may_change_and_go_back_to_no_opinion() -> None:
    town = by_day()
    town.vote(0, 0, 1, 2)  # for oneself too
    town.vote(3, 2)
    town.vote(None, 1)
    told = [(t.data["seat"], t.data["choice"]) for t in town.told if t.kind == "voted"]
    assert told == [(0, 0), (1, 0), (2, 0), (2, 3), (1, None)]
    assert all(t.audience is None for t in town.told if t.kind == "voted")
    assert town.view()["tally"] == [(0, 1), (3, 1)]
    assert [seat["vote"] for seat in town.view()["seats"]] == [0, None, 3, *[None] * 4]


def test_agora_the_same_vote_again_tells_nothing() -> None:
    town = by_day()
    town.vote(0, 1)
    assert town.act(1, Vote(0)).events == ()


def test_agora_votes_begin_anew_every_day() -> None:
    town = by_day()
    town.vote(0, 1, 2)
    town.late()
    assert town.view()["tally"] == []
    town.late()
    assert town.view()["tally"] == []


def test_agora_two_who_would_both_complete_a_majority_make_one_lynching() -> None:
    town = by_day()
    target, phase = town.one(Role.CITIZEN), RULES.phase(town.state)
    town.vote(target, *town.alive[:4])
    assert RULES.phase(town.state) == phase + 1
    with pytest.raises(NotInPhase):
        town.act(town.alive[4], Vote(target))
    assert town.kinds().count("citizen_died") == 1


@pytest.mark.parametrize("choice", [9, 999])
def test_agora_a_vote_is_for_somebody_who_is_there(choice: Choice) -> None:
    with pytest.raises(BadTarget):
        by_day().vote(choice, 0)


def test_agora_the_dead_neither_vote_nor_are_voted_for() -> None:
    town = Town(9)
    victim = town.one(Role.CITIZEN)
    town.night(mafioso=victim)
    with pytest.raises(NotAlive):
        town.vote(0, victim)
    with pytest.raises(BadTarget):
        town.vote(victim, town.alive[0])
    assert RULES.legal_actions(town.state, SeatNo(victim)) == []


def test_agora_who_is_no_citizen_does_nothing() -> None:
    with pytest.raises(NotSeated):
        by_day().vote(0, 7)


def test_agora_the_clock_neither_ends_early_nor_takes_votes_late() -> None:
    town = by_day()
    due_at = RULES.deadline(town.state)
    assert due_at == RULES.shown_deadline(town.state)
    assert due_at is not None
    with pytest.raises(TooEarly):
        RULES.on_deadline(town.state, Instant(due_at - 1))
    with pytest.raises(StaleAction):
        RULES.apply(town.state, SeatNo(0), Vote(1), due_at)


# Leaving --------------------------------------------------------------------------------------


def test_agora_who_leaves_dies_and_is_said_to_have_left() -> None:
    town = by_day(9)
    gone = town.one(Role.CITIZEN)
    town.leave(gone)
    assert dict(town.last("citizen_died").data) == {"seat": gone, "cause": "left", "role": None}
    with pytest.raises(NotAlive):
        town.leave(gone)


def test_agora_votes_by_and_for_a_leaver_become_null_and_are_counted_again() -> None:
    town = by_day(9)
    gone, target = town.are(Role.CITIZEN)[:2]
    first, second, third, fourth, fifth = [s for s in town.alive if s not in (gone, target)][:5]
    town.vote(gone, first, second)
    town.vote(target, third, fourth, gone)
    town.leave(gone)
    assert town.view()["tally"] == [(target, 2)]
    assert [(t.data["seat"], t.data["choice"]) for t in town.told[-2:]] == [
        (first, None), (second, None),
    ]  # fmt: skip
    assert (town.view()["living"], town.view()["needed"]) == (8, 5)
    assert fifth in town.alive


def test_agora_a_leaver_can_make_a_majority_of_the_votes_that_stand() -> None:
    town = by_day(8)
    target, gone = town.are(Role.CITIZEN)[:2]
    town.vote(target, *[seat for seat in town.alive if seat != gone][:4])
    assert town.view()["stage"] == "day"
    town.leave(gone)
    assert town.view()["last_day"]["lynched"] == target
    assert town.view()["stage"] == "night"


def test_agora_at_night_a_leavers_save_is_void_and_choices_on_a_leaver_become_none() -> None:
    town = Town(12)
    doctor, victim, gone = town.one(Role.DOCTOR), *town.are(Role.CITIZEN)[:2]
    town.act(doctor, Choose(victim))
    town.choose(Role.MAFIOSO, victim)
    town.leave(doctor)
    town.late()
    assert not town.citizen(victim).is_alive
    town.late()
    town.choose(Role.MAFIOSO, gone)
    town.leave(gone)
    assert town.view(town.one(Role.MAFIOSO))["you"]["target"] == "none"
    town.late()
    assert town.view()["last_night"] == {"round": 2, "killed": None}


def test_agora_an_alteration_by_a_leaver_stands_and_a_leavers_file_can_be_read() -> None:
    town = Town(12)
    agent, gone, sheriff = town.one(Role.AGENT), town.one(Role.CITIZEN), town.one(Role.SHERIFF)
    town.act(agent, Choose(gone))
    town.act(sheriff, Choose(gone))
    town.leave(agent)
    town.leave(gone)
    town.late()
    assert town.view(sheriff)["you"]["read_files"] == [(1, gone, True)]


def test_agora_a_leaving_sheriff_is_told_nothing() -> None:
    town = Town(12)
    town.choose(Role.SHERIFF, 0)
    town.leave(town.one(Role.SHERIFF))
    town.late()
    assert "file_read" not in town.kinds()


def test_agora_the_kill_stands_while_a_mafioso_lives_whoever_chose_it() -> None:
    town = Town(12)
    one, other, third = town.are(Role.MAFIOSO)
    victim = town.one(Role.CITIZEN)
    town.act(one, Choose(victim))
    town.leave(one)
    town.leave(other)
    town.late()
    assert not town.citizen(victim).is_alive
    town.late()
    town.act(third, Choose(town.one(Role.DOCTOR)))
    town.leave(third)
    town.late()
    assert town.citizen(town.one(Role.DOCTOR)).is_alive


def test_agora_the_last_one_who_was_not_done_leaves_and_the_night_ends_early() -> None:
    town = Town(9)
    gone = town.one(Role.CITIZEN)
    town.all_done(gone)
    town.leave(gone)
    assert RULES.deadline(town.state) == NOON + 60_000


# Victory and awards ---------------------------------------------------------------------------


def test_agora_the_town_wins_when_all_the_mafia_are_dead() -> None:
    town = Town()
    left = town.one(Role.CITIZEN)
    town.leave(left)
    town.late()
    for seat in mafia_of(town):
        town.lynch(seat)
        if town.view()["stage"] == "night":
            town.late()
    result = town.view()["result"]
    assert (result["reason"], result["winner"]) == ("mafia_dead", "town")
    # Five of the town, one of whom has left: 60 by 5, and the leaver gets nothing.
    winners = [citizen.no for citizen in town.state.citizens if citizen.side == "town"]
    assert result["awards"] == [(seat, 12) for seat in winners if seat != left]
    outcome = RULES.outcome(town.state)
    assert {seat for seat, one in outcome.items() if one.result == Result.WON} == {*winners} - {
        left
    }
    assert outcome[SeatNo(left)].result == Result.LOST
    earned = [dict(t.data) for t in town.told if t.kind == "award_earned"]
    assert earned[0] == {"seat": winners[0] if winners[0] != left else winners[1],
                         "points": 12, "y_points": 12}  # fmt: skip


def test_agora_the_mafia_wins_as_soon_as_it_is_half_of_the_living_and_its_dead_win_too() -> None:
    town = by_day(7)
    agent = town.one(Role.AGENT)
    town.lynch(agent)
    while town.view()["stage"] != "over":
        town.night(mafioso=townies(town)[0])
        if town.view()["stage"] == "day":
            town.late()
    assert len(town.alive) == 2
    result = town.view()["result"]
    assert (result["reason"], result["winner"]) == ("mafia_equal", "mafia")
    assert dict(result["awards"]) == dict.fromkeys(mafia_of(town), 30)


def test_agora_nothing_is_read_on_the_morning_on_which_the_game_is_over() -> None:
    town = Town(5)
    town.night(mafioso=town.one(Role.CITIZEN))
    town.late()
    assert len(town.alive) == 4
    town.night(mafioso=town.one(Role.DOCTOR), sheriff=town.one(Role.MAFIOSO))
    assert len(town.alive) == 3
    town.late()
    town.night(mafioso=townies(town)[0], sheriff=town.one(Role.MAFIOSO))
    assert town.view()["stage"] == "over"
    last = max(i for i, kind in enumerate(town.kinds()) if kind == "game_ended")
    assert "file_read" not in town.kinds()[last - 2 :]


def test_agora_three_citizens_end_with_the_first_kill() -> None:
    town = Town(3)
    town.night(mafioso=town.one(Role.CITIZEN))
    assert town.view()["result"]["winner"] == "mafia"


def test_agora_a_mafia_that_leaves_loses_at_once() -> None:
    town = Town(5)
    gone = town.one(Role.MAFIOSO)
    town.leave(gone)
    assert town.view()["result"]["winner"] == "town"
    assert RULES.outcome(town.state)[SeatNo(gone)].result == Result.LOST


@pytest.mark.parametrize("limit", [1, 3])
def test_agora_quiet_nights_and_days_in_a_row_are_a_draw(limit: int) -> None:
    town = Town(quiet_limit=limit)
    for _ in range(2 * limit - 1):
        town.late()
        assert town.view()["stage"] != "over"
    town.late()
    assert town.view()["result"] == {"reason": "quiet", "winner": None, "awards": []}
    assert {one.result for one in RULES.outcome(town.state).values()} == {Result.DRAWN}


def test_agora_a_death_by_day_begins_the_count_of_quiet_rounds_anew() -> None:
    town = Town(9, quiet_limit=2)
    for _ in range(3):
        town.late()
    town.leave(town.one(Role.CITIZEN))
    town.late()
    assert town.view()["stage"] == "night"
    for _ in range(3):
        town.late()
        assert town.view()["stage"] != "over"
    town.late()
    assert town.view()["result"]["reason"] == "quiet"


def test_agora_a_voided_game_is_nothing_for_anybody() -> None:
    town = by_day()
    town.leave(town.one(Role.CITIZEN))
    town.take(RULES.void(town.state))
    assert {one.result for one in RULES.outcome(town.state).values()} == {Result.NONE}
    assert "award_earned" not in town.kinds()
    with pytest.raises(NotInPhase):
        RULES.void(town.state)


def test_agora_nothing_is_awarded_where_the_threshold_is_less_than_the_winners() -> None:
    town = Town(5, threshold=3)
    town.leave(town.one(Role.MAFIOSO))
    assert town.view()["result"]["awards"] == []
    assert "award_earned" not in town.kinds()


def test_agora_after_the_end_everybody_is_told_who_was_what_and_nothing_goes_on() -> None:
    town = Town(5)
    town.leave(town.one(Role.MAFIOSO))
    roles = [citizen.role.value for citizen in town.state.citizens]
    assert [seat["role"] for seat in town.view()["seats"]] == roles
    assert [role for _, role in town.last("game_ended").data["roles"]] == roles
    assert (RULES.deadline(town.state), RULES.pending_seats(town.state)) == (None, ())
    with pytest.raises(NotInPhase):
        town.act(town.alive[0], Done())
    with pytest.raises(NotInPhase):
        RULES.on_deadline(town.state, NOON)
    assert RULES.postpone(town.state, NOON).events == ()


# Absence --------------------------------------------------------------------------------------


def test_agora_a_seat_is_open_after_two_phases_without_an_action_where_substitutes_are() -> None:
    for is_wanted in (True, False):
        town = Town(9, substitutes=is_wanted)
        town.act(0, Done())
        town.late()
        town.post(1, "town")  # a post is no action
        town.vote(2, 2)
        town.late()
        assert RULES.open_seats(town.state) == (
            tuple(seat for seat in range(9) if seat not in (0, 2)) if is_wanted else ()
        )
