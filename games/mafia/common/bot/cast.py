"""The strengths of the bots in Mafia games, by name.
Source: docs/explanation/agora.md "Bots".
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from games.contract import Character


class Wits(NamedTuple):
    """A bot's skill; every number but ``whim`` is a probability.

    ``claims``: it tells what its role has learned.  ``bluffs``: accused, it claims a role that it
    has not.  ``plans``: it chooses at night by what was claimed.  ``recalls``: it uses votes of
    earlier days.  ``whim``: the weight of its fancy against facts.
    """

    claims: float
    bluffs: float
    plans: float
    recalls: float
    whim: float


EASY: Final = Wits(claims=0.3, bluffs=0.05, plans=0.1, recalls=0.1, whim=2.2)
NORMAL: Final = Wits(claims=0.8, bluffs=0.2, plans=0.6, recalls=0.5, whim=1.2)
HARD: Final = Wits(claims=1.0, bluffs=0.4, plans=1.0, recalls=1.0, whim=0.7)

STRENGTHS: Final[Mapping[str, Wits]] = {"easy": EASY, "normal": NORMAL, "hard": HARD}
ABOUT: Final[Mapping[str, str]] = {
    "easy": "votes by fancy and keeps what it knows to itself",
    "normal": "claims what it has learned and votes by facts now and then",
    "hard": "plans its nights, remembers every vote and bluffs",
}

#: The names of the bots that are not normal.
NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "easy": (
        "Lefty_Malone", "Two-Coat_Eddie", "Dice_Delvecchio", "Knuckles_McGraw", "Penny_Pincher",
        "Doc_Hollow", "Seven_Come_Sal", "Iron_Fist_Ivan", "Professor_Plume", "Irma_Ironside",
        "Roulette_Rita", "Sledge_Sullivan", "Sober_Stella", "Plain_Jane_Doyle", "Chancy_Chauncey",
        "Mad_Dog_Mabel",
    ),
    "normal": (
        "Quiet_Sal", "Aunt_Carmela", "Sister_Agnes", "Ma_Ricotta", "Lucky_Lorraine",
        "Ruby_Diamante", "Big_Theodora", "Tiny_the_Door", "Gentle_Giuseppe", "Steady_Freddie",
        "Jackpot_Jill", "Rhino_Ramirez", "Slow_Hand_Stan", "Mister_Umber", "Double_Down_Dan",
        "Hatpin_Hattie",
    ),
    "hard": (
        "Nickels_Novak", "Bookkeeper_Bo", "Long-Shot_Louie", "Crowbar_Kowalski", "Nonna_Bianchi",
        "Clara_Clockwork", "Wild_Card_Wanda", "Bull_Brannigan",
    ),
}  # fmt: skip

CAST: Final[Mapping[str, Character]] = MappingProxyType(
    {
        name: Character("", strength, ABOUT[strength])
        for strength, names in NAMES.items()
        for name in names
    }
)


def wits_of(view: Mapping[str, Any]) -> Wits:
    """Return the skill of the bot whose view this is; one that is not in the cast is normal."""
    character = CAST.get(view["you"].get("name") or "")
    return NORMAL if character is None else STRENGTHS[character.strength]
