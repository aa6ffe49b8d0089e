"""The actions of a seat in Agoran Mafia, their refusals, and which are legal now.
Source: docs/reference/protocol.md, "Actions", "Errors"; docs/rules/agora.md "Phases".
"""

from typing import Annotated, Final

from games.engine.structs import SECRET, Hidden, Kinded
from games.mafia.agora.rules.roles import Role
from games.mafia.agora.rules.state import AgoraState, Citizen
from games.mafia.common.rules.actions import Done, Leave, Post, Undone, WriteWill
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.roster import NOBODY, Choice
from games.mafia.common.rules.roster import Vote as Opinion


class Choose(Hidden, Kinded, frozen=True):
    """Choose a citizen or nobody as the target of the night action; the role sets its effect."""

    target: Annotated[Choice, SECRET]


class Vote(Kinded, frozen=True):
    """Vote by day for a citizen or for nobody, or withdraw the vote (null)."""

    choice: Opinion


AgoraAction = Choose | Vote | Done | Undone | Post | WriteWill | Leave

#: Refusals of this game alone that no code catches: code -> its meaning.
REFUSALS: Final = {
    "action/no_night_action": "This role chooses nobody at night",
    "action/choice_final": "The file has been forged: the agent's choice is final for this night",
}


def legal_actions(state: AgoraState, own: Citizen) -> list[AgoraAction]:
    """List a citizen's legal actions besides posts and wills, in a stable order."""
    if state.stage == Stage.OVER or not own.is_alive:
        return []
    targets: list[Choice] = [*[citizen.no for citizen in state.living], NOBODY]
    if state.stage == Stage.DAY:
        return [*[Vote(choice) for choice in (*targets, None)], Leave()]
    may_choose = own.has_night_action and not is_final(own)
    chosen = [Choose(target) for target in targets] if may_choose else []
    return [*chosen, Undone() if own.is_done else Done(), Leave()]


def is_final(own: Citizen) -> bool:
    """Whether a citizen is an agent who has turned a file round tonight."""
    return own.role == Role.AGENT and own.target not in (None, NOBODY)
