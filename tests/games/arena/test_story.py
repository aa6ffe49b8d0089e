"""An evening in the arena, as digests; ``WRITE=1 ./run test`` of this file writes story.txt."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from django.db import connection

from accounts.models import User
from games.arena import queries, rounds
from games.arena.queries import season_shown
from games.arena.rules.actions import Choose, Prefer
from games.arena.rules.moves import Move
from games.arena.rules.options import Preference
from games.people.standing import standing_of
from tests.games.arena.kit import ArenaKit, allow
from tools.referee.arena.rounds import seed_of

STORY = Path(__file__).with_name("story.txt")
TABLES = ("player", "round", "choice", "fight", "dayfigures", "seasonfigures", "lease")
#: Who does what in each round: letters are people; a move, an option or what is asked for.
EVENTS = """
a paper, b rock, c rock, d scissors
b team, c count, a scissors, b rock, c rock
c rock, a paper, a rock, a leave, b paper, c paper, d paper
b survivor, a join, d reset, a paper, b paper, c rock, d rock
e join, a paper, b paper, c rock, e nothing
a paper, b scissors, e rock, b leave, c leave, d leave
a blitz, a rock, a nothing
late
a inverted, e inverted, b join, c join, a rock, b paper, c paper, e rock
a rock, b rock, c scissors, e paper, a reset
gone
"""
MOVES = {"rock", "paper", "scissors", "nothing"}


def stored(table: str, first: int) -> Any:
    """Return the rows of a table; users are numbered from the first of the evening."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM arena_{table}")
        names = [column[0] for column in cursor.description]
        rows = [dict(zip(names, row, strict=True)) for row in cursor]
    for row in rows:
        row.pop("id", None)
        for name in {"user_id", "drawn_id"} & row.keys():
            row[name] = row[name] if row[name] is None or row[name] < first else row[name] - first
    return sorted(map(str, rows))


def live(kit: ArenaKit) -> Iterator[tuple[str, Any]]:
    yield "public", queries.public_view()
    yield "live", queries.read_live(kit.no, [])
    for letter, user in zip("abcde", kit.people, strict=True):
        yield letter, queries.own_view(user)
    for table in TABLES:
        yield table, stored(table, kit.people[0].pk)


def pages(kit: ArenaKit) -> Iterator[tuple[str, Any]]:
    yield "crowd", queries.crowd()
    yield "season", season_shown(kit.now)
    for letter, user in zip("abcde", kit.people, strict=True):
        yield f"history of {letter}", queries.history(user)
        yield f"figures of {letter}", standing_of.seen_by(None, user.pk).others.get("arena", [])
        yield f"watched by {letter}", queries.floor_shown(4, queries.fight_shown(4, user.username))
    for period in queries.PERIODS:
        yield f"boards, {period}", [queries.board(period, by) for by in queries.FIGURES]
    for no in (1, 4, kit.no - 1):
        yield f"round {no}", (queries.round_shown(no), queries.proof_of(no), queries.neighbours(no))


def act(kit: ArenaKit, event: str) -> str:
    who, _, what = event.partition(" ")
    user = kit.people["abcde".index(who)]
    kit.now += timedelta(milliseconds=7)
    if what in MOVES:
        answer = kit.do(user, Choose(None if what == "nothing" else Move(what)))
    elif what in ("join", "leave", "reset"):
        answer = getattr(kit, what)(user)
    else:
        answer = kit.do(user, Prefer(what, Preference.ON))
    return answer.error.code if answer.error else "done"


def evening(kit: ArenaKit) -> Iterator[str]:
    """Yield the lines of an evening: what is asked for in each round, and what its end leaves."""
    for events in EVENTS.strip().splitlines():
        if events in ("late", "gone"):
            kit.here = kit.here if events == "late" else set()
            kit.now += timedelta(minutes=5)
        else:
            yield f"{events}: {' '.join(act(kit, event.strip()) for event in events.split(','))}"
        kit.now = max(kit.now, kit.round.ends_at if kit.no else kit.now)
        yield f"{events}: {kit.look()}"
        yield from digests(live(kit))
    yield from digests(pages(kit))


def digests(found: Iterator[tuple[str, Any]]) -> Iterator[str]:
    yield from (f"  {name} {crc32(repr(value).encode()):08x}" for name, value in found)


@pytest.mark.plain
@pytest.mark.django_db
def test_arena_evening_is_stored_and_shown_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "link_of", lambda no, _at: seed_of("5eed" * 16, no))
    allow(idle_rounds=3, names_shown=4)
    kit = ArenaKit(0)
    kit.now = datetime(2020, 5, 1, 23, 58, tzinfo=UTC)
    kit.people = [User.objects.create_user(f"p{letter}") for letter in "abcde"]
    for user in kit.people[:4]:
        kit.plain(user)
        kit.join(user)
    # The season of that evening, not of today's.
    monkeypatch.setattr(queries, "season_shown", lambda numbers: season_shown(kit.now, numbers))
    told = list(evening(kit))
    if "WRITE" in os.environ:
        STORY.write_text("\n".join([*told, ""]))
    assert told == STORY.read_text(encoding="utf-8").splitlines()
