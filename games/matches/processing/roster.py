"""The site's bots: ordinary users with ordinary wallets, who sit down on request."""

from collections.abc import Sequence
from typing import Final

from django.conf import settings
from django.db.models import Count, Q

from accounts.models import User
from accounts.services import create_bot
from games import registry
from games.engine.protocols import Result
from games.matches.models import Match, Seat
from games.matches.processing.submissions import Submission

#: Strengths of bots: for users without a win yet, and for all others.
MILDEST, USUAL = "easy", "normal"

#: The site has the first ``HOUSE_BOTS`` of them; a game may define more of each, such as a
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
    """Create the missing bots; existing ones stay unchanged."""
    wanted = BOT_NAMES[: settings.HOUSE_BOTS]
    there = set(User.objects.filter(username__in=wanted).values_list("username", flat=True))
    for name in wanted:
        if name not in there:
            create_bot(name=name)


def suited(free: Sequence[User], caller: Submission) -> User | None:
    """Return the bot for a request: the named one, else one of suitable strength. A user who has
    not won a game of the kind yet gets one of the mildest.
    """
    if "bot" in caller.action:
        return next((bot for bot in free if bot.username == caller.action["bot"]), None)
    game = Match.objects.values_list("game", flat=True).filter(pk=caller.match_id).first()
    cast = registry.table(game).bot.cast if game else {}
    wanted = MILDEST if cast and not _has_won(caller.actor_id, game) else USUAL
    return next(
        (bot for bot in free if bot.username in cast and cast[bot.username].strength == wanted),
        next(iter(free), None),
    )


def _has_won(user_id: int | None, game: str | None) -> bool:
    won = Seat.objects.filter(user=user_id, match__game=game, result=Result.WON)
    return won.exists()


def free_bots() -> list[User]:
    """Return the bots, those at the fewest live tables first, otherwise in any order."""
    live = Q(seats__match__status__in=Match.LIVE)
    bots = User.objects.filter(is_bot=True, is_active=True)
    return list(bots.alias(tables=Count("seats", filter=live)).order_by("tables", "?"))
