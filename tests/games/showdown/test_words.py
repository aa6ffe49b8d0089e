"""Every public fact has a sentence or a reason to have none, and the sentences read well."""

import re
from random import Random
from typing import Any

import pytest

from games.engine.facts import SPECTATOR, Instant, SecretFact, Told
from games.showdown.game import GAME
from games.showdown.words import SENTENCES
from games.text.telling import listed, points
from tests.games.sample_views import NOON, RULES, start

tell = GAME.speech.tell

NAMES = {0: "tessio", 1: "bob", 2: "carmela", 3: "tom"}


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


@pytest.mark.parametrize("seats", [2, 4])
def test_wording_tells_every_public_event_of_random_games(seats: int) -> None:
    told: set[str] = set()
    for event in events_of_random_games(25, seats):
        assert event.kind in SENTENCES
        assert (event.audience is not None) == isinstance(event.fact, SecretFact)
        line = tell(event.kind, event.data, NAMES)
        if line is not None:
            told.add(event.kind)
            assert re.fullmatch(r"[^{}]+[.]", line)
            assert len(line) < 600
    assert {"round_resolved", "game_ended", "pot_awarded", "folded", "raised"} <= told


def test_wording_tells_a_void_game() -> None:
    for event in RULES.void(start(2).state).events:
        assert event.kind in SENTENCES
        tell(event.kind, event.data, NAMES)
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
        ("uncalled_returned", {"seat": 1, "amount": 1}, "Nobody called 1 point: back to bob."),
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
            "Dead level: 2 mines go off under tessio, who loses the round.",
        ),
        (
            "game_ended",
            {"winners": [0, 1], "reason": "target"},
            "tessio and bob win. Everyone else gets to keep their hats.",
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
        (
            "attack_chosen",
            {"seat": 1, "weapon": "rock", "target": 0},
            "bob picks Rock against tessio.",
        ),
        (
            "weapons_combined",
            {"seat": 1, "first": "rock", "second": "paper", "made": "sling"},
            "bob makes a Sling from Rock and Paper.",
        ),
    ],
)
def test_wording_sentences(kind: str, data: dict[str, Any], line: str | None) -> None:
    assert tell(kind, data, NAMES) == line


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
    assert tell("round_resolved", data, NAMES) == (
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
    assert tell("round_resolved", data, NAMES) == "Round 18: no battle. bob +1."


def _battle(
    a: int, b: int, a_weapon: str | None, b_weapon: str | None, *rest: Any
) -> dict[str, Any]:
    winner, taken = rest
    arms = {"a": a, "b": b, "a_weapon": a_weapon, "b_weapon": b_weapon}
    return {**arms, "winner": winner, "taken": taken, "taken_by": winner if taken else None}


def test_wording_helpers() -> None:
    assert (points(0), points(1), points(2)) == ("0 points", "1 point", "2 points")
    assert (listed([]), listed(["a"]), listed(["a", "b"])) == ("nobody", "a", "a and b")
