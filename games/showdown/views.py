"""The pages of Showdown: list, new table, board, shop, rules."""

import secrets
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import User
from economy.errors import InsufficientPoints, LedgerError, PriceChanged
from economy.selectors import balance_of, settings_starting, stock_of
from economy.shop import LEAST_QUANTITY, MOST_QUANTITY, Offer, price_list
from economy.units import MOST_AMOUNT, WEAPONS, Unit, counted
from games.engine.errors import IllegalAction
from games.matches import services as matches
from games.matches.models import Match
from games.matches.processing import writing
from games.matches.processing.bots import purse_among_bots
from games.matches.processing.submissions import Submission
from games.matches.queries.addresses import match_url
from games.matches.queries.selectors import shown_lobby
from games.matches.views import BoardPage, board_page, user_of, watched
from games.realtime import runtime
from games.realtime.runtime import tell
from games.showdown import SLUG, seating, shopping
from games.showdown.commands import COMMANDS
from games.showdown.words import beats_of, weapon_table
from games.text.telling import sentence


class TableForm(forms.Form):
    """The options of a new table; the defaults are the site's numbers."""

    seats = forms.IntegerField(min_value=2, max_value=4, initial=4)
    ante = forms.IntegerField(min_value=1, max_value=1000)
    target = forms.IntegerField(min_value=3, max_value=15)
    betting_clock = forms.IntegerField(min_value=5, max_value=120)
    round_clock = forms.IntegerField(min_value=5, max_value=120)
    largest_purse = forms.IntegerField(min_value=1, max_value=100_000)
    listed = forms.BooleanField(required=False, initial=True)
    spectators = forms.BooleanField(required=False, initial=True)

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        numbers = settings_starting("showdown.")
        self.fields["ante"].initial = numbers["showdown.ante_default"]
        for name in ("target", "betting_clock", "round_clock", "largest_purse"):
            self.fields[name].initial = numbers[f"showdown.{name}"]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        ante, purse = cleaned.get("ante"), cleaned.get("largest_purse")
        if ante is not None and purse is not None and purse < ante:
            self.add_error("largest_purse", "The largest purse must be at least the ante.")
        return cleaned


class PurchaseForm(forms.Form):
    """One card of the shop; ``key`` is made with the page and stays on a retry."""

    unit = forms.TypedChoiceField(
        choices=[(unit.value, unit.label) for unit in WEAPONS], coerce=Unit
    )
    quantity = forms.IntegerField(
        min_value=LEAST_QUANTITY,
        max_value=MOST_QUANTITY,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"),
            f"One can buy from {LEAST_QUANTITY} to {MOST_QUANTITY} pieces at once.",
        ),
    )
    expected_price = forms.IntegerField(min_value=1, max_value=MOST_AMOUNT)
    key = forms.RegexField(r"\A[A-Za-z0-9_-]{8,64}\Z")

    def problem(self) -> str:
        """Return the first error, for people."""
        if "quantity" in self.errors:
            return str(self.errors["quantity"][0])
        return "This was not sent by the shop's page. Nothing was bought."


#: The antes of the quick seats, in points.
QUICK_ANTES: Final = (1, 5, 20)


@require_GET
@never_cache
def tables(request: HttpRequest) -> HttpResponse:
    """Show the open and running tables."""
    lobby = shown_lobby.seen_by(request.user.pk)
    return render(request, "games/showdown/list.html", {"lobby": lobby, "antes": QUICK_ANTES})


@require_http_methods(["GET", "POST"])
@login_required
def table_new(request: HttpRequest) -> HttpResponse:
    """Open a table with the chosen options and sit down."""
    form = TableForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            match = matches.open_and_sit(
                opened_by=user_of(request), options=form.cleaned_data, game=SLUG
            )
        except (IllegalAction, LedgerError) as problem:
            form.add_error(None, sentence(str(problem)))
        else:
            return redirect("table", public_id=match.public_id)
    return render(request, "games/showdown/new.html", {"form": form})


@require_POST
@login_required
def table_quick(request: HttpRequest) -> HttpResponse:
    """Seat the user at a table with the ante that the button names."""
    given = request.POST.get("ante", "")
    ante = int(given) if given in map(str, QUICK_ANTES) else QUICK_ANTES[0]
    try:
        match = seating.seat_quickly(user=user_of(request), ante=ante)
    except (IllegalAction, LedgerError) as problem:
        messages.error(request, sentence(str(problem)))
        return redirect("tables")
    tell([match.pk])
    return redirect("table", public_id=match.public_id)


@require_POST
@login_required
def table_with_bot(request: HttpRequest) -> HttpResponse:
    """Open a table for two with the ante that the button names, sit down and ask a bot to join."""
    user = user_of(request)
    options: dict[str, int] = {"seats": 2}
    if (given := request.POST.get("ante", "")) in map(str, QUICK_ANTES):
        options["ante"] = int(given)
    try:
        match = matches.open_and_sit(opened_by=user, options=options, game=SLUG)
    except (IllegalAction, LedgerError) as problem:
        messages.error(request, sentence(str(problem)))
        return redirect("tables")
    purse = purse_among_bots(match, user.pk, timezone.now())
    refusal = _try(user, match, [{"kind": "bring", "purse": purse}, {"kind": "add_bot"}])
    if refusal is not None:
        messages.error(request, sentence(str(refusal)))
    return redirect("table", public_id=match.public_id)


def _try(
    user: User, match: Match, wanted: list[dict[str, Any]]
) -> IllegalAction | LedgerError | None:
    """Submit these actions one by one; return the first refusal."""
    for number, action in enumerate(wanted):
        try:
            writing.submit(Submission(match.pk, action, f"quick-{number}-start", user.pk))
        except (IllegalAction, LedgerError) as problem:
            return problem
    return None


@require_GET
def table(request: HttpRequest, public_id: str, page: BoardPage = board_page) -> HttpResponse:
    """Show a table; redirect a match of another game."""
    match = watched(request, public_id, invites=True)
    if match.game != SLUG:
        return redirect(match_url(match))
    config = {"lobby_url": reverse("tables"), "rules_url": reverse("rules_showdown")}
    return page(request, match, "games/showdown/table.html", config)


@require_GET
def rules_showdown(request: HttpRequest) -> HttpResponse:
    """Show the rules in plain words, with the weapons' table."""
    context = {"weapon_table": weapon_table(), "commands": COMMANDS}
    return render(request, "games/showdown/rules.html", context)


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
    runtime.tell(users=[request.user.pk])
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
