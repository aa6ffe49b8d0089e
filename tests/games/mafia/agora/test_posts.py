"""The posts of a town are read a page at a time, by those who may read them."""

from typing import Any

import pytest

from games.mafia.agora.rules.roles import Role
from games.mafia.common.queries import PAGE, posts_in
from tests.games.mafia.agora.kit import TownKit, town

pytestmark = pytest.mark.django_db


def seen(kit: TownKit, user: Any, room: str, before: int | None = None) -> list[tuple[int, str]]:
    seat = None if user is None else kit.people.index(user)
    return [(said.no, said.text) for said in posts_in(kit.match, seat, room, before=before).posts]


@pytest.mark.both_databases
def test_agora_a_room_is_read_from_its_end_page_by_page() -> None:
    kit = town(5, phase_seconds=600)
    mafioso, citizen = kit.user_of(Role.MAFIOSO), kit.user_of(Role.CITIZEN)
    kit.run_out()
    for no in range(1, PAGE + 8):
        kit.act(citizen, kind="post", room="town", text=f'line {no} {{"kind":"post"}} é')
        if no % 9 == 0:
            kit.act(mafioso, kind="post", room="mafia", text="between")
    last = seen(kit, None, "town")
    assert [no for no, _ in last] == list(range(8, PAGE + 8))
    assert last[-1][1] == f'line {PAGE + 7} {{"kind":"post"}} é'
    assert [no for no, _ in seen(kit, None, "town", before=8)] == list(range(1, 8))
    assert seen(kit, None, "town", before=1) == []
    (said,) = posts_in(kit.match, None, "town", before=2).posts
    assert (said.seat, said.phase) == (kit.people.index(citizen), 2)
    assert said.at.endswith("Z")


def test_agora_a_room_is_read_by_those_alone_whom_the_rules_let_in() -> None:
    kit = town(9, phase_seconds=600)
    gone, agent = kit.user_of(Role.MAFIOSO), kit.user_of(Role.AGENT)
    dead, doctor = kit.user_of(Role.CITIZEN), kit.user_of(Role.DOCTOR)
    kit.act(agent, kind="post", room="mafia", text="before")
    kit.act(gone, kind="leave")
    kit.act(dead, kind="leave")
    kit.act(agent, kind="post", room="mafia", text="after")
    kit.act(dead, kind="post", room="dead", text="boo")
    assert seen(kit, agent, "mafia") == [(1, "before"), (2, "after")]
    assert seen(kit, gone, "mafia") == [(1, "before")]
    assert seen(kit, gone, "mafia", before=9) == [(1, "before")]
    assert seen(kit, gone, "dead") == [(1, "boo")]
    for user, room in (
        *((doctor, room) for room in ("mafia", "dead", "nowhere")),
        *((None, room) for room in ("mafia", "dead", "nowhere")),
        (agent, "dead"),
        (dead, "mafia"),
    ):
        with pytest.raises(LookupError):
            seen(kit, user, room)


def test_agora_after_the_end_everybody_reads_every_room() -> None:
    kit = town(5, phase_seconds=600)
    mafioso = kit.user_of(Role.MAFIOSO)
    kit.act(mafioso, kind="post", room="mafia", text="alone")
    kit.act(mafioso, kind="leave")
    assert seen(kit, None, "mafia") == [(1, "alone")]
    assert seen(kit, None, "dead") == []
