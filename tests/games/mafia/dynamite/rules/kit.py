"""A game for the tests of the rules: who is what, and whole days and nights in a line."""

from typing import Any

from games.mafia.common.rules.phases import Stage
from games.mafia.dynamite.rules.actions import Confront, Vote
from games.mafia.dynamite.rules.engine import Dynamite
from games.mafia.dynamite.rules.state import Cause, DynamiteState, Options
from games.mafia.dynamite.rules.teams import Team
from tests.games.mafia.common.rules.kit import NOON, RulesKit

RULES = Dynamite()
SEED = "5a" * 32

__all__ = ["NOON", "RULES", "SEED", "Band"]


class Band(RulesKit[DynamiteState]):
    def __init__(
        self, seats: int = 8, seed: str = SEED, *, rules: Dynamite = RULES, **options: Any
    ) -> None:
        super().__init__(rules, Options, seats, seed, options)

    def are(self, team: Team) -> list[int]:
        return [player.no for player in self.state.team(team)]

    def give(self, team: Team, points: int) -> None:
        self.state = self.state.with_points({team: points})

    def day(self, votes: dict[int, int] | None = None) -> None:
        """Vote with all living seats, as given or for the next one, and end the day."""
        alive = self.alive
        for place, seat in enumerate(alive):
            fallback = alive[(place + 1) % len(alive)]
            self.act(seat, Vote((votes or {}).get(seat, fallback)))
        self.late()

    def quiet_day(self) -> None:
        """Play a day in which everybody gets one vote, so that nobody dies."""
        assert self.state.stage == Stage.DAY
        self.day()

    def night(self, *confrontations: tuple[int, int]) -> None:
        for attacker, target in confrontations:
            self.act(attacker, Confront(target))
        self.late()

    def causes(self) -> dict[int, tuple[Cause, ...]]:
        return {p.no: p.causes for p in self.state.players if not p.is_alive}
