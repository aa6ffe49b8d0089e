"""Roles, their sides, and the number of citizens of each role.
Source: docs/rules/agora.md "Roles".
"""

from enum import StrEnum
from functools import cache
from typing import Final

LEAST_CITIZENS: Final = 3
MOST_CITIZENS: Final = 17


class Side(StrEnum):
    TOWN = "town"
    MAFIA = "mafia"


class Role(StrEnum):
    CITIZEN = "citizen"
    DOCTOR = "doctor"
    SHERIFF = "sheriff"
    DETECTIVE = "detective"
    MAFIOSO = "mafioso"
    AGENT = "agent"


#: The roles of the mafia; all other roles are the town's.
MAFIA: Final = frozenset({Role.MAFIOSO, Role.AGENT})
#: The roles that have a night action.
NIGHT_ROLES: Final = frozenset({Role.DOCTOR, Role.SHERIFF, Role.MAFIOSO, Role.AGENT})

#: (the smallest number of citizens, the roles dealt once, the number of mafiosi).
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
    return Side.MAFIA if role in MAFIA else Side.TOWN


def roles_for(citizens: int) -> tuple[Role, ...]:
    """Return the roles of a game of ``citizens``, in the order of ``Role``. Raises ValueError.
    >>> [str(role) for role in roles_for(5)]
    ['citizen', 'citizen', 'doctor', 'sheriff', 'mafioso']
    """
    if not LEAST_CITIZENS <= citizens <= MOST_CITIZENS:
        raise ValueError(f"{LEAST_CITIZENS} to {MOST_CITIZENS} play")
    single, mafiosi = next((one, number) for least, one, number in TABLE if citizens >= least)
    special = [*single, *[Role.MAFIOSO] * mafiosi]
    ordinary = [Role.CITIZEN] * (citizens - len(special))
    return tuple(sorted([*special, *ordinary], key=list(Role).index))


@cache
def count_roles(citizens: int) -> tuple[tuple[Role, int], ...]:
    """Return each role that is dealt, with its number."""
    dealt = roles_for(citizens)
    return tuple([(role, dealt.count(role)) for role in dict.fromkeys(dealt)])
