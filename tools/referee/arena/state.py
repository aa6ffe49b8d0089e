"""The state of the arena between two transitions: immutable values.
Source: docs/rules/arena.md.
"""

from collections.abc import Mapping
from typing import Annotated, Final

from games.arena.rules.moves import Move
from games.arena.rules.options import ALL_UNDECIDED, Preferences, RoundOptions
from games.arena.rules.resolve import Figures, How, LastRound
from games.arena.rules.scores import Verdict
from games.engine.choices import number
from games.engine.facts import Instant, SeatNo
from games.engine.structs import SECRET, Hidden, Record, replace

SECOND: Final = 1_000  # milliseconds


class Options(Record, frozen=True):
    """Seconds of a selection and of showing a result; idle rounds after which a player is out.
    ``plain_rounds``: with fewer rounds, and without a wish, a player is new.
    """

    selection_seconds: Annotated[int, number(1, 60)] = 5
    blitz_seconds: Annotated[int, number(1, 60)] = 3
    result_seconds: Annotated[int, number(0, 60)] = 2
    idle_rounds: Annotated[int, number(1, 1000)] = 20
    plain_rounds: Annotated[int, number(0, 1000)] = 3


class Fought(Record, frozen=True):
    """A player's part of the last round; ``move`` and ``team`` are None if the player sat out."""

    move: Move | None
    how: How
    team: int | None
    wins: int
    losses: int
    ties: int
    result: Verdict
    score_delta: int


class PlayerState(Hidden, frozen=True):
    """One player, in or out; ``idle_rounds``: rounds in a row fought without a choice."""

    no: SeatNo
    is_in: bool = True
    choice: Annotated[Move | None, SECRET] = None
    figures: Figures = Figures()
    health: int = 0
    preferences: Annotated[Preferences, SECRET] = Preferences()
    idle_rounds: int = 0
    #: Rounds fought before resets: these make nobody new again.
    rounds_before: Annotated[int, SECRET] = 0
    leaves_after: bool = False
    resets_after: bool = False
    last: Annotated[Fought | None, SECRET] = None


class ArenaState(Hidden, frozen=True):
    """The whole arena. Invariants: players are in the order of their numbers; ``due_at`` is None
    while the arena rests, which it does while no player is in; a player who is out has no choice.
    """

    options: Options
    seed: Annotated[str, SECRET]
    players: tuple[PlayerState, ...]
    round: int = 0
    round_options: RoundOptions | None = None
    drawn: SeatNo | None = None
    carried_team: int = 0
    carried_survivor: int = 0
    #: Bits, by ``undecided_after``; they tell of wishes.
    undecided: Annotated[int, SECRET] = ALL_UNDECIDED
    survivor_round: int = 0
    due_at: Instant | None = None
    shows_result_until: Instant | None = None
    last: LastRound | None = None

    def player(self, no: SeatNo) -> PlayerState | None:
        """Return the player with this number, None if there has never been one."""
        return next((player for player in self.players if player.no == no), None)

    @property
    def those_in(self) -> tuple[PlayerState, ...]:
        """The players who are in."""
        return tuple(player for player in self.players if player.is_in)

    @property
    def current(self) -> RoundOptions:
        """The options of the current or last round."""
        return self.round_options or RoundOptions()

    @property
    def carried(self) -> Mapping[str, int]:
        """The rounds for which Team and Survivor have been carried, and ``undecided``."""
        return {
            "team": self.carried_team,
            "survivor": self.carried_survivor,
            "undecided": self.undecided,
        }


def with_reset(player: PlayerState) -> PlayerState:
    """Return a player with all figures at 0."""
    before = player.rounds_before + player.figures.rounds
    return replace(player, figures=Figures(), rounds_before=before)


def with_players(state: ArenaState, changed: Mapping[SeatNo, PlayerState]) -> ArenaState:
    """Return the state with some players replaced or added."""
    known = {**{player.no: player for player in state.players}, **changed}
    return replace(state, players=tuple(known[no] for no in sorted(known)))
