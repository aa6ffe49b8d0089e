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
from games.agora.rules.worlds import other_worlds, said_to
from games.kernel.choices import clean_options
from games.kernel.facts import SPECTATOR, Instant, SeatNo, SeatSetup, Step, Told, Viewer
from games.kernel.random_play import Finished
from games.kernel.structs import canonical
from games.kernel.trials import (
    Chance,
    Input,
    Played,
    pick,
    play_out,
    replay,
    steps,
    text_violations,
)
from games.mafia.rules.actions import Post
from games.mafia.rules.ballots import tally
from games.mafia.rules.phases import Stage

#: How often each kind is picked where it is legal; there is one vote or choice for each citizen.
WEIGHTS: Final[Mapping[str, int]] = {
    "choose": 30,
    "vote": 30,
    "done": 200,
    "undone": 20,
    "leave": 1,
}
#: One input in so many is a passed deadline, a postponed clock, a voided game, a post; where a
#: seat is open, somebody taking it over.
DEADLINE_IN: Final = 40
POSTPONED_IN: Final = 200
VOIDED_IN: Final = 3_000
POST_IN: Final = 12
TAKEN_OVER_IN: Final = 10
#: One vote in so many goes with the most; one step in so many is looked at in all other worlds.
AGREE_IN: Final = 2
WORLDS_IN: Final = 9


def play_random(seed: str) -> Played[AgoraState]:
    """Play one random legal game to its end, or to its voiding.

    Raises:
        RuntimeError: it does not end.
    """
    chance = Chance(seed)
    options = _random_options(chance)
    seats = [SeatSetup(SeatNo(no)) for no in range(options.seats)]
    return play_out(
        Agora(), options, seats, seed, lambda state, at: _random_input(chance, state, at)
    )


def random_game(seed: str) -> Finished:
    """Play one random legal game and say what is wrong with it; raises RuntimeError."""
    played = play_random(seed)
    assert played.state.result is not None
    return Finished(
        inputs=len(played.inputs),
        rounds=played.state.round,
        reason=played.state.result.reason.value,
        violations=violations(played),
    )


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


def _random_input(chance: Chance, state: AgoraState, at: Instant) -> Input:
    due_at = state.due_at
    assert due_at is not None, "a game that is not over has a deadline"
    if chance.one_in(VOIDED_IN):
        return Input("void", at)
    if chance.one_in(POSTPONED_IN):
        return Input("postpone", Instant(at + chance.below(900_000)))
    at = max(at, state.clock.began_at)
    if chance.one_in(DEADLINE_IN) or at + 50 >= due_at:
        return Input("deadline", Instant(max(at, due_at) + chance.below(2000)))
    at = Instant(at + chance.below(50))
    if chance.one_in(POST_IN) and (post := _random_post(chance, state)):
        return Input("act", at, *post)
    if (seats := Agora().open_seats(state)) and chance.one_in(TAKEN_OVER_IN):
        return Input("take_over", at, seats[chance.below(len(seats))])
    seats = Agora().pending_seats(state) or tuple(citizen.no for citizen in state.living)
    seat = seats[chance.below(len(seats))]
    return Input("act", at, seat, _random_action(chance, state, seat))


def _random_action(chance: Chance, state: AgoraState, seat: SeatNo) -> AgoraAction:
    counted = tally(citizen.vote for citizen in state.living)
    if state.stage == Stage.DAY and counted and chance.one_in(AGREE_IN):
        return Vote(counted[0][0])
    return pick(chance, Agora().legal_actions(state, seat), WEIGHTS)


def _random_post(chance: Chance, state: AgoraState) -> tuple[SeatNo, Post] | None:
    talk = state.talk
    ways = [(c.no, room) for c in state.citizens for room in talk.open_to(c)]
    if not ways:
        return None
    seat, room = ways[chance.below(len(ways))]
    return seat, Post(room, f"line {chance.below(1000)}")


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
        yield from _way_violations(before, entry, step)
        yield from _view_violations(before, entry, step)
        if number % WORLDS_IN == 0 or step.state.phase != before.phase:
            yield from _world_violations(step.state, number)


def _way_violations(before: AgoraState, entry: Input, step: Step[AgoraState]) -> Iterator[str]:
    """Every state has a way on or is the end; the phase counts up, when everybody hears of it."""
    rules, after = Agora(), step.state
    if (rules.deadline(after) is None) != rules.is_over(after):
        yield "a state without a way on that is not the end"
    if after.phase not in (before.phase, before.phase + 1):
        yield f"the phase goes from {before.phase} to {after.phase}"
    if after.phase != before.phase and not any(e.audience is None for e in step.events):
        yield "the phase changes in secret"
    is_told = entry.kind == "take_over" or any(told.audience is None for told in step.events)
    if not is_told and rules.open_seats(after) != rules.open_seats(before):
        yield "an offer of a seat tells of something that nobody is told"
    if after.stage != Stage.OVER and after.clock.due_at > after.clock.ends_at:
        yield "a phase lasts longer than is shown"


def _view_violations(before: AgoraState, entry: Input, step: Step[AgoraState]) -> Iterator[str]:
    """A view changes only for who hears of something; of a take-over the table tells everybody."""
    rules, after = Agora(), step.state
    for viewer in (SPECTATOR, *(Viewer(citizen.no) for citizen in after.citizens)):
        is_told = entry.kind == "take_over" or said_to(step, viewer)
        if not is_told and rules.view(after, viewer) != rules.view(before, viewer):
            yield f"the view of {viewer.seat} changes, and nothing is told"


def _world_violations(state: AgoraState, number: int) -> Iterator[str]:
    """A view shows nothing that its viewer may not know."""
    rules, citizens = Agora(), state.citizens
    for viewer in (SPECTATOR, Viewer(citizens[number % len(citizens)].no)):
        shown = rules.view(state, viewer)
        worlds = list(other_worlds(state, viewer))
        if any(rules.open_seats(other) != rules.open_seats(state) for other in worlds):
            yield f"what is open tells {viewer.seat} what it may not know"
        if any(rules.view(other, viewer) != shown for other in worlds):
            yield f"the view of {viewer.seat} shows what it may not know"
