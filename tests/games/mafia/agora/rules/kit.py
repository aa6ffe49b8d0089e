"""A town for the tests of the rules: who is what, and whole nights and days in a line."""

from typing import Any

from games.engine.facts import Step
from games.mafia.agora.rules.actions import Choose, Vote
from games.mafia.agora.rules.engine import Agora
from games.mafia.agora.rules.roles import Role
from games.mafia.agora.rules.state import AgoraState, Options
from games.mafia.common.rules.roster import Choice
from games.mafia.common.rules.roster import Vote as Opinion
from tests.games.mafia.common.rules.kit import NOON, RulesKit

RULES = Agora()
SEED = "5a" * 32

__all__ = ["NOON", "RULES", "SEED", "Town"]


class Town(RulesKit[AgoraState]):
    def __init__(
        self, seats: int = 7, seed: str = SEED, *, rules: Agora = RULES, **options: Any
    ) -> None:
        super().__init__(rules, Options, seats, seed, {"contest": seats < 5, **options})

    def are(self, role: Role) -> list[int]:
        return [citizen.no for citizen in self.state.citizens if citizen.role == role]

    def one(self, role: Role) -> int:
        return self.are(role)[0]

    def choose(self, role: Role, target: Choice) -> Step[AgoraState]:
        seat = next(no for no in self.are(role) if self.member(no).is_alive)
        return self.act(seat, Choose(target))

    def night(self, **choices: Choice) -> Step[AgoraState]:
        for role, target in choices.items():
            self.choose(Role(role), target)
        return self.late()

    def vote(self, choice: Opinion, *seats: int) -> None:
        for seat in seats:
            self.act(seat, Vote(choice))

    def lynch(self, choice: Choice) -> None:
        for seat in self.alive[: len(self.alive) // 2 + 1]:
            self.act(seat, Vote(choice))
