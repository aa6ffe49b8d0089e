"""The configuration of Agoran Mafia for the common Mafia pages: roles, fates and endings."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from django import forms

from games.mafia.agora.rules.roles import (
    MOST_CITIZENS,
    TABLE,
    Role,
    Side,
    count_roles,
    roles_for,
    side_of,
)
from games.mafia.agora.rules.state import QUICK
from games.mafia.agora.words import ABOUT, ENDINGS, FATES, OPTIONS, role_word
from games.mafia.common.town_config import TownConfig, TownForm
from games.text.telling import listed


class AgoraForm(TownForm):
    early_end = forms.BooleanField(required=False, initial=True, label=OPTIONS["early_end"])
    reveal_on_death = forms.BooleanField(required=False, label=OPTIONS["reveal_on_death"])


def fate(citizen: Mapping[str, Any]) -> tuple[str, str, str]:
    cause, stage = citizen["cause"], citizen["died_stage"]
    told = FATES.get(f"{cause} {stage}") or FATES.get(cause, "lived")
    told = told.format(round=citizen["died_round"])
    return role_word(citizen["role"]), side_of(Role(citizen["role"])).value, told


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


@cache
def town_chance(town: int, mafia: int, is_night: bool) -> float:
    """Return the town's chance if all of the living are lynched, and all of the town killed, with
    equal chance. Roles count for nothing: what saves or spares somebody is a change.
    >>> round(town_chance(3, 1, True), 2), town_chance(3, 1, False)
    (0.33, 0.25)
    """
    if not 0 < mafia < town:
        return float(not mafia)
    if is_night:
        return town_chance(town - 1, mafia, False)
    lynched = town * town_chance(town - 1, mafia, True) + mafia * town_chance(town, mafia - 1, True)
    return lynched / (town + mafia)


TOWN: Final = TownConfig(
    form=AgoraForm,
    quick=QUICK,
    lead="By night the mafia kills; by day the town talks and votes. Nobody knows who is who, but "
    "the mafia.",
    by_majority=True,
    sides={Side.TOWN.value: "Town", Side.MAFIA.value: "Mafia"},
    cast=cast,
    ending=lambda result: ENDINGS[result["reason"]],
    fate=fate,
    chance=lambda living, _, is_night: town_chance(living["town"], living["mafia"], is_night),
    chance_of=Side.TOWN.value,
)

seat_fates = TOWN.seat_fates
