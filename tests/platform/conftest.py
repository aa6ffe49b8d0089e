"""The web processes of both servers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.platform.prepared import copy_all
from tests.platform.server import Server


@pytest.fixture(scope="module", params=["daphne", "uvicorn"])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, prepared: Path
) -> Iterator[Server]:
    """One process of each kind for all tests of a file."""
    kind = str(request.param)
    with Server(copy_all(prepared, tmp_path_factory.mktemp(kind)), kind) as running:
        yield running
