"""Actions on the wire, options and their ranges, examples in docstrings."""

import doctest
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings

from games.engine.choices import chosen_options, clean_options, site_numbers
from games.engine.errors import BadField, BadOption
from games.engine.structs import plain, reader_of
from games.mafia.agora import words
from games.mafia.agora.game import CONTEST, NUMBERS
from games.mafia.agora.rules import roles
from games.mafia.agora.rules.actions import AgoraAction
from games.mafia.agora.rules.options import QUICK, Options
from games.mafia.common.rules import ballots, phases
from tests.forms import form
from tests.games.struct_strategies import well_formed

READER = reader_of(AgoraAction)


@pytest.mark.parametrize("module", [ballots, phases, roles, words])
def test_agora_examples_in_docstrings_hold(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert tried
    assert not failed


@pytest.mark.parametrize(
    "raw",
    [
        {"kind": "choose", "target": 3},
        {"kind": "choose", "target": "none"},
        {"kind": "vote", "choice": 0},
        {"kind": "vote", "choice": "none"},
        {"kind": "vote", "choice": None},
        {"kind": "done"},
        {"kind": "undone"},
        {"kind": "post", "room": "town", "text": "hello"},
        {"kind": "leave"},
    ],
)
def test_agora_an_action_is_read_as_it_is_written(raw: dict[str, Any]) -> None:
    assert plain(READER.made_of(raw)) == raw


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ({"kind": "choose"}, ""),
        ({"kind": "choose", "target": None}, "target"),
        ({"kind": "choose", "target": "None"}, "target"),
        ({"kind": "choose", "target": -1}, "target"),
        ({"kind": "choose", "target": True}, "target"),
        ({"kind": "choose", "target": 1.5}, "target"),
        ({"kind": "choose", "target": 1, "role": "doctor"}, "role"),
        ({"kind": "vote"}, ""),
        ({"kind": "vote", "choice": "nobody"}, "choice"),
        ({"kind": "vote", "choice": [1]}, "choice"),
        ({"kind": "kill", "target": 1}, "kind"),
        ({"kind": "investigate", "target": 1}, "kind"),
        ({"kind": "post", "room": "", "text": "x"}, "room"),
        ({"kind": "post", "room": "r" * 21, "text": "x"}, "room"),
        ({"target": 1}, "kind"),
    ],
)
def test_agora_what_is_no_action_is_a_bad_field(raw: dict[str, Any], field: str) -> None:
    with pytest.raises(BadField) as refused:
        READER.made_of(raw)
    if field:
        assert refused.value.detail["field"] == field


@settings(max_examples=form(30, in_all=60, in_long=100), deadline=None)
@given(well_formed(AgoraAction))
def test_agora_every_action_within_its_bounds_comes_back_from_its_text(action: Any) -> None:
    raw = plain(action)
    if "\0" in str(raw.get("text", "")) + str(raw.get("room", "")):
        with pytest.raises(BadField):
            READER.made_of(raw)
    else:
        assert READER.made_of(raw) == action


def test_agora_a_table_chooses_its_length_and_the_site_its_numbers() -> None:
    assert chosen_options(Options) == {
        *("seats", "phase_seconds", "early_end", "reveal_on_death", "last_wills"),
        *("listed", "spectators"),
    }
    of_contests = {name for term in CONTEST.settings.values() for name in (term.least, term.most)}
    assert set(site_numbers(Options).values()) == {n.name for n in NUMBERS} - of_contests
    defaults = clean_options(Options, {})
    assert (defaults.seats, defaults.phase_seconds, defaults.threshold) == (7, 86_400, 60)
    assert clean_options(Options, dict(QUICK)).phase_seconds == 120


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("seats", 18),
        ("seats", 2),
        ("seats", 4),
        ("phase_seconds", 59),
        ("phase_seconds", 604_801),
        ("threshold", 0),
        ("threshold", 61),
        ("quiet_limit", 0),
        ("early_end", 1),
    ],
)
def test_agora_an_option_has_its_bounds(option: str, value: int) -> None:
    with pytest.raises(BadOption) as refused:
        clean_options(Options, {option: value})
    assert refused.value.detail["option"] == option
