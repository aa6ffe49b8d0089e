"""Admin pages that ask for a reason, run one action and record it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse

from economy.adjustments import OwnAccount
from economy.admin_models import LONGEST_REASON, SHORTEST_REASON
from economy.errors import AdminActionError, LedgerError

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin
    from django.forms import Textarea as ReasonWidget
else:
    from unfold.widgets import UnfoldAdminTextareaWidget as ReasonWidget


View = TypeVar("View", bound=Callable[..., HttpResponse])


class ReasonForm(forms.Form):
    """Asks for a reason."""

    reason = forms.CharField(
        min_length=SHORTEST_REASON,
        max_length=LONGEST_REASON,
        widget=ReasonWidget(attrs={"rows": 3}),
        help_text=f"{SHORTEST_REASON} to {LONGEST_REASON} characters; it is recorded.",
    )


@dataclass(frozen=True, slots=True)
class Done:
    """Result of an action: a message, and a text to show once on the same page."""

    message: str
    shown: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminAction:
    """An action of administrators, with a page that asks for confirmation. ``do`` gets the form's
    clean data, runs in a transaction and raises ``LedgerError``, ``AdminActionError`` or
    ``ValidationError`` when it is refused.
    """

    title: str
    lead: str
    button: str
    permission: str
    do: Callable[[Mapping[str, Any]], Done]
    form: Callable[..., forms.Form] = ReasonForm
    is_grave: bool = False


def button(description: str, permission: str, icon: str) -> Callable[[View], View]:
    """Turn a method of a ModelAdmin into a button on the page of a row. ``permission``: "void" for
    ``has_void_permission``; it decides who sees the button. ``icon``: the name of a Material
    symbol.
    """

    def mark(view: View) -> View:
        view.short_description = description  # type: ignore[attr-defined]
        view.allowed_permissions = [permission]  # type: ignore[attr-defined]
        view.attrs = {}  # type: ignore[attr-defined]
        view.icon = icon  # type: ignore[attr-defined]
        view.variant = "default"  # type: ignore[attr-defined]
        view.original_function_name = view.__name__  # type: ignore[attr-defined]
        return view

    return mark


def ask(
    pages: "ModelAdmin[Any]", request: HttpRequest, action: AdminAction, back: str
) -> HttpResponse:
    """Show the action's page, or run the action; the page shows a refusal, and nothing has changed.
    Raises PermissionDenied: without the action's permission, or on the own account.
    """
    if not request.user.has_perm(action.permission):
        raise PermissionDenied
    form = action.form(request.POST if request.method == "POST" else None)
    done = _do(action, form) if request.method == "POST" and form.is_valid() else None
    if done is not None and not done.shown:
        messages.success(request, done.message)
        return HttpResponseRedirect(back)
    context = {
        **pages.admin_site.each_context(request),
        "title": action.title,
        "action": action,
        "form": form,
        "done": done,
        "back": back,
        "opts": pages.model._meta,
    }
    response = TemplateResponse(request, "admin/action.html", context)
    response.headers["Cache-Control"] = "no-store, private"
    return response


def _do(action: AdminAction, form: forms.Form) -> Done | None:
    try:
        with transaction.atomic():
            return action.do(form.cleaned_data)
    except OwnAccount as refusal:
        raise PermissionDenied(refusal.message) from refusal
    except (LedgerError, AdminActionError) as refusal:
        form.add_error(None, f"{refusal.message} ({refusal.code})")
    except ValidationError as refusal:
        form.add_error(None, refusal)
    return None
