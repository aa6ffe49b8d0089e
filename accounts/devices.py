"""Devices of users, so that nobody sits at a table with two accounts."""

import ipaddress
import secrets
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.db import transaction
from django.db.models import (
    Count,
    DateTimeField,
    Exists,
    F,
    Max,
    Min,
    OuterRef,
    Q,
    QuerySet,
    TextField,
    Value,
)
from django.db.models.functions import Cast
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import ApiToken, Device, User
from economy.sql import EVER, USERS, Compiled, Given

#: Two years, in seconds.
_COOKIE_AGE: Final = 2 * 365 * 24 * 60 * 60
#: The number of devices kept of a user.
MOST_DEVICES: Final = 20
#: The most that one transaction deletes of a user's others.
PORTION: Final = 500
#: Session key of the sightings recorded on a day.
NOTED: Final = "devices_noted"
#: The most sightings of a session recorded on a day: browsers lose cookies, programs invent them.
_MOST_NOTED: Final = 3
#: A cookie that this site has not made is replaced.
_TOKEN_LENGTH: Final = 43
#: Key in ``request.META`` of the cookie to set; no header can have this name.
_FRESH: Final = "accounts.device_token"


@dataclass(frozen=True, slots=True)
class SharedDevices:
    """The users who share a device or an address with a user; a program shares its owner's."""

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
    """Record the browser at a log-in, inside its transaction; one without a cookie gets one."""
    token = cookie_of(request)
    _record(request, token or request.META.setdefault(_FRESH, secrets.token_urlsafe(32)))


def remember(request: HttpRequest, response: HttpResponse) -> None:
    """Record a logged-in user's browser once a day and session, or give it a cookie."""
    if not isinstance(request.user, User) or request.user.is_bot:
        return
    token = request.COOKIES.get(settings.DEVICE_COOKIE_NAME, "")
    if len(token) == _TOKEN_LENGTH:
        _record(request, token)
    else:
        response.set_cookie(
            settings.DEVICE_COOKIE_NAME,
            request.META.get(_FRESH) or secrets.token_urlsafe(32),
            max_age=_COOKIE_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )


def cookie_of(request: HttpRequest) -> str:
    """Return the cookie that identifies the browser; "" for none that this site has made."""
    token = request.COOKIES.get(settings.DEVICE_COOKIE_NAME, "")
    return token if len(token) == _TOKEN_LENGTH else ""


def is_known(user_id: int, request: HttpRequest) -> bool:
    """Whether a user has logged in with this browser before."""
    token = cookie_of(request)
    keys = (None, *settings.SECRET_KEY_FALLBACKS)
    hashes = [hash_of("cookie", token, key) for key in keys if token]
    return Device.objects.filter(user=user_id, hash__in=hashes).exists()


def note(*, user_id: int, token: str, address: str, at: datetime) -> None:
    """Store that a user used the browser with this cookie, from this address."""
    address_hash = hash_of("address", address) if address else ""
    with transaction.atomic():
        _lock(user_id)
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
        _delete_older(user_id)


def cut_devices() -> int:
    """Delete all but the newest devices of each user, a portion a transaction; return how many."""
    owners = Device.objects.order_by("user").values_list("user", flat=True)
    count = 0
    for user_id in owners.annotate(devices=Count("pk")).filter(devices__gt=MOST_DEVICES):
        deleted = 1
        while deleted:
            with transaction.atomic():
                _lock(user_id)
                deleted = _delete_older(user_id)
            count += deleted
    return count


def not_seen_since(since: datetime) -> QuerySet[User]:
    """Return the users without a log-in, a page view or a use of a token since an instant."""
    devices = Device.objects.filter(user=OuterRef("pk"), last_seen__gte=since)
    tokens = ApiToken.objects.filter(user=OuterRef("pk"), last_used_at__gte=since)
    logged_out = Q(last_login=None) | Q(last_login__lt=since)
    return User.objects.filter(logged_out, ~Exists(devices), ~Exists(tokens), date_joined__lt=since)


def company_of(
    user_id: int, others: Collection[int], since: datetime | None = None
) -> SharedDevices:
    """Return those of the others who share a device or an address with a user: one query."""
    return company_among(user_id, others, shared_sightings([user_id, *others], since))


def shared_sightings(
    users: Collection[int], since: datetime | None = None
) -> dict[int, list[Sighting]]:
    """Return what each of these users shares with another of them: one query, whose work does not
    grow with pairs of users.
    """
    found: dict[int, list[Sighting]] = defaultdict(list)
    for user_id, device, address in _SHARED.rows(users=users, since=since or EVER):
        found[user_id].append(Sighting(device, address))
    return dict(found)


def company_among(
    user_id: int, others: Collection[int], seen: Mapping[int, Sequence[Sighting]]
) -> SharedDevices:
    """Return those of the others who share a device or an address with a user, by sightings."""
    mine = seen.get(user_id)
    if not mine:
        return SharedDevices(frozenset(), frozenset())
    devices = {each.device for each in mine}
    addresses = {each.address for each in mine} - {""}
    strangers = {other: seen.get(other, ()) for other in others if other != user_id}
    return SharedDevices(
        by_device=frozenset(
            user for user, there in strangers.items() if any(s.device in devices for s in there)
        ),
        by_address=frozenset(
            user for user, there in strangers.items() if any(s.address in addresses for s in there)
        ),
    )


def _of_several(seen: QuerySet[Device], column: str) -> QuerySet[Device, Any]:
    """Select the hashes that rows of several users have in this column."""
    owners = seen.order_by().values(column).annotate(first=Min("user"), last=Max("user"))
    return owners.exclude(first=F("last")).values(column)


def _shared() -> QuerySet[Device, Any]:
    seen = Device.objects.filter(user__in=USERS, last_seen__gte=Given("since", DateTimeField()))
    return (
        seen.filter(
            Q(hash__in=_of_several(seen, "hash"))
            | Q(address_hash__in=_of_several(seen.exclude(address_hash=""), "address_hash"))
        )
        .values_list("user", "hash", "address_hash")
        .union(*_families(), all=True)
    )


def _families() -> Iterator[QuerySet[User, Any]]:
    """Yield programs, and their owners, with a device that their family alone has."""
    programs = User.objects.filter(pk__in=USERS, owner__isnull=False)
    for member in ("pk", "owner"):
        yield programs.values_list(member, Cast("owner", TextField()), Value(""))


_SHARED: Final = Compiled(_shared)


def _lock(user_id: int) -> None:
    """Lock a user's row, so that concurrent requests leave only the newest devices."""
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user_id)


def _delete_older(user_id: int) -> int:
    """Delete a portion of a locked user's devices that are not the newest; return how many."""
    newest = Device.objects.filter(user=user_id).order_by("-last_seen", "-pk")
    older = list(newest.values_list("pk", flat=True)[MOST_DEVICES : MOST_DEVICES + PORTION])
    return Device.objects.filter(pk__in=older).delete()[0]


def _record(request: HttpRequest, token: str) -> None:
    """Store a sighting of a user and the programs, unless the session has it or too many."""
    user, now = request.user, timezone.now()
    if not isinstance(user, User) or user.is_bot:
        return
    day = f"{now:%Y-%m-%d}/{user.pk}/"
    sighting = day + hash_of("cookie", token)[:16]
    noted = [each for each in request.session.get(NOTED, ()) if each.startswith(day)]
    if sighting not in noted and len(noted) < _MOST_NOTED:
        address = line_of(str(get_adapter().get_client_ip(request) or ""))
        programs = user.programs.filter(deleted_at=None).order_by("pk")
        for user_id in (user.pk, *programs.values_list("pk", flat=True)):
            note(user_id=user_id, token=token, address=address, at=now)
        request.session[NOTED] = [*noted, sighting]


def line_of(address: str) -> str:
    """Return an IPv4 address or an IPv6 network; devices change the rest of the latter."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return ""
    if parsed.version == 4:
        return str(parsed)
    return str(ipaddress.ip_network((parsed, 64), strict=False))
