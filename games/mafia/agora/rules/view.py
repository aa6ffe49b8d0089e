"""The view of a game for each viewer, built field by field; of posts only the number.
Source: docs/explanation/agora.md "The view"; docs/rules/agora.md "Secret information".
"""

from typing import Final, TypedDict

from games.engine.facts import IdentityCache, SeatNo
from games.engine.structs import kinds_of
from games.mafia.agora.rules.actions import legal_actions
from games.mafia.agora.rules.roles import MAFIA, count_roles
from games.mafia.agora.rules.state import AgoraState
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.roster import Choice, Vote, majority
from games.mafia.common.rules.view import RoomView, TownView, rooms_of, town_view


class CitizenView(TypedDict):
    """The public part of a citizen; the role is null until it is revealed."""

    no: int
    is_alive: bool
    cause: str | None
    died_round: int | None
    died_stage: str | None
    role: str | None
    vote: Vote


class DayView(TypedDict):
    """The last day: the final votes, by seat, and who was lynched."""

    round: int
    votes: list[tuple[int, Vote]]
    lynched: int | None


class NightView(TypedDict):
    """The last night."""

    round: int
    killed: int | None


class ResultView(TypedDict):
    """The result; awards are points on either axis, by seat."""

    reason: str
    winner: str | None
    awards: list[tuple[int, int]]


class PublicView(TownView):
    """The part of the view that all viewers get."""

    phase_seconds: int
    early_end: bool
    reveal_on_death: bool
    threshold: int
    quiet_limit: int
    roles: list[tuple[str, int]]
    needed: int
    seats: list[CitizenView]
    last_night: NightView | None
    last_day: DayView | None
    result: ResultView | None


class YouView(TypedDict):
    """The part of the view that only the seat gets; the keys are the same for every role."""

    role: str
    side: str
    is_alive: bool
    is_done: bool
    idle_phases: int
    target: Choice | None
    nights: list[tuple[int, Choice]]
    mafia: list[tuple[int, str]] | None
    read_files: list[tuple[int, int, bool]]
    learned: list[tuple[int, str]]
    saved: list[int]
    rooms: list[RoomView]
    may: list[str]


def own_view(state: AgoraState, seat: SeatNo) -> YouView | None:
    own = state.member(seat)
    if own is None:
        return None
    mates: list[tuple[int, str]] = [(mate.no, mate.role) for mate in state.mafia]
    return {
        "role": own.role,
        "side": own.side,
        "is_alive": own.is_alive,
        "is_done": own.is_done,
        "idle_phases": own.idle_phases,
        "target": own.target,
        "nights": list(own.nights),
        "mafia": mates if own.role in MAFIA else None,
        "read_files": list(own.read_files),
        "learned": list(own.learned),
        "saved": list(own.saved),
        "rooms": rooms_of(state, own),
        "may": kinds_of(legal_actions(state, own)),
    }


def _public_view(state: AgoraState) -> PublicView:
    options, night, day, result = state.options, state.last_night, state.last_day, state.result
    town = town_view(state)
    return {
        **town,
        "phase_seconds": options.phase_seconds,
        "early_end": options.early_end,
        "reveal_on_death": options.reveal_on_death,
        "threshold": options.threshold,
        "quiet_limit": options.quiet_limit,
        "roles": list(count_roles(len(state.citizens))),
        "needed": majority(town["living"]),
        "seats": _citizens(state),
        "last_night": {"round": night.round, "killed": night.killed} if night else None,
        "last_day": {"round": day.round, "votes": list(day.votes), "lynched": day.lynched}
        if day
        else None,
        "result": {"reason": result.reason, "winner": result.winner, "awards": list(result.awards)}
        if result
        else None,
    }


#: The public view, built once per state.
PUBLIC: Final = IdentityCache(_public_view)


def _citizens(state: AgoraState) -> list[CitizenView]:
    is_over, are_revealed = state.stage == Stage.OVER, state.options.reveal_on_death
    return [
        {
            "no": citizen.no,
            "is_alive": citizen.is_alive,
            "cause": citizen.cause,
            "died_round": citizen.died_round or None,
            "died_stage": citizen.died_stage or None,
            "role": citizen.role if is_over or (are_revealed and not citizen.is_alive) else None,
            "vote": citizen.vote,
        }
        for citizen in state.citizens
    ]
