"""A town for the tests of the rules: who is what, and whole nights and days in a line."""

from __future__ import annotations

from typing import Any

from games.agora.rules.actions import AgoraAction, Choose, Vote
from games.agora.rules.engine import Agora
from games.agora.rules.options import Options
from games.agora.rules.roles import Role
from games.agora.rules.state import AgoraState, Citizen
from games.kernel.choices import clean_options
from games.kernel.facts import SPECTATOR, Instant, SeatNo, SeatSetup, Step, Told, Viewer
from games.mafia.rules.actions import Done, Leave, Post
from games.mafia.rules.ballots import Choice
from games.mafia.rules.ballots import Vote as Opinion

RULES = Agora()
NOON = Instant(1_795_262_400_000)
SEED = "5a" * 32


class Town:
    """One game, its clock, and all that was told."""

    def __init__(self, seats: int = 7, seed: str = SEED, **options: Any) -> None:
        raw = {"seats": seats, "contest": seats < 5, "phase_seconds": 600, **options}
        self.options = clean_options(Options, raw)
        setups = [SeatSetup(SeatNo(no)) for no in range(seats)]
        self.at = NOON
        self.told: list[Told] = []
        self.take(RULES.setup(self.options, setups, seed, self.at))

    def take(self, step: Step[AgoraState]) -> Step[AgoraState]:
        """Go on with a step."""
        self.state = step.state
        self.told += step.events
        return step

    def act(self, seat: int, action: AgoraAction) -> Step[AgoraState]:
        """Let a seat act a second later."""
        self.at = Instant(self.at + 1_000)
        return self.take(RULES.apply(self.state, SeatNo(seat), action, self.at))

    def late(self) -> Step[AgoraState]:
        """Let the phase end by its clock."""
        self.at = Instant(RULES.deadline(self.state) or 0)
        return self.take(RULES.on_deadline(self.state, self.at))

    def are(self, role: Role) -> list[int]:
        """Return the seats of a role, dead or alive."""
        return [citizen.no for citizen in self.state.citizens if citizen.role == role]

    def one(self, role: Role) -> int:
        """Return the first seat of a role."""
        return self.are(role)[0]

    def citizen(self, seat: int) -> Citizen:
        """Return who sits there."""
        found = self.state.citizen(seat)
        assert found is not None
        return found

    @property
    def alive(self) -> list[int]:
        """The seats of those who live."""
        return [citizen.no for citizen in self.state.living]

    def choose(self, role: Role, target: Choice) -> Step[AgoraState]:
        """Let the first living citizen of a role choose."""
        seat = next(no for no in self.are(role) if self.citizen(no).is_alive)
        return self.act(seat, Choose(target))

    def night(self, **choices: Choice) -> Step[AgoraState]:
        """Let the named roles choose, and the night run out."""
        for role, target in choices.items():
            self.choose(Role(role), target)
        return self.late()

    def vote(self, choice: Opinion, *seats: int) -> None:
        """Let seats vote for the same."""
        for seat in seats:
            self.act(seat, Vote(choice))

    def lynch(self, choice: Choice) -> None:
        """Let as many vote for somebody as are needed."""
        for seat in self.alive[: len(self.alive) // 2 + 1]:
            self.act(seat, Vote(choice))

    def all_done(self, *but: int) -> None:
        """Let all who live check in, but these."""
        for seat in self.alive:
            if seat not in but:
                self.act(seat, Done())

    def leave(self, seat: int) -> Step[AgoraState]:
        """Let somebody leave town."""
        return self.act(seat, Leave())

    def post(self, seat: int, room: str, text: str = "hello") -> Step[AgoraState]:
        """Let somebody say something."""
        return self.act(seat, Post(room, text))

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """Return what a seat sees, or a spectator."""
        return RULES.view(self.state, SPECTATOR if seat is None else Viewer(SeatNo(seat)))

    def kinds(self) -> list[str]:
        """Return the kinds of all that was told."""
        return [told.kind for told in self.told]

    def last(self, kind: str) -> Told:
        """Return what was told last of a kind."""
        return next(told for told in reversed(self.told) if told.kind == kind)
