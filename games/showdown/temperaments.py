"""The bots' temperaments and strengths, which follow from their names, so that people can
choose.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from games.contract import Character


@dataclass(frozen=True, slots=True)
class Temperament:
    """From 0 to 1: ``caution`` folds to high prices, ``boldness`` raises, ``appetite`` is the
    largest raise as a share of the purse, ``thrift`` dislikes to spend two weapons on one, ``whim``
    leaves the best choice.
    """

    caution: float
    boldness: float
    appetite: float
    thrift: float
    whim: float


@dataclass(frozen=True, slots=True)
class Strength:
    """Probabilities: that a bot ``combines`` weapons, ``reads`` the opponent's last weapon,
    ``forgets`` an opponent.
    """

    combines: float
    reads: float
    forgets: float


#: ``tests/games/showdown/test_bot_strength.py`` measures them against a simple sensible player.
STRENGTHS: Final[Mapping[str, Strength]] = {
    "easy": Strength(combines=0.0, reads=0.0, forgets=0.14),
    "normal": Strength(combines=0.25, reads=0.1, forgets=0.06),
    "hard": Strength(combines=1.0, reads=1.0, forgets=0.0),
}

TEMPERAMENTS: Final[Mapping[str, Temperament]] = {
    "cautious": Temperament(caution=0.95, boldness=0.2, appetite=0.06, thrift=0.7, whim=0.25),
    "steady": Temperament(caution=0.6, boldness=0.4, appetite=0.1, thrift=0.5, whim=0.3),
    "gambler": Temperament(caution=0.45, boldness=0.8, appetite=0.22, thrift=0.4, whim=0.45),
    "brawler": Temperament(caution=0.3, boldness=0.55, appetite=0.15, thrift=0.15, whim=0.35),
}

#: Bot -> the name of its temperament, and of its strength.
BOTS: Final[Mapping[str, tuple[str, str]]] = {
    "Lefty_Malone": ("cautious", "easy"),
    "Quiet_Sal": ("cautious", "normal"),
    "Nickels_Novak": ("cautious", "hard"),
    "Aunt_Carmela": ("cautious", "normal"),
    "Two-Coat_Eddie": ("steady", "easy"),
    "Sister_Agnes": ("steady", "normal"),
    "Bookkeeper_Bo": ("steady", "hard"),
    "Ma_Ricotta": ("steady", "normal"),
    "Dice_Delvecchio": ("gambler", "easy"),
    "Lucky_Lorraine": ("gambler", "normal"),
    "Long-Shot_Louie": ("gambler", "hard"),
    "Ruby_Diamante": ("gambler", "normal"),
    "Knuckles_McGraw": ("brawler", "easy"),
    "Big_Theodora": ("brawler", "normal"),
    "Crowbar_Kowalski": ("brawler", "hard"),
    "Tiny_the_Door": ("brawler", "normal"),
    "Penny_Pincher": ("cautious", "easy"),
    "Doc_Hollow": ("steady", "easy"),
    "Seven_Come_Sal": ("gambler", "easy"),
    "Iron_Fist_Ivan": ("brawler", "easy"),
    "Gentle_Giuseppe": ("cautious", "normal"),
    "Steady_Freddie": ("steady", "normal"),
    "Jackpot_Jill": ("gambler", "normal"),
    "Rhino_Ramirez": ("brawler", "normal"),
    "Nonna_Bianchi": ("cautious", "hard"),
    "Clara_Clockwork": ("steady", "hard"),
    "Wild_Card_Wanda": ("gambler", "hard"),
    "Bull_Brannigan": ("brawler", "hard"),
    "Slow_Hand_Stan": ("cautious", "normal"),
    "Mister_Umber": ("steady", "normal"),
    "Double_Down_Dan": ("gambler", "normal"),
    "Hatpin_Hattie": ("brawler", "normal"),
    "Professor_Plume": ("cautious", "easy"),
    "Irma_Ironside": ("steady", "easy"),
    "Roulette_Rita": ("gambler", "easy"),
    "Sledge_Sullivan": ("brawler", "easy"),
    "Sober_Stella": ("cautious", "normal"),
    "Plain_Jane_Doyle": ("steady", "normal"),
    "Chancy_Chauncey": ("gambler", "normal"),
    "Mad_Dog_Mabel": ("brawler", "normal"),
}

#: The descriptions of temperaments and of strengths, for people.
MANNERS: Final[Mapping[str, str]] = {
    "cautious": "folds rather than pay",
    "steady": "plays it straight",
    "gambler": "raises for the fun of it",
    "brawler": "hardly ever folds",
}
SKILLS: Final[Mapping[str, str]] = {
    "easy": "never combines and now and then leaves you a free battle",
    "normal": "combines now and then",
    "hard": "combines whenever it pays and reads your habits",
}


def cast() -> Mapping[str, Character]:
    """Return the description of each bot, the mildest first."""
    mildest_first = sorted(BOTS.items(), key=lambda bot: list(SKILLS).index(bot[1][1]))
    return {
        name: Character(manner, skill, f"{MANNERS[manner]}; {SKILLS[skill]}")
        for name, (manner, skill) in mildest_first
    }


#: The temperament and the strength of a bot that is not in the table.
STRANGER: Final = ("steady", "normal")


def temperament_of(name: str | None) -> Temperament:
    """Return a bot's temperament; an unknown one is steady."""
    return TEMPERAMENTS[BOTS.get(name or "", STRANGER)[0]]


def strength_of(name: str | None) -> Strength:
    """Return a bot's strength; an unknown one is normal."""
    return STRENGTHS[BOTS.get(name or "", STRANGER)[1]]
