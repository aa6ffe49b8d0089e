"""Settings pages about the export of a user's data, and the deletion."""

from http import HTTPStatus

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from games.matches.views import user_of
from games.own_data.deletion import StillNeeded, delete_account, reason_against
from games.own_data.personal_data import export_of


@require_GET
@never_cache
@login_required
@reauthentication_required
def personal_data(request: HttpRequest) -> HttpResponse:
    """Show how to download one's data and delete the account, after the password was asked for."""
    return render(request, "games/own_data/data.html")


@require_GET
@login_required
@reauthentication_required
def export(request: HttpRequest) -> StreamingHttpResponse:
    """Send everything about a user as one JSON file, after the password was asked for."""
    user = user_of(request)
    response = StreamingHttpResponse(export_of(user), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{user.username}.json"'
    return response


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
@reauthentication_required
def delete_page(request: HttpRequest) -> HttpResponse:
    """Ask for the user's own name, then delete the account; the password was asked for before."""
    user = user_of(request)
    reason, problem = reason_against(user), ""
    if request.method == "POST" and not reason:
        if request.POST.get("name", "") == user.username:
            try:
                delete_account(user_id=user.pk)
            except StillNeeded as refusal:
                reason = refusal.message
            else:
                logout(request)
                messages.success(request, "Your account is deleted.")
                return redirect("home")
        else:
            problem = "Type your name exactly as it is written."
    status = HTTPStatus.OK
    if request.method == "POST":
        status = HTTPStatus.CONFLICT if reason else HTTPStatus.UNPROCESSABLE_ENTITY
    context = {"reason": reason, "problem": problem}
    return render(request, "games/own_data/delete.html", context, status=status)
