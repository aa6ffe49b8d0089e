"""Substitutes in a town, by the rules alone.  Source: docs/rules/agora.md "Substitutes"."""

from hypothesis import given
from hypothesis import strategies as st

from games.engine.facts import Instant, SeatNo
from games.engine.structs import replace
from games.engine.table import RUNNING, Table, TableSeat, TableState
from games.mafia.agora.rules.roles import Role
from games.mafia.common.rules.actions import Done
from tests.games.mafia.agora.rules.kit import NOON, RULES, Town

TABLE = Table(RULES)
SEATS = 7


def table_of(town: Town) -> TableState:
    """Return the table at which a town is played, by people."""
    seats = tuple(TableSeat(SeatNo(no), taken=True) for no in range(len(town.state.citizens)))
    return TableState(RUNNING, town.options, 1, seats, Instant(NOON), play=town.state)


@given(st.lists(st.sets(st.integers(0, SEATS - 1)), min_size=3, max_size=6))
def test_agora_who_does_nothing_for_two_phases_is_offered_whoever_it_is(
    active: list[set[int]],
) -> None:
    """Nobody dies: all votes are for different citizens, all nights pass without a choice."""
    town = Town(SEATS, substitutes=True, quiet_limit=30)
    idle = [0] * SEATS
    for seats in active:
        expected = tuple(no for no in range(SEATS) if idle[no] >= 2)
        assert TABLE.open_seats(table_of(town)) == expected
        for seat in seats:
            if town.view()["stage"] == "night":
                town.act(seat, Done())
            else:
                town.vote(None, seat)
        assert TABLE.open_seats(table_of(town)) == expected, "until the phase ends"
        idle = [0 if no in seats else idle[no] + 1 for no in range(SEATS)]
        town.late()


def test_agora_a_seat_is_the_same_to_who_takes_it_over() -> None:
    for role in Role:
        town = Town(SEATS, substitutes=True)
        seat = town.one(role)
        town.late()
        town.late()
        before = town.view(seat)
        assert before["you"].pop("idle_phases") == 2
        state = TABLE.apply(table_of(town), None, {"kind": "take_over", "seat": seat}, town.at)
        town.state = state.state.play
        after = town.view(seat)
        assert after["you"].pop("idle_phases") == 0
        assert after == before
        assert seat not in TABLE.open_seats(state.state)
        town.late()
        assert town.citizen(seat).idle_phases == 0, "to come is to act"


def test_agora_the_dead_are_not_offered_whatever_became_of_their_owners() -> None:
    town = Town(SEATS, substitutes=True)
    seat = town.one(Role.CITIZEN)
    expelled = TABLE.apply_house(table_of(town), {"kind": "expel", "seat": seat}, town.at)
    assert [told.kind for told in expelled.events] == ["seat_offered"]
    assert TABLE.open_seats(expelled.state) == (seat,)
    town.leave(seat)
    assert TABLE.open_seats(replace(expelled.state, play=town.state)) == ()
