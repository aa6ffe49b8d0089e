import pytest

from tests.platform.prepared import copy_all
from tests.platform.server import Server


@pytest.fixture(scope="module", params=["daphne", "uvicorn"])
def server(request, tmp_path_factory, prepared):
    var = copy_all(prepared, tmp_path_factory.mktemp(request.param))
    with Server(var, request.param) as running:
        yield running
