"""Settings pages: look and boards, notifications, who sees the user."""

from http import HTTPStatus
from typing import Any, cast

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
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import push
from accounts.board_settings import BoardForm, choose_one
from accounts.models import User
from accounts.push_choices import PushForm, choice_of, has_been_asked, keep_choice


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
    """Return the site's key, a form token and whether the user was asked; or do as ``do`` says.
    ``on`` and ``off`` store and delete the subscription ``endpoint``, ``p256dh``, ``auth``;
    ``renew`` puts it in place of ``before``; ``look`` asks for it; ``asked``: the user was asked.
    """
    if not isinstance(request.user, User):
        return HttpResponseForbidden("Log in first.")
    given, user = request.POST, request.user
    if request.method == "GET":
        asked = has_been_asked(user.pk)
        return JsonResponse({"key": push.public_key(), "asked": asked, "token": get_token(request)})
    what, endpoint = given.get("do", ""), given.get("endpoint", "")
    if what == "look":
        is_known = push.knows(user_id=user.pk, endpoint=endpoint)
        return JsonResponse({"key": push.public_key(), "is_known": is_known})
    before = given.get("before", "")
    if what == "renew" and not push.knows(user_id=user.pk, endpoint=before):
        # Another user has logged in since, or it was turned off: nobody asked for this one.
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    keep_choice(user)  # the user is asked once, also after a no
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
    elif what != "asked":
        return HttpResponseBadRequest("on, off, renew, look or asked")
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def privacy_page(request: HttpRequest) -> HttpResponse:
    """Show or store whether others see that a user is online."""
    user = cast("User", request.user)
    if request.method == "POST":
        user.shows_presence = "shows_presence" in request.POST
        user.save(update_fields=["shows_presence"])
        messages.success(request, "Saved.")
        return redirect("privacy_settings")
    return render(request, "account/privacy.html")
