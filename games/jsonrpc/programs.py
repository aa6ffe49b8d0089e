"""Accounts of programs, and their settings page."""

from http import HTTPStatus

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.mails import tell_owner
from accounts.models import User, is_taken
from accounts.names import PROGRAM_END, check_form, is_programs, is_reserved, name_refused
from games.matches.models import Seat
from games.matches.views import user_of


def why_no_program(user: User) -> str:
    """Return the reason why an account cannot become a program's, else an empty text."""
    if user.is_program:
        return "This account is a program's."
    if user.is_staff or user.is_bot:
        return "Staff accounts cannot be programs."
    if Seat.objects.filter(user=user).exists():
        return "This account has played. Make a new account for your program."
    return ""


def become_program(*, user_id: int, name: str) -> User:
    """Turn an account that has not played into a program's, with a name that says so. Raises
    ValidationError (``program_refused``, ``program_name``, or as for names).
    """
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user_id)
        if why := why_no_program(user):
            raise ValidationError(why, "program_refused")
        check_form(name)
        if not is_programs(name):
            raise ValidationError("A program's name ends with _bot.", "program_name")
        if is_reserved(name) or is_taken(name, except_id=user.pk):
            raise name_refused()
        user.username, user.is_program = name, True
        try:
            with transaction.atomic():
                user.save(update_fields=["username", "is_program"])
        except IntegrityError:
            raise name_refused() from None
    return user


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def program_settings(request: HttpRequest) -> HttpResponse:
    """Ask whether games with programs may be rated, or make the account a program's."""
    user = user_of(request)
    if request.method == "POST" and "name" in request.POST:
        return _make_program(request)
    if request.method == "POST":
        user.rates_programs = "rates_programs" in request.POST
        user.save(update_fields=["rates_programs"])
        messages.success(request, "Saved.")
        return redirect("program_settings")
    return _programs_page(request, f"{user.username[: 20 - len(PROGRAM_END)]}{PROGRAM_END}")


@reauthentication_required
def _make_program(request: HttpRequest) -> HttpResponse:
    """Make the account a program's for good, after the password was asked for."""
    user, name = user_of(request), request.POST["name"].strip()[:20]
    try:
        become_program(user_id=user.pk, name=name)
    except ValidationError as refusal:
        return _programs_page(request, name, refusal.messages[0])
    tell_owner(request, user, f"Your account is a program's now. Its name is {name}.")
    messages.success(request, "This is a program's account now.")
    return redirect("program_settings")


def _programs_page(request: HttpRequest, name: str, problem: str = "") -> HttpResponse:
    context = {"name": name, "problem": problem, "why_not": why_no_program(user_of(request))}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK
    return render(request, "account/programs.html", context, status=status)
