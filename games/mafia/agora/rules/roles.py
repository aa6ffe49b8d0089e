"""Roles, the sides they are on, and how many of each play.

Source: docs/rules/agora.md "Roles".
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

LEAST_CITIZENS: Final = 3
MOST_CITIZENS: Final = 17


class Side(StrEnum):
    """Whom a citizen wins with."""

    TOWN = "town"
    MAFIA = "mafia"


class Role(StrEnum):
    """What a citizen is."""

    CITIZEN = "citizen"
    DOCTOR = "doctor"
    SHERIFF = "sheriff"
    DETECTIVE = "detective"
    MAFIOSO = "mafioso"
    AGENT = "agent"


#: The roles of the mafia; all others are the town's.
MAFIA: Final = frozenset({Role.MAFIOSO, Role.AGENT})
#: The roles that choose somebody at night.
NIGHT_ROLES: Final = frozenset({Role.DOCTOR, Role.SHERIFF, Role.MAFIOSO, Role.AGENT})

#: The least number of citizens -> (the roles of which there is one, how many mafiosi).
TABLE: Final = (
    (15, (Role.DOCTOR, Role.SHERIFF, Role.DETECTIVE, Role.AGENT), 4),
    (12, (Role.DOCTOR, Role.SHERIFF, Role.DETECTIVE, Role.AGENT), 3),
    (9, (Role.DOCTOR, Role.SHERIFF, Role.DETECTIVE, Role.AGENT), 2),
    (6, (Role.DOCTOR, Role.SHERIFF, Role.DETECTIVE, Role.AGENT), 1),
    (5, (Role.DOCTOR, Role.SHERIFF), 1),
    (4, (Role.DOCTOR,), 1),
    (3, (), 1),
)


def side_of(role: Role) -> Side:
    """Return whom a role wins with."""
    return Side.MAFIA if role in MAFIA else Side.TOWN


def roles_for(citizens: int) -> tuple[Role, ...]:
    """Return the roles of a game of so many citizens, in the order of ``Role``.

    >>> [str(role) for role in roles_for(5)]
    ['citizen', 'citizen', 'doctor', 'sheriff', 'mafioso']

    Raises:
        ValueError: nobody plays with so few or so many.
    """
    if not LEAST_CITIZENS <= citizens <= MOST_CITIZENS:
        raise ValueError(f"{LEAST_CITIZENS} to {MOST_CITIZENS} play")
    single, mafiosi = next((one, number) for least, one, number in TABLE if citizens >= least)
    special = [*single, *[Role.MAFIOSO] * mafiosi]
    ordinary = [Role.CITIZEN] * (citizens - len(special))
    order = list(Role)
    return tuple(sorted([*special, *ordinary], key=order.index))


def count_roles(citizens: int) -> tuple[tuple[Role, int], ...]:
    """Return how many of each role play, those that do."""
    dealt = roles_for(citizens)
    return tuple((role, dealt.count(role)) for role in Role if role in dealt)
