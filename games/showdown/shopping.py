"""Purchases of weapons, on the shop's page or at a table."""

from collections.abc import Mapping
from typing import Any, Final

from accounts.models import User
from economy import shop
from economy.selectors import balance_of, stock_of
from economy.units import OWNED, Unit, counted
from games.engine.errors import refuse
from games.matches.models import Match, Seat, of_match
from games.moderation import fair_play
from games.showdown import SLUG
from games.showdown.words import owned_sentence, weapon_title
from games.text.telling import points

#: Refusals of this game alone that no code catches: code -> its meaning.
REFUSALS: Final = {
    "shop/closed_while_playing": "The buyer sits in a running game of Showdown",
}


def running_match(user_id: int) -> Match | None:
    """Return the user's running game of Showdown, which closes the shop to them."""
    running = of_match(status=Match.Status.RUNNING, game=SLUG)
    seats = Seat.objects.filter(running, user=user_id).select_related("match")
    seat = seats.order_by("-match").first()
    return seat.match if seat else None


def buy_weapon(
    *, user_id: int, unit: Unit, quantity: int, action_id: str, expected_price: int | None = None
) -> shop.Purchase:
    """Buy weapons for the permanent stock, once for each ``action_id``; ``expected_price`` is of
    one, in points, None accepts any. Raises shop/closed_while_playing, ``forbidden``, LedgerError.
    """

    def require_no_running_game() -> None:
        # Checked after the buyer's accounts are locked: a game's start locks them too.
        if running_match(user_id) is not None:
            message = "the shop is closed while you sit in a running game"
            refuse("shop/closed_while_playing", message)
        fair_play.require_not_frozen(User.objects.get(pk=user_id))

    return shop.buy(
        user_id=user_id,
        order=shop.Order(unit, quantity, expected_price),
        key=action_id,
        guard=require_no_running_game,
    )


def purchase_sentence(bought: shop.Purchase) -> str:
    """Return the sentence about a purchase."""
    goods, cost = counted(bought.quantity, bought.unit), counted(bought.cost, Unit.POINT)
    return f"You bought {goods} for {cost}."


def buy_typed(user_id: int, given: Mapping[str, Any], action_id: str) -> str:
    """Buy the goods of a typed command; raises as ``buy_weapon``."""
    bought = buy_weapon(user_id=user_id, action_id=action_id, **given)
    return purchase_sentence(bought)


def tell_stock(user_id: int, given: Mapping[str, Any], action_id: str) -> str:
    """Return the points and the permanent stock of a user without a seat."""
    return owned_sentence(
        {name: stock_of(user_id).get(unit, 0) for name, unit in OWNED.items()}, balance_of(user_id)
    )


def tell_prices(user_id: int | None, given: Mapping[str, Any], action_id: str) -> str:
    """Return the goods with their prices, and for a user the balance."""
    goods = [f"{weapon_title(o.unit.lower())} {o.price}" for o in shop.price_list() if o.is_on_sale]
    if not goods:
        return "The shop sells nothing at the moment."
    yours = "" if user_id is None else f" You have {points(balance_of(user_id))}."
    return f"For sale, in points: {', '.join(goods)}.{yours}"
