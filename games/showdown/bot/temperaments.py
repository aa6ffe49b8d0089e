"""The bots' temperaments, all of it data.

A bot's temperament follows from its name, so that people can learn whom they
are dealing with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Temperament:
    """How a bot leans; every number is from 0 to 1.

    ``caution``: how readily it folds to a price it dislikes.  ``boldness``:
    how often it raises.  ``appetite``: the largest raise, as a share of what
    is left of the purse.  ``thrift``: how it hates to spend two weapons on
    one.  ``whim``: how far it strays from what looks best.
    """

    caution: float
    boldness: float
    appetite: float
    thrift: float
    whim: float


TEMPERAMENTS: Final[Mapping[str, Temperament]] = {
    "cautious": Temperament(caution=0.95, boldness=0.2, appetite=0.06, thrift=0.7, whim=0.25),
    "steady": Temperament(caution=0.6, boldness=0.4, appetite=0.1, thrift=0.5, whim=0.3),
    "gambler": Temperament(caution=0.45, boldness=0.8, appetite=0.22, thrift=0.4, whim=0.45),
    "brawler": Temperament(caution=0.3, boldness=0.55, appetite=0.15, thrift=0.15, whim=0.35),
}

#: Bot -> the name of its temperament.
BOTS: Final[Mapping[str, str]] = {
    "Lefty_Malone": "cautious",
    "Quiet_Sal": "cautious",
    "Nickels_Novak": "cautious",
    "Aunt_Carmela": "cautious",
    "Two-Coat_Eddie": "steady",
    "Sister_Agnes": "steady",
    "Bookkeeper_Bo": "steady",
    "Ma_Ricotta": "steady",
    "Dice_Delvecchio": "gambler",
    "Lucky_Lorraine": "gambler",
    "Long-Shot_Louie": "gambler",
    "Ruby_Diamante": "gambler",
    "Knuckles_McGraw": "brawler",
    "Big_Theodora": "brawler",
    "Crowbar_Kowalski": "brawler",
    "Tiny_the_Door": "brawler",
    "Penny_Pincher": "cautious",
    "Doc_Hollow": "steady",
    "Seven_Come_Sal": "gambler",
    "Iron_Fist_Ivan": "brawler",
    "Gentle_Giuseppe": "cautious",
    "Steady_Freddie": "steady",
    "Jackpot_Jill": "gambler",
    "Rhino_Ramirez": "brawler",
    "Nonna_Bianchi": "cautious",
    "Clara_Clockwork": "steady",
    "Wild_Card_Wanda": "gambler",
    "Bull_Brannigan": "brawler",
    "Slow_Hand_Stan": "cautious",
    "Mister_Umber": "steady",
    "Double_Down_Dan": "gambler",
    "Hatpin_Hattie": "brawler",
    "Professor_Plume": "cautious",
    "Irma_Ironside": "steady",
    "Roulette_Rita": "gambler",
    "Sledge_Sullivan": "brawler",
    "Sober_Stella": "cautious",
    "Plain_Jane_Doyle": "steady",
    "Chancy_Chauncey": "gambler",
    "Mad_Dog_Mabel": "brawler",
}


def temperament_of(name: str | None) -> Temperament:
    """Return the temperament that goes with a bot's name; a stranger is steady."""
    return TEMPERAMENTS[BOTS.get(name or "", "steady")]
