"""The view of a game for each viewer, built field by field; of posts only the number.
Source: docs/explanation/agora.md "The view"; docs/rules/dynamite.md "What each viewer sees".
"""

from typing import Final, TypedDict

from games.engine.facts import IdentityCache, SeatNo
from games.engine.structs import kinds_of
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.roster import Choice, Vote
from games.mafia.common.rules.view import RoomView, TownView, rooms_of, town_view
from games.mafia.dynamite.rules.actions import legal_actions
from games.mafia.dynamite.rules.state import PRICE, DynamiteState, declared
from games.mafia.dynamite.rules.teams import team_sizes


class PlayerView(TypedDict):
    """The public part of a player; the team is null until it is revealed."""

    no: int
    is_alive: bool
    causes: list[str]
    died_round: int | None
    died_stage: str | None
    team: str | None
    vote: Vote


class DayView(TypedDict):
    """The last day: the final votes, by seat, and who died."""

    round: int
    votes: list[tuple[int, Vote]]
    died: list[int]


class NightView(TypedDict):
    """The last night."""

    round: int
    died: list[int]


class ResultView(TypedDict):
    """The result; awards are points, by seat."""

    reason: str
    teams: list[str]
    winners: list[int]
    awards: list[tuple[int, int]]


class PublicView(TownView):
    """The part of the view that all viewers get; ``teams``: team, size, number of dead."""

    phase_seconds: int
    award: int
    quiet_limit: int
    teams: list[tuple[str, int, int]]
    seats: list[PlayerView]
    last_night: NightView | None
    last_day: DayView | None
    result: ResultView | None


class YouView(TypedDict):
    """The part of the view that only the seat gets; the keys are the same for every team."""

    team: str
    is_alive: bool
    is_done: bool
    is_leaving: bool
    idle_phases: int
    danger: int | None
    mates: list[int] | None
    points: int | None
    reserved: int | None
    confrontations: list[tuple[int, int]] | None
    target: Choice | None
    nights: list[tuple[int, Choice]]
    rooms: list[RoomView]
    may: list[str]


def own_view(state: DynamiteState, seat: SeatNo) -> YouView | None:
    own = state.member(seat)
    if own is None:
        return None
    points = own.points_known if not own.is_alive else state.points_of(own.team)
    plans = declared(state, own.team) if own.is_alive else ()
    is_mafia = own.is_mafia
    return {
        "team": own.team,
        "is_alive": own.is_alive,
        "is_done": own.is_done,
        "is_leaving": own.is_leaving,
        "idle_phases": own.idle_phases,
        "danger": None if is_mafia else own.danger,
        "mates": [mate.no for mate in state.team(own.team)] if is_mafia else None,
        "points": points if is_mafia else None,
        "reserved": PRICE * len(plans) if is_mafia else None,
        "confrontations": list(plans) if is_mafia else None,
        "target": own.target,
        "nights": list(own.nights),
        "rooms": rooms_of(state, own),
        "may": kinds_of(legal_actions(state, own)),
    }


def _public_view(state: DynamiteState) -> PublicView:
    options, night, day, result = state.options, state.last_night, state.last_day, state.result
    dead = [player.team for player in state.players if not player.is_alive]
    return {
        **town_view(state),
        "phase_seconds": options.phase_seconds,
        "award": options.award,
        "quiet_limit": options.quiet_limit,
        "teams": [(team, size, dead.count(team)) for team, size in team_sizes(len(state.players))],
        "seats": _players(state),
        "last_night": {"round": night.round, "died": list(night.died)} if night else None,
        "last_day": {"round": day.round, "votes": list(day.votes), "died": list(day.died)}
        if day
        else None,
        "result": {
            "reason": result.reason,
            "teams": list(result.teams),
            "winners": list(result.winners),
            "awards": list(result.awards),
        }
        if result
        else None,
    }


#: The public view, built once per state.
PUBLIC: Final = IdentityCache(_public_view)


def _players(state: DynamiteState) -> list[PlayerView]:
    is_over = state.stage == Stage.OVER
    return [
        {
            "no": player.no,
            "is_alive": player.is_alive,
            "causes": list(player.causes),
            "died_round": player.died_round or None,
            "died_stage": player.died_stage or None,
            "team": player.team if is_over or not player.is_alive else None,
            "vote": player.vote,
        }
        for player in state.players
    ]
