"""The shop: permanent stock for points."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from economy.errors import PriceChanged, refuse
from economy.ledger import TREASURY, Move, Plan, mint, stock, user_owner, wallet
from economy.models import Item, Transfer
from economy.selectors import setting
from economy.transfers import TransferCode
from economy.units import Unit

#: Pieces of one item in one purchase.  Source: docs/rules/showdown.md "Shop and permanent stock".
LEAST_QUANTITY: Final = 1
MOST_QUANTITY: Final = 99
#: The period in which purchases count against ``shop.purchases_a_minute``.
PACE: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Offer:
    """A line of the price list; the price is in points for one piece."""

    unit: Unit
    price: int
    is_on_sale: bool

    def cost(self, quantity: int) -> int:
        """Return the cost of all pieces in points; nothing else multiplies prices."""
        return self.price * quantity


@dataclass(frozen=True, slots=True)
class Order:
    """A number of pieces of one item, at the price that the buyer saw (None: any)."""

    unit: Unit
    quantity: int
    expected_price: int | None = None


@dataclass(frozen=True, slots=True)
class Purchase:
    """A completed purchase, in points; ``balance`` and ``stock`` are the buyer's current ones.
    ``is_repeated``: the key was used for it before, and nothing was bought again.
    """

    unit: Unit
    quantity: int
    cost: int
    balance: int
    stock: int
    is_repeated: bool = False


def price_list() -> list[Offer]:
    """Return all items in the order of the rule book, also those not on sale."""
    offers = {item.unit: _offer(item) for item in Item.objects.all()}
    return [offers[unit] for unit in Unit if unit in offers]


def buy(
    *, user_id: int, order: Order, key: str, guard: Callable[[], None] | None = None
) -> Purchase:
    """Exchange points for permanent stock, once for each key of a user; ``guard`` may refuse under
    the buyer's locks. Raises shop/bad_quantity, shop/unknown_item, shop/not_on_sale, PriceChanged,
    shop/too_fast, InsufficientPoints, ``limit``, ``conflict`` for a key of another purchase.
    """
    _check_quantity(order.quantity)
    group = f"buy:{user_id}:{key}"
    with transaction.atomic():
        plan = Plan.lock([user_owner(user_id)], timezone.now())
        paid = Transfer.objects.filter(key=f"{group}:paid").first()
        if paid is not None:
            goods = Transfer.objects.get(key=f"{group}:goods")
            if (goods.unit, goods.amount) != (order.unit, order.quantity):
                refuse("conflict", "this key belongs to another purchase")
            bought = _purchase(plan, user_id, order, paid.amount)
            return replace(bought, is_repeated=True)
        if guard is not None:
            guard()
        _check_pace(user_id, plan.at)
        cost = _offer_for(order).cost(order.quantity)
        for move in _moves(group, user_id, order, cost):
            plan.move(move)
        plan.write()
        return _purchase(plan, user_id, order, cost)


def _check_quantity(quantity: int) -> None:
    if type(quantity) is not int or not LEAST_QUANTITY <= quantity <= MOST_QUANTITY:
        message = f"from {LEAST_QUANTITY} to {MOST_QUANTITY} pieces at once"
        refuse("shop/bad_quantity", message, least=LEAST_QUANTITY, most=MOST_QUANTITY)


def _check_pace(user_id: int, now: datetime) -> None:
    recent = Transfer.objects.filter(
        cause=user_owner(user_id), code=TransferCode.PURCHASE, at__gt=now - PACE
    )
    most = setting("shop.purchases_a_minute")
    if recent.count() >= most:
        refuse("shop/too_fast", f"{most} purchases a minute are the most; wait a moment", most=most)


def _offer(item: Item) -> Offer:
    return Offer(Unit(item.unit), item.price, item.on_sale)


def _offer_for(order: Order) -> Offer:
    item = Item.objects.filter(unit=order.unit).first()
    if item is None:
        refuse("shop/unknown_item", "the shop has no such item")
    offer = _offer(item)
    if not offer.is_on_sale:
        refuse("shop/not_on_sale", f"{order.unit.label} are not on sale at the moment")
    if order.expected_price not in (None, offer.price):
        raise PriceChanged(f"the price is now {offer.price}", price=offer.price)
    return offer


def _moves(group: str, user_id: int, order: Order, cost: int) -> tuple[Move, Move]:
    cause, unit = user_owner(user_id), order.unit
    paid, issued = TransferCode.PURCHASE, TransferCode.ITEM_ISSUE
    return (
        Move(f"{group}:paid", group, wallet(user_id), TREASURY(), cost, paid, cause),
        Move(
            f"{group}:goods", group, mint(unit), stock(user_id, unit), order.quantity, issued, cause
        ),
    )


def _purchase(plan: Plan, user_id: int, order: Order, cost: int) -> Purchase:
    return Purchase(
        unit=order.unit,
        quantity=order.quantity,
        cost=cost,
        balance=plan.balance(wallet(user_id)),
        stock=plan.balance(stock(user_id, order.unit)),
    )
