"""The public count of weapons.  Source: docs/rules/showdown.md, "What each viewer sees"."""

import pytest

from games.engine.facts import Points, SeatNo, SeatSetup
from games.engine.structs import canonical
from games.showdown.rules.engine import FirstShowdown
from games.showdown.rules.rounds import known_after
from games.showdown.rules.state import Known, Options, TableState
from games.showdown.rules.weapons import Weapon
from tests.games.showdown.rules.kit import NOON, SEED, first_round, play, seat, view


@pytest.mark.parametrize(
    ("known", "thrown", "taken", "expected"),
    [
        ((3, 3, 3, 0), "rock", "", (2, 3, 3, 0)),
        ((3, 3, 3, 0), "sling boulder", "paper", (0, 3, 3, 0)),
        ((1, 3, 3, 0), "boulder", "", (0, 3, 3, 1)),
        ((0, 3, 3, 1), "rock", "rock", (1, 3, 3, 2)),
    ],
)
def test_what_is_thrown_beyond_the_count_was_added(
    known: Known, thrown: str, taken: str, expected: Known
) -> None:
    threw, took = ([Weapon(name) for name in names.split()] for names in (thrown, taken))
    assert known_after(known, threw, took) == expected


def known_of(state: TableState, no: int) -> dict[str, int]:
    counts: dict[str, int] = view(state)["seats"][no]["known"]
    return counts


def test_all_viewers_count_what_is_seen_and_nothing_else() -> None:
    state = first_round(2)
    assert known_of(state, 0) == {"rock": 3, "paper": 3, "scissors": 3, "added": 0}
    lines = ("0 add rock", "0 combine paper paper", "0 attack sling 1 make", "1 attack scissors 0")
    chosen = play(state, *lines).state
    assert known_of(chosen, 0) == {"rock": 3, "paper": 3, "scissors": 3, "added": 1}
    after = play(chosen, "deadline").state
    # The Wall that was not thrown has cost two papers, which nobody saw.
    assert known_of(after, 0) == {"rock": 2, "paper": 2, "scissors": 4, "added": 1}
    assert known_of(after, 1) == {"rock": 3, "paper": 3, "scissors": 2, "added": 0}
    assert [view(after, no)["seats"] for no in (0, 1)] == [view(after)["seats"]] * 2


def test_known_is_never_less_than_what_a_seat_has() -> None:
    state = first_round(2)
    for lines in (("0 add rock", "0 attack boulder 1 make"), ("0 attack boulder 1 make",)):
        state = play(state, *lines, "deadline").state
    assert known_of(state, 0) == {"rock": 0, "paper": 3, "scissors": 3, "added": 0}
    assert seat(state, 0).stock[:3] == (0, 3, 3)


def test_two_games_that_differ_only_in_hidden_stock_give_the_same_bytes() -> None:
    def watched(*hidden: str) -> list[str]:
        state, seen = first_round(3), []
        for lines in ((*hidden, "0 attack paper 1"), ("0 attack paper 1", "0 attack rock 2")):
            for line in (*lines, "1 attack rock 0", "deadline"):
                state = play(state, line).state
            seen += [canonical(view(state, no)) for no in (None, 1, 2)]
        return seen

    worlds = [
        watched("0 add rock"),
        watched("0 add paper"),
        watched("0 add scissors", "0 combine scissors scissors"),
        watched("0 combine rock scissors", "0 add scissors"),
    ]
    assert worlds[1:] == worlds[:1] * 3
    assert len(set(worlds[0])) == len(worlds[0])


def test_a_game_by_the_first_version_counts_nothing_and_its_text_stays() -> None:
    seats = [SeatSetup(SeatNo(no), Points(50)) for no in (0, 1)]
    step = FirstShowdown().setup(Options(), seats, SEED, NOON)
    state = play(step.state, f"{step.state.turn} call").state
    state = play(state, f"{state.turn} call", "0 attack rock 1", "deadline").state
    assert [one["known"] for one in view(state)["seats"]] == [None, None]
    assert "known" not in canonical(state)
