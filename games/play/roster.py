"""The bots of the site: ordinary users with ordinary wallets, who sit down when asked."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db.models import Count, Q

from accounts.models import User
from accounts.services import create_bot
from games.models import Match

#: The site has the first ``HOUSE_BOTS`` of them; a game may know more of each, such as a
#: temperament.
BOT_NAMES: Final = (
    "Lefty_Malone",
    "Quiet_Sal",
    "Nickels_Novak",
    "Aunt_Carmela",
    "Two-Coat_Eddie",
    "Sister_Agnes",
    "Bookkeeper_Bo",
    "Ma_Ricotta",
    "Dice_Delvecchio",
    "Lucky_Lorraine",
    "Long-Shot_Louie",
    "Ruby_Diamante",
    "Knuckles_McGraw",
    "Big_Theodora",
    "Crowbar_Kowalski",
    "Tiny_the_Door",
    "Penny_Pincher",
    "Doc_Hollow",
    "Seven_Come_Sal",
    "Iron_Fist_Ivan",
    "Gentle_Giuseppe",
    "Steady_Freddie",
    "Jackpot_Jill",
    "Rhino_Ramirez",
    "Nonna_Bianchi",
    "Clara_Clockwork",
    "Wild_Card_Wanda",
    "Bull_Brannigan",
    "Slow_Hand_Stan",
    "Mister_Umber",
    "Double_Down_Dan",
    "Hatpin_Hattie",
    "Professor_Plume",
    "Irma_Ironside",
    "Roulette_Rita",
    "Sledge_Sullivan",
    "Sober_Stella",
    "Plain_Jane_Doyle",
    "Chancy_Chauncey",
    "Mad_Dog_Mabel",
)


def ensure_bots() -> None:
    """Create the bots that are missing; what is there stays."""
    wanted = BOT_NAMES[: settings.HOUSE_BOTS]
    there = set(User.objects.filter(username__in=wanted).values_list("username", flat=True))
    for name in wanted:
        if name not in there:
            create_bot(name=name)


def free_bots() -> list[User]:
    """Return the bots, those at the fewest live tables first, otherwise in any order."""
    live = Q(seats__match__status__in=Match.LIVE)
    bots = User.objects.filter(is_bot=True, is_active=True)
    return list(bots.alias(tables=Count("seats", filter=live)).order_by("tables", "?"))
