"""Every public fact has a sentence or a reason to have none, and the sentences read well."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.kernel.facts import SPECTATOR, Fact, Instant, SecretFact, Told
from games.kernel.structs import kind_of
from games.showdown.words import SENTENCES, listed, points, sentence
from tests.games.sample_views import NOON, RULES, start

NAMES = {0: "tessio", 1: "bob", 2: "carmela", 3: "tom"}
RULES_FOLDER = Path(__file__).parents[3] / "games"

#: Kinds that go to one seat only; they are never lines of the log.
PRIVATE = {
    "attack_chosen",
    "attacks_reset",
    "weapons_combined",
    "weapon_added",
    "mine_planted",
    "absent_warned",
    "hand_chosen",
}


def emitted_kinds() -> set[str]:
    """Return every kind of fact of the table and of the games, and those named by word alone."""
    files = RULES_FOLDER.rglob("*.py")
    pattern = re.compile(r'Event\(\s*"([a-z_]+)"')
    named = {kind for path in files for kind in pattern.findall(path.read_text())}
    return named | {kind_of(kind) for kind in kinds_under(Fact)}


def kinds_under(base: type[Fact]) -> set[type[Fact]]:
    """Return the kinds of facts that the site knows under a base, without what is a base itself."""
    found: set[type[Fact]] = set()
    for kind in base.__subclasses__():
        found |= kinds_under(kind) or ({kind} if kind.__module__.startswith("games.") else set())
    return found


def events_of_random_games(games: int, seats: int) -> list[Told]:
    """Play legal games at random, with a deadline now and then, and return their events."""
    rng = Random(seats)
    events: list[Told] = []
    for _ in range(games):
        step = start(seats, f"{rng.getrandbits(256):064x}")
        at = NOON
        events += step.events
        while not RULES.is_over(step.state):
            due = RULES.deadline(step.state)
            seat = rng.choice(RULES.pending_seats(step.state))
            if due is not None and rng.random() < 0.05:
                at = due
                step = RULES.on_deadline(step.state, at)
            else:
                at = Instant(at + 1)
                actions = RULES.legal_actions(step.state, seat)
                step = RULES.apply(step.state, seat, rng.choice(actions), at)
            events += step.events
    return events


def test_wording_every_kind_in_the_sources_has_an_entry() -> None:
    kinds = emitted_kinds()
    assert {kind_of(kind) for kind in kinds_under(SecretFact)} <= PRIVATE
    assert {"game_started", "round_resolved", "sat", "match_closed"} <= kinds
    assert kinds - PRIVATE - set(SENTENCES) == set()


@pytest.mark.parametrize("seats", [2, 4])
def test_wording_tells_every_public_event_of_random_games(seats: int) -> None:
    told: set[str] = set()
    for event in events_of_random_games(25, seats):
        if event.audience is not None:
            assert event.kind in PRIVATE
            continue
        assert event.kind in SENTENCES
        line = sentence(event.kind, event.data, NAMES)
        if line is not None:
            told.add(event.kind)
            assert re.fullmatch(r"[^{}]+[.]", line)
            assert len(line) < 600
    assert {"round_resolved", "game_ended", "pot_awarded", "folded", "raised"} <= told


def test_wording_tells_a_void_game() -> None:
    for event in RULES.void(start(2).state).events:
        assert event.kind in SENTENCES
        sentence(event.kind, event.data, NAMES)
    assert RULES.view(RULES.void(start(2).state).state, SPECTATOR)["stage"] == "over"


@pytest.mark.parametrize(
    ("kind", "data", "line"),
    [
        ("called", {"seat": 0, "amount": 0, "all_in": False}, "tessio checks."),
        ("called", {"seat": 0, "amount": 3, "all_in": False}, "tessio calls 3."),
        ("called", {"seat": 0, "amount": 3, "all_in": True}, "tessio calls 3 and is all in."),
        (
            "raised",
            {"seat": 0, "by": 4, "amount": 6, "stake": 7, "all_in": False},
            "tessio raises 4.",
        ),
        ("folded", {"seat": 1, "late": True}, "The clock ran out: bob folds."),
        ("uncalled_returned", {"seat": 1, "amount": 1}, "1 point nobody called: back to bob."),
        (
            "game_started",
            {"dealer": 2, "seats": [0, 2], "dealt": {"rock": 3, "paper": 3, "scissors": 3}},
            "carmela deals: 3 Rock, 3 Paper and 3 Scissors each.",
        ),
        (
            "pots_formed",
            {"pots": [{"amount": 8, "claimants": [0, 1, 2]}, {"amount": 4, "claimants": [0, 1]}]},
            "8 points in the pot, 4 in a side pot for tessio and bob.",
        ),
        (
            "mine_exploded",
            {"round": 1, "seat": 0, "count": 2},
            "All level: 2 mines go off under tessio, who loses the round.",
        ),
        (
            "game_ended",
            {"winners": [0, 1], "reason": "target"},
            "tessio and bob take the game. The rest may keep their hats.",
        ),
        ("pot_awarded", {"pot": 1, "seat": 0, "amount": 4}, "4 points from side pot 1 to tessio."),
        ("revealed", {"mines": [], "stocks": {}}, None),
        (
            "revealed",
            {"mines": [{"owner": 0, "target": 1, "count": 2}], "stocks": {}},
            "Mines: tessio had 2 under bob.",
        ),
        ("sat", {"seat": 1, "purse": 50, "bot": True}, "bob, a bot, sits down with 50 points."),
        ("stood", {"seat": 1, "reason": "asked"}, "bob stands up."),
        (
            "seat_short",
            {"seat": 1, "missing": 7},
            "bob is 7 short of the purse and is not ready.",
        ),
        ("became_ready", {"seat": 9}, "Seat 10 is ready."),
        ("turn_passed", {"seat": 1}, None),
        ("attack_chosen", {"seat": 1, "weapon": "rock", "target": 0}, None),
    ],
)
def test_wording_sentences(kind: str, data: dict[str, Any], line: str | None) -> None:
    assert sentence(kind, data, NAMES) == line


def test_wording_of_a_round_explains_each_battle_and_the_points() -> None:
    battles = [
        _battle(0, 1, "sling", "scissors", 0, "scissors"),
        _battle(0, 2, "rock", "rock", None, None),
        _battle(1, 2, None, "wall", 2, None),
    ]
    data = {
        "round": 3,
        "battles": battles,
        "wins": {"0": 1, "1": 0, "2": 1},
        "points": {"0": 1, "2": 1},
    }
    assert sentence("round_resolved", data, NAMES) == (
        "Round 3: tessio beats bob (Sling, Scissors, taken); carmela beats bob (Wall, bare hands); "
        "tessio and carmela draw (Rock, Rock). tessio +1 and carmela +1."
    )


def test_wording_of_a_round_without_weapons_is_short() -> None:
    data = {
        "round": 18,
        "battles": [_battle(0, 1, None, None, None, None)],
        "wins": {"0": 0, "1": 0},
        "points": {"1": 1},
    }
    assert sentence("round_resolved", data, NAMES) == "Round 18: no battle. bob +1."


def _battle(
    a: int, b: int, a_weapon: str | None, b_weapon: str | None, *rest: Any
) -> dict[str, Any]:
    winner, taken = rest
    arms = {"a": a, "b": b, "a_weapon": a_weapon, "b_weapon": b_weapon}
    return {**arms, "winner": winner, "taken": taken, "taken_by": winner if taken else None}


def test_wording_helpers() -> None:
    assert (points(0), points(1), points(2)) == ("0 points", "1 point", "2 points")
    assert (listed([]), listed(["a"]), listed(["a", "b"])) == ("nobody", "a", "a and b")
