"""A round from its clock to its score: battles, spoils, mines, absences, the next round.
Source: docs/rules/showdown.md, "A round", "Battles and scores", "Giving up".
"""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Final

from msgspec import UNSET, UnsetType

from games.engine.draws import draw_one
from games.engine.facts import Instant, SeatNo, Step, Told
from games.engine.stakes import keep_claims
from games.engine.structs import replace
from games.showdown.rules import facts
from games.showdown.rules.settling import settle
from games.showdown.rules.state import (
    Battle,
    Known,
    Reason,
    RoundRecord,
    SeatState,
    Status,
    TableState,
)
from games.showdown.rules.weapons import (
    BASIC,
    EMPTY_STOCK,
    RESULTS,
    WEAPONS,
    WINNING,
    Result,
    Weapon,
    change_stock,
)

ALONE_AHEAD: Final = 2  # victory points
SHARED: Final = 1
MOST_ABSENCES: Final = 2  # rounds in a row

Scores = Mapping[SeatNo, int]


def run_rounds(state: TableState, at: Instant) -> Step[TableState]:
    """Begin the first round, and resolve rounds while no seat has a choice left. A loop: with every
    stock empty a whole game may follow at once.
    """
    step = Step(state) if state.round else start_round(state, at)
    while step.state.result is None and all(seat.is_done_choosing for seat in step.state.live):
        step = step.then(lambda current: resolve_round(current, at))
    return step


def start_round(state: TableState, at: Instant) -> Step[TableState]:
    """Begin the next round with a full clock."""
    seats = tuple(replace(seat, is_active=False) for seat in state.seats)
    started = replace(
        state,
        seats=seats,
        phase=state.phase + 1,
        round=state.round + 1,
        due_at=Instant(at + state.options.round_milliseconds),
        is_excused=False,
    )
    return Step(started, (Told(facts.RoundStarted(started.round)),))


def resolve_round(state: TableState, at: Instant) -> Step[TableState]:
    """Resolve all battles at once, score them, then end the game or begin the next round."""
    battles = tuple(_fight(a, b) for a, b in combinations(state.live, 2))
    wins = {seat.no: sum(b.winner == seat.no for b in battles) for seat in state.live}
    mine = _mine_that_goes_off(state) if len(set(wins.values())) == 1 else None
    scores = _scores(wins, None if mine is None else mine[0])
    record = RoundRecord(state.round, battles, tuple(wins.items()), tuple(scores.items()), mine)
    seats = tuple(_after_battles(seat, record, scores) for seat in state.seats)
    fought = replace(state, seats=seats, last_round=record)
    step = Step(fought, _told_of(record)).then(_count_absences)
    return step.then(lambda current: _finish_round(current, state, at))


def break_off_round(state: TableState, at: Instant) -> Step[TableState]:
    """End a game of two of whom one leaves: no battle is fought, nothing chosen is spent; for the
    bonus the round counts as any other.
    Source: docs/rules/showdown.md, "Settling".
    """
    seats = tuple(
        replace(
            seat, attacks=(), is_locked=False, rounds_active=seat.rounds_active + seat.is_active
        )
        if seat.is_in
        else seat
        for seat in state.seats
    )
    return _finish_round(replace(state, seats=seats), state, at)


def _fight(a: SeatState, b: SeatState) -> Battle:
    a_weapon, b_weapon = dict(a.attacks).get(b.no), dict(b.attacks).get(a.no)
    of_a, of_b = RESULTS[a_weapon, b_weapon], RESULTS[b_weapon, a_weapon]
    winner = a.no if of_a in WINNING else b.no if of_b in WINNING else None
    taken = b_weapon if of_a == Result.TAKES else a_weapon if of_b == Result.TAKES else None
    taken_by = None if taken is None else winner
    return Battle(a.no, b.no, a_weapon, b_weapon, winner, taken, taken_by)


def _scores(wins: Scores, knocked_out: SeatNo | None) -> Scores:
    """Return the victory points of the seats that score."""
    if knocked_out is not None:
        return {seat: SHARED for seat in wins if seat != knocked_out}
    most = max(wins.values())
    leaders = [seat for seat in wins if wins[seat] == most]
    return dict.fromkeys(leaders, ALONE_AHEAD if len(leaders) == 1 else SHARED)


def _mine_that_goes_off(state: TableState) -> tuple[SeatNo, int]:
    """Return the seat that steps on a mine, and the mines under it: 0 if none is planted."""
    lying = {seat.no: 0 for seat in state.live}
    for seat in state.seats:
        for target, count in seat.mines:
            lying[target] += count
    most = max(lying.values())
    unlucky = [seat for seat in lying if lying[seat] == most]
    victim = draw_one(state.seed, f"mine/{state.round}", unlucky)
    return victim, most


def _after_battles(seat: SeatState, record: RoundRecord, scores: Scores) -> SeatState:
    """Remove used and combined weapons, add the spoils and the score, remove exploded mines."""
    blown_up = record.mine[0] if record.mine and record.mine[1] else None
    mines = tuple(entry for entry in seat.mines if entry[0] != blown_up)
    if not seat.is_in:
        return replace(seat, mines=mines)
    spent = change_stock(seat.stock, (weapon for _, weapon in seat.attacks), -1)
    spoils = [b.taken for b in record.battles if b.taken is not None and b.taken_by == seat.no]
    basics = spent[: len(BASIC)] + EMPTY_STOCK[len(BASIC) :]
    return replace(
        seat,
        known=known_after(seat.known, dict(seat.attacks).values(), spoils),
        stock=change_stock(basics, spoils, +1),
        attacks=(),
        is_locked=False,
        mines=mines,
        points=seat.points + scores.get(seat.no, 0),
        rounds_active=seat.rounds_active + seat.is_active,
    )


def known_after(
    known: Known | UnsetType, thrown: Iterable[Weapon], taken: Iterable[Weapon]
) -> Known | UnsetType:
    """Return the count after a round; a weapon thrown beyond it was one of those added."""
    if known is UNSET:
        return UNSET
    counts, seen = list(known[:3]), known[3]
    for weapon in thrown:
        for part in WEAPONS[weapon].made_of or (weapon,):
            place = BASIC.index(part)
            seen += not counts[place]
            counts[place] = max(0, counts[place] - 1)
    for weapon in taken:
        counts[BASIC.index(weapon)] += 1
    rock, paper, scissors = counts
    return rock, paper, scissors, seen


def _told_of(record: RoundRecord) -> tuple[Told, ...]:
    wins = {str(seat): wins for seat, wins in record.wins}
    points = {str(seat): points for seat, points in record.points}
    resolved = Told(facts.RoundResolved(record.round, record.battles, wins, points))
    if record.mine is None:
        return (resolved,)
    return resolved, Told(facts.MineExploded(record.round, *record.mine))


def _count_absences(state: TableState) -> Step[TableState]:
    """Warn a seat after one absent round; after two in a row, make it give up."""
    seats, told = [], []
    for seat in state.seats:
        counted = _with_absence(seat, state.is_excused)
        seats.append(counted)
        if counted.absences > seat.absences and counted.is_leaving:
            told.append(Told(facts.GaveUp(seat.no, "absent")))
        elif counted.absences > seat.absences:
            # Private: others must not tell an absent seat from one that only planted a mine.
            told.append(Told(facts.AbsentWarned(seat.no), [seat.no]))
    return Step(replace(state, seats=tuple(seats)), tuple(told))


def _with_absence(seat: SeatState, is_excused: bool) -> SeatState:
    if not seat.is_in or seat.is_leaving:
        return seat
    if seat.is_active:
        return replace(seat, absences=0)
    if is_excused:
        return seat
    # An inactive seat has spent nothing: its stock still shows whether it had a choice.
    absences = seat.absences + any(seat.stock)
    return replace(seat, absences=absences, is_leaving=absences >= MOST_ABSENCES)


def _put_out(seat: SeatState, gone: set[SeatNo]) -> SeatState:
    """Return the seat once these have gone, with their stock and the mines under them."""
    mines = tuple(entry for entry in seat.mines if entry[0] not in gone)
    if seat.no not in gone:
        return replace(seat, mines=mines)
    return replace(seat, status=Status.GAVE_UP, is_leaving=False, stock=EMPTY_STOCK, mines=mines)


def _finish_round(state: TableState, before: TableState, at: Instant) -> Step[TableState]:
    """Put out who has given up; end the game if it is decided, else begin the next round.
    ``before``: the state in which the round was played, to know who was in.
    """
    gone = {seat.no for seat in state.live if seat.is_leaving}
    if gone:
        state = replace(state, seats=tuple(_put_out(seat, gone) for seat in state.seats))
    live = [seat.no for seat in state.live]
    if not live:
        last = [seat.no for seat in before.live]
        return settle(state, last, Reason.ALL_GAVE_UP)
    pots = keep_claims(state.pots, live)
    is_joined = len(pots) < len(state.pots)
    told = (Told(facts.PotsFormed(pots)),) if is_joined else ()
    kept = Step(replace(state, pots=pots), told)
    if len(live) == 1:
        return kept.then(lambda s: settle(s, live, Reason.LAST_LEFT))
    if any(seat.points >= state.options.target for seat in state.live):
        return kept.then(lambda s: settle(s, live, Reason.TARGET))
    return kept.then(lambda s: start_round(s, at))
