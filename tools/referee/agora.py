"""Random legal games of Agoran Mafia, and checks that every game must pass. A tool for tests and
for the referee command. Source: docs/rules/agora.md "Winning and points", "Secret information".
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from games.engine.choices import clean_options
from games.engine.facts import SeatNo, Told, Viewer
from games.engine.structs import replace
from games.mafia.agora.rules.actions import AgoraAction, Vote
from games.mafia.agora.rules.engine import Agora
from games.mafia.agora.rules.roles import Side, side_of
from games.mafia.agora.rules.state import AgoraState, Citizen, Options
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.roster import tally
from tools.referee.mafia import TownTrial, exchanges, other_clock, other_lines, otherwise
from tools.referee.trials import Chance, Played, pick

#: Kind of action -> the weight of each legal one; there is a vote or choice for each citizen.
WEIGHTS: Final[Mapping[str, int]] = {
    "choose": 30,
    "vote": 30,
    "done": 200,
    "undone": 20,
    "leave": 1,
}
#: One vote in this many joins the most votes.
AGREE_IN: Final = 2


#: The fields of a role that move with it when two citizens exchange roles.
CARD = ("role", "is_file_mafia", "target", "nights", "read_files", "learned", "reads_to")
RULES: Final = Agora()


class AgoraTrial(TownTrial[AgoraState]):
    """Random games of Agoran Mafia."""

    def random_options(self, chance: Chance) -> Options:
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
            "last_wills": chance.one_in(2),
        }
        return clean_options(Options, raw)

    def random_action(self, chance: Chance, state: AgoraState, seat: SeatNo) -> AgoraAction:
        counted = tally(citizen.vote for citizen in state.living)
        if state.stage == Stage.DAY and counted and chance.one_in(AGREE_IN):
            return Vote(counted[0][0])
        legal: list[AgoraAction] = RULES.legal_actions(state, seat)
        return pick(chance, legal, WEIGHTS)

    def other_worlds(self, state: AgoraState, viewer: Viewer) -> Iterator[AgoraState]:
        """Yield nothing after the end; else a state in which all but the roles differs, then
        states in which two citizens exchange roles.
        """
        if state.stage == Stage.OVER:
            return
        own = None if viewer.seat is None else state.member(viewer.seat)
        yield replace(
            state,
            seed=f"{state.seed} another",
            clock=other_clock(state),
            rooms=other_lines(state, viewer),
            citizens=tuple(
                citizen if own is not None and citizen.no == own.no else _otherwise(citizen)
                for citizen in state.citizens
            ),
        )
        yield from exchanges(state, unknown_to(state, own), CARD)

    def game_violations(self, played: Played[AgoraState]) -> Iterator[str]:
        yield from _award_violations(played)
        yield from _victory_violations(played)


TRIAL: Final = AgoraTrial(RULES)


def _award_violations(played: Played[AgoraState]) -> Iterator[str]:
    """Check the awards: the threshold divided by the winners, for each winner who stayed."""
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
    for no, outcome in RULES.outcome(state).items():
        if getattr(outcome, "points", None) != (each if no in earned else 0):
            yield f"the outcome of seat {no} tells another award"
    if sum(one["points"] for one in earned.values()) > state.options.threshold:
        yield "more was awarded than the threshold"


def _victory_violations(played: Played[AgoraState]) -> Iterator[str]:
    """Check that the first decisive death ends the game, nothing else does, and none repeats."""
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


def unknown_to(state: AgoraState, own: Citizen | None) -> list[Citizen]:
    """Return the citizens whose roles a viewer does not know."""
    known = set[SeatNo]() if own is None else {own.no, *(no for no, _ in own.learned)}
    if own is not None and own.side == Side.MAFIA:
        known |= {citizen.no for citizen in state.mafia}
    reveals = state.options.reveal_on_death
    return [c for c in state.citizens if c.no not in known and (c.is_alive or not reveals)]


def _otherwise(citizen: Citizen) -> Citizen:
    """Return a citizen of the same role with other actions and other private facts."""
    return replace(
        otherwise(citizen), is_file_mafia=not citizen.is_file_mafia, saved=(*citizen.saved, 99)
    )
