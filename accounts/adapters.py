"""The adapters that change django-allauth's defaults."""

import ipaddress
import time
from http import HTTPStatus
from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.account.models import EmailAddress
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme

from accounts import devices
from accounts.invitations import inviter_in
from accounts.models import is_taken
from accounts.names import check_form, is_programs, is_reserved, name_refused
from accounts.oversight import lift_ended_ban
from accounts.services import end_oldest_sessions


def is_local_path(url: str) -> bool:
    """Whether a redirect stays on this site: a path, never another host."""
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
        if is_reserved(username) or is_programs(username):
            raise name_refused()
        if not shallow and is_taken(username):
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
        """Log in, with a password, a passkey or a new account, and record the browser."""
        super().login(request, user)
        devices.recognise(request)

    def post_login(self, request: HttpRequest, user: Any, **given: Any) -> HttpResponse:
        """End the oldest of too many log-ins, once this one is in the list."""
        response: HttpResponse = super().post_login(request, user, **given)
        end_oldest_sessions(user_id=user.pk)
        return response

    def respond_user_inactive(self, request: HttpRequest, user: Any) -> HttpResponse:
        """Show a banned user the reason, the end and a contact; only the right password leads here.
        Lifts a ban that has ended, if the worker has not lifted it yet.
        """
        if lift_ended_ban(user.pk, timezone.now().date()):
            return redirect("account_login")
        context = {"banned": user, "contact": settings.SITE_CONTACT}
        return render(
            request, "account/account_inactive.html", context, status=HTTPStatus.FORBIDDEN
        )

    def send_notification_mail(
        self, template_prefix: str, user: Any, context: Any = None, email: str | None = None
    ) -> None:
        """Mail a notice, but not to an unconfirmed address, which may be a stranger's."""
        address = email or EmailAddress.objects.get_primary_email(user)
        if not EmailAddress.objects.filter(user=user, email=address, verified=False).exists():
            super().send_notification_mail(template_prefix, user, context, address)

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
