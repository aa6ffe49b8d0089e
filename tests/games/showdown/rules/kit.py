"""Short ways to set a game of Showdown up and to play it from lines of text."""

from typing import Any, Final, get_args

import pytest

from games.engine.choices import clean_options
from games.engine.errors import IllegalAction
from games.engine.facts import SPECTATOR, Instant, Points, SeatNo, SeatSetup, Step, Told, Viewer
from games.engine.structs import canonical, kind_of
from games.showdown.rules.actions import ShowdownAction
from games.showdown.rules.engine import Showdown
from games.showdown.rules.state import Options, SeatState, TableState
from games.showdown.rules.weapons import stock_by_name
from tools.referee.showdown import ACTIONS

RULES = Showdown()
NOON = Instant(1_795_262_400_000)
SEED = "5eed" * 16
#: Kind of action -> its type.
KINDS: Final = {kind_of(kind): kind for kind in get_args(ShowdownAction)}


def new_game(*purses: int, seed: str = SEED, **options: Any) -> Step[TableState]:
    """Set up a game of seats 0, 1, …; the last seat deals, so that seat 0 bets first."""
    raw = {"previous_dealer": len(purses) - 2, "largest_purse": 100_000, "ante": 1, **options}
    seats = [SeatSetup(SeatNo(no), Points(purse)) for no, purse in enumerate(purses)]
    return RULES.setup(clean_options(Options, raw), seats, seed, NOON)


def first_round(players: int = 2, **options: Any) -> TableState:
    """Return a game at the start of its first round, everybody in with the ante."""
    state = new_game(*[50] * players, **options).state
    for no in range(players):
        state = play(state, f"{no} call").state
    return state


def action(text: str) -> ShowdownAction:
    """Read ``attack rock 1`` as the action of that kind with these fields; words behind an attack
    are its switches.
    """
    kind, *values = text.split()
    names = KINDS[kind].__struct_fields__
    switches = [value for value in values if value in ("make", "everyone")]
    typed = [int(one) if one.isdigit() else one for one in values if one not in switches]
    fields = zip((name for name in names if name not in ("make", "everyone")), typed, strict=True)
    raw = {"kind": kind, **dict(fields), **dict.fromkeys(switches, True)}
    return ACTIONS.made_of(raw)


def play(state: TableState, *lines: str, at: Instant = NOON) -> Step[TableState]:
    """Play lines like ``0 attack rock 1`` or ``deadline``; return all of it as one step."""
    step: Step[TableState] = Step(state)
    for line in lines:
        step = step.then(lambda current, line=line: _one(current, line, at))
    return step


def _one(state: TableState, line: str, at: Instant) -> Step[TableState]:
    if line == "deadline":
        due_at = RULES.deadline(state)
        assert due_at is not None
        return RULES.on_deadline(state, due_at)
    seat, _, text = line.partition(" ")
    return RULES.apply(state, SeatNo(int(seat)), action(text), at)


def refused(state: TableState, line: str) -> IllegalAction:
    """Play a line that must be refused; return the refusal, having seen that nothing changed."""
    before = canonical(state)
    with pytest.raises(IllegalAction) as refusal:
        play(state, line)
    assert canonical(state) == before
    return refusal.value


def code(state: TableState, line: str) -> str:
    """Return the code with which a line is refused."""
    return refused(state, line).code


def seat(state: TableState, no: int) -> SeatState:
    found = state.seat(SeatNo(no))
    assert found is not None
    return found


def events(step: Step[Any], *kinds: str) -> list[Told]:
    return [event for event in step.events if event.kind in kinds]


def only(step: Step[Any], kind: str) -> dict[str, Any]:
    (event,) = events(step, kind)
    return dict(event.data)


def amounts(step: Step[Any], kind: str) -> dict[int, int]:
    """Return the amounts in the step's events of a kind, by seat, each of which has one."""
    pairs = [(event.data["seat"], event.data["amount"]) for event in events(step, kind)]
    assert len(dict(pairs)) == len(pairs)
    return dict(pairs)


def pots(step: Step[Any]) -> list[tuple[int, list[int]]]:
    """Return the pots that were formed: points, and the seats that may win them."""
    return [(pot["amount"], pot["claimants"]) for pot in only(step, "pots_formed")["pots"]]


def kinds(step: Step[Any]) -> list[str]:
    return [event.kind for event in step.events]


def view(state: TableState, no: int | None = None) -> dict[str, Any]:
    return RULES.view(state, SPECTATOR if no is None else Viewer(SeatNo(no)))


def stock(state: TableState, no: int) -> dict[str, int]:
    """Return what a seat has that is not 0, set-aside weapons included."""
    return {name: count for name, count in stock_by_name(seat(state, no).stock).items() if count}
