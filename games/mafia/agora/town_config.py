"""The configuration of Agoran Mafia for the common Mafia pages: roles, fates and endings.
Source: docs/rules/agora.md "Roles".
"""

from collections.abc import Mapping
from typing import Any, Final

from games.mafia.agora.forms import AgoraForm
from games.mafia.agora.rules.options import QUICK
from games.mafia.agora.rules.roles import (
    MOST_CITIZENS,
    TABLE,
    Role,
    Side,
    count_roles,
    roles_for,
    side_of,
)
from games.mafia.agora.words import ABOUT, ENDINGS, FATES, role_word
from games.mafia.common.town_config import Fate, TownConfig
from games.mafia.common.words import CALLED_OFF
from games.text.telling import listed


def fates(view: Mapping[str, Any]) -> list[Fate]:
    """Return each seat's role and fate from a view after the end, in seat order."""
    awards = dict((view["game"]["result"] or {}).get("awards", []))
    return [
        Fate(
            no=citizen["no"],
            card=role_word(citizen["role"]),
            look=side_of(Role(citizen["role"])).value,
            fate=FATES.get(citizen["cause"], "lived").format(round=citizen["died_round"]),
            earned=(award, award) if (award := awards.get(citizen["no"])) else None,
        )
        for citizen in view["game"]["seats"]
    ]


def ending(view: Mapping[str, Any]) -> tuple[str, str]:
    """Return the headline and the reason of the end, from a view after the end."""
    result = view["game"]["result"]
    if result is None or result["reason"] not in ENDINGS:
        return CALLED_OFF[0], view["match"]["void_reason"] or CALLED_OFF[1]
    return ENDINGS[result["reason"]]


def cast(players: int) -> str:
    """Return the roles of a game with their numbers, in words.

    >>> cast(5)
    '2 ordinary citizens, 1 doctor, 1 sheriff and 1 mafioso'
    """
    return listed(f"{number} {role_word(role, number)}" for role, number in count_roles(players))


def role_table() -> dict[str, Any]:
    """Return ``roles`` as (name, side, text), and a table of their numbers: ``heads``, ``rows``."""
    least = sorted(number for number, _, _ in TABLE)
    most = [*(number - 1 for number in least[1:]), MOST_CITIZENS]
    special = [role for role in Role if role != Role.CITIZEN]
    rows = [
        {
            "citizens": str(low) if low == high else f"{low} to {high}",
            "counts": [roles_for(low).count(role) for role in special],
        }
        for low, high in zip(least, most, strict=True)
    ]
    return {
        "roles": [(role_word(role), side_of(role).value, ABOUT[role]) for role in Role],
        "heads": [role_word(role) for role in special],
        "rows": rows,
    }


TOWN: Final = TownConfig(
    form=AgoraForm,
    quick=QUICK,
    lead="By night the mafia kills; by day the town talks and votes. Nobody knows who is who, but "
    "the mafia.",
    by_majority=True,
    sides={Side.TOWN.value: "Town", Side.MAFIA.value: "Mafia"},
    cast=cast,
    ending=ending,
    fates=fates,
)


def seat_fates(game: Mapping[str, Any]) -> dict[int, str]:
    """Return each seat's card and fate in words, from a public view after the end."""
    return {fate.no: f"{fate.card}, {fate.fate}" for fate in fates({"game": game})}
