"""The page on which users make and revoke the tokens of their programs."""

from http import HTTPStatus
from typing import Any, cast

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from accounts import tokens
from accounts.models import User
from accounts.notices import tell_owner


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
@reauthentication_required(allow_get=True)
@sensitive_variables("secret", "context")
def token_page(request: HttpRequest) -> HttpResponse:
    """List a user's tokens, or make one and show its secret, this once."""
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
    """Revoke one of the user's own tokens, and go back to the list."""
    user = cast("User", request.user)
    token = tokens.revoke_token(user_id=user.pk, token_id=token_id)
    if token is None:
        messages.info(request, "There is no such token any more.")
    else:
        tell_owner(request, user, f"A token for programs has been revoked: {token.name}.")
        messages.success(request, f"{token.name} is revoked; its connections are closed.")
    return redirect("account_tokens")
