"""Recorded contests: what each action adds to the history, changes or is refused for.

A line is an action; the indented lines below it are what came of it.  Record again after a wanted
change: ``RECORD=1 ./run test tests/games/contests/test_playthroughs.py``, and read the difference.
"""

import json
import os
import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from accounts.models import User
from accounts.people import say_away
from economy.models import Setting
from games.contests import models, services
from games.engine.errors import IllegalAction
from games.engine.facts import instant
from games.matches.journal.replay import replay_match
from games.matches.models import Match
from tests.games.contests.kit import ContestKit, person
from tests.games.moderation.test_fair_play import share_browser

pytestmark = pytest.mark.django_db

SCENES = [
    pytest.param(path, scene, id=scene.split("\n", 1)[0].removeprefix("# "))
    for path in sorted((Path(__file__).parent / "playthroughs").glob("*.txt"))
    for scene in path.read_text(encoding="utf-8").strip().split("\n\n")
]
DEEDS = {
    "ready": "make_ready",
    "unready": "make_unready",
    "object": "object_to",
    "pass": "let_pass",
}


class Play:
    """One contest that is told what to do, and tells what came of it."""

    def __init__(self) -> None:
        self.kit: Any = None
        self.seen: dict[str, Any] = {}

    def do(self, line: str) -> list[str]:
        words = line.split()
        who = list(takewhile(re.compile(r"p\d|founder|stranger").fullmatch, words))
        deed, *more = words[len(who) :]
        told = []
        for name in who or [None]:
            try:
                getattr(self, f"_{deed}", lambda *given: self._deed(deed, *given))(name, *more)
            except IllegalAction as refusal:
                told.append(f"{name or ''} refused: {refusal.code}".strip())
        return told + list(self._news())

    def _contest(self, _: None, count: str, *more: str) -> None:
        values = dict(each.split("=") for each in more if "=" in each)
        numbers = {name: int(value) for name, value in values.items()}
        self.kit = ContestKit(int(count), is_master="master" in more, **numbers)
        list(self._news())

    def _user(self, name: str) -> User:
        if name == "stranger":
            return person()
        user = self.kit.founder if name == "founder" else self.kit.people[int(name[1:])]
        return User.objects.get(pk=user.pk)

    def _deed(self, deed: str, name: str, *more: str) -> None:
        if deed == "propose":
            changes = {key: int(new) for key, new in (each.split("=") for each in more)}
            self.kit.do(deed, self._user(name), changes=changes)
        else:
            given = {"no": int(more[0])} if more else {}
            self.kit.do(DEEDS.get(deed, deed), self._user(name), **given)

    def _newcomer(self, _: None) -> None:
        self.kit.people.append(person())
        self.kit.do("join", self.kit.people[-1])

    def _wait(self, _: None, days: str, ms: str = "0") -> None:
        self.kit.pass_time(days=int(days), milliseconds=int(ms))

    def _sweep(self, _: None) -> None:
        services.sweep(self.kit.now)

    def _kill(self, _: None) -> None:
        game = self.kit.game
        game.kill_one()
        self.kit.now = game.now

    def _void(self, _: None) -> None:
        self.kit.game.void("a mistake")

    def _set(self, name: str, **changes: Any) -> None:
        User.objects.filter(pk=self._user(name).pk).update(**changes)

    def _freeze(self, name: str) -> None:
        self._set(name, is_frozen=True, frozen_reason="asked")

    def _ban(self, name: str) -> None:
        self._set(name, is_active=False)

    def _away(self, name: str, days: str) -> None:
        today = self.kit.now.date()
        user, until = self._user(name), today + timedelta(days=int(days))
        say_away(user_id=user.pk, until=until, today=today)

    def _shares(self, name: str, other: str) -> None:
        share_browser(self._user(name), self._user(f"p{other}"))

    def _site(self, _: None, name: str, value: str) -> None:
        Setting.objects.update_or_create(name=name, defaults={"value": int(value)})

    def _news(self) -> Iterator[str]:
        names = {user.pk: f"p{no}" for no, user in enumerate(self.kit.people)}
        names.setdefault(self.kit.founder.pk, "founder")
        row, state = models.Contest.objects.get(pk=self.kit.row.pk), self.kit.state
        for line in row.history.filter(no__gt=self.seen.get("no", 0)).order_by("no"):
            self.seen["no"] = line.no
            due = re.sub(
                r'(?<="effect_at":)\d+',
                lambda found: f"{int(found[0]) - instant(self.kit.now)}",
                line.data,
            )
            data = re.sub(
                r'("(?:user|by)":|[\[,])(\d+)(?=[,\]}])',
                lambda found: found[1] + names.get(int(found[2]), found[2]),
                due,
            )
            yield f"{line.kind} {names.get(line.user_id, '-')} {data}"
        played = [(game, game.match) for game in row.played.select_related("match").order_by("pk")]
        seated = [
            " ".join(names[seat.user_id] for seat in match.seats.order_by("no"))
            for _, match in played
        ]
        told = ("contest", "seats", "phase_seconds", "threshold")
        options = [json.loads(match.table)["options"] for _, match in played]
        notes = row.parties.exclude(note="").order_by("pk").values_list("user", "note")
        proposals = models.Proposal.objects.filter(contest=row).order_by("no")
        shown = {
            "ready": [names[user] for user in state.ready],
            "master": names.get(state.master),
            "settings": state.settings,
            "notes": {names[user]: re.sub(r"^c\d+x\d+", "somebody", note) for user, note in notes},
            "proposals": [f"{each.no} {each.outcome or 'open'}" for each in proposals],
            "games": [
                f"{match.status} {game.how} {people}"
                for (game, match), people in zip(played, seated, strict=True)
            ],
            "options": [{name: each[name] for name in told} for each in options],
        }
        for name, value in shown.items():
            if self.seen.get(name) != value:
                self.seen[name] = value
                yield f"{name}: {json.dumps(value)}"


@pytest.mark.both_databases
@pytest.mark.parametrize(("path", "scene"), SCENES)
def test_contest_recorded(path: Path, scene: str) -> None:
    play, told = Play(), []
    for line in scene.split("\n"):
        if line.startswith("    "):
            continue
        told.append(line)
        if not line.startswith("#"):
            told += [f"    {news}" for news in play.do(line)]
    for match in Match.objects.all():
        assert replay_match(match).is_same
    if "RECORD" in os.environ:
        whole = path.read_text(encoding="utf-8")
        path.write_text(whole.replace(scene, "\n".join(told)), encoding="utf-8")
    else:
        assert told == scene.split("\n")
