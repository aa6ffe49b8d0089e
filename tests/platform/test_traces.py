"""One id leads from a request or a frame to the batch; to a task: test_access_log.py."""

import re

import pytest
from asgiref.sync import sync_to_async
from channels.testing import HttpCommunicator

from games.matches.processing import writing
from rpsite.access_log import traced
from rpsite.asgi import pages
from rpsite.logs import LineFormatter
from tests.boot import PATIENCE
from tests.games.socket_kit import make_table, opened, running_site


@pytest.fixture
def id_of(caplog, monkeypatch):
    """Return the id of the line with these words, which is written as the site's handler does."""

    def find(words: str) -> str:
        (line,) = (line for line in caplog.text.splitlines() if words in line)
        found = re.search(r"\[([0-9a-f]{8}(?:\.\d+)?)\]", line)
        assert found is not None, line
        return found[1]

    monkeypatch.setattr(caplog.handler, "formatter", LineFormatter())
    return find


def broken(*given):
    raise RuntimeError("a bug")


@pytest.mark.django_db(transaction=True)
async def test_trace_leads_from_a_frame_to_the_batch(id_of, monkeypatch):
    match, _, cookies = await sync_to_async(make_table)(seats=2)
    async with running_site():
        page = await opened(match, cookies[0])
        with monkeypatch.context() as patch:
            patch.setattr(writing, "apply", broken)
            error = await page.act(kind="sit", seat=0, purse=50)
        assert error["code"] == "internal"
        await page.leave()
    socket, _, number = id_of("a batch of 1 failed").partition(".")
    assert int(number) >= 1, "the frame is counted"
    assert socket != "", "the socket has an id"


@pytest.mark.django_db
async def test_trace_of_a_request_is_its_incident(id_of, caplog, monkeypatch):
    monkeypatch.setattr("games.matches.views.settings", None)
    line = HttpCommunicator(traced(pages), "GET", "/about/", headers=[(b"host", b"localhost")])
    answer = await line.get_response(PATIENCE)
    assert answer["status"] == 500
    incident = id_of(": AttributeError at about/")
    assert f"incident {incident}" in caplog.text
    assert incident.encode() in answer["body"]
