"""Stakes to pots, pots to shares, and shares to facts and outcomes, in whole points; "live" seats
have not folded. Source: docs/rules/showdown.md, "Betting" and "Settling"; docs/rules/duel.md,
"Stakes".
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from games.engine.facts import Fact, Points, SeatNo, Told
from games.engine.protocols import Outcome, Result, TableRules
from games.engine.structs import Record

#: 100 %, in basis points.
WHOLE: Final = 10_000


class PointsFact(Fact, frozen=True):
    """A fact about points of a seat."""

    seat: SeatNo
    amount: Points


class Pot(Record, frozen=True):
    """A layer of the stakes and the seats that can win it, in seat order."""

    amount: Points
    claimants: tuple[SeatNo, ...]


def uncalled_bet(
    stakes: Mapping[SeatNo, Points], live: Collection[SeatNo]
) -> tuple[SeatNo, Points] | None:
    """Return the seat with the highest stake and its surplus over the second, if that seat is live.
    >>> uncalled_bet({SeatNo(0): Points(9), SeatNo(1): Points(4)}, [SeatNo(0)])
    (0, 5)
    """
    owner = max(stakes, key=lambda seat: stakes[seat])
    second = max((stakes[seat] for seat in stakes if seat != owner), default=Points(0))
    surplus = Points(stakes[owner] - second)
    return (owner, surplus) if surplus and owner in live else None


def cut_into_pots(stakes: Mapping[SeatNo, Points], live: Collection[SeatNo]) -> tuple[Pot, ...]:
    """Cut the stakes into layers at those of the live seats, the main pot first; what is above the
    highest joins the layer below. Raises ValueError if nobody is live.
    Source: docs/rules/showdown.md, "Side pots".
    """
    if not live:
        raise ValueError("a pot needs somebody who can win it")
    levels = sorted({stakes[seat] for seat in live})
    tops = [*levels[:-1], max(stakes.values())]
    floors = [Points(0), *levels[:-1]]
    return tuple(
        Pot(
            Points(sum(min(stake, top) - min(stake, floor) for stake in stakes.values())),
            tuple(sorted(seat for seat in live if stakes[seat] > floor)),
        )
        for floor, top in zip(floors, tops, strict=True)
    )


def keep_claims(pots: Sequence[Pot], live: Collection[SeatNo]) -> tuple[Pot, ...]:
    """Strike out the claims of seats no longer in; a pot without claimants joins the one below.
    Raises ValueError if nobody is left to claim the main pot.
    Source: docs/rules/showdown.md, "Side pots" and "Giving up".
    """
    kept: list[Pot] = []
    for pot in pots:
        claimants = tuple(seat for seat in pot.claimants if seat in live)
        if claimants:
            kept.append(Pot(pot.amount, claimants))
        elif kept:
            kept[-1] = Pot(Points(kept[-1].amount + pot.amount), kept[-1].claimants)
        else:
            raise ValueError("nobody is left to claim the main pot")
    return tuple(kept)


def tax_on(amount: Points, basis_points: int) -> Points:
    """Return the tax on one pot, rounded down; raises ValueError.
    >>> tax_on(Points(59), 500)
    2
    """
    if amount < 0 or not 0 <= basis_points <= WHOLE:
        raise ValueError(f"cannot tax {amount} at {basis_points} basis points")
    return Points(amount * basis_points // WHOLE)


def split_pot(amount: Points, winners: Sequence[SeatNo]) -> dict[SeatNo, Points]:
    """Divide a pot evenly; odd points go one each to the first winners. Raises ValueError.
    >>> split_pot(Points(7), [SeatNo(2), SeatNo(0)])
    {2: 4, 0: 3}
    """
    if amount < 0 or not winners or len(set(winners)) != len(winners):
        raise ValueError(f"cannot split {amount} among {list(winners)}")
    share, odd = divmod(amount, len(winners))
    return {seat: Points(share + (rank < odd)) for rank, seat in enumerate(winners)}


def clockwise(seats: Collection[SeatNo], after: SeatNo) -> tuple[SeatNo, ...]:
    """Order the seats clockwise, starting left of ``after``, which itself comes last.
    >>> clockwise([SeatNo(0), SeatNo(1), SeatNo(3)], SeatNo(1))
    (3, 0, 1)
    """
    return tuple(sorted(seats, key=lambda seat: (seat <= after, seat)))


class StakeRules(TableRules):
    """The base of rules by which every seat brings the same ``options.stake``."""

    min_seats: int = 2
    max_seats: int = 2

    def purse_limits(self, options: Any) -> tuple[int, int]:
        return options.stake, options.stake


def share_stakes(
    stake: int, seats: Sequence[SeatNo], winners: Sequence[SeatNo], tax_bp: int = 0
) -> tuple[dict[SeatNo, Points], Points]:
    """Return each seat's share of equal stakes, and the tax on them; without winners each stake
    goes back whole.
    >>> share_stakes(7, [SeatNo(0), SeatNo(1)], [SeatNo(1)], 1_000)
    ({0: 0, 1: 13}, 1)
    """
    if not winners:
        return dict.fromkeys(seats, Points(stake)), Points(0)
    all_stakes = Points(stake * len(seats))
    tax = tax_on(all_stakes, tax_bp)
    won = split_pot(Points(all_stakes - tax), winners)
    return dict.fromkeys(seats, Points(0)) | won, tax


def told_points(kind: type[PointsFact], amounts: Mapping[SeatNo, Points]) -> tuple[Told, ...]:
    """Return a public fact for each seat whose amount is above 0."""
    return tuple([Told(kind(seat, amount)) for seat, amount in amounts.items() if amount])


def outcomes_of(
    stake: int, shares: Mapping[SeatNo, Points], winners: Collection[SeatNo], unwon: Result
) -> dict[SeatNo, Outcome]:
    """Return each seat's outcome of a game for equal stakes; ``unwon``: without winners."""
    other = Result.LOST if winners else unwon
    return {
        seat: Outcome(Result.WON if seat in winners else other, share - stake)
        for seat, share in shares.items()
    }
