"""Other worlds: states that differ from one only in what a viewer may not know.

A tool for tests and for random games.

Source: docs/rules/dynamite.md "What each viewer sees"; docs/durability.md S1.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.dynamite.rules.state import DynamiteState, Player, TeamPoints
from games.kernel.facts import SeatNo, Viewer
from games.kernel.structs import replace
from games.mafia.rules import worlds
from games.mafia.rules.phases import Stage

#: What belongs to a team and goes with it when two exchange theirs.
CARD = ("team", "danger", "target", "nights", "points_known", "reads_to")
#: Whom others confront in another world.
ELSEWHERE = SeatNo(0)


def other_worlds(state: DynamiteState, viewer: Viewer) -> Iterator[DynamiteState]:
    """Return states that must look the same to a viewer; none once the game is over.

    In the first all is other that is no team: seed, hidden end, what others have done, points of
    other teams, rooms that are closed.  In the rest somebody is what somebody else was.
    """
    if state.stage == Stage.OVER:
        return
    own = None if viewer.seat is None else state.player(viewer.seat)
    yield replace(
        state,
        seed=f"{state.seed} another",
        clock=worlds.other_clock(state),
        rooms=worlds.other_lines(state, viewer),
        points=tuple(_other_points(purse, own) for purse in state.points),
        players=tuple(_otherwise(player, own) for player in state.players),
    )
    unknown = [player for player in state.living if not is_known(player, own)]
    for one in unknown:
        other = next((each for each in unknown if each.no > one.no and each.team != one.team), None)
        if other is not None:
            yield worlds.exchanged(state, one, other, CARD)


def is_known(player: Player, own: Player | None) -> bool:
    """Whether a viewer knows what a player is: it is dead, oneself, or a mate of the mafia."""
    if own is None or not player.is_alive:
        return not player.is_alive
    return player.no == own.no or (own.is_mafia and player.team == own.team)


def _other_points(purse: TeamPoints, own: Player | None) -> TeamPoints:
    is_seen = own is not None and own.is_alive and own.team == purse.team
    return purse if is_seen else replace(purse, points=purse.points + 5)


def _otherwise(player: Player, own: Player | None) -> Player:
    """Return a player who has done other things, of the same team."""
    if own is not None and player.no == own.no:
        return player
    other = replace(
        worlds.otherwise(player, ELSEWHERE),
        danger=player.danger + 1,
        points_known=9 if player.points_known is None else None,
        is_leaving=player.is_alive and not player.is_leaving,
    )
    # What a mate declares is the team's business.
    is_mate = own is not None and own.is_mafia and own.is_alive and player.team == own.team
    return replace(other, target=player.target) if is_mate else other
