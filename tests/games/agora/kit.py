"""A town on the site, for tests: its people, and a clock that only moves when told to."""

from __future__ import annotations

import json
from typing import Any

from games.agora.rules.roles import Role
from games.agora.rules.state import AgoraState
from games.kernel.structs import canonical
from games.models import Match
from tests.games.match_kit import MatchKit, new_user


class TownKit(MatchKit):
    """A town with its people, in the order of their seats."""

    game = "agora"

    @property
    def play(self) -> AgoraState:
        """The game's state."""
        return self.snapshot.state.play  # type: ignore[no-any-return]

    def user_of(self, role: Role) -> Any:
        """Return somebody who lives and is this."""
        seat = next(citizen.no for citizen in self.play.living if citizen.role == role)
        return self.people[seat]

    @property
    def alive(self) -> list[Any]:
        """The people who live; bots sit after them."""
        living = (citizen.no for citizen in self.play.living)
        return [self.people[no] for no in living if no < len(self.people)]

    def run_out(self) -> None:
        """Let the phase end by its clock."""
        self.pass_time((self.row.due_at - self.now).total_seconds())


def town(seats: int = 5, *, substitutes: bool = False, **options: Any) -> TownKit:
    """Return a town in its first night; with substitutes, as contests set it."""
    kit = TownKit(*(new_user(f"t{no}x") for no in range(seats)), seats=seats, **options)
    if substitutes:
        want_substitutes(kit.match)
    kit.start(purse=0)
    return kit


def want_substitutes(match: Match) -> None:
    """Let an open table offer idle seats once it runs, which nobody chooses at a table."""
    texts = {}
    for name in ("origin", "table"):
        state = json.loads(getattr(match, name))
        state["options"]["substitutes"] = True
        texts[name] = canonical(state)
    Match.objects.filter(pk=match.pk).update(**texts)
