import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from games.matches.services import OPEN_TABLES
from tests.boot import PATIENCE
from tests.faults.pages import Pages
from tests.faults.rig import Rig

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.both_databases]

MANY = 30
TOKEN = "t" * 32
ADDRESS = "/play/showdown/new/"
_FIELD = re.compile(r'<input type="number" name="(\w+)" value="(\d+)"')


@pytest.mark.fault_profile
def test_fault_of_thirty_tables_opened_at_once_in_two_processes_three_are(rig: Rig) -> None:
    webs, (ann,) = rig.webs(), rig.people(1)
    cookie = f"{ann['cookie']}; csrftoken={TOKEN}"
    pages = [Pages(webs[no % 2].address, cookie) for no in range(MANY)]
    form = dict(_FIELD.findall(pages[0].get(ADDRESS)[1]))
    together = Barrier(MANY)

    def open_table(page: Pages) -> int:
        together.wait(PATIENCE)
        return page.post(ADDRESS, form, TOKEN)

    with ThreadPoolExecutor(MANY) as pool:
        statuses = list(pool.map(open_table, pages))
    assert sorted(statuses) == [200] * (MANY - OPEN_TABLES) + [302] * OPEN_TABLES
    rig.prove_calm()
