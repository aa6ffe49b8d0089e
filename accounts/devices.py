"""Which browsers a user plays from, so that nobody sits at one table twice.

A browser is known by a random cookie, an address by itself; only their keyed hashes are kept.
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
    """A browser and an address at which a user was seen; "" for an unknown address."""

    device: str
    address: str


def hash_of(what: str, text: str) -> str:
    """Hash a secret or an address with the site's own key; 64 hex digits."""
    return salted_hmac(f"accounts.devices.{what}", text, algorithm="sha256").hexdigest()


def recognise(request: HttpRequest) -> None:
    """Note the browser of a logged-in user, once a day and session.

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
    """Note the browser of a logged-in user; give it a cookie if it has none."""
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


def not_seen_since(since: datetime) -> QuerySet[User]:
    """Return the users who have neither logged in nor opened a page, by browser or by token."""
    devices = Device.objects.filter(user=OuterRef("pk"), last_seen__gte=since)
    tokens = ApiToken.objects.filter(user=OuterRef("pk"), last_used_at__gte=since)
    logged_out = Q(last_login=None) | Q(last_login__lt=since)
    return User.objects.filter(logged_out, ~Exists(devices), ~Exists(tokens), date_joined__lt=since)


def company_of(user_id: int, others: Collection[int], since: datetime | None = None) -> Company:
    """Return who of the others shares a device or an address with a user: one query.

    Args:
        since: leave out what was last seen before it; None for nothing.
    """
    return company_among(user_id, others, sightings([user_id, *others], since))


def sightings(users: Collection[int], since: datetime | None = None) -> dict[int, list[Sighting]]:
    """Return for each of these users where they were seen, and not before ``since``: one query."""
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
    """Return who of the others shares a device or an address with a user, by what was seen."""
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
    """The client's address; of IPv6 the network, because a device changes the rest by itself."""
    address = str(get_adapter().get_client_ip(request) or "")
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return ""
    if parsed.version == 4:
        return str(parsed)
    return str(ipaddress.ip_network((parsed, 64), strict=False))
