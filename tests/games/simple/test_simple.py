"""The base of simple games, with a small game for two to four.  Source: docs/tutorials/coin.md."""

from random import Random
from typing import Annotated, Any

import pytest

from games.engine.choices import number
from games.engine.errors import NotInPhase, StaleAction
from games.engine.facts import (
    SPECTATOR,
    Fact,
    Instant,
    Points,
    SeatNo,
    SeatSetup,
    Step,
    Told,
    Viewer,
)
from games.engine.protocols import Result
from games.engine.structs import Kinded, replace
from games.simple.game import SENTENCES, SimpleBot, command_of, simple_game
from games.simple.rules import SimpleFact, SimpleOptions, SimpleRules, SimpleState
from games.text.telling import who_pattern
from games.text.typed import Action, Words
from tests.refusals import refuses
from tools.referee.trials import Trial, play_many


class Take(Kinded, frozen=True):
    """Take some matches off the heap.  Who takes the last one loses."""

    count: int


class Taken(Fact, frozen=True):
    seat: SeatNo
    count: int


class Options(SimpleOptions, frozen=True):
    seats: Annotated[int, number(2, 4, chosen=True)] = 3


class State(SimpleState[Options], frozen=True):
    heap: int = 5
    turn: SeatNo = SeatNo(0)


class Heap(SimpleRules[State]):
    """In turn each takes one or two matches; who takes the last one loses to all others."""

    max_seats = 4
    Options, State, Action, Fact = Options, State, Take, SimpleFact | Taken

    def moves(self, state: State, seat: SeatNo) -> tuple[Take, ...]:
        if seat != state.turn:
            return ()
        return tuple(Take(count) for count in (1, 2) if count <= state.heap)

    def play(self, state: State, seat: SeatNo, action: Take) -> Step[State]:
        left = replace(state, heap=state.heap - action.count)
        taken = Step(left, (Told(Taken(seat, action.count)),))
        if not left.heap:
            return taken.then(lambda over: self.end(over, others(over, seat)))
        return taken.then(self.go_on)

    def go_on(self, state: State) -> Step[State]:
        later = [seat for seat in state.playing if seat > state.turn] or list(state.playing)
        return Step(replace(state, turn=later[0], phase=state.phase + 1))

    def note(self, state: State, seat: SeatNo | None) -> str:
        return f"{state.heap} left" if seat is None else ""


def others(state: State, seat: SeatNo) -> tuple[SeatNo, ...]:
    return tuple(other for other in state.playing if other != seat)


HEAP = Heap()
GAME = simple_game(
    HEAP,
    slug="heap",
    title="Heap",
    about="Do not take the last one.",
    how=("Take one or two.",),
    sentences={"taken": who_pattern("{who} takes {count}.")},
)
ONE, TWO, THREE = SeatNo(0), SeatNo(1), SeatNo(2)


def begun(seats: int = 3, stake: int = 5) -> State:
    setups = [SeatSetup(SeatNo(no), Points(stake)) for no in range(seats)]
    return HEAP.setup(Options(seats=seats, stake=stake), setups, "seed", Instant(1_000)).state


def nets(state: State) -> list[int]:
    return [outcome.net for outcome in HEAP.outcome(state).values()]


def test_simple_random_games_are_sound() -> None:
    summary = play_many("heap", Trial(HEAP).random_game, 200, "heap")
    assert (summary["ended"], summary["violations"]) == (200, [])


def test_simple_a_trial_makes_the_view_of_each_seat_at_each_step(monkeypatch) -> None:
    def own_view(rules: Any, state: Any, seat: SeatNo) -> dict[str, object]:
        return {} if rules.is_over(state) else {"odd": object()}

    monkeypatch.setattr(type(HEAP), "own_view", own_view)
    with pytest.raises(TypeError):
        Trial(HEAP).random_game("views")


def test_simple_a_new_phase_starts_a_new_clock_and_who_is_late_loses() -> None:
    state = begun()
    assert (state.phase, state.due_at) == (1, 31_000)
    assert HEAP.on_deadline(state, Instant(31_000)).state.winners == (TWO, THREE)
    state = HEAP.apply(state, ONE, Take(1), Instant(5_000)).state
    assert (state.phase, state.turn, state.due_at) == (2, TWO, 35_000)


def test_simple_winners_share_all_stakes_to_the_last_point() -> None:
    state = replace(begun(stake=5), heap=1)
    step = HEAP.apply(state, ONE, Take(1), Instant(2_000))
    # 15 points for two: the first winner gets the odd one.
    assert nets(step.state) == [-5, 3, 2]
    assert [told.data.get("amount") for told in step.events if told.kind == "pot_awarded"] == [8, 7]
    results = [outcome.result for outcome in HEAP.outcome(step.state).values()]
    assert results == [Result.LOST, Result.WON, Result.WON]
    assert HEAP.deadline(step.state) is None


def test_simple_a_void_gives_the_stakes_back_and_nobody_has_a_result() -> None:
    step = HEAP.void(begun())
    assert [told.kind for told in step.events] == ["game_voided", *["stake_refunded"] * 3]
    outcomes = {(each.net, each.result) for each in HEAP.outcome(step.state).values()}
    assert outcomes == {(0, Result.NONE)}
    with pytest.raises(NotInPhase):
        HEAP.void(step.state)


def test_simple_refusals_change_nothing() -> None:
    not_now = "action/not_in_phase"
    for seat, count, code in ((TWO, 1, not_now), (ONE, 3, not_now), (7, 1, "action/not_seated")):
        with refuses(code):
            HEAP.apply(begun(), SeatNo(seat), Take(count), Instant(2_000))
    assert HEAP.apply(begun(), ONE, Take(1), Instant(30_999)).state.turn == TWO
    with pytest.raises(StaleAction):
        HEAP.apply(begun(), ONE, Take(1), Instant(31_000))
    with pytest.raises(ValueError, match="2 to 4 seats"):
        begun(seats=4 + 1)


def test_simple_views_have_a_button_for_each_move_of_the_own_seat_alone() -> None:
    state = begun()
    mine = HEAP.view(state, Viewer(ONE))
    assert mine["you"]["moves"] == [
        {"label": f"Take {count}", "action": {"kind": "take", "count": count}} for count in (1, 2)
    ]
    assert HEAP.view(state, Viewer(TWO))["you"]["moves"] == []
    assert HEAP.view(state, SPECTATOR)["you"] is None
    assert (mine["note"], mine["seats"][0]["is_awaited"]) == ("5 left", True)


def table_view(state: State, seat: SeatNo) -> dict[str, Any]:
    return {"game": HEAP.view(state, Viewer(seat)), "seats": [], "you": {"may": []}}


def test_simple_a_typed_command_is_a_move() -> None:
    entry = command_of(Take)
    assert (entry.usage, entry.about) == ("!take COUNT", "take some matches off the heap")
    view = table_view(begun(), ONE)
    assert entry.read(Words(entry.usage, ["2"]), view) == Action({"kind": "take", "count": 2})
    with refuses("command/usage", match="Possible: Take 1, Take 2"):
        entry.read(Words(entry.usage, ["3"]), view)
    assert GAME.typing.confirm({"kind": "take", "count": 2}, view) == "Take 2."


def test_simple_a_bot_makes_a_possible_move_when_it_is_awaited() -> None:
    bot, state = SimpleBot(HEAP), begun()
    (action,) = bot.choose(table_view(state, ONE), Random("bot"))
    assert action["kind"] == "take"
    assert bot.choose(table_view(state, TWO), Random("bot")) == []
    assert [bot.has_decision(state, seat) for seat in (0, 1, 2)] == [True, False, False]


def test_simple_who_gives_up_is_out_and_the_last_one_wins() -> None:
    step = HEAP.leave(begun(), ONE, Instant(2_000))
    state, names = step.state, {0: "ann", 1: "bob", 2: "cy"}
    told = [GAME.speech.tell(fact.kind, fact.data, names) for fact in step.events]
    assert told == ["ann gives up."]
    assert GAME.speech.sentences.keys() == {*SENTENCES, "taken"}
    assert (state.turn, state.playing) == (TWO, (TWO, THREE))
    with pytest.raises(NotInPhase):
        HEAP.leave(state, ONE, Instant(2_000))
    assert HEAP.legal_actions(state, ONE) == ()
    over = HEAP.leave(state, TWO, Instant(3_000)).state
    assert (over.winners, nets(over)) == ((THREE,), [-5, -5, 10])
