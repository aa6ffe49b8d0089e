"""``./run bench crash``: kill -9 of all web processes under load; no acknowledged action is lost.

Two processes share the seats of each table, on both databases.  A kill is no power failure: it
does not test the fsync of the database and the disk.
"""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import uvloop

from bench.form import Form
from bench.plan import SITE, UVICORN
from bench.scenarios import closed
from bench.scenarios.load import PreparedTables
from bench.stand import Setup, Stand
from bench.tally import Tally, until
from bench.template import POSTGRESQL, SQLITE, Template


@dataclass(slots=True)
class Finding:
    """State of a database after a kill."""

    acknowledged: int
    lost: int
    unanswered: int
    broken: int
    behind: int
    problems: list[str]

    @property
    def is_clean(self) -> bool:
        """Whether nothing is missing and nothing is wrong."""
        return self.acknowledged > 0 and not (self.lost or self.broken or self.problems)


async def load_until_killed(stand: Stand, load: closed.Load, form: Form) -> set[str]:
    """Run all sitters, kill all processes under load, and return the acknowledged ids."""
    tally, acked = Tally(), set[str]()
    prepared: PreparedTables = await closed.seat(stand, load, tally)
    for sitter in prepared.sitters:
        sitter.on_ack = acked.add
    prepared.start()
    await asyncio.sleep(form.warm + form.seconds)
    await until(lambda: bool(acked))
    for web in stand.webs:
        web.process.kill()
    for web in stand.webs:
        web.process.wait()
    # Read the answers that the kernel still holds.
    await asyncio.sleep(0.5)
    prepared.close()
    return acked


def look(stand: Stand, acked: set[str]) -> Finding:
    """Compare acknowledged with stored actions, and audit the ledger and the journals."""
    stored = stand.hand("stored_ids", prefix="bench-")
    problems = []
    if len(stored) != len(set(stored)):
        problems.append("an action is stored twice")
    for command in (["audit_ledger", "--whole"], ["replay_match"]):
        try:
            stand.manage(*command)
        except RuntimeError as problem:
            problems.append(str(problem))
    return Finding(
        acknowledged=len(acked),
        lost=len(acked - set(stored)),
        unanswered=len(set(stored) - acked),
        **stand.hand("broken"),
        problems=problems,
    )


def main(directory: Path, cluster: str | None, form: Form, *, is_least: bool) -> int:
    """Test both databases, at least a duel on SQLite; return 1 if anything is missing or wrong."""
    is_clean = True
    for database in (SQLITE,) if is_least else (SQLITE, POSTGRESQL):
        if database == POSTGRESQL and cluster is None:
            print("skipped: PostgreSQL is not here")
            continue
        template = Template(directory / database, database, cluster, form.people)
        second = ("duel", closed.DUEL) if "duel" in template.games else ("choices", closed.CHOICES)
        loads = (("showdown", closed.SHOWDOWN), second)
        for name, load in loads[1:] if is_least else loads:
            with Stand(Setup(SITE, database, UVICORN, 2), template) as stand:
                acked = uvloop.run(load_until_killed(stand, load, form))
                found = look(stand, acked)
            is_clean &= found.is_clean
            held = "ledger and replay hold" if not found.problems else found.problems
            print(
                f"{database}, {name}: {found.acknowledged} acknowledged, {found.lost} of them lost;"
                f" {found.unanswered} stored whose answer did not arrive; {found.broken} broken"
                f" journals, checkpoints up to {found.behind} entries behind; {held}",
                flush=True,
            )
    return 0 if is_clean else 1
