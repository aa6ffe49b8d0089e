"""The shop's page, and purchases from it."""

import secrets
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from economy.errors import InsufficientPoints, LedgerError, PriceChanged
from economy.selectors import balance_of, stock_of
from economy.shop import LEAST_QUANTITY, MOST_QUANTITY, Offer, price_list
from economy.units import Unit, counted
from games.engine.errors import IllegalAction
from games.realtime import runtime
from games.showdown import shopping
from games.showdown.forms import PurchaseForm
from games.showdown.rules_page import beats_of

PRIVATE = "no-store, private"


@require_GET
def shop(request: HttpRequest) -> HttpResponse:
    """Show the goods; for a user also the owned items and the balance after a purchase."""
    user = request.user if isinstance(request.user, User) else None
    balance = balance_of(user.pk) if user else None
    owned = stock_of(user.pk) if user else {}
    context = {
        "cards": [_card(offer, owned.get(offer.unit, 0), balance) for offer in price_list()],
        "points": balance,
        "closed_by": shopping.running_match(user.pk) if user else None,
        "least": LEAST_QUANTITY,
        "most": MOST_QUANTITY,
    }
    response = render(request, "games/showdown/shop.html", context)
    response["Cache-Control"] = PRIVATE
    return response


@require_POST
@login_required
def buy(request: HttpRequest) -> HttpResponse:
    """Buy the goods of one card once, and redirect to the page."""
    form = PurchaseForm(request.POST)
    if not form.is_valid():
        messages.error(request, form.problem())
        return redirect("shop")
    assert isinstance(request.user, User)
    wanted = form.cleaned_data
    try:
        bought = shopping.buy_weapon(
            user_id=request.user.pk,
            unit=wanted["unit"],
            quantity=wanted["quantity"],
            action_id=wanted["key"],
            expected_price=wanted["expected_price"],
        )
    except (IllegalAction, LedgerError) as problem:
        messages.error(request, _refusal(problem, wanted))
        return redirect("shop")
    runtime.tell_user(request.user.pk)
    # The template adds the link to the statement.
    messages.success(request, shopping.purchase_sentence(bought), extra_tags="on-statement")
    return redirect("shop")


def _card(offer: Offer, owned: int, balance: int | None) -> dict[str, Any]:
    slug = offer.unit.value.lower()
    costs = [offer.cost(quantity) for quantity in range(LEAST_QUANTITY, MOST_QUANTITY + 1)]
    return {
        **beats_of(slug),
        "unit": offer.unit.value,
        "slug": slug,
        "name": offer.unit.label.capitalize(),
        "price": offer.price,
        "costs": costs,
        "is_on_sale": offer.is_on_sale,
        "owned": owned,
        "after": None if balance is None else balance - costs[0],
        "missing": max(0, costs[0] - (balance or 0)),
        "key": secrets.token_urlsafe(18),
    }


def _refusal(problem: IllegalAction | LedgerError, wanted: dict[str, Any]) -> str:
    """Return why the purchase failed, with the numbers."""
    unit: Unit = wanted["unit"]
    if isinstance(problem, InsufficientPoints):
        short = counted(problem.detail["missing"], Unit.POINT)
        return f"You are {short} short for {counted(wanted['quantity'], unit)}. Nothing was bought."
    if isinstance(problem, PriceChanged):
        price = counted(problem.detail["price"], Unit.POINT)
        seen = wanted["expected_price"]
        return f"One of the {unit.label} now costs {price}, not {seen}. Nothing was bought."
    reason = str(problem)
    return f"{reason[:1].upper()}{reason[1:]}. Nothing was bought."
