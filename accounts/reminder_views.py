"""The page on which users choose when they are written to, and the one that ends it."""

from http import HTTPStatus
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.models import Reminders, User
from accounts.reminders import choose_reminders, has_confirmed_address, user_of


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def reminder_page(request: HttpRequest) -> HttpResponse:
    """Show when a user wants mail about games that wait, or keep another choice."""
    user = cast("User", request.user)
    status, problem = HTTPStatus.OK, ""
    if request.method == "POST":
        wanted = request.POST.get("reminders", "")
        if wanted in Reminders.values:
            choose_reminders(user_id=user.pk, wanted=Reminders(wanted))
            messages.success(request, "Your choice is kept.")
            return redirect("reminders")
        status, problem = HTTPStatus.UNPROCESSABLE_ENTITY, "Choose one of these."
    context = {
        "choices": Reminders.choices,
        "chosen": user.reminders,
        "problem": problem,
        "is_reachable": has_confirmed_address(user_id=user.pk),
    }
    return render(request, "account/reminders.html", context, status=status)


# Mail programs post here for their readers (RFC 8058), without a cookie; the signature is the key.
@csrf_exempt
@require_http_methods(["GET", "POST"])
@never_cache
def stop_reminders(request: HttpRequest, token: str) -> HttpResponse:
    """End a user's mails by a press on a button, theirs or that of a mail program.

    To look at the page ends nothing: filters of mail follow every link.
    """
    user = user_of(token)
    if user is None:
        raise Http404
    if request.method == "POST":
        choose_reminders(user_id=user.pk, wanted=Reminders.NEVER)
    return render(request, "account/reminders_stop.html", {"is_done": request.method == "POST"})
