"""Places among those who fought.  Source: docs/rules/showdown.md "Ratings"."""

import pytest

from games.engine.facts import SeatNo
from games.engine.protocols import Places
from tests.forms import form
from tests.games.showdown.rules.kit import RULES, new_game, play
from tools.referee.showdown import TRIAL

#: Seat 0 beats all others, seat 1 does, and seats 0 and 2 fight when seat 1 is gone.
ROUNDS = {
    "0 wins": ["0 attack rock 1", "0 attack rock 2", "1 attack scissors 0", "2 attack scissors 0"],
    "1 wins": ["1 attack rock 0", "1 attack rock 2", "0 attack scissors 1", "2 attack scissors 1"],
    "0 beats 2": ["0 attack rock 2", "2 attack scissors 0"],
    "0 beats 1": ["0 attack rock 1", "1 attack scissors 0"],
    "call": ["0 call", "1 call", "2 call"],
    "void": [],
}
#: The seats, what they do, the places, and who has none because of a fold.
CASES = """
    3 | call, 0 wins, 0 wins                       | 0:1 1:2 2:2 |
    3 | call, 1 wins, 0 wins, 0 wins               | 0:1 1:2 2:3 |
    3 | call, 1 wins, 1 leave, 0 beats 2, 0 beats 2 | 0:1 2:2 1:3 |
    3 | call, 0 wins, deadline, deadline           | 0:1 1:1 2:1 |
    3 | call, 1 wins, 1 leave, deadline, deadline  | 2:1 0:2 1:3 |
    3 | 0 call, 1 fold, 2 call, 0 beats 2, 0 beats 2 | 0:1 2:2   | 1
    3 | 0 call, deadline, 2 call, 0 beats 2, 0 beats 2 | 0:1 2:2 | 1
    3 | 0 call, 1 fold, 2 call, 0 beats 2, 2 leave | 0:1 2:2     | 1
    3 | 0 fold, 1 fold                             |             |
    3 | deadline, deadline                         |             |
    2 | 0 call, 1 call, 0 leave                    |             |
    2 | 0 call, 1 call, 0 beats 1, 0 leave         | 1:1 0:2     |
    2 | 0 call, 1 call, 0 beats 1, void            |             |
    2 | 0 call, 1 call, 0 beats 1                  |             |
"""


def places_of(seats: int, moves: list[str]) -> Places:
    state = new_game(*[50] * seats, target=3, dealt_least=4).state
    for move in moves:
        for line in ROUNDS.get(move, [move]):
            state = play(state, line).state
        if move == "void":
            state = RULES.void(state).state
        if " wins" in move or " beats " in move:
            for seat in [seat for seat in state.live if not seat.is_done_choosing]:
                state = play(state, f"{seat.no} lock").state
    return RULES.places(state)


@pytest.mark.plain
@pytest.mark.parametrize("case", [line for line in CASES.splitlines() if line.strip()])
def test_showdown_places_follow_the_points_of_those_who_fought(case: str) -> None:
    seats, moves, wanted, out = (part.strip() for part in case.split("|"))
    found = places_of(int(seats), [move.strip() for move in moves.split(",")])
    assert {f"{no}:{place}" for no, place in found.of.items()} == set(wanted.split())
    assert found.out == {SeatNo(int(no)) for no in out.split()}


def test_showdown_places_of_random_games_are_those_of_what_everybody_heard() -> None:
    """A model of its own, made from the public facts alone."""
    placed = 0
    for number in range(form(60, in_all=400, in_long=4_000)):
        played = TRIAL.play(f"places/{number}")
        points: dict[int, int] = {}
        gone: dict[int, int] = {}
        out, rounds, last = set(), 0, set[int]()
        for event in played.events:
            data = event.data
            if event.kind == "folded":
                out.add(data["seat"])
            elif event.kind == "gave_up":
                gone[data["seat"]] = rounds
            elif event.kind == "round_resolved":
                rounds, last = data["round"], {int(no) for no in data["wins"]}
                for no in last:
                    points[no] = points.get(no, 0) + data["points"].get(str(no), 0)
            elif event.kind == "game_voided":
                points, out = {}, set()
        if not points:
            out = set()
        left = {no for no in points if no not in gone} or last
        order = sorted((no not in left, -count) for no, count in points.items())
        model = {no: 1 + order.index((no not in left, -points[no])) for no in points}
        found = RULES.places(played.state)
        assert (dict(found.of), set(found.out)) == (model, out), number
        placed += len(model) > 1
    assert placed
