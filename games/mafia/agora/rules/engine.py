"""The rules of Agoran Mafia, an implementation of the contract of a game.
Source: docs/rules/agora.md; docs/how-to/add-a-game.md.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from games.engine.facts import Instant, SeatNo, Step, Told
from games.engine.protocols import Result
from games.engine.structs import replace
from games.mafia.agora.rules import actions, days, deaths, legal, nights, view
from games.mafia.agora.rules.facts import AgoraFact, GameStarted, GameVoided, MafiaNamed, RoleDealt
from games.mafia.agora.rules.options import LEAST_AT_A_TABLE
from games.mafia.agora.rules.options import Options as AgoraOptions
from games.mafia.agora.rules.roles import MAFIA, MOST_CITIZENS, Role, count_roles, roles_for
from games.mafia.agora.rules.state import MAFIA_ROOM, AgoraState, Cause, Citizen, Reason
from games.mafia.agora.rules.state import Result as Ending
from games.mafia.common.rules.actions import Done, Leave, Post, Undone, WriteWill
from games.mafia.common.rules.ballots import NOBODY
from games.mafia.common.rules.engine import Handler, MafiaRules
from games.mafia.common.rules.facts import Voted
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.state import (
    closed,
    done_by_night,
    post,
    rearmed,
    undone_by_night,
    write_will,
)

#: The roles whose choice becomes NOBODY when its target leaves.  A file can still be read, and a
#: file that was forged stays so.
LAPSING: Final = frozenset({Role.DOCTOR, Role.MAFIOSO})


def leave(state: AgoraState, own: Citizen, action: Leave, at: Instant) -> Step[AgoraState]:
    """Kill a citizen who leaves the town."""
    go_on = _withdraw_choices if state.stage == Stage.NIGHT else _withdraw_votes
    return deaths.end_or_go_on(
        deaths.die(state, own.no, Cause.LEFT), partial(go_on, gone=own.no, at=at)
    )


def _withdraw_choices(state: AgoraState, gone: SeatNo, at: Instant) -> Step[AgoraState]:
    """Withdraw the choices of a citizen who has left the town; the night may end."""
    for citizen in state.living:
        if citizen.target == gone and citizen.role in LAPSING:
            state = state.with_member(replace(citizen, target=NOBODY))
    return Step(rearmed(state, at))


def _withdraw_votes(state: AgoraState, gone: SeatNo, at: Instant) -> Step[AgoraState]:
    """Withdraw the votes for a citizen who has left the town; a majority may end the day."""
    told: tuple[Told, ...] = ()
    for citizen in state.living:
        if citizen.vote == gone:
            state = state.with_member(replace(citizen, vote=None))
            told = (*told, Told(Voted(citizen.no, None)))
    return Step(state, told).then(lambda now: days.count(now, at))


#: (stage, action type) -> its handler.  Any other action is refused.
HANDLERS: Final[Mapping[tuple[Stage, type[Any]], Handler]] = {
    (Stage.NIGHT, actions.Choose): nights.choose,
    (Stage.NIGHT, Done): done_by_night,
    (Stage.NIGHT, Undone): undone_by_night,
    (Stage.NIGHT, Post): post,
    (Stage.NIGHT, WriteWill): write_will,
    (Stage.NIGHT, Leave): leave,
    (Stage.DAY, actions.Vote): days.vote,
    (Stage.DAY, Post): post,
    (Stage.DAY, WriteWill): write_will,
    (Stage.DAY, Leave): leave,
}


class Agora(MafiaRules[AgoraState]):
    """The rules of Agoran Mafia; stateless, every method is a function of its arguments. A table
    needs at least five players; a contest sets up games of three and four itself.
    """

    handlers = HANDLERS
    first_stage = Stage.NIGHT
    version: int = 1
    min_seats: int = LEAST_AT_A_TABLE
    max_seats: int = MOST_CITIZENS
    Options: Any = AgoraOptions
    State: Any = AgoraState
    Action: Any = actions.AgoraAction
    Fact: Any = AgoraFact
    public_view: Any = staticmethod(view.PUBLIC.of)
    own_view: Any = staticmethod(view.own_view)
    team_rooms = (MAFIA_ROOM,)

    def cards_for(self, options: AgoraOptions, players: int) -> tuple[Role, ...]:
        if players < LEAST_AT_A_TABLE and not options.contest:
            raise ValueError(f"at least {LEAST_AT_A_TABLE} play at a table")
        return roles_for(players)

    def new_state(self, dealt: Sequence[tuple[SeatNo, Role]], **common: Any) -> AgoraState:
        citizens = (Citizen(no=no, role=role, is_file_mafia=role in MAFIA) for no, role in dealt)
        return AgoraState(citizens=tuple(citizens), **common)

    def opening_facts(self, state: AgoraState) -> tuple[Told, ...]:
        options = state.options
        started = GameStarted(
            seats=tuple(citizen.no for citizen in state.citizens),
            roles=count_roles(len(state.citizens)),
            phase_seconds=options.phase_seconds,
            threshold=options.threshold,
            early_end=options.early_end,
            reveal_on_death=options.reveal_on_death,
        )
        cards = (Told(RoleDealt(c.no, c.role), {c.no}) for c in state.citizens)
        members = tuple((citizen.no, citizen.role) for citizen in state.mafia)
        mafia = Told(MafiaNamed(members), {citizen.no for citizen in state.mafia})
        return (Told(started), *cards, mafia)

    def legal_actions(self, state: AgoraState, seat: SeatNo) -> list[actions.AgoraAction]:
        own = state.member(seat)
        return [] if own is None else legal.legal_actions(state, own)

    def end_phase(self, state: AgoraState, at: Instant) -> Step[AgoraState]:
        if state.stage == Stage.NIGHT:
            return nights.end_night(state, at)
        return days.end_day(state, None, at)

    def void_game(self, state: AgoraState) -> Step[AgoraState]:
        over = replace(closed(state), result=Ending(Reason.VOID, None))
        return Step(over, (Told(GameVoided(deaths.roles_of(state))),))

    def result_of(self, state: AgoraState, member: Citizen) -> Result:
        """Return a seat's result: a player who left has lost; a voided game has no result."""
        result = state.result
        assert result is not None
        if result.reason == Reason.VOID:
            return Result.NONE
        if member.has_left:
            return Result.LOST
        if result.winner is None:
            return Result.DRAWN
        return Result.WON if member.side == result.winner else Result.LOST
