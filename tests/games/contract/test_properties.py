import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect

from games.engine.errors import IllegalAction, NotInPhase, StaleAction
from games.engine.facts import Instant, SeatNo, Viewer
from games.engine.structs import canonical, kind_of, kinds_of, reader_of
from tests.forms import form
from tests.games import recorded
from tests.games.contract.kit import SLUGS, Tried
from tests.games.contract.trials import trials_of
from tests.games.judging import is_accepted
from tests.refusals import refuses
from tools.referee.trials import play_many, replay, steps

GAMES = form(4, in_all=8, in_long=12)


def test_contract_random_games_end_and_keep_what_the_games_trial_asks_for(game: Tried) -> None:
    short, in_all, in_long = game.data.games
    count = form(short, in_all=in_all, in_long=in_long)
    summary = play_many(game.slug, game.trial.random_game, count, "properties")
    assert (summary["violations"], summary["ended"]) == ([], count)
    assert set(summary["reasons"]) >= game.data.reasons


@settings(max_examples=form(8, in_all=16, in_long=50), deadline=None)
@given(st.text(max_size=20))
def test_contract_any_text_is_the_seed_of_a_sound_game(game: Tried, seed: str) -> None:
    assert game.trial.random_game(seed).violations == []


@pytest.mark.plain
def test_contract_random_games_and_games_among_bots_come_out_the_same(game: Tried) -> None:
    assert list(trials_of(game)) == game.read("trials.txt").splitlines()


def universe(rules: Any, seats: int) -> list[Any]:
    """Return everything anybody could ask for at a table of this size, except to say something."""
    found = []
    for kind in get_args(rules.Action):
        fields = inspect.type_info(kind).fields  # type: ignore[attr-defined]
        values = [list(_values(each.type, seats)) for each in fields]
        if all(values):
            found += [kind(*each) for each in product(*values)]
    return found


def _values(kind: Any, seats: int) -> Iterator[Any]:
    """Yield the values of a field; numbers from 1 are amounts, others are seats; no texts."""
    match kind:
        case inspect.Metadata():
            yield from _values(kind.type, seats)
        case inspect.UnionType():
            for each in kind.types:
                yield from _values(each, seats)
        case inspect.IntType(ge=1):
            yield from range(1, 70)
        case inspect.IntType():
            yield from range(seats + 1)
        case inspect.EnumType():
            yield from kind.cls
        case inspect.LiteralType():
            yield from kind.values
        case inspect.BoolType():
            yield from (False, True)
        case inspect.NoneType():
            yield None
        case _:
            assert isinstance(kind, inspect.StrType)


def test_contract_only_legal_actions_are_accepted_and_refusals_change_nothing(game: Tried) -> None:
    """Except those that the game names, and what changes nothing, which is no refusal."""
    rules = game.rules
    for before, _, step in game.steps("universe", GAMES):
        asked = universe(rules, before.options.seats)
        for state in (before, step.state):
            text, at = canonical(state), Instant((rules.deadline(state) or 1) - 1)
            for seat in map(SeatNo, range(state.options.seats + 1)):
                accepted = [each for each in asked if is_accepted(rules, state, seat, each, at)]
                legal = rules.legal_actions(state, seat)
                assert all(is_accepted(rules, state, seat, each, at) for each in legal)
                for each in accepted:
                    if each not in legal and not game.data.unlisted(state, seat, each):
                        raise AssertionError(f"{each} of seat {seat} is not listed")
                    if each not in legal and rules.apply(state, seat, each, at).events:
                        assert each.kind in kinds_of(legal)
                assert list(legal) == list(dict.fromkeys(legal))
            assert canonical(state) == text


def test_contract_two_seats_that_act_in_one_phase_may_act_in_either_order(game: Tried) -> None:
    rules = game.rules
    for number, state in enumerate(game.states("order", GAMES)):
        at = Instant(rules.deadline(state) - 1)
        pairs = [
            (seat, action)
            for seat in rules.pending_seats(state)
            for action in rules.legal_actions(state, seat)
            if action.kind not in game.data.ordered
        ]
        for one, two in zip(pairs[number % 3 :: 3], pairs[number % 5 :: 5][::-1], strict=False):
            ends = [_both(rules, state, pair, at) for pair in ((one, two), (two, one))]
            if one[0] != two[0] and None not in ends:
                assert ends[0] == ends[1], (one, two)


def _both(rules: Any, state: Any, moves: Any, at: Instant) -> str | None:
    """Return the text of the state after two actions, None if one ends the phase or is refused."""
    phase = rules.phase(state)
    for seat, action in moves:
        try:
            state = rules.apply(state, seat, action, at).state
        except IllegalAction:
            return None
        if rules.phase(state) != phase or rules.is_over(state):
            return None
    return canonical(state)


def shape(value: Any) -> Any:
    """Return a value with the types of all its parts, so that 1 is not True and a list no tuple."""
    if isinstance(value, tuple):
        return (tuple, *map(shape, value))
    if isinstance(value, msgspec.Struct):
        return (type(value), *map(shape, msgspec.structs.astuple(value)))
    return type(value), value


def test_contract_all_comes_back_from_its_text_and_phases_count_up(game: Tried) -> None:
    """Every state has a clock or is the end."""
    rules = game.rules
    state_of, fact_of, action_of = map(reader_of, (rules.State, rules.Fact, rules.Action))
    for before, entry, step in game.steps("texts", 2 * GAMES):
        state, text = step.state, canonical(step.state)
        assert shape(state_of.stored(text)) == shape(state)
        assert canonical(state_of.stored(text)) == text
        for told in step.events:
            assert shape(fact_of.stored(canonical(told.fact))) == shape(told.fact)
            assert json.loads(canonical(told.fact)) == {"kind": told.kind, **told.data}
        if entry.action is not None:
            assert shape(action_of.given(canonical(entry.action))) == shape(entry.action)
        assert (rules.deadline(state) is None) == rules.is_over(state) == bool(rules.outcome(state))
        assert (rules.clock_limit(state) is None) == rules.is_over(state)
        assert rules.phase(state) >= rules.phase(before)
        if rules.phase(state) != rules.phase(before):
            assert any(told.audience is None for told in step.events)


@pytest.mark.plain
def test_contract_what_is_no_state_is_a_value_error(game: Tried) -> None:
    stored = reader_of(game.rules.State).stored
    for text in ("", "{}", "[]", "1", "x", '"x"', '{"schema":1}', '{"seed":"0"}'):
        with pytest.raises(ValueError, match=r"missing|Object|Expected|JSON|truncated"):
            stored(text)
    raw = json.loads(canonical(game.play("odd").state))
    with pytest.raises(ValueError, match="unknown field"):
        stored(canonical({**raw, "schema": 1}))


def test_contract_replay_gives_the_same_bytes_under_two_hash_seeds(game: Tried) -> None:
    rules = type(game.rules)
    trial = f"{type(game.trial).__module__}:{type(game.trial).__qualname__}"
    program = (
        "import hashlib\n"
        "from pkgutil import resolve_name\n"
        "from tools.referee.trials import replay\n"
        f"rules = resolve_name('{rules.__module__}:{rules.__qualname__}')()\n"
        f"play = resolve_name('{trial}')(rules).play\n"
        f"played = [play(f'hash/{{n}}') for n in range({24 // game.data.every + 3})]\n"
        "texts = [replay(rules, each) for each in played]\n"
        "print(hashlib.sha256('\\n'.join(texts).encode()).hexdigest())\n"
    )
    found = {recorded.run_with_hash_seed(program, hash_seed) for hash_seed in ("1", "4242")}
    assert (len(found), len(found.pop())) == (1, 64)


@pytest.mark.plain
def test_contract_replay_of_a_prefix_gives_each_state_in_between(game: Tried) -> None:
    played, figures = game.play("prefix"), game.trial.random_game("prefix")
    if game.is_of_the_site:
        assert figures.inputs == len(played.inputs)
        assert figures.reason == played.state.result.reason.value
    assert figures.rounds >= 1
    texts = [canonical(step.state) for _, _, step in steps(game.rules, played)]
    while played.inputs:
        assert replay(game.rules, played) == texts[len(played.inputs) - 1]
        del played.inputs[-max(1, len(played.inputs) // 10) :]


@pytest.mark.plain
def test_contract_the_clock_acts_when_it_has_run_out_and_never_after_the_end(game: Tried) -> None:
    rules = game.rules
    for state in game.states("late", 1):
        text, due_at = canonical(state), rules.deadline(state)
        with refuses("action/too_early"):
            rules.on_deadline(state, Instant(due_at - 1))
        assert rules.phase(rules.on_deadline(state, due_at).state) == rules.phase(state) + 1
        over = rules.void(state).state
        assert rules.is_over(over)
        assert all(outcome.net == 0 for outcome in rules.outcome(over).values())
        with pytest.raises(NotInPhase):
            rules.void(over)
        with pytest.raises(NotInPhase):
            rules.on_deadline(over, due_at)
        assert rules.postpone(over, due_at).events == ()
        assert not any(rules.legal_actions(over, seat) for seat in range(state.options.seats))
        assert rules.pending_seats(over) == rules.open_seats(over) == ()
        rules.postpone(state, Instant(due_at + 99_000))
        for seat in rules.pending_seats(state)[:2]:
            rules.view(state, Viewer(seat))
            action = rules.legal_actions(state, seat)[0]
            rules.apply(state, seat, action, Instant(due_at - 1))
            with pytest.raises(StaleAction):
                rules.apply(state, seat, action, due_at)
        assert canonical(state) == text


@pytest.mark.plain
def test_contract_who_takes_over_a_seat_sees_what_the_seat_sees(game: Tried) -> None:
    """Seats that nobody offers are taken over after a ban, where a game has substitutes."""
    rules, opened = game.rules, set()
    for state in game.states("taken over", 2 * GAMES):
        at = Instant(rules.deadline(state) - 1)
        opened.add(bool(rules.open_seats(state)))
        if not game.data.taken_over:
            with pytest.raises(NotInPhase):
                rules.take_over(state, SeatNo(0), at)
            continue
        for seat in (*rules.open_seats(state), *rules.pending_seats(state)[:1]):
            step = rules.take_over(state, seat, at)
            before, after = (rules.view(each, Viewer(seat)) for each in (state, step.state))
            for name in game.data.taken_over:
                assert not after["you"].pop(name), "what the one before did or left undone is over"
                before["you"].pop(name)
            assert after == before
            assert seat not in rules.open_seats(step.state)
    assert (True in opened) == game.data.opens
    assert game.data.taken_over or not game.data.opens


RECORDED = [(slug, path) for slug in SLUGS for path in recorded.recordings(slug)]


@pytest.mark.parametrize(("slug", "path"), RECORDED, ids=lambda part: getattr(part, "stem", part))
def test_contract_recorded_game_comes_out_the_same_and_whole(slug: str, path: Path) -> None:
    recorded.assert_same(slug, path)
    recorded.assert_whole(slug, path)


def test_contract_every_fact_is_in_a_recorded_game(game: Tried) -> None:
    if game.is_of_the_site:
        facts = {kind_of(fact) for fact in get_args(game.rules.Fact)}
        assert recorded.recorded_kinds(game.slug) == facts - game.data.unrecorded
