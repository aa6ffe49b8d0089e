"""The lesson: the same each time, and what its steps say comes true."""

from typing import Any

import pytest

from games.contract import TableGame
from games.engine.choices import clean_options
from games.engine.facts import Instant
from games.practice import opening
from games.practice.tables import Plan, PracticeTable
from games.showdown.game import GAME
from tests.games.practice.kit import NOON, THOUGHT


def open_lesson(game: TableGame = GAME) -> PracticeTable:
    assert game.practice is not None
    lesson = game.practice.lesson
    assert lesson is not None
    chosen = dict(lesson.options)
    options = clean_options(game.options, game.fill_options(chosen, frozenset(chosen)))
    table = PracticeTable(Plan(game, options, lesson), "Guest", NOON)
    table.start(NOON)
    return table


class Pupil:
    """Somebody who does what the steps say."""

    def __init__(self) -> None:
        self.table, self.now, self.count = open_lesson(), NOON, 0

    def wait(self) -> dict[str, Any]:
        for _ in range(20):
            self.now = Instant(self.now + THOUGHT)
            self.table.tick(self.now)
            if self.table.is_waiting or self.table.state.is_finished:
                # What the bot still has to decide.
                self.now = Instant(self.now + THOUGHT)
                self.table.tick(self.now)
                return self.table.view()
        raise AssertionError("nothing happens")

    def do(self, **action: Any) -> None:
        self.count += 1
        phase = self.table.match.phase
        answer = self.table.act(action, f"step-{self.count:06d}", phase, self.now)
        assert answer.error is None

    def throw(self, weapon: str) -> dict[str, Any]:
        self.do(kind="attack", weapon=weapon, target=1)
        self.do(kind="lock")
        return self.wait()


def test_lesson_what_the_steps_say_comes_true() -> None:
    pupil = Pupil()
    assert pupil.wait()["game"]["stage"] == "betting"
    pupil.do(kind="call")
    assert pupil.wait()["game"]["stage"] == "round"
    (battle,) = pupil.throw("rock")["game"]["last_round"]["battles"]
    assert (battle["a_weapon"], battle["b_weapon"], battle["winner"]) == ("rock", "scissors", 0)
    pupil.do(kind="combine", first="rock", second="rock")
    (battle,) = pupil.throw("boulder")["game"]["last_round"]["battles"]
    assert (battle["b_weapon"], battle["winner"]) == ("scissors", 0)
    pupil.do(kind="mine", target=1)
    view = pupil.throw("paper")
    assert view["game"]["last_round"]["mine"] == {"seat": 1, "count": 1}
    assert [seat["points"] for seat in view["game"]["seats"]] == [5, 0]


def test_lesson_is_the_same_each_time() -> None:
    seen = []
    for _ in range(2):
        pupil = Pupil()
        pupil.wait()
        pupil.do(kind="call")
        pupil.wait()
        view = pupil.throw("scissors")
        seen.append((view["game"], view["log"]))
    assert seen[0] == seen[1]


def test_lesson_has_no_clock_and_pays_nothing() -> None:
    pupil = Pupil()
    view = pupil.wait()
    assert view["due_at"] is None
    assert all(seat["bonus"] == 0 for seat in view["seats"])


@pytest.mark.parametrize("lesson", ["exam", "lessons"])
def test_lesson_there_is_no_other(lesson: str) -> None:
    assert not opening.is_offered(GAME, lesson)
