import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from games.jsonrpc import views
from tests.games.duel.conformance import exchanges
from tests.games.duel.conformance.exchanges import Case
from tests.games.duel.rpc_kit import Program, make_duel, program
from tests.games.socket_kit import running_site


class Inside:
    def __init__(self, options: dict[str, Any] | None) -> None:
        options = options or {}
        if "no_ties" in options:
            options["no_ties"] = bool(options["no_ties"])
        self.match, _, self.keys = make_duel(**options)

    async def enter(self, player: int | None) -> Program:
        return await program(self.match, None if player is None else self.keys[player])

    async def post(self, text: str, player: int | None) -> tuple[int, Any]:
        assert player is not None
        headers = {"Authorization": f"Bearer {self.keys[player]}"}
        send = sync_to_async(Client().post)
        answer = await send("/rpc/", text.encode(), "application/json", headers=headers)
        return answer.status_code, json.loads(answer.content) if answer.content else None


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("case", exchanges.cases(), ids=lambda case: case.id)
async def test_rpc(case: Case, settings: Any) -> None:
    settings.SOCKET_RATE = settings.SOCKET_BURST = settings.BAD_FRAMES = 500
    views._buckets.clear()
    async with running_site():
        exchange = await exchanges.play(case, sync_to_async(Inside))
        for one in exchange.programs.values():
            await one.line.close()
