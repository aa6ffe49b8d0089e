"""Which browsers a user plays from, so that nobody sits at one table twice.

A browser is known by a random cookie, an address by itself; only their keyed hashes are kept.
Source: docs/fair-play.md "Devices".
"""

import ipaddress
import secrets
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import Device, User

#: Two years, in seconds.
_COOKIE_AGE: Final = 2 * 365 * 24 * 60 * 60
#: Where a session remembers what was noted for it.
_NOTED: Final = "device_noted"
#: A cookie that this site has not made is replaced.
_TOKEN_LENGTH: Final = 43
#: Where a request keeps the cookie that its browser is to get; no header can have this name.
_FRESH: Final = "accounts.device_token"


@dataclass(frozen=True, slots=True)
class Company:
    """Who of some users shares something with one user."""

    by_device: frozenset[int]
    by_address: frozenset[int]


class Sighting(NamedTuple):
    """That a user was seen in a browser, at an address; "" for an unknown one."""

    user_id: int
    device: str
    address: str


def hash_of(what: str, text: str) -> str:
    """Hash a secret or an address with the site's own key; 64 hex digits."""
    return salted_hmac(f"accounts.devices.{what}", text, algorithm="sha256").hexdigest()


def recognise(request: HttpRequest) -> None:
    """Note the browser of whoever is logged in, once a day and session.

    Called at a log-in, inside its transaction, and on each visit.
    """
    user = request.user
    if not isinstance(user, User) or user.is_bot:
        return
    token = _token_of(request)
    now = timezone.now()
    noted = f"{now:%Y-%m-%d}/{user.pk}/{hash_of('cookie', token)[:16]}"
    if request.session.get(_NOTED) != noted:
        note(user_id=user.pk, token=token, address=_address_of(request), at=now)
        request.session[_NOTED] = noted


def remember(request: HttpRequest, response: HttpResponse) -> None:
    """Note the browser of whoever is logged in, giving it a cookie if it has none."""
    recognise(request)
    name = settings.DEVICE_COOKIE_NAME
    token = request.META.get(_FRESH)
    if token is not None:
        _give_cookie(response, name, token)


def _token_of(request: HttpRequest) -> str:
    """Return the browser's cookie, or a new one that ``remember`` will give it."""
    token: str = request.COOKIES.get(settings.DEVICE_COOKIE_NAME, "")
    if len(token) != _TOKEN_LENGTH:
        token = request.META.setdefault(_FRESH, secrets.token_urlsafe(32))
    return token


def note(*, user_id: int, token: str, address: str, at: datetime) -> None:
    """Store that a user was seen in the browser with this cookie, at this address."""
    address_hash = hash_of("address", address) if address else ""
    Device.objects.bulk_create(
        [
            Device(
                hash=hash_of("cookie", token),
                user_id=user_id,
                address_hash=address_hash,
                first_seen=at,
                last_seen=at,
            )
        ],
        update_conflicts=True,
        unique_fields=["hash", "user"],
        update_fields=["last_seen", "address_hash"],
    )


def company_of(user_id: int, others: Collection[int], since: datetime | None = None) -> Company:
    """Return who of the others shares a device or an address with a user: one query.

    Args:
        since: leave out what was last seen before it; None for nothing.
    """
    return company_among(user_id, others, sightings([user_id, *others], since))


def sightings(users: Collection[int], since: datetime | None = None) -> list[Sighting]:
    """Return where these users were seen, and not before ``since``: one query."""
    seen = Device.objects.filter(user__in=users)
    if since is not None:
        seen = seen.filter(last_seen__gte=since)
    return [Sighting(*row) for row in seen.values_list("user", "hash", "address_hash")]


def company_among(user_id: int, others: Collection[int], seen: Iterable[Sighting]) -> Company:
    """Return who of the others shares a device or an address with a user, by what was seen."""
    here = {user_id, *others}
    rows = [row for row in seen if row.user_id in here]
    devices = {device for user, device, _ in rows if user == user_id}
    addresses = {address for user, _, address in rows if user == user_id} - {""}
    strangers = [row for row in rows if row.user_id != user_id]
    return Company(
        by_device=frozenset(user for user, device, _ in strangers if device in devices),
        by_address=frozenset(user for user, _, address in strangers if address in addresses),
    )


def _give_cookie(response: HttpResponse, name: str, token: str) -> None:
    response.set_cookie(
        name,
        token,
        max_age=_COOKIE_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _address_of(request: HttpRequest) -> str:
    """The client's address; of IPv6 the network, because a device changes the rest by itself."""
    address = str(get_adapter().get_client_ip(request) or "")
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return ""
    if parsed.version == 4:
        return str(parsed)
    return str(ipaddress.ip_network((parsed, 64), strict=False))
