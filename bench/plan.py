"""The configurations of each scenario, and the one that their figures are compared with."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final

from bench.bare import MEETINGS, SIZES
from bench.form import Form
from bench.scenarios import (
    behind,
    broadcast,
    closed,
    cold,
    crowd,
    idle,
    ladder,
    paced,
    pages,
    reader,
    replays,
    rounds,
    sweep,
    towns,
)
from bench.stand import SPREAD, TOGETHER, Setup, Stand
from bench.template import POSTGRESQL, SQLITE

DAPHNE, UVICORN = "daphne", "uvicorn"
SITE, UNSTORED, BASELINE, PUBSUB = "site", "unstored", "baseline", "baseline-pubsub"
MATRIX: Final = tuple(
    Setup(SITE, database, server, processes)
    for database in (SQLITE, POSTGRESQL)
    for server in (DAPHNE, UVICORN)
    for processes in (1, 2)
)
FIRST: Final = MATRIX[0]
#: Two processes behind a proxy that routes by the match's address.
STICKY: Final = tuple(Setup(SITE, database, UVICORN, 2, True) for database in (SQLITE, POSTGRESQL))
#: Tables in one process, the arena in another.
APART: Final = tuple(
    Setup(SITE, database, UVICORN, 2, apart=True) for database in (SQLITE, POSTGRESQL)
)
#: Behind nginx, which keeps the seats of a table together or spreads them, on 1, 2 and 4 processes;
#: also with a pause before each commit, so that several commits share one write to the disk.
BEHIND_NGINX: Final = tuple(
    Setup(SITE, POSTGRESQL, UVICORN, count, proxy=proxy, delay=delay)
    for delay in (0, 200)
    for proxy in (TOGETHER, SPREAD)
    for count in (1, 2, 4)
    if count > 1 or (proxy == TOGETHER and not delay)
)
#: The same program without a database.
WITHOUT: Final = Setup(UNSTORED, SQLITE, UVICORN, 1)
#: The usual selection: every database, server and number of processes, but not every mixture.
USUAL: Final = (
    FIRST,
    Setup(SITE, SQLITE, UVICORN, 1),
    Setup(SITE, SQLITE, UVICORN, 2),
    Setup(SITE, POSTGRESQL, UVICORN, 1),
    Setup(SITE, POSTGRESQL, UVICORN, 2),
    *STICKY,
)
ONE_OF_EACH: Final = (FIRST, Setup(SITE, SQLITE, UVICORN, 1))
PLAIN: Final = Setup(BASELINE, SQLITE, DAPHNE, 1)
#: Rules alone, by the number of players.
CROWDS: Final = tuple(Setup(kind) for kind in SIZES)
READ: Final = tuple(Setup(kind) for kind in MEETINGS)
#: The layer that is faster for large groups.
PLAIN_PUBSUB: Final = Setup(PUBSUB, SQLITE, UVICORN, 1)

Run = Callable[[Any, Form], Coroutine[Any, Any, dict[str, float]]]


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario, with its setups by default and with ``--all``."""

    name: str
    title: str
    run: Run
    usual: tuple[Setup, ...]
    everything: tuple[Setup, ...] = MATRIX
    game: str = "showdown"


#: Scenario -> its setups with ``--least``: one of each program.
LEAST_SETUPS: Final = {"duel": (FIRST, WITHOUT, PLAIN), "arena": CROWDS[:1]}


def _seen_by_all(stand: Stand) -> closed.Load:
    """Return a game in which each action changes the spectators' view."""
    is_plain = stand.setup.kind != SITE
    return closed.DUEL if is_plain or "duel" in stand.template.games else closed.LOCKS


SCENARIOS: Final = (
    Scenario(
        "duel", "throws, 200 duels at once",
        lambda stand, form: closed.run(stand, closed.DUEL, form),
        (*USUAL, WITHOUT, PLAIN), (*MATRIX, *STICKY, WITHOUT, PLAIN), "duel",
    ),
    Scenario(
        "nginx", "throws, 200 duels at once, behind nginx",
        lambda stand, form: closed.run(stand, closed.DUEL, form), (), BEHIND_NGINX, "duel",
    ),
    Scenario(
        "pages", "throws, 200 duels at once, with the pages of all players and of 100 guests",
        lambda stand, form: pages.run(stand, closed.DUEL, form), ONE_OF_EACH, MATRIX, "duel",
    ),
    Scenario(
        "choices", "secret choices in Showdown, 200 tables of 2 at once",
        lambda stand, form: closed.run(stand, closed.CHOICES, form), (), MATRIX,
    ),
    Scenario(
        "showdown", "whole games of Showdown, 100 tables of 4 at once",
        lambda stand, form: closed.run(stand, closed.SHOWDOWN, form), USUAL, (*MATRIX, *STICKY),
    ),
    Scenario(
        "paced", "100 throws a second",
        lambda stand, form: paced.run(stand, closed.DUEL, form), (*ONE_OF_EACH, PLAIN),
        (*MATRIX, PLAIN), "duel",
    ),
    Scenario(
        "broadcast", "one match, many spectators",
        lambda stand, form: broadcast.run(stand, _seen_by_all(stand), form),
        (*ONE_OF_EACH, PLAIN_PUBSUB), (*MATRIX, PLAIN_PUBSUB),
    ),
    Scenario("idle", "sockets that only listen", idle.run, ONE_OF_EACH),
    Scenario(
        "sweep", "a look for passed clocks", sweep.run,
        (FIRST, Setup(SITE, POSTGRESQL, DAPHNE, 1)), (FIRST, Setup(SITE, POSTGRESQL, DAPHNE, 1)),
    ),
    Scenario(
        "cold", "the first throw in a process that has just begun, 1,000 duels under way",
        lambda stand, form: cold.run(stand, closed.DUEL, form), ONE_OF_EACH,
        (*ONE_OF_EACH, Setup(SITE, POSTGRESQL, UVICORN, 1)), "duel",
    ),
    Scenario(
        "behind", "a process that is 10,000 entries behind",
        lambda stand, form: behind.run(stand, closed.DUEL, form), ONE_OF_EACH,
        (*ONE_OF_EACH, Setup(SITE, POSTGRESQL, UVICORN, 1)), "duel",
    ),
    Scenario(
        "towns", "a thousand nights that end at once, 100 throws a second at tables beside them",
        lambda stand, form: towns.run(stand, closed.DUEL, form), ONE_OF_EACH,
        (*ONE_OF_EACH, Setup(SITE, POSTGRESQL, UVICORN, 1)), "agora",
    ),
    Scenario(
        "replays", "the replay of a duel of 2,000 entries", replays.run, ONE_OF_EACH, ONE_OF_EACH,
        "duel",
    ),
    Scenario(
        "arena", "a round of this many players, rules alone", rounds.run, CROWDS, CROWDS, "arena",
    ),
    Scenario("reader", "duels of an observer, rules alone", reader.run, READ, READ, "duel"),
    Scenario(
        "ladder", "throws of programs, 20 matches at once",
        lambda stand, form: ladder.run(stand, closed.DUEL, form), ONE_OF_EACH, ONE_OF_EACH, "duel",
    ),
    Scenario(
        "crowd", "thousands in the arena, 100 throws a second at tables beside it",
        lambda stand, form: crowd.run(stand, closed.DUEL, form),
        (Setup(SITE, SQLITE, UVICORN, 1), *APART),
        (*ONE_OF_EACH, Setup(SITE, POSTGRESQL, UVICORN, 2), *APART), "arena",
    ),
)  # fmt: skip
