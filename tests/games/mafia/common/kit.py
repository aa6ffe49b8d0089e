"""A town on the site, for tests: its people, and a clock that only moves when told to."""

import json
from datetime import datetime
from typing import Any

from games.engine.structs import canonical
from games.matches.models import Match
from games.matches.processing import repair
from tests.games.match_kit import MatchKit


class AnyTownKit(MatchKit):
    """A town with its people, in the order of their seats."""

    @property
    def play(self) -> Any:
        """The game's state."""
        return self.snapshot.state.play

    @property
    def alive(self) -> list[Any]:
        """The people who live; bots sit after them."""
        living = (member.no for member in self.play.living)
        return [self.people[no] for no in living if no < len(self.people)]

    def run_out(self) -> None:
        """End the phase by its clock."""
        self.pass_time((self.row.due_at - self.now).total_seconds())


def worker_sweep(now: datetime) -> None:
    """Do what beat asks of the worker, at another time."""
    for part in repair.SWEEP:
        part(now)


def want_substitutes(match: Match) -> None:
    """Turn on substitutes for an open table, which players cannot do."""
    texts = {}
    for name in ("origin", "table"):
        state = json.loads(getattr(match, name))
        state["options"]["substitutes"] = True
        texts[name] = canonical(state)
    Match.objects.filter(pk=match.pk).update(**texts)
