from pathlib import Path
from typing import Any

import pytest

from tests.games.jsonrpc.exchanges import Case, cases
from tests.games.jsonrpc.kit import play_inside

CASES = cases(Path(__file__).parent / "conformance" / "cases")


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
async def test_rpc(case: Case, settings: Any) -> None:
    settings.SOCKET_RATE = settings.SOCKET_BURST = settings.BAD_FRAMES = 500
    await play_inside(case, "duel")
