"""Devices of users, so that nobody sits at a table with two accounts.

A random cookie identifies a browser; only keyed hashes of cookies and addresses are stored.
Source: docs/explanation/fair-play.md "Devices".
"""

import ipaddress
import secrets
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import ApiToken, Device, User

#: Two years, in seconds.
_COOKIE_AGE: Final = 2 * 365 * 24 * 60 * 60
#: Session key of the sighting that was recorded last.
_NOTED: Final = "device_noted"
#: A cookie that this site has not made is replaced.
_TOKEN_LENGTH: Final = 43
#: Key in ``request.META`` of the cookie to set; no header can have this name.
_FRESH: Final = "accounts.device_token"


@dataclass(frozen=True, slots=True)
class Company:
    """The users who share a device or an address with a user."""

    by_device: frozenset[int]
    by_address: frozenset[int]


class Sighting(NamedTuple):
    """The hashes of a browser and an address of a user; "" for an unknown address."""

    device: str
    address: str


def hash_of(what: str, text: str, key: str | bytes | None = None) -> str:
    """Hash a secret or an address with the site's own key, or a former one; 64 hex digits."""
    return salted_hmac(f"accounts.devices.{what}", text, key, algorithm="sha256").hexdigest()


def recognise(request: HttpRequest) -> None:
    """Record the browser of a logged-in user, once a day and session.

    It is called at a log-in, inside its transaction, and on each visit.
    """
    user = request.user
    if not isinstance(user, User) or user.is_bot:
        return
    token: str = request.COOKIES.get(settings.DEVICE_COOKIE_NAME, "")
    if len(token) != _TOKEN_LENGTH:
        token = request.META.setdefault(_FRESH, secrets.token_urlsafe(32))
    now = timezone.now()
    noted = f"{now:%Y-%m-%d}/{user.pk}/{hash_of('cookie', token)[:16]}"
    if request.session.get(_NOTED) != noted:
        note(user_id=user.pk, token=token, address=_address_of(request), at=now)
        request.session[_NOTED] = noted


def remember(request: HttpRequest, response: HttpResponse) -> None:
    """Record the browser of a logged-in user; give it a cookie if it has none."""
    recognise(request)
    if _FRESH in request.META:
        response.set_cookie(
            settings.DEVICE_COOKIE_NAME,
            request.META[_FRESH],
            max_age=_COOKIE_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )


def note(*, user_id: int, token: str, address: str, at: datetime) -> None:
    """Store that a user used the browser with this cookie, from this address."""
    address_hash = hash_of("address", address) if address else ""
    for key in settings.SECRET_KEY_FALLBACKS:
        # A new key would forget who shares this browser.
        former = Device.objects.filter(hash=hash_of("cookie", token, key))
        former.update(hash=hash_of("cookie", token))
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


def not_seen_since(since: datetime) -> QuerySet[User]:
    """Return the users without a log-in, a page view or a use of a token since an instant."""
    devices = Device.objects.filter(user=OuterRef("pk"), last_seen__gte=since)
    tokens = ApiToken.objects.filter(user=OuterRef("pk"), last_used_at__gte=since)
    logged_out = Q(last_login=None) | Q(last_login__lt=since)
    return User.objects.filter(logged_out, ~Exists(devices), ~Exists(tokens), date_joined__lt=since)


def company_of(user_id: int, others: Collection[int], since: datetime | None = None) -> Company:
    """Return those of the others who share a device or an address with a user: one query.

    Args:
        since: ignore devices last seen before it; None ignores none.
    """
    return company_among(user_id, others, sightings([user_id, *others], since))


def sightings(users: Collection[int], since: datetime | None = None) -> dict[int, list[Sighting]]:
    """Return the devices and addresses of each of these users, seen since ``since``: one query."""
    seen = Device.objects.filter(user__in=users)
    if since is not None:
        seen = seen.filter(last_seen__gte=since)
    found: dict[int, list[Sighting]] = defaultdict(list)
    for user_id, device, address in seen.values_list("user", "hash", "address_hash"):
        found[user_id].append(Sighting(device, address))
    return dict(found)


def company_among(
    user_id: int, others: Collection[int], seen: Mapping[int, Sequence[Sighting]]
) -> Company:
    """Return those of the others who share a device or an address with a user, by sightings."""
    mine = seen.get(user_id, ())
    devices = {each.device for each in mine}
    addresses = {each.address for each in mine} - {""}
    strangers = {other: seen.get(other, ()) for other in others if other != user_id}
    return Company(
        by_device=frozenset(
            user for user, there in strangers.items() if any(s.device in devices for s in there)
        ),
        by_address=frozenset(
            user for user, there in strangers.items() if any(s.address in addresses for s in there)
        ),
    )


def _address_of(request: HttpRequest) -> str:
    return line_of(str(get_adapter().get_client_ip(request) or ""))


def line_of(address: str) -> str:
    """Return an IPv4 address or an IPv6 network; devices change the rest of the latter."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return ""
    if parsed.version == 4:
        return str(parsed)
    return str(ipaddress.ip_network((parsed, 64), strict=False))
