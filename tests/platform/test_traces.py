"""One id leads from a request or a frame through the batch to the task.

Source: docs/how-to/run-a-site.md "Logs".
"""

import logging
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from celery.signals import before_task_publish, task_prerun
from channels.testing import HttpCommunicator

from games.matches.processing import writing
from games.realtime.trace import trace
from rpsite.asgi import pages
from rpsite.logs import LineFormatter
from rpsite.traces import traced
from tests.games.socket_kit import make_table, opened, running_site

IN_LINE = re.compile(r"\[([0-9a-f]{8}(?:\.\d+)?)\]")


class Lines(logging.Handler):
    """Formats each record where it is written, as the site's handler does."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(LineFormatter())
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.told.append(self.format(record))

    def id_of(self, words: str) -> str:
        """Return the id of the line with these words."""
        (line,) = (line for line in self.told if words in line)
        found = IN_LINE.search(line)
        assert found is not None, line
        return found[1]


@pytest.fixture
def lines() -> Iterator[Lines]:
    handler = Lines()
    logging.getLogger().addHandler(handler)
    yield handler
    logging.getLogger().removeHandler(handler)


def broken(*given: Any) -> Any:
    raise RuntimeError("a bug")


@pytest.mark.django_db(transaction=True)
async def test_trace_leads_from_a_frame_to_the_batch(
    lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, _, cookies = await sync_to_async(make_table)(seats=2)
    async with running_site():
        page = await opened(match, cookies[0])
        with monkeypatch.context() as patch:
            patch.setattr(writing, "apply", broken)
            error = await page.act(kind="sit", seat=0, purse=50)
        assert error["code"] == "internal"
        await page.leave()
    socket, _, number = lines.id_of("a batch of 1 failed").partition(".")
    assert int(number) >= 1, "the frame is counted"
    assert socket != "", "the socket has an id"


@pytest.mark.django_db
async def test_trace_of_a_request_is_its_incident(
    lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.matches.views.site.settings", None)
    line = HttpCommunicator(traced(pages), "GET", "/about/", headers=[(b"host", b"localhost")])
    answer = await line.get_response()
    assert answer["status"] == 500
    incident = lines.id_of(": AttributeError at about/")
    assert f"incident {incident}" in "\n".join(lines.told)
    assert incident.encode() in answer["body"]


def test_trace_goes_with_a_task() -> None:
    headers: dict[str, Any] = {}
    token = trace.set("0badcafe.7")
    try:
        before_task_publish.send(sender="economy.audit", headers=headers)
        trace.set("")
        task_prerun.send(sender=None, task=SimpleNamespace(request=SimpleNamespace(**headers)))
        assert trace.get() == "0badcafe.7"
        task_prerun.send(sender=None, task=SimpleNamespace(request=SimpleNamespace()))
        assert re.fullmatch("[0-9a-f]{8}", trace.get())
    finally:
        trace.reset(token)
