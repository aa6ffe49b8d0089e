"""Nobody learns what others have chosen: not by views, not by events, not by their number."""

from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.facts import SPECTATOR, SeatNo, SecretFact, Step, Viewer
from games.engine.structs import Hidden, canonical, kind_of, replace, secret_fields
from games.showdown.rules.facts import ShowdownFact
from games.showdown.rules.state import SeatState, TableState
from games.showdown.rules.view import PublicView, SeatView, YouView
from games.showdown.testing import play_random
from games.testing.trials import steps
from tests.games.showdown.rules.kit import RULES, first_round, play, view

#: Every field of the state is here or there: a new one fails until somebody decides.
PUBLIC_SEAT = {
    "no",
    "brought",
    "purse",
    "stake",
    "status",
    "has_acted",
    "points",
    "is_locked",
    "is_leaving",
}
SECRET_SEAT = {
    "stock",
    "attacks",
    "mines",
    "planted",
    "added",
    "is_active",
    "absences",
    "rounds_active",
}
PUBLIC_TABLE = {
    "options",
    "dealer",
    "seats",
    "stage",
    "phase",
    "round",
    "turn",
    "smallest_raise",
    "full_raises",
    "pots",
    "due_at",
    "is_excused",
    "last_round",
    "result",
}
SECRET_TABLE = {"seed"}


def test_every_field_of_the_state_is_classified() -> None:
    assert set(SeatState.__struct_fields__) == PUBLIC_SEAT | SECRET_SEAT
    assert set(TableState.__struct_fields__) == PUBLIC_TABLE | SECRET_TABLE
    assert secret_fields(SeatState) == SECRET_SEAT
    assert secret_fields(TableState) == SECRET_TABLE


def test_what_holds_a_secret_prints_as_its_name_alone() -> None:
    within = _structs_within(msgspec.inspect.type_info(TableState), set())
    assert within >= {SeatState, TableState}
    for kind in within:
        assert issubclass(kind, Hidden) or not secret_fields(kind)
    state = play(first_round(3), "0 mine 1").state
    assert (repr(state), repr(state.seats[0])) == ("<TableState>", "<SeatState>")


def _structs_within(found: Any, seen: set[type]) -> set[type]:
    """Return every struct that a type is made of."""
    if isinstance(found, msgspec.inspect.StructType) and found.cls not in seen:
        seen.add(found.cls)
        for field in found.fields:
            _structs_within(field.type, seen)
    for name in ("type", "item_type"):
        if hasattr(found, name):
            _structs_within(getattr(found, name), seen)
    for part in (*getattr(found, "types", ()), *getattr(found, "item_types", ())):
        _structs_within(part, seen)
    return seen


def test_secret_facts_are_those_that_one_seat_alone_may_read() -> None:
    secret = {kind_of(kind) for kind in get_args(ShowdownFact) if issubclass(kind, SecretFact)}
    heard: dict[bool, set[str]] = {True: set(), False: set()}
    for n in range(60):
        for told in play_random(f"heard/{n}").events:
            heard[told.audience is None].add(told.kind)
            if told.audience is not None:
                (seat,) = told.audience
                assert told.data["seat"] == seat
                assert repr(told.fact) == f"<{type(told.fact).__name__}>"
    assert heard[False] == secret
    assert not heard[True] & secret


counts = st.integers(0, 9)
mines = st.dictionaries(st.integers(0, 3), st.integers(1, 3)).map(
    lambda m: tuple(sorted(m.items()))
)


def other_secrets(data: st.DataObject, state: SeatState) -> SeatState:
    """Return the seat with new random secrets; the number of added weapons is public."""
    stock = data.draw(st.tuples(*[counts] * 9))
    rock = data.draw(st.integers(0, sum(state.added)))
    return replace(
        state,
        stock=stock,
        attacks=(),
        mines=data.draw(mines),
        planted=data.draw(mines),
        added=(rock, 0, sum(state.added) - rock),
        is_active=data.draw(st.booleans()),
        absences=data.draw(st.integers(0, 1)),
        rounds_active=data.draw(counts),
    )


@settings(max_examples=40, deadline=None)
@given(st.data(), st.integers(0, 10**6))
def test_views_do_not_depend_on_the_secrets_of_others(data: st.DataObject, seed: int) -> None:
    played = play_random(f"secrets/{seed}")
    running = [step.state for _, _, step in steps(RULES, played) if not RULES.is_over(step.state)]
    if not running:
        return
    state = data.draw(st.sampled_from(running))
    for viewer in (*(Viewer(s.no) for s in state.seats), SPECTATOR):
        seats = tuple(s if s.no == viewer.seat else other_secrets(data, s) for s in state.seats)
        other = replace(state, seats=seats, seed="another")
        assert canonical(RULES.view(other, viewer)) == canonical(RULES.view(state, viewer))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_a_view_changes_only_for_those_who_hear_of_something(seed: int) -> None:
    """The hub relies on this: after a secret action it renders only for the event's audience."""
    for state, entry, step in steps(RULES, play_random(f"news/{seed}")):
        if entry.kind != "act":
            continue
        for no in (*(seat.no for seat in state.seats), None):
            if not seen_by(step, no):
                assert view(step.state, no) == view(state, no)


SECRET_MOVES = [
    "0 attack rock 1",
    "0 combine rock rock",
    "0 combine paper rock",
    "0 mine 1",
    "0 mine 2",
]


def seen_by(step: Step[TableState], no: int | None) -> list[tuple[str, str]]:
    """Return the events that a viewer may read, as text."""
    return [
        (event.kind, canonical(dict(event.data)))
        for event in step.events
        if event.audience is None or (no is not None and SeatNo(no) in event.audience)
    ]


@pytest.mark.parametrize("line", SECRET_MOVES)
def test_a_secret_move_tells_others_nothing(line: str) -> None:
    state = first_round(3)
    step = play(state, line)
    for no in (1, 2, None):
        assert seen_by(step, no) == []
        assert view(step.state, no) == view(state, no)
    assert len(seen_by(step, 0)) == 1
    assert RULES.phase(step.state) == RULES.phase(state)
    assert step.state.due_at == state.due_at


@pytest.mark.parametrize("weapon", ["rock", "paper", "scissors"])
def test_adding_tells_others_the_same_whatever_it_is(weapon: str) -> None:
    step = play(first_round(3), f"0 add {weapon}")
    other = play(first_round(3), "0 add rock")
    for no in (1, 2, None):
        assert seen_by(step, no) == seen_by(other, no) == [("something_added", '{"seat":0}')]
        assert view(step.state, no) == view(other.state, no)


@pytest.mark.parametrize("rest", [("0 attack rock 1",), ()])
def test_two_games_that_differ_in_a_mine_look_the_same_until_it_goes_off(
    rest: tuple[str, ...],
) -> None:
    """Also for one who did nothing but plant it: the warning of an absence is private."""
    game = first_round(3)
    first = (*rest, "1 attack rock 2", "2 lock")
    second = ("0 lock", "1 attack rock 2", "1 lock", "2 lock")
    mined = [play(game, *first, "0 mine 1", "deadline")]
    plain = [play(game, *first, "deadline")]
    mined.append(play(mined[0].state, *second))
    plain.append(play(plain[0].state, *second))
    for with_mine, without in zip(mined, plain, strict=True):
        for no in (1, 2, None):
            assert seen_by(with_mine, no) == seen_by(without, no)
            assert view(with_mine.state, no) == view(without.state, no)


def test_a_view_is_built_for_who_has_no_seat() -> None:
    state = first_round(2)
    assert view(state, 3) == view(state) == RULES.view(state, SPECTATOR)
    assert view(state)["you"] is None


def test_a_view_has_exactly_the_documented_fields() -> None:
    shown = view(first_round(3), 1)
    assert set(shown) == {*PublicView.__annotations__, "you"}
    assert set(shown["you"]) == set(YouView.__annotations__)
    assert set(shown["seats"][0]) == set(SeatView.__annotations__)
    assert shown["due_at"] == "2026-11-21T12:00:30.000Z"
    assert shown["clock_limit"] == 30_000


def test_a_view_late_in_a_game_fits_5_kb_at_4_seats() -> None:
    state = first_round(4, target=15, largest_purse=100_000)
    grown = tuple(
        replace(
            s,
            brought=100_000,
            stake=100_000,
            stock=(99,) * 9,
            points=14,
            mines=tuple((other, 99) for other in range(4) if other != s.no),
            planted=tuple((other, 99) for other in range(4) if other != s.no),
            added=(999, 999, 999),
        )
        for s in state.seats
    )
    state = replace(state, seats=grown, pots=state.pots * 4, round=57, phase=99)
    for no in range(4):
        lines = [f"{no} attack twin_blades {other}" for other in range(4) if other != no]
        state = play(state, *lines).state
    sizes = [len(canonical(view(state, no))) for no in range(4)]
    over = play(state, "deadline").state
    assert RULES.is_over(over)
    sizes += [len(canonical(view(over, no))) for no in range(4)]
    assert max(sizes) < 5_000


def test_random_views_fit_and_say_what_is_legal() -> None:
    for n in range(12):
        for _, _, step in steps(RULES, play_random(f"views/{n}")):
            for s in step.state.seats:
                shown: dict[str, Any] = view(step.state, s.no)
                legal = RULES.legal_actions(step.state, s.no)
                assert shown["you"]["may"] == list(dict.fromkeys(a.kind for a in legal))
                assert len(canonical(shown)) < 5_000
