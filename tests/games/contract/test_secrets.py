import types
from collections import defaultdict
from pkgutil import resolve_name
from typing import Any, Union, get_args, get_origin, get_type_hints, is_typeddict

import msgspec
import pytest

from games.engine.errors import IllegalAction
from games.engine.facts import Instant, SeatNo, SecretFact, Step, Viewer
from games.engine.structs import Hidden, canonical, kind_of, kinds_of
from tests.forms import form
from tests.games.classified import secret_fields
from tests.games.contract.kit import Tried, heard, noticed, viewers
from tests.games.contract.shape import shape_of
from tools.referee.trials import steps

#: Milliseconds from which a clock is slow.
SLOW = 300_000
GAMES = form(8, in_all=16, in_long=25)


def test_contract_somebody_decided_what_of_a_game_is_secret(game: Tried) -> None:
    """Fields, facts without sentences and options that are new differ from what is recorded."""
    assert shape_of(game.game) == game.read("shape.txt").splitlines()


def _structs_in(value: object) -> list[msgspec.Struct]:
    if isinstance(value, msgspec.Struct):
        inner = msgspec.structs.astuple(value)
        return [value, *(each for part in inner for each in _structs_in(part))]
    if isinstance(value, tuple | list):
        return [each for part in value for each in _structs_in(part)]
    return []


@pytest.mark.plain
def test_contract_what_holds_a_secret_prints_as_its_name_alone(game: Tried) -> None:
    for before, entry, step in game.steps("printed", 2):
        for each in _structs_in([before, *(told.fact for told in step.events), entry.action]):
            if isinstance(each, Hidden | SecretFact) or secret_fields(type(each)):
                assert repr(each) == f"<{type(each).__name__}>"


def test_contract_secret_facts_are_those_that_not_everybody_hears(game: Tried) -> None:
    kinds: dict[bool, set[str]] = defaultdict(set)
    for number in range(form(60, in_all=80, in_long=100) // game.data.every):
        played = game.play(f"audiences/{number}")
        for told in played.events:
            is_secret = isinstance(told.fact, SecretFact)
            assert (told.audience is not None) == (is_secret and not game.data.is_open(told))
            kinds[is_secret].add(told.kind)
    secret = {kind_of(f) for f in get_args(game.rules.Fact) if issubclass(f, SecretFact)}
    assert kinds[True] == secret
    assert not kinds[False] & secret


def test_contract_a_view_does_not_depend_on_what_a_viewer_may_not_know(game: Tried) -> None:
    for state in game.states("worlds", GAMES):
        for viewer in viewers(state):
            shown = noticed(game.rules, Step(state), viewer)
            for other in game.data.worlds(state, viewer):
                assert noticed(game.rules, Step(other), viewer) == shown


@pytest.mark.plain
def test_contract_time_that_is_given_back_tells_nothing_and_is_there(game: Tried) -> None:
    """As the house repays: a live clock until an instant, a slow one by the outage's length."""
    rules, is_told = game.rules, False
    for number, state in enumerate(game.states("repaid", GAMES // 2)):
        away = (-60_000, 90_000, 3_600_000)[number % 3]
        until = rules.deadline(state) + away
        for viewer in viewers(state)[:: state.options.seats]:
            shown = []
            for each in (state, *game.data.worlds(state, viewer)):
                is_slow = rules.clock_limit(each) > SLOW
                given = Instant(rules.deadline(each) + away if is_slow else until)
                step = rules.postpone(each, given)
                assert rules.deadline(step.state) >= given
                assert rules.phase(step.state) == rules.phase(each)
                shown.append(noticed(rules, step, viewer))
                is_told |= any(told.kind == "clock_postponed" for told in step.events)
            assert all(other == shown[0] for other in shown)
    assert is_told


def test_contract_a_view_changes_only_for_those_who_hear_of_something(game: Tried) -> None:
    """The hub relies on this: after a secret action it renders only for the event's audience."""
    for before, entry, step in game.steps("news", GAMES):
        if entry.kind == "take_over":
            continue  # the table announces it
        for viewer in viewers(before):
            if not heard(step, viewer):
                seen = noticed(game.rules, Step(before), viewer)
                assert noticed(game.rules, step, viewer) == seen
                # Nor is its part made again, which would take time.
                old, new = map(game.rules.own_sources, (before, step.state))
                assert viewer.seat == entry.seat or old.get(viewer.seat) == new.get(viewer.seat)


def test_contract_an_own_view_is_the_same_while_its_sources_are(game: Tried) -> None:
    """The hub relies on this too."""
    for number in range(GAMES):
        known: dict[SeatNo, list[tuple[object, str]]] = defaultdict(list)
        for _, _, step in steps(game.rules, game.play(f"sources/{number}")):
            for seat, source in game.rules.own_sources(step.state).items():
                shown = canonical(game.rules.own_view(step.state, seat))
                assert all(old != source or was == shown for old, was in known[seat])
                known[seat].append((source, shown))


def _comes_to(game: Tried, state: Any, seat: Any, asked: Any, viewer: Viewer) -> object:
    """Return what a viewer notices when a seat asks for something, a refusal included."""
    deadline = game.rules.deadline(state)
    try:
        step = game.rules.apply(state, seat, asked, Instant(deadline - 1))
    except IllegalAction as refusal:
        return refusal.code, refusal.message, refusal.detail
    return noticed(game.rules, step, viewer)


def test_contract_what_is_done_comes_to_the_same_in_worlds_that_look_alike(game: Tried) -> None:
    for number, state in enumerate(game.states("blind", GAMES)):
        everybody = viewers(state)
        viewer = everybody[number % len(everybody)]
        for seat, asked, worlds in game.data.blind(state, viewer):
            here = _comes_to(game, state, seat, asked, viewer)
            for other in worlds:
                assert _comes_to(game, other, seat, asked, viewer) == here


def test_contract_others_cannot_tell_which_secret_action_it_was(game: Tried) -> None:
    rules, data = game.rules, game.data
    for state in game.states("unheard", GAMES // 4):
        at = Instant(rules.deadline(state) - 1)
        for seat in map(SeatNo, range(state.options.seats)):
            mates = set(data.mates(state, seat))
            others = [viewer for viewer in viewers(state) if viewer.seat not in mates]
            seen: dict[tuple[str, Viewer], object] = {}
            for action in data.unheard(state, seat):
                try:
                    step = rules.apply(state, seat, action, at)
                except IllegalAction:
                    continue
                if rules.phase(step.state) != rules.phase(state):
                    continue
                traces = [data.traces[action.kind]] if action.kind in data.traces else []
                for viewer in others:
                    assert [kind for kind, _ in heard(step, viewer)] == traces
                    shown = noticed(rules, step if traces else Step(step.state), viewer)
                    before = shown if traces else noticed(rules, Step(state), viewer)
                    assert seen.setdefault((action.kind, viewer), before) == shown
                assert all(seat in (told.audience or (seat,)) for told in step.events)


def _fits(value: Any, hint: Any) -> bool:
    """Whether plain data has exactly the fields and types that are documented of a view."""
    if is_typeddict(hint):
        hints = get_type_hints(hint)
        is_map = isinstance(value, dict) and value.keys() == hints.keys()
        return is_map and all(_fits(value[k], hints[k]) for k in hints)
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (types.UnionType, Union):
        return any(_fits(value, each) for each in inner)
    if origin is list:
        return isinstance(value, list) and all(_fits(each, inner[0]) for each in value)
    if origin is tuple:
        return len(value) == len(inner) and all(map(_fits, value, inner))
    if origin is dict:
        return all(_fits(k, inner[0]) and _fits(v, inner[1]) for k, v in value.items())
    if origin is not None:
        return value in inner
    return value is None if hint in (None, type(None)) else isinstance(value, hint)


@pytest.mark.plain
def test_contract_a_view_has_the_documented_fields_and_says_what_is_legal(game: Tried) -> None:
    views = vars(resolve_name(f"{game.package}.rules.view")) if game.is_of_the_site else {}
    for _, _, step in game.steps("documented", 2):
        for viewer in viewers(step.state):
            shown = msgspec.json.decode(canonical(game.rules.view(step.state, viewer)))
            you = shown.pop("you")
            assert not views or _fits(shown, views["PublicView"]), shown
            if you is not None:
                assert not views or _fits(you, views["YouView"]), you
                legal = kinds_of(game.rules.legal_actions(step.state, viewer.seat))
                assert you.get("may", you.get("legal", legal)) == legal
        seen, *_, unseated = (game.rules.view(step.state, each) for each in viewers(step.state))
        assert seen["you"] is None
        assert unseated == seen


def test_contract_the_largest_view_is_small(game: Tried) -> None:
    if game.data.largest is None:
        assert not game.is_of_the_site
        return
    state, most = game.data.largest()
    for viewer in viewers(state):
        assert len(canonical(game.rules.view(state, viewer))) < most
