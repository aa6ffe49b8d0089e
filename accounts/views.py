"""Pages of accounts that replace or add to those of allauth, and the theme switch."""

from datetime import date
from http import HTTPStatus
from typing import Any, Final, cast

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.account.views import EmailView, LoginView, SignupView
from allauth.mfa.base.views import AuthenticateView
from allauth.usersessions.views import ListUserSessionsView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
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
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts import people, tokens
from accounts.adapters import CLOSED, LOCKED_FOR, is_local_path
from accounts.browsers import name_of_browser
from accounts.forms import require_confirmation_mail
from accounts.mails import choose_reminders, has_confirmed_address, tell_owner, user_of
from accounts.models import Avatar, Reminders, Theme, User
from accounts.names import name_refused
from accounts.oversight import read_message, unread_message
from accounts.services import choose_theme

#: The cookie of a guest's theme.
THEME_COOKIE: Final = "theme"
_YEAR: Final = 365 * 24 * 60 * 60


class SignUpPage(SignupView):
    """Sign-up page; a refusal is answered with 422."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Create the account; of two concurrent sign-ups with one name, one succeeds."""
        try:
            return cast("HttpResponse", super().form_valid(form))
        except IntegrityError:
            form.add_error("username", name_refused())
            return self.form_invalid(form)

    def form_invalid(self, form: Any) -> HttpResponse:
        context = self.get_context_data(form=form)
        response = self.render_to_response(context, status=HTTPStatus.UNPROCESSABLE_ENTITY)
        return cast("HttpResponse", response)


class LogInPage(LoginView):
    """Log-in page; after too many failures the answer is 429 with the time to wait."""

    def form_valid(self, form: Any) -> HttpResponse:
        # On SQLite each of seven writes would otherwise wait for the batch writer.
        with transaction.atomic():
            response = cast("HttpResponse", super().form_valid(form))
            if not self.request.session.is_empty():
                self.request.session.save()
        return response

    def form_invalid(self, form: Any) -> HttpResponse:
        response = cast("HttpResponse", super().form_invalid(form))
        # allauth gives this refusal no code, only a sentence.
        sentence = str(get_adapter().error_messages["too_many_login_attempts"])
        if sentence in form.non_field_errors():
            response.status_code = HTTPStatus.TOO_MANY_REQUESTS
            response["Retry-After"] = str(LOCKED_FOR)
        return response


class CodePage(AuthenticateView):
    """The second step of a log-in; after too many failures the answer is 429, too."""

    def form_invalid(self, form: Any) -> HttpResponse:
        response = cast("HttpResponse", super().form_invalid(form))
        errors = (error for field in form.errors.as_data().values() for error in field)
        if any(error.code == CLOSED for error in errors):
            response.status_code = HTTPStatus.TOO_MANY_REQUESTS
            response["Retry-After"] = str(LOCKED_FOR)
        return response


@method_decorator(login_required, name="dispatch")
@method_decorator(reauthentication_required(allow_get=True), name="dispatch")
class SessionsPage(ListUserSessionsView):
    """List of a user's sessions; ending others asks for the password and sends a mail."""

    def get_context_data(self, **given: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**given)
        sessions = context["sessions"]
        context["browsers"] = [(each, name_of_browser(each.user_agent)) for each in sessions]
        return context

    def form_valid(self, form: Any) -> HttpResponse:
        response = cast("HttpResponse", super().form_valid(form))
        if isinstance(self.request.user, User):
            tell_owner(self.request, self.request.user, "All other sessions have been ended.")
        return response


@method_decorator(login_required, name="dispatch")
@method_decorator(reauthentication_required(allow_get=True), name="dispatch")
class EmailPage(EmailView):
    """A user's e-mail addresses, of which few may be unconfirmed."""

    def post(self, request: HttpRequest, *given: Any, **named: Any) -> HttpResponse:
        """Change the addresses under the user's lock: requests at once meet the same limits."""
        with transaction.atomic():
            user_id = cast("User", request.user).pk
            user = User.objects.select_for_update(no_key=True).get(pk=user_id)
            if "action_send" in request.POST:
                try:
                    require_confirmation_mail(user)
                except ValidationError as refusal:
                    messages.error(request, refusal.messages[0])
                    return redirect("account_email")
            return cast("HttpResponse", super().post(request, *given, **named))


@require_POST
def choose_look(request: HttpRequest) -> HttpResponse:
    """Store the chosen theme, in the account or for guests in a cookie, and go back."""
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
    """Show a user's invite address and what came of it."""
    user_id = cast("User", request.user).pk
    path = reverse("invitation", args=[people.invite_token_of(user_id=user_id)])
    context = {
        "address": request.build_absolute_uri(path),
        **people.invitation_results(user_id=user_id),
    }
    return render(request, "account/invite.html", context)


@require_GET
@never_cache
def accept_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Store the inviter of a guest and redirect to sign-up; redirect users to the lobby."""
    inviter = people.find_inviter(token)
    if inviter is None:
        raise Http404
    if request.user.is_authenticated:
        messages.info(request, "You have an account already: an invitation is for new players.")
        return redirect("home")
    messages.info(request, f"{inviter.username} has invited you.")
    response = redirect("account_signup")
    people.remember_inviter(response, inviter)
    return response


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def away_page(request: HttpRequest) -> HttpResponse:
    """Show or store the last day of a user's absence; an empty day ends the notice."""
    user = cast("User", request.user)
    today = timezone.now().date()
    status, problem = HTTPStatus.OK, ""
    if request.method == "POST":
        try:
            given = request.POST.get("until", "")
            until = date.fromisoformat(given) if given else None
            people.say_away(user_id=user.pk, until=until, today=today)
        except ValueError:
            status = HTTPStatus.UNPROCESSABLE_ENTITY
            problem = (
                f"Choose a day from today on, at most {people.LONGEST_ABSENCE.days} days ahead."
            )
        else:
            messages.success(request, "Saved." if until else "Welcome back.")
            return redirect("away")
    is_away = user.away_until is not None and user.away_until >= today
    context = {
        "until": user.away_until if is_away else None,
        "first": today,
        "last": today + people.LONGEST_ABSENCE,
        "problem": problem,
    }
    return render(request, "account/away.html", context, status=status)


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def avatar_page(request: HttpRequest) -> HttpResponse:
    """Show or store a user's picture."""
    user = cast("User", request.user)
    status, problem = HTTPStatus.OK, ""
    if request.method == "POST":
        try:
            people.choose_avatar(user_id=user.pk, avatar=request.POST.get("avatar", ""))
        except ValueError:
            status, problem = HTTPStatus.UNPROCESSABLE_ENTITY, "Choose one of these."
        else:
            return redirect("profile", name=user.username)
    context = {"choices": Avatar.choices, "chosen": user.avatar, "problem": problem}
    return render(request, "account/avatar.html", context, status=status)


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def reminder_page(request: HttpRequest) -> HttpResponse:
    """Show or store a user's choice of mails about games that wait."""
    user = cast("User", request.user)
    status, problem = HTTPStatus.OK, ""
    if request.method == "POST":
        wanted = request.POST.get("reminders", "")
        if wanted in Reminders.values:
            choose_reminders(user_id=user.pk, wanted=Reminders(wanted))
            messages.success(request, "Saved.")
            return redirect("reminders")
        status, problem = HTTPStatus.UNPROCESSABLE_ENTITY, "Choose one of these."
    context = {
        "choices": Reminders.choices,
        "chosen": user.reminders,
        "problem": problem,
        "is_reachable": has_confirmed_address(user_id=user.pk),
    }
    return render(request, "account/reminders.html", context, status=status)


# Mail programs post here without a cookie (RFC 8058); the signature identifies the user.
@csrf_exempt
@require_http_methods(["GET", "POST"])
@never_cache
def stop_reminders(request: HttpRequest, token: str) -> HttpResponse:
    """End a user's mails on POST, from the page or a mail program; filters of mail follow every
    link, so GET changes nothing.
    """
    user = user_of(token)
    if user is None:
        raise Http404
    if request.method == "POST":
        choose_reminders(user_id=user.pk, wanted=Reminders.NEVER)
    return render(request, "account/reminders_stop.html", {"is_done": request.method == "POST"})


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
@reauthentication_required(allow_get=True)
@sensitive_variables("secret", "context")
def token_page(request: HttpRequest) -> HttpResponse:
    """List a user's tokens, or create one and show its secret once."""
    user = cast("User", request.user)
    context: dict[str, Any] = {"most": tokens.MOST_TOKENS, "longest": tokens.LONGEST_NAME}
    status = HTTPStatus.OK
    if request.method == "POST":
        name = request.POST.get("name", "")
        try:
            context["made"], context["secret"] = tokens.make_token(user=user, name=name)
            tell_owner(
                request, user, f"A token for programs has been made: {context['made'].name}."
            )
        except ValidationError as problem:
            context |= {"problem": problem.messages[0], "name": name[: tokens.LONGEST_NAME]}
            status = HTTPStatus.UNPROCESSABLE_ENTITY
    context["tokens"] = tokens.tokens_of(user_id=user.pk)
    return render(request, "account/tokens.html", context, status=status)


@require_POST
@never_cache
@login_required
@reauthentication_required
def token_revoke(request: HttpRequest, token_id: int) -> HttpResponse:
    """Revoke one of the user's tokens, and go back to the list."""
    user = cast("User", request.user)
    token = tokens.revoke_token(user_id=user.pk, token_id=token_id)
    if token is None:
        messages.info(request, "There is no such token any more.")
    else:
        tell_owner(request, user, f"A token for programs has been revoked: {token.name}.")
        messages.success(request, f"{token.name} is revoked; its connections are closed.")
    return redirect("account_tokens")


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def message_page(request: HttpRequest) -> HttpResponse:
    """Show the oldest unread message, or mark one as read and take a name with it."""
    user, problem, name = cast("User", request.user), "", request.POST.get("name", "").strip()
    back, number = request.POST.get("next", ""), request.POST.get("message", "")
    if request.method == "POST" and number.isascii() and number.isdigit() and len(number) < 19:
        taken = name if "take" in request.POST else ""
        try:
            read_message(user_id=user.pk, message_id=int(number), name=taken)
        except (ValidationError, IntegrityError) as refusal:
            problem = " ".join(getattr(refusal, "messages", name_refused().messages))
        else:
            return redirect(back if is_local_path(back) else "home")
    context = {"message": unread_message(user), "problem": problem, "name": name}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK
    return render(request, "account/message.html", context, status=status)
