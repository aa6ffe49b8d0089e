"""Settings of a user: boards, notifications, who sees the user, and the rail of all pages."""

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final, cast

from allauth.account.models import EmailAddress
from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseForbidden,
    JsonResponse,
)
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import push
from accounts.models import User
from accounts.push import PushForm, choice_of, has_been_asked, keep_choice
from accounts.tokens import tokens_of
from economy.parts import given as parts

#: The fields of ``User``, in the order of the page.
FIELDS: Final = ("has_sound", "volume", "asks_first", "auto_lock", "has_letter_keys")

#: The fields with their defaults, which guests begin with.
DEFAULTS: Final = {name: getattr(User(), name) for name in FIELDS}


#: What ``push_browser`` is told to do -> what it chooses.
NEWS: Final = {"town": {"town": True}, "no_town": {"town": False}}


class BoardForm(forms.ModelForm):
    """Takes all board settings at once; an unchecked box means no."""

    class Meta:
        model = User
        fields = FIELDS
        labels = {
            "has_sound": "Sounds",
            "volume": "Volume",
            "asks_first": "Ask before all in, a fold for nothing, bare hands and mines",
            "auto_lock": "Lock in once every opponent is attacked",
            "has_letter_keys": "Letter and number keys act",
        }
        widgets = {
            "volume": forms.NumberInput(attrs={"type": "range", "min": 0, "max": 100, "step": 5})
        }

    def save(self, commit: bool = True) -> User:
        """Store these fields alone: a ban or a new password of this moment stays."""
        user = cast("User", super().save(commit=False))
        if commit:
            user.save(update_fields=FIELDS)
        return user


def choose_one(*, user_id: int, name: str, given: str) -> None:
    """Store one board setting, as a board's button or the page's script sends it. Raises
    ValueError.
    """
    if name not in FIELDS:
        raise ValueError(name)
    if name == "volume":
        value: int | bool = int(given)
        if not 0 <= value <= 100:
            raise ValueError(given)
    elif given in ("true", "false"):
        value = given == "true"
    else:
        raise ValueError(given)
    User.objects.filter(pk=user_id).update(**{name: value})


@require_http_methods(["GET", "POST"])
@never_cache
def board_page(request: HttpRequest) -> HttpResponse:
    """Show or store a user's board settings; a guest's script keeps them in the browser."""
    user = request.user if isinstance(request.user, User) else None
    if request.method == "GET":
        return render(request, "account/settings.html", {"form": BoardForm(instance=user)})
    if user is None:
        return HttpResponseForbidden("Log in first.")
    form = BoardForm(request.POST, instance=user)
    if not form.is_valid():
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return render(request, "account/settings.html", {"form": form}, status=status)
    form.save()
    messages.success(request, "Saved.")
    return redirect("settings")


@require_POST
@never_cache
def board_setting(request: HttpRequest) -> HttpResponse:
    """Store one board setting: ``name`` and ``value``."""
    if not isinstance(request.user, User):
        return HttpResponseForbidden("Log in first.")
    name, given = request.POST.get("name", ""), request.POST.get("value", "")
    try:
        choose_one(user_id=request.user.pk, name=name, given=given)
    except ValueError:
        return HttpResponseBadRequest("There is no such setting.")
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def notifications(request: HttpRequest) -> HttpResponse:
    """Show or store which notifications a user gets, and when not."""
    user = cast("User", request.user)
    is_post = request.method == "POST"
    choice = keep_choice(user) if is_post else choice_of(user)
    form = PushForm(request.POST or None, instance=choice)
    status = HTTPStatus.OK
    if is_post:
        if form.is_valid():
            form.save()
            messages.success(request, "Saved.")
            return redirect("notifications")
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    context: dict[str, Any] = {
        "form": form,
        "push_key": push.public_key(),
        "browsers": user.push_subscriptions.count(),
    }
    return render(request, "account/notifications.html", context, status=status)


@require_http_methods(["GET", "POST"])
@never_cache
def push_browser(request: HttpRequest) -> HttpResponse:
    """Return the site's key, a form token, whether the user was asked and wants news of towns; or
    ``do``: ``on``, ``off`` store, delete a subscription, ``renew`` puts it in place of ``before``,
    ``look`` asks for it, ``asked`` notes a no, ``town`` and ``no_town`` choose that news.
    """
    if not isinstance(request.user, User):
        return HttpResponseForbidden("Log in first.")
    given, user = request.POST, request.user
    if request.method == "GET":
        asked = has_been_asked(user.pk)
        shown = {"key": push.public_key(), "asked": asked, "town": choice_of(user).town}
        return JsonResponse({**shown, "token": get_token(request)})
    what, endpoint = given.get("do", ""), given.get("endpoint", "")
    if what == "look":
        is_known = push.knows(user_id=user.pk, endpoint=endpoint)
        return JsonResponse({"key": push.public_key(), "is_known": is_known})
    before = given.get("before", "")
    if what == "renew" and not push.knows(user_id=user.pk, endpoint=before):
        # Another user has logged in since, or it was turned off: nobody asked for this one.
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    keep_choice(user, **NEWS.get(what, {}))  # the user is asked once, also after a no
    if what in ("on", "renew"):
        try:
            push.subscribe(
                user_id=user.pk,
                session_key=request.session.session_key or "",
                endpoint=endpoint,
                p256dh=given.get("p256dh", ""),
                auth=given.get("auth", ""),
            )
        except push.BadSubscription as problem:
            status = HTTPStatus.UNPROCESSABLE_ENTITY
            return JsonResponse({"error": str(problem)}, status=status)
        if before not in ("", endpoint):
            push.unsubscribe(user_id=user.pk, endpoint=before)
    elif what == "off":
        push.unsubscribe(user_id=user.pk, endpoint=endpoint)
    elif what not in ("asked", *NEWS):
        return HttpResponseBadRequest("on, off, renew, look, asked, town or no_town")
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def privacy_page(request: HttpRequest) -> HttpResponse:
    """Show or store what others see of a user: being online, and what games have."""
    user = cast("User", request.user)
    if request.method == "POST":
        user.shows_presence = "shows_presence" in request.POST
        user.save(update_fields=["shows_presence"])
        for store in parts("privacy"):
            store(user, request.POST)
        messages.success(request, "Saved.")
        return redirect("privacy_settings")
    return render(request, "account/privacy.html")


@dataclass(frozen=True, slots=True)
class Entry:
    """A page of the rail; ``more`` are other URL names for which it is marked."""

    title: str
    name: str
    more: tuple[str, ...] = ()


#: The page that is the rail itself on a phone.
FIRST: Final = "settings"
_FACTOR_PAGES: Final = (
    "mfa_activate_totp", "mfa_deactivate_totp", "mfa_list_webauthn", "mfa_add_webauthn",
    "mfa_edit_webauthn", "mfa_remove_webauthn", "mfa_view_recovery_codes",
    "mfa_generate_recovery_codes",
)  # fmt: skip
#: The groups of the rail.
RAIL: Final = {
    "Play": (
        Entry("Look and boards", FIRST),
        Entry("Picture", "avatar"),
        Entry("People", "people"),
        Entry("Away", "away"),
    ),
    "Messages": (
        Entry("Notifications", "notifications"),
        Entry("Mail about games", "reminders"),
        Entry("E-mail", "account_email"),
    ),
    "Security": (
        Entry("Password", "account_change_password", ("account_set_password",)),
        Entry("Two-step log-in", "mfa_index", _FACTOR_PAGES),
        Entry("Devices", "usersessions_list"),
        Entry("Tokens", "account_tokens"),
    ),
    "Privacy": (
        Entry("Who sees you", "privacy_settings"),
        Entry("Programs", "program_settings"),
        Entry("Your data", "personal_data", ("delete_account",)),
    ),
}
#: The names of all pages that have the rail.
RAIL_PAGES: Final = frozenset(
    name for entries in RAIL.values() for entry in entries for name in (entry.name, *entry.more)
)
_MAILS: Final = {"start": "at once", "half": "at half-time", "never": "never"}
#: URL name -> its present state in a word or two, shown on the first page only.
_STATES: Final[dict[str, Callable[[User], str]]] = {
    "account_email": lambda user: EmailAddress.objects.get_primary_email(user) or "none",
    "notifications": lambda user: "on" if user.push_subscriptions.exists() else "off",
    "reminders": lambda user: _MAILS[user.reminders],
    "mfa_index": lambda user: "on" if is_mfa_enabled(user) else "off",
    "usersessions_list": lambda user: str(UserSession.objects.filter(user=user).count()),
    "account_tokens": lambda user: str(len(tokens_of(user_id=user.pk)) or "none"),
    "privacy_settings": lambda user: "online shown" if user.shows_presence else "online hidden",
}


def settings_rail(user: User, here: str) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the groups of the rail with their entries, for the page of this URL name."""
    return [
        (title, [_shown(entry, here, user) for entry in group]) for title, group in RAIL.items()
    ]


def _shown(entry: Entry, here: str, user: User) -> dict[str, Any]:
    has_state = here == FIRST and entry.name in _STATES
    return {
        "title": entry.title,
        "url": reverse(entry.name),
        "is_here": here in (entry.name, *entry.more),
        "state": _STATES[entry.name](user) if has_state else "",
    }
