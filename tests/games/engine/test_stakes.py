import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.facts import Points, SeatNo, Told
from games.engine.protocols import Outcome, Result
from games.engine.stakes import (
    PointsFact,
    Pot,
    clockwise,
    cut_into_pots,
    keep_claims,
    outcomes_of,
    share_stakes,
    split_pot,
    tax_on,
    told_points,
    uncalled_bet,
)

Stakes = dict[SeatNo, Points]


@st.composite
def tables(draw: st.DrawFn) -> tuple[Stakes, list[SeatNo]]:
    """Stakes and live seats as betting leaves them: live is all in, or has put in the most."""
    players = draw(st.integers(2, 17))
    folded = draw(st.lists(st.booleans(), min_size=players, max_size=players))
    amounts = draw(st.lists(st.integers(1, 30), min_size=players, max_size=players))
    live = [SeatNo(no) for no in range(players) if not folded[no]] or [SeatNo(0)]
    return {SeatNo(no): Points(amount) for no, amount in enumerate(amounts)}, live


def pots_point_by_point(stakes: Stakes, live: list[SeatNo]) -> list[tuple[int, tuple[int, ...]]]:
    """Take one point from everybody at a time; a level's claimants are the live who gave one."""
    pots: list[tuple[int, tuple[int, ...]]] = []
    for level in range(1, max(stakes.values()) + 1):
        gave = [seat for seat, stake in stakes.items() if stake >= level]
        claimants = tuple(seat for seat in gave if seat in live)
        if pots and claimants in (pots[-1][1], ()):
            pots[-1] = (pots[-1][0] + len(gave), pots[-1][1])
        else:
            pots.append((len(gave), claimants))
    return pots


@given(tables())
def test_side_pots_equal_those_counted_point_by_point(table: tuple[Stakes, list[SeatNo]]) -> None:
    stakes, live = table
    pots = cut_into_pots(stakes, live)
    assert [(pot.amount, pot.claimants) for pot in pots] == pots_point_by_point(stakes, live)
    assert sum(pot.amount for pot in pots) == sum(stakes.values())
    assert pots[0].claimants == tuple(sorted(live))


@given(tables())
def test_uncalled_bet_is_what_lies_above_all_others(table: tuple[Stakes, list[SeatNo]]) -> None:
    stakes, live = table
    highest, second = sorted(stakes.values(), reverse=True)[:2]
    owners = [seat for seat, stake in stakes.items() if stake == highest]
    back = uncalled_bet(stakes, live)
    if highest == second or owners[0] not in live:
        assert back is None
    else:
        assert back == (owners[0], highest - second)


@given(st.integers(0, 10**9), st.integers(0, 10_000))
def test_tax_is_rounded_down_and_never_more_than_the_pot(amount: int, rate: int) -> None:
    tax = tax_on(Points(amount), rate)
    assert 0 <= tax <= amount
    assert tax * 10_000 <= amount * rate < (tax + 1) * 10_000


@given(
    st.integers(0, 10**9),
    st.lists(st.integers(0, 20).map(SeatNo), min_size=1, max_size=17, unique=True),
)
def test_shares_add_up_and_odd_points_go_to_the_first(amount: int, winners: list[SeatNo]) -> None:
    shares = split_pot(Points(amount), winners)
    assert sum(shares.values()) == amount
    assert max(shares.values()) - min(shares.values()) <= 1
    assert [shares[seat] for seat in winners] == sorted(shares.values(), reverse=True)


A, B, C, D = map(SeatNo, range(4))


class Paid(PointsFact, frozen=True):
    """A seat got points."""


@given(st.integers(0, 10**6), st.sets(st.sampled_from([A, B, C])), st.integers(0, 10_000))
def test_equal_stakes_go_to_the_winners_less_the_tax_else_back_whole(stake, winners, rate) -> None:
    shares, tax = share_stakes(stake, [A, B, C], sorted(winners), rate)
    outcomes = outcomes_of(stake, shares, winners, Result.DRAWN)
    if not winners:
        assert (shares, tax) == (dict.fromkeys([A, B, C], stake), 0)
        assert set(outcomes.values()) == {Outcome(Result.DRAWN, 0)}
        return
    assert tax == tax_on(Points(3 * stake), rate)
    assert {no: share for no, share in shares.items() if no in winners} == split_pot(
        Points(3 * stake - tax), sorted(winners)
    )
    assert {no for no, share in shares.items() if share} <= winners
    for no, outcome in outcomes.items():
        assert outcome.result == (Result.WON if no in winners else Result.LOST)
        assert outcome.net == shares[no] - stake


def test_amounts_of_nothing_are_not_told() -> None:
    told = told_points(Paid, {A: Points(3), B: Points(0), C: Points(1)})
    assert told == (Told(Paid(A, Points(3))), Told(Paid(C, Points(1))))
    assert (told[0].kind, dict(told[0].data)) == ("paid", {"seat": 0, "amount": 3})


def test_a_layer_without_claimants_and_a_pot_whose_claimants_have_gone_join_the_one_below() -> None:
    stakes = {A: Points(10), B: Points(10), C: Points(50)}
    assert cut_into_pots(stakes, [A, B]) == (Pot(Points(70), (A, B)),)
    pots = [Pot(Points(40), (A, B, C, D)), Pot(Points(30), (B, C, D)), Pot(Points(20), (C, D))]
    assert keep_claims(pots, [A]) == (Pot(Points(90), (A,)),)
    kept = (Pot(Points(40), (A, D)), Pot(Points(30), (D,)), Pot(Points(20), (D,)))
    assert keep_claims(pots, [A, D]) == kept
    with pytest.raises(ValueError, match="main pot"):
        keep_claims(pots, [])


def test_mistakes_are_value_errors() -> None:
    for match, mistake in (
        ("pot", lambda: cut_into_pots({A: Points(1)}, [])),
        ("tax", lambda: tax_on(Points(-1), 500)),
        ("split", lambda: split_pot(Points(1), [A, A])),
    ):
        with pytest.raises(ValueError, match=match):
            mistake()


def test_clockwise_starts_left_and_skips_empty_seats() -> None:
    assert (clockwise([A, C, D], B), clockwise([A, C, D], D)) == ((2, 3, 0), (0, 2, 3))
