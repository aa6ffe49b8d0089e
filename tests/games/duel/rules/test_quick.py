"""Quick duels, versions.  Source: docs/rules/duel.md "Seats and setup", "Options", "The end"."""

from typing import Any

import pytest

from games.duel.rules.engine import Duel, FirstDuel
from games.duel.rules.state import QUICK, DuelState, FirstOptions, FirstState, Options, Reason
from games.engine import errors
from games.engine.choices import chosen_options, clean_options
from games.engine.facts import Instant, SeatSetup
from games.engine.protocols import Result
from games.engine.structs import canonical, plain
from games.engine.table import OPEN, Table, TableState
from tests.games.duel.rules.kit import NOON, RULES, A, B, kinds, only, play, wins
from tests.refusals import refuses

FIRST, NOW = Table(FirstDuel()), Table(Duel())
SECOND, MINUTE = 1_000, 60_000
FIXED = {**QUICK, "quick": True}


def after(state: TableState[Any], *acts: tuple[int | None, str], at: int = NOON, table=NOW):
    """Return the table after people's actions; a seat None sits down."""
    for seat, kind in acts:
        action = {"kind": kind, "configuration": state.options_revision}
        given = action if kind == "ready" else {"kind": kind}
        state = table.apply(state, seat, given, Instant(at)).state
    return state


def waiting() -> TableState[Any]:
    return after(opened(**FIXED), (None, "sit"), (0, "ready"))


def paired(at: int = NOON) -> TableState[Any]:
    return after(waiting(), (None, "sit"), (1, "ready"), at=at)


def ready_seats(state: TableState[Any]) -> list[int]:
    return [seat.no for seat in state.seats if seat.ready]


def missed(*words: str, warned: bool = False, **options: Any) -> Any:
    """Return a quick duel after its words; with ``warned`` seat 1 missed its last one."""
    setups = [SeatSetup(A), SeatSetup(B, is_warned=warned)]
    begun = RULES.setup(clean_options(Options, {**FIXED, **options}), setups, "s", NOON)
    return play(begun.state, *words)


def opened(table: Table = NOW, **options: Any) -> TableState[Any]:
    return table.open(clean_options(table.rules.Options, options), NOON)


@pytest.mark.plain
def test_quick_duel_starts_three_seconds_after_the_second_press_with_a_bot_at_once() -> None:
    state = paired(NOON + MINUTE)
    assert (ready_seats(state), state.start_at) == ([0, 1], NOON + MINUTE + 3 * SECOND)
    assert NOW.on_deadline(state, Instant(NOON + MINUTE + 3 * SECOND)).state.starting
    at = NOON + 2 * MINUTE - 1
    assert NOW.deadline(paired(at)) == at + 3 * SECOND, "it does not lapse"
    bot = {"kind": "sit_bot", "seat": 1, "purse": 0}
    assert NOW.apply_house(waiting(), bot, NOON).state.starting


@pytest.mark.plain
@pytest.mark.parametrize("table", [FIRST, NOW], ids=["version 1", "version 2"])
def test_duel_that_is_not_quick_asks_again_whoever_was_ready_before(table: Table) -> None:
    acts = ((None, "sit"), (0, "ready"), (None, "sit"))
    state = after(opened(table, rated=True), *acts, table=table)
    assert ready_seats(state) == []
    state = after(state, (1, "ready"), (0, "ready"), table=table)
    assert state.starting, "it starts at once"


def test_quick_duel_not_now_costs_nothing_and_who_is_not_there_is_asked_to_press_ready() -> None:
    state = after(paired(), (0, "stand"))
    assert (ready_seats(state), state.start_at, state.stage) == ([1], None, OPEN)
    assert after(state, (None, "sit"), (0, "ready")).start_at == NOON + 3 * SECOND
    step = NOW.apply_house(paired(), {"kind": "ask", "seats": [0]}, NOON)
    assert kinds(step) == ["became_unready", "start_cancelled"]
    assert (ready_seats(step.state), step.state.start_at) == ([1], None)
    assert step.state.stand_up_at == NOON + MINUTE


@pytest.mark.plain
def test_quick_duel_a_press_is_consent_for_two_minutes() -> None:
    state = waiting()
    lapse = Instant(NOON + 2 * MINUTE)
    assert NOW.deadline(state) == lapse
    step = NOW.on_deadline(state, lapse)
    assert only(step, "became_unready") == {"seat": 0, "reason": "lapsed"}
    assert [seat.taken for seat in step.state.seats] == [True, False]
    assert NOW.deadline(after(step.state, (0, "ready"), at=lapse)) == lapse + 2 * MINUTE
    later = after(state, (0, "ready"), at=NOON + MINUTE)
    assert NOW.deadline(later) == NOON + 3 * MINUTE, "a press while ready counts anew"
    late = Instant(NOON + 10 * MINUTE)
    moved = NOW.apply_house(state, {"kind": "postpone", "due_at": late}, NOON).state
    assert NOW.deadline(moved) == late, "after an outage it lasts as long as other clocks"


@pytest.mark.plain
@pytest.mark.parametrize("other", [{"best_of": 3}, {"no_ties": False}, {"rated": False}])
def test_quick_duel_has_the_terms_of_all_quick_duels_and_nobody_at_a_table_makes_one(other) -> None:
    with refuses("action/bad_option") as refused:
        clean_options(Options, {**FIXED, **other})
    assert refused.value.detail["option"] == "quick"
    for change in (other, {"clock_seconds": 5}, {"dossiers": False}):
        with pytest.raises(errors.NotInPhase):
            NOW.apply(waiting(), A, {"kind": "configure", **change}, NOON)
    assert "configure" not in NOW.may(waiting(), A)
    with refuses("action/bad_option"):
        clean_options(Options, {**FIXED, "stake": 5})
    with pytest.raises(errors.BadField):
        NOW.apply(after(opened(), (None, "sit")), A, {"kind": "configure", "quick": True}, NOON)
    assert chosen_options(Options) - chosen_options(FirstOptions) == {"dossiers"}


@pytest.mark.plain
@pytest.mark.parametrize(("table", "fixed"), [(FIRST, False), (NOW, True)], ids=["1", "2"])
def test_duel_options_are_fixed_while_the_opening_waits_for_the_log(table, fixed) -> None:
    acts = ((None, "sit"), (None, "sit"), (0, "ready"), (1, "ready"))
    state = after(opened(table), *acts, table=table)
    assert state.starting
    at = Instant(NOON + SECOND)
    state = table.apply_house(state, {"kind": "await", "due_at": at}, NOON).state
    assert ("configure" in table.may(state, A)) is not fixed
    if not fixed:
        assert "awaits_log" not in table.encode_table(state)
        return
    with pytest.raises(errors.NotInPhase):
        table.apply(state, A, {"kind": "configure", "best_of": 9}, NOON)
    again = table.on_deadline(state, at).state
    assert again.starting
    running = table.apply_house(again, {"kind": "start", "seed": "5eed"}, at).state
    assert "awaits_log" not in table.encode_table(running)
    stopped = after(state, (1, "unready"), table=table)
    assert table.apply(stopped, A, {"kind": "configure", "best_of": 9}, NOON).state


def test_duel_rematch_of_a_quick_duel_is_an_ordinary_one_and_its_journal_names_who_was_warned():
    running = NOW.apply_house(paired(), {"kind": "start", "seed": "5eed"}, NOON).state
    over = NOW.apply(running, B, {"kind": "resign"}, NOON).state
    following = NOW.open_next(over, A, NOW.next_options(over), NOON)
    assert following.options == clean_options(Options, QUICK)
    assert NOW.deadline(following) == NOON + MINUTE, "seats are kept for a minute"
    assert after(following, (1, "ready")).starting
    start = {"kind": "start", "seed": "5eed", "warned": [1]}
    running = NOW.apply_house(paired(), start, NOON).state
    assert running.play.seats[1].is_warned is True


@pytest.mark.plain
@pytest.mark.parametrize("words", [("0r", "late"), ("late", "0p", "late")])
def test_quick_duel_whose_first_throw_one_side_misses_is_called_off(words: tuple[str]) -> None:
    step = missed(*words)
    assert only(step, "game_ended") == {"winners": [], "reason": "missed"}
    assert only(step, "hands_revealed")["counted"] is False
    assert (step.state.result.reason, wins(step.state)) == (Reason.MISSED, [0, 0])
    assert {each.result for each in RULES.outcome(step.state).values()} == {Result.NONE}


@pytest.mark.plain
def test_quick_duel_the_second_miss_in_a_row_counts() -> None:
    step = missed("0r", "late", warned=True)
    assert (wins(step.state), step.state.throw) == ([1, 0], 2)
    other = missed("1r", "late", warned=True)
    assert other.state.result.reason == Reason.MISSED, "seat 0 missed none before"
    # Any other missed throw counts as usual.
    for words, options, expected in (
        ("late", {}, [0, 0]),
        ("0r 1r 0r late", {}, [1, 0]),
        ("0r 1s 1r late", {}, [1, 1]),
        ("0r late", {"quick": False}, [1, 0]),
    ):
        state = missed(*words.split(), **options).state
        assert (wins(state), state.result) == (expected, None), words


def test_duel_of_version_1_knows_nothing_of_version_2() -> None:
    options = clean_options(FirstOptions, {"best_of": 3})
    state = FirstDuel().setup(options, [SeatSetup(A), SeatSetup(B)], "s", NOON).state
    assert type(state) is FirstState
    assert not {"quick", "dossiers"} & plain(state)["options"].keys()
    assert "is_warned" not in canonical(state)
    with refuses("action/bad_option"):
        clean_options(FirstOptions, {"quick": True})
    newest = RULES.setup(clean_options(Options, {}), [SeatSetup(A), SeatSetup(B)], "s", NOON).state
    assert type(newest) is DuelState
    assert newest.options.dossiers
    for table, text in ((FIRST, canonical(state)), (NOW, canonical(newest))):
        assert canonical(table.decode(table.encode_table(opened(table)), text).play) == text
