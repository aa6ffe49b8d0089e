"""The page on which users say that they are away."""

from datetime import date
from http import HTTPStatus
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.away import LONGEST, BadAwayDate, say_away
from accounts.models import User


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def away_page(request: HttpRequest) -> HttpResponse:
    """Show until when a user is away, or keep another day; an empty one ends the notice."""
    user = cast("User", request.user)
    today = timezone.now().date()
    status, problem = HTTPStatus.OK, ""
    if request.method == "POST":
        try:
            until = _day(request.POST.get("until", ""))
            say_away(user_id=user.pk, until=until, today=today)
        except ValueError:
            status = HTTPStatus.UNPROCESSABLE_ENTITY
            problem = f"Choose a day from today on, at most {LONGEST.days} days ahead."
        else:
            kept = "Your notice is kept." if until else "You are not away any more."
            messages.success(request, kept)
            return redirect("away")
    is_away = user.away_until is not None and user.away_until >= today
    context = {
        "until": user.away_until if is_away else None,
        "first": today,
        "last": today + LONGEST,
        "problem": problem,
    }
    return render(request, "account/away.html", context, status=status)


def _day(given: str) -> date | None:
    """Read a day as browsers send it; raises BadAwayDate."""
    if not given:
        return None
    try:
        return date.fromisoformat(given)
    except ValueError:
        raise BadAwayDate("no such day") from None
