"""Hand histories: a parser written from the page alone reads back what was written."""

import json
import re
from random import Random
from typing import Any

import pytest
from django.test import Client

from games.matches.models import Match
from games.replays.histories import history_of, written
from tests.forms import form
from tests.games.finished import GAMES, play

pytestmark = pytest.mark.django_db

_HEAD = re.compile(r"([a-z_]+): (.*)")
_SEAT = re.compile(r"seat (\d+): (.*)")
_ENTRY = re.compile(r"(\d+) (\S+Z) phase (\d+) (?:house|seat (\d+))(?: sitter (\".*\"))?")
_FACT = re.compile(r"  ([a-z_]+) to (all|nobody|\d+(?:,\d+)*) (\{.*\})")


def parsed(text: str) -> dict[str, Any]:
    """Read a history by the grammar of docs/reference/history.md."""
    heading, *lines = text.split("\n")
    assert heading == "Rock & Racket history 1"
    assert lines.pop() == ""
    found: dict[str, Any] = {"seats": {}, "entries": []}
    for line in lines:
        if seat := _SEAT.fullmatch(line):
            found["seats"][seat[1]] = json.loads(seat[2])
        elif head := _HEAD.fullmatch(line):
            found[head[1]] = json.loads(head[2])
        elif entry := _ENTRY.fullmatch(line):
            found["entries"].append(_entry(entry))
        elif line.startswith("  do "):
            found["entries"][-1]["action"] = json.loads(line.removeprefix("  do "))
        elif fact := _FACT.fullmatch(line):
            found["entries"][-1]["facts"].append(_fact(fact))
        elif line.startswith("    "):
            found["entries"][-1]["facts"][-1]["text"] = line[4:]
        else:
            assert line == ""
    return found


def _entry(line: re.Match[str]) -> dict[str, Any]:
    return {
        "no": int(line[1]),
        "at": line[2],
        "phase": int(line[3]),
        "seat": None if line[4] is None else int(line[4]),
        "sitter": None if line[5] is None else json.loads(line[5]),
        "facts": [],
    }


def _fact(line: re.Match[str]) -> dict[str, Any]:
    numbers = [] if line[2] in ("all", "nobody") else [int(no) for no in line[2].split(",")]
    audience = None if line[2] == "all" else numbers
    return {"kind": line[1], "data": json.loads(line[3]), "audience": audience, "text": ""}


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("chance", range(form(1, in_all=2, in_long=10)))
def test_history_is_read_back_as_it_was_written(slug: str, chance: int) -> None:
    kit = GAMES[slug]()
    kit.chance = Random(chance)
    kit.act = kit.answer  # type: ignore[assignment, method-assign]
    play(kit)
    history = history_of(kit.row)
    assert parsed(written(history)) == json.loads(json.dumps(history))
    match = f"/matches/{kit.match.public_id}/"
    client = Client()
    assert client.get(f"{match}history.txt").content.decode() == written(history)
    assert client.get(f"{match}export.json").json() == json.loads(json.dumps(history))
    assert [entry["no"] for entry in history["entries"]] == list(range(1, kit.row.action_count + 1))
    assert history["entries"][0]["facts"][0]["kind"] == "sat"
    assert history["seed"] == kit.row.seed
    names = {entry["sitter"] for entry in history["entries"]} - {None}
    assert names == {user.username for user in kit.people}


@pytest.mark.plain
def test_history_keeps_its_lines_apart_for_any_name_and_reason() -> None:
    kit = GAMES["duel"]()
    kit.act = kit.answer  # type: ignore[assignment, method-assign]
    play(kit)
    Match.objects.filter(pk=kit.match.pk).update(title='a "b"\n7 2026', void_reason="x\u2028\n  do")
    history = history_of(kit.row)
    assert parsed(written(history)) == json.loads(json.dumps(history))
