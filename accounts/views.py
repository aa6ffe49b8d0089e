"""Pages of the account, as far as allauth's own are not enough, and the theme switch."""

from http import HTTPStatus
from typing import Any, Final, cast

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.account.views import LoginView, SignupView
from allauth.usersessions.views import ListUserSessionsView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseRedirect,
)
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts import devices, invitations
from accounts.adapters import is_local_path
from accounts.models import Theme, User
from accounts.names import name_refused
from accounts.notices import tell_owner
from accounts.services import choose_theme

#: How long a name is closed to a network after too many failures, in seconds.
LOCKED_FOR: Final = 15 * 60
#: Where a guest's look is kept.
THEME_COOKIE: Final = "theme"
_YEAR: Final = 365 * 24 * 60 * 60


class SignUpPage(SignupView):
    """Sign up; what cannot be done is answered with 422."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Create the account; two who want one name at once get one account."""
        try:
            return cast("HttpResponse", super().form_valid(form))
        except IntegrityError:
            form.add_error("username", name_refused())
            return self.form_invalid(form)

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the form again with what is wrong."""
        context = self.get_context_data(form=form)
        response = self.render_to_response(context, status=HTTPStatus.UNPROCESSABLE_ENTITY)
        return cast("HttpResponse", response)


class LogInPage(LoginView):
    """Log in; after too many failures the answer is 429 with the time to wait."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Log in by one transaction.

        On SQLite each of its seven writes would otherwise wait its turn behind the batch writer.
        """
        with transaction.atomic():
            response = cast("HttpResponse", super().form_valid(form))
            devices.recognise(self.request)
            if not self.request.session.is_empty():
                self.request.session.save()
        return response

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the form again with what is wrong."""
        response = cast("HttpResponse", super().form_invalid(form))
        # allauth gives this refusal no code of its own, only a sentence.
        sentence = str(get_adapter().error_messages["too_many_login_attempts"])
        if sentence in form.non_field_errors():
            response.status_code = HTTPStatus.TOO_MANY_REQUESTS
            response["Retry-After"] = str(LOCKED_FOR)
        return response


@method_decorator(login_required, name="dispatch")
@method_decorator(reauthentication_required(allow_get=True), name="dispatch")
class SessionsPage(ListUserSessionsView):
    """Where one is logged in; ending the others asks who it is, and tells the owner."""

    def form_valid(self, form: Any) -> HttpResponse:
        """End all other sessions."""
        response = cast("HttpResponse", super().form_valid(form))
        if isinstance(self.request.user, User):
            tell_owner(self.request, self.request.user, "All other sessions have been ended.")
        return response


@require_POST
def choose_look(request: HttpRequest) -> HttpResponse:
    """Keep the chosen theme, in the account or for guests in a cookie, and go back."""
    theme = request.POST.get("theme", "")
    if theme not in Theme.values:
        return HttpResponseBadRequest("There is no such theme.")
    after = request.POST.get("next", "")
    response = HttpResponseRedirect(after if is_local_path(after) else "/")
    if isinstance(request.user, User):
        choose_theme(user_id=request.user.pk, theme=Theme(theme))
    response.set_cookie(
        THEME_COOKIE,
        theme,
        max_age=_YEAR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


@require_GET
@never_cache
@login_required
def invite(request: HttpRequest) -> HttpResponse:
    """Show the address by which a player invites others, and how many came."""
    user_id = cast("User", request.user).pk
    path = reverse("invitation", args=[invitations.token_of(user_id=user_id)])
    context = {
        "address": request.build_absolute_uri(path),
        **invitations.results_of(user_id=user_id),
    }
    return render(request, "account/invite.html", context)


@require_GET
@never_cache
def accept_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Remember who invited a guest, and go on to sign up; players go to the lobby."""
    inviter = invitations.find_inviter(token)
    if inviter is None:
        raise Http404
    if request.user.is_authenticated:
        messages.info(request, "You have an account already: an invitation is for new players.")
        return redirect("home")
    messages.info(request, f"{inviter.username} has invited you.")
    response = redirect("account_signup")
    invitations.accept(response, inviter)
    return response
