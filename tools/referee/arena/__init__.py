"""Random legal stretches of the arena as one engine, and their invariants.
Source: docs/rules/arena.md, "A round", "Streak bonuses (not under Classic)".
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from games.arena.rules.moves import CHOICES, number_of
from games.arena.rules.scores import sees_choices, sits_out
from games.engine.draws import hash_of_seed
from games.engine.facts import SPECTATOR, Instant, SeatNo, SeatSetup, Step, Viewer
from games.engine.structs import replace
from tools.referee.arena.engine import Arena
from tools.referee.arena.facts import RoundEnded, RoundFought
from tools.referee.arena.state import ArenaState, Fought, Options, with_players
from tools.referee.trials import BEGUN_AT, Chance, Input, Played, Trial, begin, go_on, pick

RULES: Final = Arena()
#: The weight of each kind of action in the random pick.
WEIGHTS: Final[Mapping[str, int]] = {"choose": 60, "join": 40, "leave": 4, "prefer": 2, "reset": 2}
#: One in this number of inputs ends the selection.
DEADLINE_IN: Final = 4
MOST_PLAYERS: Final = 9
MOST_INPUTS: Final = 90


class ArenaTrial(Trial[ArenaState]):
    """Random stretches of the arena, which never ends."""

    def play(self, seed: str) -> Played[ArenaState]:
        """Play a random legal stretch."""
        chance = Chance(seed)
        options = Options(idle_rounds=1 + chance.below(20))
        seats = [SeatSetup(SeatNo(no)) for no in range(chance.below(MOST_PLAYERS))]
        played, at = begin(RULES, options, seats, seed), BEGUN_AT
        for _ in range(20 + chance.below(MOST_INPUTS)):
            entry = _random_input(chance, played.state, at)
            at = entry.at
            go_on(RULES, played, entry)
        return played

    def round_of(self, state: ArenaState) -> int:
        return 0 if state.last is None else state.last.round

    def reason_of(self, state: ArenaState) -> str:
        return "resting" if state.due_at is None else "selecting"

    def other_worlds(self, state: ArenaState, viewer: Viewer) -> Iterator[ArenaState]:
        """Yield states that differ in the choice of one other player, or in its presence."""
        for player in state.those_in:
            if player.no == viewer.seat or sits_out(state.current, player.health):
                continue
            following = CHOICES[(number_of(player.choice) + 1) % len(CHOICES)]
            yield with_players(state, {player.no: replace(player, choice=following)})

    def game_violations(self, played: Played[ArenaState]) -> Iterator[str]:
        yield from ()

    def step_violations(
        self, number: int, before: ArenaState, entry: Input, step: Step[ArenaState]
    ) -> Iterator[str]:
        yield from _way_violations(step.state)
        yield from self.secret_violations(step.state)
        if entry.kind == "deadline":
            yield from _round_violations(before, step)

    def secret_violations(self, state: ArenaState) -> Iterator[str]:
        """Check that no view without a grant depends on the choices of others."""
        granted = {
            player.no
            for player in state.those_in
            if sees_choices(player.figures.streak, classic=state.current.classic)
        }
        viewers = [Viewer(player.no) for player in state.players if player.no not in granted]
        yield from self.view_violations(state, *viewers, SPECTATOR)


TRIAL: Final = ArenaTrial(RULES)


def _random_input(chance: Chance, state: ArenaState, at: Instant) -> Input:
    due_at = state.due_at
    if due_at is not None and (chance.one_in(DEADLINE_IN) or at + 50 >= due_at):
        return Input("deadline", Instant(due_at + chance.below(2000)))
    seat = SeatNo(chance.below(MOST_PLAYERS))
    action = pick(chance, RULES.legal_actions(state, seat), WEIGHTS)
    return Input("act", Instant(at + chance.below(50)), seat, action)


def _way_violations(state: ArenaState) -> Iterator[str]:
    if (state.due_at is None) != (not state.those_in):
        yield "the arena rests while somebody is in, or goes on without anybody"
    if [player.no for player in state.players] != sorted({player.no for player in state.players}):
        yield "the players are not in order"
    if any(player.choice and not player.is_in for player in state.players):
        yield "somebody who is out has a choice"
    if not state.current.survivor and any(player.health for player in state.players):
        yield "there is health without Survivor"


def _round_violations(before: ArenaState, step: Step[ArenaState]) -> Iterator[str]:
    """Check that wins equal losses, all opponents were fought, and the seed fits its commitment."""
    parts = [told.fact.fought for told in step.events if isinstance(told.fact, RoundFought)]
    (ended,) = [told.fact for told in step.events if isinstance(told.fact, RoundEnded)]
    promised = RULES.view(before, SPECTATOR)["commitment"]
    if hash_of_seed(ended.seed) != promised:
        yield "the seed is not the one that was committed to"
    if len(parts) != len(before.those_in):
        yield "not everybody who was in has a result"
    if sum(part.wins for part in parts) != sum(part.losses for part in parts):
        yield "there are not as many wins as losses"
    if sum(ended.counts) != sum(part.move is not None for part in parts):
        yield "the counts are not those who fought"
    for part in parts:
        if part.wins + part.losses + part.ties != _opponents(part, parts):
            yield "somebody has fought too many battles, or too few"


def _opponents(part: Fought, parts: Sequence[Fought]) -> int:
    if part.move is None:
        return 0
    fighting = [other for other in parts if other.move is not None]
    if part.team is None:
        return len(fighting) - 1
    return sum(other.team != part.team for other in fighting)
