import asyncio

import pytest

from games.matches.processing import writing
from games.matches.processing.submissions import Answer, BatchResult, Submission
from games.realtime import batch_writer
from games.realtime.batch_writer import STOPPING, BatchWriter
from games.realtime.page_queue import page_queue
from games.realtime.write_queue import LEAST_BATCH, LONGEST_TURN, TURN, WriteQueue, fitting
from tests.boot import PATIENCE
from tests.games.socket_kit import until_true


@pytest.mark.parametrize(
    ("count", "seconds", "limit"),
    [(100, 0.01, 100), (16, 0.08, LEAST_BATCH), (1, 0.001, 10), (256, 0.0, writing.BATCH_LIMIT)],
)
def test_a_transaction_takes_as_many_as_fit_into_a_turn(count, seconds, limit):
    assert fitting(0.01, count, seconds) == limit


@pytest.mark.parametrize(("pages", "turn"), [(0, LONGEST_TURN), (1, TURN)])
async def test_slow_actions_are_written_in_short_transactions(monkeypatch, pages, turn):
    monkeypatch.setattr(page_queue, "running", pages)
    sizes: list[int] = []

    def apply(submissions):
        sizes.append(len(submissions))
        return BatchResult([Answer() for _ in submissions], held=0.0005 * len(submissions))

    monkeypatch.setattr(batch_writer, "call_with_connection", lambda work, *given: work(*given))
    monkeypatch.setattr(batch_writer.writing, "apply", apply)
    answers: list[Answer] = []
    runner = BatchWriter(asyncio.get_running_loop(), lambda result: None)
    for number in range(300):
        submission = Submission(1, {"kind": "act"}, f"action-{number:04}", 1)
        runner.submit(submission, answers.append)
    runner.start()
    await until_true(lambda: len(answers) == 300)
    runner.stop(PATIENCE)
    assert sum(sizes) == 300
    assert sizes[0] > turn / 0.0005, "nothing was known yet"
    assert all(size <= turn / 0.0005 for size in sizes[1:])
    assert sizes[1] == min(turn / 0.0005, 300 - sizes[0])


async def test_a_page_under_way_gets_as_long_a_turn_as_the_batch_writer(monkeypatch):
    pauses: list[float] = []
    monkeypatch.setattr(batch_writer.time, "sleep", pauses.append)
    monkeypatch.setattr(batch_writer, "call_with_connection", lambda work, *given: work(*given))
    apply = lambda jobs: BatchResult([Answer() for _ in jobs])  # noqa: E731
    monkeypatch.setattr(batch_writer.writing, "apply", apply)

    async def ask() -> None:
        answers: list[Answer] = []
        runner = BatchWriter(asyncio.get_running_loop(), lambda result: None)
        runner.submit(Submission(1, {"kind": "act"}, "action-1", 1), answers.append)
        runner.start()
        await until_true(lambda: answers)
        await asyncio.to_thread(runner.stop, PATIENCE)

    await ask()
    assert pauses == []
    monkeypatch.setattr(page_queue, "running", 1)
    await ask()
    assert len(pauses) == 1
    assert 0 <= pauses[0] <= TURN


async def test_what_would_wait_too_long_is_refused_at_once_and_told_when_to_come(monkeypatch):
    monkeypatch.setattr(WriteQueue, "offer", lambda waiting, job: 1.2345)
    runner = BatchWriter(asyncio.get_running_loop(), lambda result: None)
    answers: list[Answer] = []
    runner.submit(Submission(1, {"kind": "act"}, "action-1", 1), answers.append)
    assert (answers[0].error.code, answers[0].error.retry_ms) == ("busy", 1234)
    runner.start()
    await asyncio.to_thread(runner.stop, PATIENCE)
    runner.submit(Submission(1, {"kind": "act"}, "action-1", 1), answers.append)
    assert (answers[1].error.code, answers[1].error.retry_ms) == ("busy", STOPPING * 1000)
