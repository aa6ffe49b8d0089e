"""The goals, as ratios within one run.

Source: docs/explanation/performance.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bench.stats import Figures, ratio

#: Median figures by scenario and label.
Results = Mapping[tuple[str, str], Figures]
AT_LEAST, AT_MOST = ">=", "<="


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure of a configuration, absolute or relative to another configuration."""

    title: str
    one: tuple[str, str]
    figure: str
    bound: str
    target: float
    other: tuple[str, str] | None = None

    def reached(self, results: Results) -> float | None:
        """Return the measured value; None if one of the two was not measured."""
        value = results.get(self.one, {}).get(self.figure)
        if self.other is None:
            return value
        return ratio(value, results.get(self.other, {}).get(self.figure))

    def is_met(self, value: float) -> bool:
        """Whether a value meets the goal."""
        return value >= self.target if self.bound == AT_LEAST else value <= self.target


def _duel(label: str) -> tuple[str, str]:
    return ("duel", label)


def _behind_nginx(words: str) -> tuple[str, str]:
    return ("nginx", f"site postgresql uvicorn {words}")


def _crowd(players: int) -> tuple[str, str]:
    return ("arena", f"{players:,} players")


_DAPHNE, _UVICORN = "site sqlite daphne 1", "site sqlite uvicorn 1"
_UNSTORED = "unstored sqlite uvicorn 1"
_CROWD = ("crowd", _UVICORN)
_POSTGRESQL, _PLAIN = "site postgresql uvicorn 1", "baseline sqlite daphne 1"

GOALS: Final = (
    Goal("duel on Daphne : boardgame.io in memory", _duel(_DAPHNE), "rate", AT_LEAST, 1.0,
         _duel("boardgame.io")),
    Goal("duel on uvicorn : boardgame.io in memory", _duel(_UVICORN), "rate", AT_LEAST, 1.3,
         _duel("boardgame.io")),
    Goal("duel on Daphne : boardgame.io FlatFile", _duel(_DAPHNE), "rate", AT_LEAST, 3,
         _duel("boardgame.io-flatfile")),
    Goal("duel on uvicorn : Colyseus in memory", _duel(_UVICORN), "rate", AT_LEAST, 0.22,
         _duel("colyseus")),
    Goal("duel on Daphne : plain Channels + ORM", _duel(_DAPHNE), "rate", AT_LEAST, 18,
         _duel(_PLAIN)),
    Goal("processor time of a durable throw : without a database", _duel(_UVICORN), "server_us",
         AT_MOST, 1.5, _duel(_UNSTORED)),
    Goal("Showdown : duel, both on uvicorn", ("showdown", _UVICORN), "rate", AT_LEAST, 0.6,
         _duel(_UVICORN)),
    Goal("PostgreSQL : SQLite, one process", _duel(_POSTGRESQL), "rate", AT_LEAST, 0.5,
         _duel(_UVICORN)),
    Goal("two processes : one, PostgreSQL, seats spread", _duel("site postgresql uvicorn 2"),
         "rate", AT_LEAST, 1.0, _duel(_POSTGRESQL)),
    Goal("two processes : one, PostgreSQL, a table's seats together",
         _duel("site postgresql uvicorn 2 sticky"), "rate", AT_LEAST, 1.5, _duel(_POSTGRESQL)),
    Goal("processor time of a throw, two processes : one, seats together",
         _duel("site postgresql uvicorn 2 sticky"), "server_us", AT_MOST, 1.1,
         _duel(_POSTGRESQL)),
    Goal("rate, two processes : one, behind nginx, together", _behind_nginx("2 nginx together"),
         "rate", AT_LEAST, 1.0, _behind_nginx("1 nginx together")),
    Goal("rate, two processes : one, behind nginx, spread", _behind_nginx("2 nginx spread"),
         "rate", AT_LEAST, 0.66, _behind_nginx("1 nginx together")),
    *(Goal(f"processor time of all parts of a throw, {count} processes : one, together",
           _behind_nginx(f"{count} nginx together"), "all_us", AT_MOST, 1.1,
           _behind_nginx("1 nginx together")) for count in (2, 4)),
    Goal("p99 at 100/s, Daphne : plain", ("paced", _DAPHNE), "p99_ms", AT_MOST, 0.5,
         ("paced", _PLAIN)),
    Goal("broadcast to the last, p99 : pub/sub layer", ("broadcast", _UVICORN), "p99_ms", AT_MOST,
         1 / 6, ("broadcast", "baseline-pubsub sqlite uvicorn 1")),
    Goal("us a player in a round of 1,000,000 : of 1,000", _crowd(1_000_000), "us_a_player",
         AT_MOST, 2, _crowd(1_000)),
    Goal("ms to open a replay of 2,000 entries", ("replays", _UVICORN), "open_ms", AT_MOST, 1_000),
    Goal("ms of 50 views of it", ("replays", _UVICORN), "page_most_ms", AT_MOST, 50),
    Goal("seconds of a round of 1,000,000", _crowd(1_000_000), "round_s", AT_MOST, 1),
    Goal("results that 2,000 in the arena missed", _CROWD, "missed", AT_MOST, 0),
    Goal("p99 ms of a result for 2,000 in the arena", _CROWD, "result_p99_ms", AT_MOST, 2000),
    Goal("p99 at tables beside 2,000 in the arena : alone", _CROWD, "table_p99_ratio", AT_MOST,
         1.2),
    Goal("ms to a first throw after a start with 1,000 duels", ("cold", _UVICORN), "first_ms",
         AT_MOST, 50),
    Goal("ms for which a loop is held that is 10,000 entries behind", ("behind", _UVICORN),
         "loop_max_ms", AT_MOST, 50),
    Goal("p99 at tables while 1,000 games come due : alone", ("towns", _UVICORN),
         "table_p99_ratio", AT_MOST, 1.2),
    Goal("seconds until 1,000 games that are due have acted", ("towns", _UVICORN),
         "worked_off_s", AT_MOST, 10),
    Goal("us of a throw of the ladder, Daphne", ("ladder", _DAPHNE), "us_a_throw", AT_MOST, 150),
    Goal("ms for which the ladder holds the loop, Daphne", ("ladder", _DAPHNE), "loop_p99_ms",
         AT_MOST, 5),
    Goal("p99 at tables beside 20 matches of the ladder : alone", ("ladder", _DAPHNE),
         "table_p99_ratio", AT_MOST, 1.2),
    Goal("KiB an idle socket, uvicorn", ("idle", _UVICORN), "kib_a_socket", AT_MOST, 40),
    Goal("KiB an idle socket, Daphne", ("idle", _DAPHNE), "kib_a_socket", AT_MOST, 40),
)  # fmt: skip
