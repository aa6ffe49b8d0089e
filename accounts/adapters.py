"""django-allauth's defaults, changed, and limits on wrong passwords and codes."""

import ipaddress
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final, NoReturn, TypeVar

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter, get_adapter
from allauth.account.authentication import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.core import context, ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal.ratelimit import get_cache_key, get_rates
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme

from accounts import devices
from accounts.browsers import name_of_browser
from accounts.mails import tell_owner
from accounts.models import User, is_taken
from accounts.names import check_form, is_programs, is_reserved, name_refused
from accounts.oversight import lift_ended_ban
from accounts.people import inviter_in
from accounts.services import end_oldest_sessions


def is_local_path(url: str) -> bool:
    """Whether a redirect stays on this site."""
    return url.startswith("/") and url_has_allowed_host_and_scheme(url, allowed_hosts=None)


def network_of(address: str | None) -> str:
    """Return a client's network: /24 for IPv4, /64 for IPv6.
    >>> network_of("203.0.113.77")
    '203.0.113.0/24'
    """
    if not address:
        return ""
    parsed = ipaddress.ip_address(address)
    return str(ipaddress.ip_network((parsed, 24 if parsed.version == 4 else 64), strict=False))


class AccountAdapter(DefaultAccountAdapter):
    """Names by ``accounts.names``; failed log-ins are counted for each name and network."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        check_form(username)
        is_wrong = is_reserved(username) or is_programs(username)
        if is_wrong or (not shallow and is_taken(username)):
            raise name_refused()
        return username

    def save_user(self, request: HttpRequest, user: Any, form: Any, commit: bool = True) -> Any:
        user.invited_by = inviter_in(request)
        return super().save_user(request, user, form, commit)

    def set_password(self, user: Any, password: str) -> None:
        """Store the password alone: a ban of this moment stays."""
        user.set_password(password)
        user.save(update_fields=["password"])

    def login(self, request: HttpRequest, user: Any) -> None:
        super().login(request, user)
        devices.recognise(request)

    def post_login(self, request: HttpRequest, user: Any, **given: Any) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **given)
        end_oldest_sessions(user_id=user.pk)
        return response

    def respond_user_inactive(self, request: HttpRequest, user: Any) -> HttpResponse:
        """Show a banned user reason, end and a contact; only the right password leads here."""
        if lift_ended_ban(user.pk, timezone.now().date()):
            return redirect("account_login")
        context = {"banned": user, "contact": settings.SITE_CONTACT}
        return render(
            request, "account/account_inactive.html", context, status=HTTPStatus.FORBIDDEN
        )

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Queue a mail about the account, made of the site's templates."""
        user = context.get("user")
        about = {
            "name": user.username if user else "",
            "site_name": settings.SITE_NAME,
            "site_address": settings.PUBLIC_URL,
            "contact": settings.SITE_CONTACT,
            "device": name_of_browser(self.get_http_user_agent(self.request)),
        }
        super().send_mail(template_prefix, email, about | context)

    def send_notification_mail(
        self, template_prefix: str, user: Any, context: Any = None, email: str | None = None
    ) -> None:
        """Mail a notice, but not to an unconfirmed address, which may be a stranger's."""
        address = email or EmailAddress.objects.get_primary_email(user)
        if not EmailAddress.objects.filter(user=user, email=address, verified=False).exists():
            about = {"user": user, **(context or {})}
            super().send_notification_mail(template_prefix, user, about, address)

    def is_reauthentication_required(self, *, app: str, **given: Any) -> bool:
        """Whether the password is asked again; not for five minutes after a log-in."""
        shown = get_authentication_records(self.request, self.request.user)
        if shown and time.time() - shown[-1]["at"] < app_settings.REAUTHENTICATION_TIMEOUT:
            return False
        return bool(super().is_reauthentication_required(app=app, **given))

    def is_safe_url(self, url: str | None) -> bool:
        return bool(url) and is_local_path(str(url))

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        # Counted with the network, so that an attacker elsewhere cannot lock out the owner.
        key = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{key}:{network_of(self.get_client_ip(request))}"


Checked = TypeVar("Checked")

#: Seconds for which nothing is accepted after too many wrong tries; the periods of the limits.
LOCKED_FOR: Final = 15 * 60
#: The code of a refusal without a look at what was given.
CLOSED: Final = "too_many_login_attempts"


def guess(user: User, check: Callable[[], Checked]) -> Checked:
    """Check a password or code inside a session; wrong ones count by user and by session. Raises
    ValidationError, or ImmediateHttpResponse after too many.
    """
    request = context.request
    # Counted before it is checked, so that parallel tries are no more.
    if not ratelimit.consume(request, action="guess", user=user):
        response = ratelimit.respond_429(request)
        response["Retry-After"] = str(LOCKED_FOR)
        raise ImmediateHttpResponse(response)
    try:
        checked = check()
    except ValidationError:
        if not ratelimit.consume(request, action="guess_in_session", key=_session()):
            _end_session(user)
        if not ratelimit.consume(request, action="guess", user=user, dry_run=True):
            sentence = "Passwords and codes are refused in your sessions for 15 minutes"
            tell_owner(request, user, f"{sentence}, because five were wrong.")
        raise
    ratelimit.clear(request, action="guess", user=user)
    ratelimit.clear(request, action="guess_in_session", key=_session())
    return checked


def check_second_step(user: User | None, check: Callable[[], Checked]) -> Checked:
    """Check a code or passkey at a log-in; wrong ones count by known browser or network, so that
    the password alone closes no browser of its owner's. Raises ValidationError.
    """
    if user is None:
        return check()
    request = context.request
    is_known = devices.is_known(user.pk, request)
    # A new password starts another count.
    account = f"{user.pk}:{user.get_session_auth_hash()}"
    place = (
        devices.cookie_of(request) if is_known else network_of(get_adapter().get_client_ip(request))
    )
    here = f"{account}:{place}"
    try:
        if not ratelimit.consume(request, action="second_step", key=here) or not (
            is_known or ratelimit.consume(request, action="second_step_elsewhere", key=account)
        ):
            raise get_adapter().validation_error(CLOSED)
        _forget_count_of_all_places(user)
        checked = check()
    except ValidationError as refused:
        if refused.code == CLOSED and ratelimit.consume(request, action="tell_closed", user=user):
            sentence = (
                "Five tries of a code or passkey at your log-in were wrong, so none is accepted "
                "there for 15 minutes. Browsers in which you have logged in before stay open"
            )
            advice = "Somebody else who comes that far knows your password: change it."
            tell_owner(request, user, f"{sentence}. {advice}")
        raise
    ratelimit.clear(request, action="second_step", key=here)
    return checked


def _forget_count_of_all_places(user: User) -> None:
    """Forget what django-allauth counts: it would refuse the owner everywhere after five."""
    app, action, key = "allauth.account", "login_failed", f"mfa-auth-user-{user.pk}"
    for rate in get_rates(app=app, action=action):
        if rate.per == "key":
            cache.delete(get_cache_key(context.request, app=app, action=action, rate=rate, key=key))


def _session() -> str:
    return str(context.request.session.session_key)


def _end_session(user: User) -> NoReturn:
    request = context.request
    tell_owner(request, user, "A session of yours has been ended after ten wrong tries.")
    logout(request)
    messages.error(request, "That was wrong ten times. Log in again.")
    raise ImmediateHttpResponse(redirect("account_login"))
