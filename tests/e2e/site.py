"""The site that the browser tests of a worker share, forked from a process that has all imports."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Self

from tests.faults.rig import Rig, Template, Web

#: As an administrator may set them: nobody's clock passes while a slow machine plays, and the
#: arena's rounds last until a test ends them.
NUMBERS = {
    "arena.selection_ms": 60_000, "arena.blitz_ms": 60_000, "arena.result_ms": 60_000,
    "arena.gone_seconds": 3,
    "duel.clock": 300, "events.clock": 60, "events.bot_limit": 600, "events.break": 8,
    "showdown.betting_clock": 120, "showdown.round_clock": 120,
}  # fmt: skip


class Site(Rig):
    """Web process, worker and beat on a database of their own; ``hand`` works behind the pages."""

    web_process: Web

    def __init__(self, var: Path, template: Template) -> None:
        settings = {"DJANGO_SETTINGS_MODULE": "tests.e2e.settings"}
        super().__init__(var, template, is_forking=True, **settings)
        with closing(sqlite3.connect(var / "site.sqlite3")) as database, database:
            database.executemany(
                "UPDATE economy_setting SET value = ? WHERE name = ?",
                [(value, name) for name, value in NUMBERS.items()],
            )

    def __enter__(self) -> Self:
        super().__enter__()
        self.web_process = self.start_web()
        self.celery("worker", "-c", "1", "--without-mingle", "--without-gossip")
        self.celery("beat", "--pidfile=")
        self.web_process.wait_until_ready()
        return self

    @property
    def url(self) -> str:
        return f"http://{self.web_process.address}"

    def start_web_again(self) -> None:
        self.web_process = self.web(self.web_process.port)

    def command(self, *words: str) -> str:
        return str(self.hand("command", words=words))

    def call(self, function: str, **given: Any) -> Any:
        return self.hand("call", function=f"tests.e2e.behind.{function}", given=given)
