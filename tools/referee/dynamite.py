"""Random legal games of Rock, Paper, Scissors, Dynamite, and checks that every game must pass. A
tool for tests and for the referee command. Source: docs/rules/dynamite.md "Winning", "What each
viewer sees".
"""

from collections.abc import Iterator, Mapping
from typing import Final

from games.engine.choices import clean_options
from games.engine.facts import SeatNo, Viewer
from games.engine.structs import replace
from games.mafia.common.rules.phases import Stage
from games.mafia.dynamite.rules.actions import DynamiteAction, Vote
from games.mafia.dynamite.rules.engine import Dynamite
from games.mafia.dynamite.rules.state import (
    MOST_KEPT,
    PRICE,
    DynamiteState,
    Options,
    Player,
    Reason,
    Result,
    TeamPoints,
    declared,
)
from games.mafia.dynamite.rules.teams import MAFIAS, VULNERABLE_TO, Team
from tools.referee.mafia import TownTrial, exchanges, other_clock, other_lines, otherwise
from tools.referee.trials import Chance, Played, pick

#: Kind of action -> the weight of each legal one; there is a vote or target for each player.
WEIGHTS: Final[Mapping[str, int]] = {
    "vote": 30,
    "confront": 30,
    "withdraw": 20,
    "done": 400,
    "undone": 20,
    "leave": 1,
}
#: The numbers of players of random games.
SIZES: Final = (4, 5, 6, 7, 8, 9, 11, 15)
#: One player in this many without a vote does something else first.
UNWILLING_IN: Final = 20


#: The fields of a team that move with it when two players exchange teams.
CARD = ("team", "danger", "target", "nights", "points_known", "reads_to")
#: The target of others' confrontations in another world.
ELSEWHERE = SeatNo(0)
RULES: Final = Dynamite()


class DynamiteTrial(TownTrial[DynamiteState]):
    """Random games of Rock, Paper, Scissors, Dynamite."""

    def random_options(self, chance: Chance) -> Options:
        raw = {
            "seats": SIZES[chance.below(len(SIZES))],
            "contest": chance.one_in(3),
            "phase_seconds": (60, 61, 600, 86_400)[chance.below(4)],
            "award": (5, 5, 1, 60)[chance.below(4)],
            "quiet_limit": 2 + chance.below(5),
            "substitutes": chance.one_in(2),
            "last_wills": chance.one_in(2),
        }
        return clean_options(Options, raw)

    def random_action(self, chance: Chance, state: DynamiteState, seat: SeatNo) -> DynamiteAction:
        """Return mostly a vote if there is none, since players without a vote die."""
        legal: list[DynamiteAction] = RULES.legal_actions(state, seat)
        votes = [action for action in legal if isinstance(action, Vote)]
        own = state.member(seat)
        if votes and own is not None and own.vote is None and not chance.one_in(UNWILLING_IN):
            return votes[chance.below(len(votes))]
        return pick(chance, legal, WEIGHTS)

    def other_worlds(self, state: DynamiteState, viewer: Viewer) -> Iterator[DynamiteState]:
        """Yield nothing after the end; else a state in which all but the teams differs, then
        states in which two players exchange teams.
        """
        if state.stage == Stage.OVER:
            return
        own = None if viewer.seat is None else state.member(viewer.seat)
        yield replace(
            state,
            seed=f"{state.seed} another",
            clock=other_clock(state),
            rooms=other_lines(state, viewer),
            points=tuple(_other_points(purse, own) for purse in state.points),
            players=tuple(_otherwise(player, own) for player in state.players),
        )
        unknown = [player for player in state.living if not is_known(player, own)]
        yield from exchanges(state, unknown, CARD)

    def game_violations(self, played: Played[DynamiteState]) -> Iterator[str]:
        yield from _award_violations(played)
        yield from _victory_violations(played)

    def own_violations(self, before: DynamiteState, after: DynamiteState) -> Iterator[str]:
        yield from _point_violations(before, after)


TRIAL: Final = DynamiteTrial(RULES)


def _victory_violations(played: Played[DynamiteState]) -> Iterator[str]:
    """Check that the first decisive moment ends the game, nothing else does; nobody dies twice."""
    teams = {player.no: player.team for player in played.state.players}
    alive, quiet, is_over, has_died = set(teams), 0, False, False
    result = played.state.result
    assert result is not None
    for event in played.events:
        if is_over and event.kind != "award_earned":
            yield f"{event.kind} comes after the end"
        if event.kind == "player_died":
            has_died = True
            if event.data["seat"] not in alive:
                yield f"seat {event.data['seat']} dies twice"
            alive.discard(event.data["seat"])
        if event.kind in ("day_began", "night_began", "game_ended") and event is not _first(played):
            quiet = 0 if has_died else quiet + 1
            has_died = False
            won = {VULNERABLE_TO[t] for t in MAFIAS if not any(teams[no] == t for no in alive)}
            is_decided = bool(won) or quiet >= played.options.quiet_limit
            if is_decided != (event.kind == "game_ended"):
                yield f"after {event.kind} it should {'' if is_decided else 'not '}be over"
            if event.kind == "game_ended" and set(result.teams) != won:
                yield f"{sorted(result.teams)} are said to have won, it was {sorted(won)}"
        is_over = is_over or event.kind in ("game_ended", "game_voided")
    if not is_over:
        yield "it never ended"
    if alive != {player.no for player in played.state.living}:
        yield "those who live are not those who did not die"


def _first(played: Played[DynamiteState]) -> object:
    """Return the fact that the first day has begun; no phase ends before it."""
    return next(event for event in played.events if event.kind == "day_began")


def _award_violations(played: Played[DynamiteState]) -> Iterator[str]:
    """Check that each winner, and nobody else, gets the award once, and that leavers have lost."""
    state, result = played.state, played.state.result
    assert result is not None
    earned = [e.data for e in played.events if e.kind == "award_earned"]
    is_void = result.reason == Reason.VOID
    wanted = [] if is_void else [p.no for p in state.players if _wins(result, p)]
    if [one["seat"] for one in earned] != wanted:
        yield f"awards for {[one['seat'] for one in earned]}, not for {wanted}"
    if any((one["points"], one["y_points"]) != (played.options.award, 0) for one in earned):
        yield "an award is not what the options say"
    for no, outcome in RULES.outcome(state).items():
        player = state.member(no)
        if (outcome.result == "won") is not (no in wanted):
            yield f"the outcome of seat {no} is {outcome.result}"
        if player and player.has_left and not is_void and outcome.result != "lost":
            yield f"seat {no} left and has not lost"


def _wins(result: Result, player: Player) -> bool:
    if player.has_left:
        return False
    return player.is_alive if player.team == Team.DYNAMITE else player.team in result.teams


def _point_violations(before: DynamiteState, after: DynamiteState) -> Iterator[str]:
    """Check that points stay within their bounds and change only when a phase ends."""
    players = len(after.players)
    for team in MAFIAS:
        points, plans = after.points_of(team), declared(after, team)
        most = MOST_KEPT if after.stage == Stage.DAY else MOST_KEPT + players + players // 4
        if after.stage != Stage.OVER and not 0 <= points <= most:
            yield f"{team} has {points} points by {after.stage}"
        if PRICE * len(plans) > points:
            yield f"{team} has {len(plans)} confrontations for {points} points"
        if before.phase == after.phase and points != before.points_of(team):
            yield f"the points of {team} change within a phase"
    for player in after.living:
        if player.danger not in (0, 1):
            yield f"a living townie has {player.danger} danger points"
        if player.is_mafia and player.danger:
            yield "a mafioso is in danger"


def is_known(player: Player, own: Player | None) -> bool:
    """Whether a viewer knows a player's team: the player is dead, the viewer, or its mate."""
    if own is None or not player.is_alive:
        return not player.is_alive
    return player.no == own.no or (own.is_mafia and player.team == own.team)


def _other_points(purse: TeamPoints, own: Player | None) -> TeamPoints:
    is_seen = own is not None and own.is_alive and own.team == purse.team
    return purse if is_seen else replace(purse, points=purse.points + 5)


def _otherwise(player: Player, own: Player | None) -> Player:
    """Return a player of the same team with other actions."""
    if own is not None and player.no == own.no:
        return player
    other = replace(
        otherwise(player, ELSEWHERE),
        danger=player.danger + 1,
        points_known=9 if player.points_known is None else None,
        is_leaving=player.is_alive and not player.is_leaving,
    )
    # A mate's declared target is known to the living team.
    is_mate = own is not None and own.is_mafia and own.is_alive and player.team == own.team
    return replace(other, target=player.target) if is_mate else other
