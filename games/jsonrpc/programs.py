"""Accounts of programs, which people make and own, and their settings page."""

from datetime import timedelta
from http import HTTPStatus
from typing import Any, Final

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from accounts.devices import NOTED
from accounts.mails import tell_owner
from accounts.models import User, is_taken
from accounts.names import PROGRAM_END, check_form, is_programs, is_reserved, name_refused
from accounts.tokens import make_token, revoke_token, tokens_of
from games.matches.views import user_of
from games.own_data.deletion import StillNeeded, delete_account

#: Programs of an owner; a deleted one counts for some time, since each begins with points.
MOST_PROGRAMS: Final = 5
COUNTED: Final = timedelta(days=30)


def make_program(*, owner_id: int, name: str) -> User:
    """Make a program's account, with a name that says so. Raises ValidationError
    (``program_refused``, ``too_many_programs``, ``program_name``, or as for names).
    """
    with transaction.atomic():
        owner = User.objects.select_for_update(no_key=True).get(pk=owner_id)
        if owner.is_machine or owner.is_frozen or not owner.is_active:
            raise ValidationError("This account makes no programs.", "program_refused")
        counted = Q(deleted_at=None) | Q(deleted_at__gt=timezone.now() - COUNTED)
        if owner.programs.filter(counted).count() >= MOST_PROGRAMS:
            words = (
                f"You have {MOST_PROGRAMS} programs; a deleted one counts for {COUNTED.days} days."
            )
            raise ValidationError(words, "too_many_programs")
        check_form(name)
        if not is_programs(name):
            raise ValidationError("A program's name ends with _bot.", "program_name")
        if is_reserved(name) or is_taken(name):
            raise name_refused()
        try:
            with transaction.atomic():
                return User.objects.create_user(name, is_program=True, owner=owner)
        except IntegrityError:
            raise name_refused() from None


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def program_settings(request: HttpRequest) -> HttpResponse:
    """Ask whether games with programs may be rated; list the programs."""
    user = user_of(request)
    if request.method == "POST" and not request.POST.keys().isdisjoint(("name", "token", "delete")):
        return _change_programs(request)
    if request.method == "POST":
        user.rates_programs = "rates_programs" in request.POST
        user.save(update_fields=["rates_programs"])
        messages.success(request, "Saved.")
        return redirect("program_settings")
    return _programs_page(request)


@reauthentication_required
@sensitive_variables("secret")
def _change_programs(request: HttpRequest) -> HttpResponse:
    """Make a program or its next token, or delete one; the password was asked for."""
    user, name = user_of(request), request.POST.get("name", "").strip()[:20]
    asked = name or request.POST.get("token") or request.POST.get("delete")
    try:
        if "name" in request.POST:
            make_program(owner_id=user.pk, name=name)
            # This browser counts as seen of the program, too.
            request.session.pop(NOTED, None)
        program = next((each for each in _programs_of(user) if each.username == asked), None)
        if program is not None and "delete" in request.POST:
            delete_account(user_id=program.pk)
            tell_owner(request, user, f"Your program {program} has been deleted.")
            messages.success(request, f"{program} is deleted.")
    except ValidationError as refusal:
        return _programs_page(request, name=name, problem=refusal.messages[0])
    except StillNeeded as refusal:
        messages.error(request, refusal.message)
    if program is None or "delete" in request.POST:
        return redirect("program_settings")
    with transaction.atomic():
        # One at a time; a ban or a deletion comes before, or ends the new one, too.
        owners = User.objects.select_for_update(no_key=True)
        get_object_or_404(owners, pk=user.pk, is_active=True)
        for token in tokens_of(user_id=program.pk):
            revoke_token(user_id=program.pk, token_id=token.pk)
        _, secret = make_token(user=program, name="a program's only one")
    tell_owner(request, user, f"A token for your program {program} has been made.")
    return _programs_page(request, made=program, secret=secret)


def _programs_of(user: User) -> QuerySet[User]:
    return user.programs.filter(deleted_at=None).order_by("pk")


@sensitive_variables("context")
def _programs_page(request: HttpRequest, **context: Any) -> HttpResponse:
    user = user_of(request)
    programs = _programs_of(user)
    offered = "" if programs else f"{user.username[: 20 - len(PROGRAM_END)]}{PROGRAM_END}"
    context = {"name": offered, "programs": programs, "most": MOST_PROGRAMS, **context}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if "problem" in context else HTTPStatus.OK
    return render(request, "account/programs.html", context, status=status)
