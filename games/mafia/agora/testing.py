"""Random legal games of Agoran Mafia, and what must be true of every one.

A tool for tests and for the referee command.

Source: docs/rules/agora.md "Winning and points", "Secret information".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from games.agora.rules.actions import AgoraAction, Vote
from games.agora.rules.engine import Agora
from games.agora.rules.options import Options
from games.agora.rules.roles import Side, side_of
from games.agora.rules.state import AgoraState
from games.agora.rules.worlds import other_worlds
from games.kernel.choices import clean_options
from games.kernel.facts import SeatNo, Told
from games.kernel.random_play import Finished
from games.kernel.structs import canonical
from games.kernel.trials import (
    Chance,
    Played,
    in_figures,
    pick,
    replay,
    steps,
    text_violations,
)
from games.mafia.rules.ballots import tally
from games.mafia.rules.phases import Stage
from games.mafia.rules.trial import play_town, step_violations, world_violations

#: How often each kind is picked where it is legal; there is one vote or choice for each citizen.
WEIGHTS: Final[Mapping[str, int]] = {
    "choose": 30,
    "vote": 30,
    "done": 200,
    "undone": 20,
    "leave": 1,
}
#: One vote in so many goes with the most; one step in so many is looked at in all other worlds.
AGREE_IN: Final = 2
WORLDS_IN: Final = 9


def play_random(seed: str) -> Played[AgoraState]:
    """Play one random legal game to its end, or to its voiding.

    Raises:
        RuntimeError: it does not end.
    """
    chance = Chance(seed)
    return play_town(Agora(), chance, _random_options(chance), seed, _random_action)


def random_game(seed: str) -> Finished:
    """Play one random legal game and say what is wrong with it; raises RuntimeError."""
    played = play_random(seed)
    return in_figures(played, played.state.round, violations(played))


def violations(played: Played[AgoraState]) -> list[str]:
    """Name everything that is wrong with a game that was played to its end."""
    is_same = replay(Agora(), played) == canonical(played.state)
    return [
        *_award_violations(played),
        *_victory_violations(played),
        *_step_violations(played),
        *([] if is_same else ["replay gives another state"]),
    ]


def _random_options(chance: Chance) -> Options:
    seats = (3, 4, 5, 6, 7, 9, 12, 17)[chance.below(8)]
    raw = {
        "seats": seats,
        "contest": seats < 5 or chance.one_in(2),
        "phase_seconds": (60, 61, 600, 86_400)[chance.below(4)],
        "threshold": (60, 60, 5, 1)[chance.below(4)],
        "quiet_limit": 1 + chance.below(3),
        "early_end": not chance.one_in(3),
        "reveal_on_death": chance.one_in(3),
        "substitutes": chance.one_in(2),
    }
    return clean_options(Options, raw)


def _random_action(chance: Chance, state: AgoraState, seat: SeatNo) -> AgoraAction:
    counted = tally(citizen.vote for citizen in state.living)
    if state.stage == Stage.DAY and counted and chance.one_in(AGREE_IN):
        return Vote(counted[0][0])
    return pick(chance, Agora().legal_actions(state, seat), WEIGHTS)


def _award_violations(played: Played[AgoraState]) -> Iterator[str]:
    """Each of the winners but the leavers gets the threshold by their number, and nobody else."""
    state, result = played.state, played.state.result
    assert result is not None
    earned = {e.data["seat"]: e.data for e in played.events if e.kind == "award_earned"}
    winners = [c for c in state.citizens if result.winner and c.side == result.winner]
    each = state.options.threshold // len(winners) if winners else 0
    wanted = {c.no for c in winners if not c.has_left} if each else set()
    if set(earned) != wanted:
        yield f"awards for {sorted(earned)}, not for {sorted(wanted)}"
    if any((one["points"], one["y_points"]) != (each, each) for one in earned.values()):
        yield f"an award is not {each} on both axes"
    for no, outcome in Agora().outcome(state).items():
        if getattr(outcome, "points", None) != (each if no in earned else 0):
            yield f"the outcome of seat {no} tells another award"
    if sum(one["points"] for one in earned.values()) > state.options.threshold:
        yield "more was awarded than the threshold"


def _victory_violations(played: Played[AgoraState]) -> Iterator[str]:
    """It ends with the first death that decides it, by nothing else, and nobody rises again."""
    roles = {citizen.no: side_of(citizen.role) for citizen in played.state.citizens}
    alive = set(roles)
    ends = [e for e in played.events if e.kind in ("game_ended", "game_voided")]
    if len(ends) != 1 or any(e.kind != "award_earned" for e in _after(played.events, ends)):
        yield f"it ended {len(ends)} times, or something came after the end"
    winner: Side | None = None
    for event in played.events:
        if event.kind != "citizen_died":
            continue
        if winner is not None or event.data["seat"] not in alive:
            yield f"seat {event.data['seat']} dies after the end, or twice"
        alive.discard(event.data["seat"])
        mafia = sum(roles[no] == Side.MAFIA for no in alive)
        winner = Side.TOWN if not mafia else Side.MAFIA if 2 * mafia >= len(alive) else None
    result = played.state.result
    if result is not None and result.winner != winner:
        yield f"{result.winner} is said to have won, it was {winner}"
    if alive != {citizen.no for citizen in played.state.living}:
        yield "those who live are not those who did not die"


def _after(events: Sequence[Told], ends: Sequence[Told]) -> Sequence[Told]:
    return events[events.index(ends[0]) + 1 :] if ends else ()


def _step_violations(played: Played[AgoraState]) -> Iterator[str]:
    for number, (before, entry, step) in enumerate(steps(Agora(), played)):
        yield from text_violations(Agora(), entry, step)
        yield from step_violations(Agora(), before, entry, step)
        if number % WORLDS_IN == 0 or step.state.phase != before.phase:
            yield from world_violations(Agora(), step.state, number, other_worlds)
