"""The site's web process without a database on the path of an action: ``python -m bench.unstored``.

Consumer, hub, batch writer, rules and views are the site's.  But log-ins are not checked again,
matches are read once and then only cached, and nothing is locked, looked up, written or committed.
So the cost of an action here excludes the database.

Works for running duels; starting or ending a game with points needs the database.  It takes the
options of ``manage.py web``.
"""

import contextlib
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from types import SimpleNamespace
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402 - settings come first

from economy.ledger import plan  # noqa: E402
from games.engine.table import Table  # noqa: E402
from games.matches.journal.loading import MatchPosition, match_cache  # noqa: E402
from games.matches.processing import locked_match, writing  # noqa: E402
from games.matches.processing.batch import Batch  # noqa: E402
from games.matches.processing.locked_match import LockedMatch, write_columns  # noqa: E402
from games.matches.processing.store import SqlStore  # noqa: E402
from games.matches.processing.submissions import Key, Submission  # noqa: E402
from games.matches.queries import selectors  # noqa: E402
from games.realtime import batch_writer  # noqa: E402


class Nothing(SqlStore):
    """Returns cached matches, and reads others once."""

    def lock(self, match_ids: Iterable[int]) -> list[MatchPosition]:
        """Return the current entry numbers of these matches, from the cache if possible."""
        wanted = list(match_ids)
        held = match_cache.get(wanted)
        unknown = [match_id for match_id in wanted if match_id not in held]
        marks = [
            MatchPosition(pk, cached.match.public_id, cached.no, cached.match.at_ms)
            for pk, cached in held.items()
        ]
        return sorted(
            marks + (super().lock(unknown) if unknown else []), key=attrgetter("match_id")
        )

    def used(self, submissions: Sequence[Submission]) -> dict[Key, str]:
        """Return an empty result: no id was used before."""
        return {}


def _bring_up_to_date(batch: Batch, changed: Sequence[LockedMatch]) -> None:
    for locked in changed:
        write_columns(locked)


def _empty(kind: Callable[[], Any]) -> Callable[..., Any]:
    """Return a function that returns an empty value of a kind for all arguments."""
    return lambda *_given: kind()


def leave_out_the_database() -> None:
    """Replace all database access of an action by functions that do nothing."""
    Batch.store = Nothing()
    Batch.write = _bring_up_to_date  # type: ignore[method-assign, assignment]
    Table.encode_play = _empty(str)  # type: ignore[method-assign]
    batch_writer.login_number = _empty(int)
    batch_writer.LogIns.ended = _empty(set)  # type: ignore[method-assign]
    # The rows are not updated, so nobody may reload them.
    selectors.numbers = _empty(dict)
    locked_match.LOOK_AGAIN = math.inf  # type: ignore[misc]
    plan.connection = SimpleNamespace(in_atomic_block=True)  # type: ignore[attr-defined, assignment]
    writing.transaction = _NoTransactions  # type: ignore[assignment, attr-defined]


class _NoTransactions:
    atomic = contextlib.nullcontext


if __name__ == "__main__":
    leave_out_the_database()
    call_command("web", *sys.argv[1:])
