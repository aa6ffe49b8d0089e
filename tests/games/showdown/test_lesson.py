from typing import Any

import pytest

from games.engine.choices import clean_options
from games.engine.facts import Instant
from games.practice import tables
from games.practice.tables import Plan, PracticeTable
from games.showdown.game import GAME
from tests.games.practice.kit import NOON, THOUGHT


class Pupil:
    def __init__(self) -> None:
        lesson = GAME.practice.lesson
        chosen = dict(lesson.options)
        options = clean_options(GAME.options, GAME.fill_options(chosen, frozenset(chosen)))
        self.table = PracticeTable(Plan(GAME, options, lesson), "Guest", NOON)
        self.table.start(NOON)
        self.now, self.count = NOON, 0

    def tick(self) -> None:
        self.now = Instant(self.now + THOUGHT)
        self.table.tick(self.now)

    def wait(self) -> dict[str, Any]:
        for _ in range(20):
            self.tick()
            if self.table.is_waiting or self.table.state.is_finished:
                # What the bot still has to decide.
                self.tick()
                return self.table.view()
        raise AssertionError("nothing happens")

    def do(self, **action: Any) -> None:
        self.count += 1
        phase = self.table.match.phase
        assert self.table.act(action, f"step-{self.count:06d}", phase, self.now).error is None

    def throw(self, weapon: str) -> dict[str, Any]:
        self.do(kind="attack", weapon=weapon, target=1)
        self.do(kind="lock")
        return self.wait()


def test_lesson_what_the_steps_say_comes_true() -> None:
    pupil = Pupil()
    view = pupil.wait()
    assert (view["game"]["stage"], view["due_at"]) == ("betting", None), "there is no clock"
    assert all(seat["bonus"] == 0 for seat in view["seats"])
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
    pupils = [Pupil(), Pupil()]
    for pupil in pupils:
        pupil.wait()
        pupil.do(kind="call")
        pupil.wait()
    one, two = (pupil.throw("scissors") for pupil in pupils)
    assert (one["game"], one["log"]) == (two["game"], two["log"])


@pytest.mark.parametrize("lesson", ["exam", "lessons"])
def test_lesson_there_is_no_other(lesson: str) -> None:
    assert not tables.is_offered(GAME, lesson)
