"""Buying weapons at a table: the shop's rules, and that nobody shops in the middle of a game."""

from __future__ import annotations

from typing import ClassVar

from economy import shop
from economy.units import Unit
from games.models import Match, Seat
from games.rules.errors import IllegalAction


class ShopClosed(IllegalAction):
    """The buyer sits in a running game of Showdown."""

    code: ClassVar[str] = "shop/closed_while_playing"


def buy_weapon(*, user_id: int, unit: Unit, quantity: int, action_id: str) -> shop.Purchase:
    """Buy weapons for the permanent stock, once for each ``action_id``.

    Raises:
        ShopClosed: the buyer sits in a running game.
        LedgerError: not on sale, a bad quantity, or points are missing.

    Source: docs/rules/showdown.md "Shop and permanent stock".
    """

    def require_no_running_game() -> None:
        # Asked after the buyer's accounts are locked: a game's start locks them too.
        running = Seat.objects.filter(user_id=user_id, match__status=Match.Status.RUNNING)
        if running.exists():
            raise ShopClosed("the shop is closed while you sit in a running game")

    return shop.buy(
        user_id=user_id,
        order=shop.Order(unit, quantity),
        key=action_id,
        guard=require_no_running_game,
    )
