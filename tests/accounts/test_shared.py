from typing import Any

import pytest

from accounts.shared import Shared, Shown, note_changes


@pytest.fixture
def read(settings: Any) -> Shared[list[Any]]:
    settings.SHARED_SECONDS = 1.0
    counted = iter(range(100))
    return Shared(lambda *given: [next(counted), *given])


@pytest.mark.plain
def test_answer_is_kept_for_a_second_for_everybody(read: Shared[list[Any]], clock: Any) -> None:
    assert read.seen_by(None) == [0]
    clock.now += 0.9
    assert read.seen_by(7) == read.seen_by(None) == [0]
    clock.now += 0.2
    assert read.seen_by(7) == read.seen_by(None) == [1]


def test_answer_may_be_kept_for_longer(settings: Any, clock: Any) -> None:
    settings.SHARED_SECONDS = 1.0
    counted = iter(range(100))
    read = Shared(lambda: next(counted), 60)
    assert read.seen_by(7) == 0
    clock.now += 59
    assert read.seen_by(7) == 0
    clock.now += 2
    assert read.seen_by(7) == 1


def test_answers_of_other_parameters_are_others(read: Shared[list[Any]], clock: Any) -> None:
    assert read.seen_by(None, "duel") == [0, "duel"]
    assert read.seen_by(None, "agora") == [1, "agora"]
    assert read.seen_by(None, "duel") == [0, "duel"]


def test_who_has_stored_something_gets_a_newer_answer_and_then_everybody(
    read: Shared[list[Any]], clock: Any
) -> None:
    assert read.seen_by(7) == [0]
    clock.now += 0.1
    note_changes([7, None])
    assert read.seen_by(8) == read.seen_by(None) == [0]
    clock.now += 0.1
    assert read.seen_by(7) == [1]
    assert read.seen_by(8) == read.seen_by(7) == [1]


def test_answer_whose_read_began_before_a_change_does_not_count_as_newer(
    settings: Any, clock: Any
) -> None:
    settings.SHARED_SECONDS = 1.0
    answers = []

    def slow() -> list[int]:
        answers.append(len(answers))
        if len(answers) == 1:
            clock.now += 0.1
            note_changes([7])
        return list(answers)

    read = Shared(slow)
    assert read.seen_by(None) == [0]
    clock.now += 0.1
    assert read.seen_by(7) == [0, 1]


def test_nothing_is_kept_where_the_setting_says_so(read: Shared[list[Any]], settings: Any) -> None:
    settings.SHARED_SECONDS = 0.0
    assert [read.seen_by(None) for _ in range(2)] == [[0], [1]]


def test_part_is_made_once_for_each_answer_and_key() -> None:
    shown = Shown({"duel": [{"players": []}], "agora": []})
    part = shown.part("partials/lobby_view.html")
    assert "lobby-view" in part
    assert shown.part("partials/lobby_view.html") is part
