import doctest
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.facts import Instant, SeatNo, Viewer
from games.engine.structs import replace
from games.mafia.common.rules import phases, roster
from games.mafia.common.rules.phases import Stage, armed, hidden_moment, postponed, started
from games.mafia.common.rules.rooms import DEAD, TOWN, RoomLines, Talk
from games.mafia.common.rules.roster import (
    NOBODY,
    Member,
    Vote,
    after_choices,
    carried,
    deal,
    idle_seats,
    in_next_phase,
    majority,
    tally,
)

MINUTE = 60_000
limits = st.integers(MINUTE, 7 * 86_400_000)
votes = st.lists(st.sampled_from([0, 1, 2, 3, NOBODY, None]), max_size=17)


@given(limits, st.integers(0, 10**9), st.integers(0, 7 * 86_400_000))
def test_mafia_a_hidden_moment_is_the_next_multiple(limit: int, began: int, after: int) -> None:
    clock = started(Instant(began), limit)
    moment = hidden_moment(clock, Instant(began + after))
    grid = min(MINUTE, limit // 6)
    assert (moment - began) % grid == 0
    assert 0 < moment - (began + after) <= grid


@given(limits, st.lists(st.booleans(), max_size=9))
def test_mafia_an_early_end_is_never_late_and_is_taken_back(limit: int, wanted: list[bool]) -> None:
    clock, at = started(Instant(0), limit), Instant(0)
    for is_wanted in wanted:
        at = Instant(min(at + 7_000, clock.due_at - 1))
        before, clock = clock, armed(clock, is_wanted=is_wanted, at=at)
        assert clock.ends_at == limit
        assert at < clock.due_at <= limit
        assert (clock.early_at is None) is not is_wanted
        if is_wanted and before.early_at is not None:
            assert clock.early_at == before.early_at


@pytest.mark.plain
@given(limits, st.integers(1, 10**7), st.integers(0, 10**7))
def test_mafia_given_back_time_shows_no_early_end(limit: int, away: int, done_at: int) -> None:
    plain = started(Instant(0), limit)
    early = armed(plain, is_wanted=True, at=Instant(min(done_at, limit - 1)))
    is_slow = limit > phases.LIVE_LIMIT
    later = [
        postponed(clock, Instant(clock.due_at + away if is_slow else away))
        for clock in (plain, early)
    ]
    assert later[0].ends_at == later[1].ends_at >= limit
    assert later[1].due_at <= later[0].due_at
    # Nobody loses time by an outage, nor is anything due within it.
    assert all(new.due_at >= old.due_at for old, new in zip((plain, early), later, strict=True))
    assert is_slow or all(new.due_at >= away for new in later)


@given(votes)
def test_mafia_a_choice_is_carried_by_more_than_half_and_only_one_can_be(cast: list[Vote]) -> None:
    voters = max(1, len(cast))
    counted = Counter(vote for vote in cast if vote is not None)
    winners = [vote for vote, count in counted.items() if 2 * count > voters]
    assert len(winners) <= 1
    assert carried(cast, voters) == (winners[0] if winners else None)
    assert 2 * majority(voters) > voters >= 2 * (majority(voters) - 1)
    assert (dict(tally(cast)), tally(cast)) == (counted, tally(list(reversed(cast))))


def test_mafia_every_deal_is_about_as_likely_as_the_others() -> None:
    dealt = Counter(deal(f"seed {n}", ("a", "b", "c")) for n in range(3_000))
    assert len(dealt) == 6
    # Six kinds of 500 each; ten standard deviations are about 200.
    assert all(300 < count < 700 for count in dealt.values()), dealt


def test_mafia_phases_without_an_action_or_a_choice_are_counted_until_death() -> None:
    quiet, busy = Member(SeatNo(0)), Member(SeatNo(1), is_active=True)
    for _ in range(2):
        quiet, busy = in_next_phase(quiet), in_next_phase(replace(busy, is_active=True))
    assert idle_seats([quiet, busy]) == (0,)
    assert idle_seats([in_next_phase(replace(quiet, is_active=True))]) == ()
    assert idle_seats([Member(SeatNo(0), is_alive=False, idle_phases=9)]) == ()
    member = after_choices(in_next_phase(after_choices(Member(SeatNo(0), is_active=True))))
    assert member.unchosen_phases == 2
    assert after_choices(replace(member, is_alive=False)) == replace(member, is_alive=False)
    assert after_choices(replace(member, has_chosen=True)).unchosen_phases == 0
    assert not in_next_phase(replace(member, has_chosen=True)).has_chosen


def test_mafia_each_team_has_a_room_of_its_own() -> None:
    members = tuple(Member(SeatNo(no), is_alive=no != 5) for no in range(6))
    teams = {SeatNo(0): "rock", SeatNo(1): "rock", SeatNo(2): "paper", SeatNo(5): "rock"}
    rooms = tuple(RoomLines(name, 3) for name in (TOWN, "rock", "paper", DEAD))
    talk = Talk(Stage.DAY, members, teams, rooms)
    opened = [talk.open_to(members[no]) for no in (0, 2, 3, 5)]
    assert opened == [(TOWN, "rock"), (TOWN, "paper"), (TOWN,), (DEAD,)]
    assert (talk.audience("rock"), talk.audience(DEAD)) == ({0, 1}, {5})
    assert set(talk.seen_by(Viewer(SeatNo(2)))) == {TOWN, "paper"}
    assert talk.limit_at_death(SeatNo(0)) == 3
    assert talk.limit_at_death(SeatNo(3)) is None


def test_mafia_examples_in_docstrings_hold() -> None:
    for module in (roster, phases):
        failed, tried = doctest.testmod(module)
        assert tried
        assert not failed
