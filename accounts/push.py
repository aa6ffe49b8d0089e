"""Web push: who wants which notifications, in which browsers, and one encrypted message."""

import json
import socket
import ssl
import time
from base64 import urlsafe_b64decode
from binascii import Error as BadBase64
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from email.utils import parseaddr
from enum import Enum
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address
from threading import Thread
from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, urlsplit
from zoneinfo import ZoneInfo, available_timezones

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from py_vapid import Vapid02, b64urlencode
from pywebpush import WebPusher

from accounts.models import PushChoice, PushSubscription, User

#: The most browsers of a user; a further one replaces the oldest.
MOST_BROWSERS: Final = 5
#: Seconds of a run in which the browsers of a user are answered for, from name to answer.
BUDGET: Final = 2.0
#: Time-outs in a row after which a browser is forgotten.
MOST_TIME_OUTS: Final = 3
#: Seconds for which a push service keeps a message for a browser that is off.
KEPT_FOR: Final = 12 * 60 * 60
_LONGEST: Final = 500
_HTTPS: Final = 443
_GONE: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
#: All that IPv6 has given out. IPv4 inside IPv6 (::/96, mapped, NAT64) lies elsewhere, except
#: Teredo and its like, 6to4 and ISATAP; examples in documents lie here, too.
_UNICAST: Final = IPv6Network("2000::/3")
_SPECIAL: Final = tuple(map(IPv6Network, ("2001::/23", "2002::/16", "3fff::/20")))
#: Relays of 6to4.
_RELAYS: Final = IPv4Network("192.88.99.0/24")
_TLS: Final = ssl.create_default_context()


class BadSubscription(ValueError):
    """A subscription is malformed, or its address is not a public https address."""


class Sent(Enum):
    """The outcome of a message."""

    TAKEN = "taken"
    FAILED = "failed"
    GONE = "gone"
    TIMED_OUT = "timed out"
    #: Not tried: its user's time was used up.
    LEFT_OUT = "left out"


class Message(NamedTuple):
    """A message to one browser; a later one of a topic replaces it. ``shown`` must hold no secret:
    a locked screen shows it.
    """

    browser: PushSubscription
    shown: Mapping[str, Any]
    topic: str


def public_key() -> str:
    """Return the key that browsers need to subscribe; "" where the site has none."""
    if not settings.VAPID_PRIVATE_KEY:
        return ""
    point = _signer().public_key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return str(b64urlencode(point))


def subscribe(*, user_id: int, session_key: str, endpoint: str, p256dh: str, auth: str) -> None:
    """Store a browser of a user until its log-in ends; the oldest goes if there are too many.
    Raises BadSubscription.
    """
    _check(endpoint)
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decoded(p256dh, 65))
    except ValueError:
        raise BadSubscription("not a key of a browser") from None
    _decoded(auth, 16)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user_id)
        PushSubscription.objects.update_or_create(
            endpoint=endpoint,
            defaults={
                "user_id": user_id,
                "session_key": session_key,
                "p256dh": p256dh,
                "auth": auth,
                "created_at": timezone.now(),
                "time_outs": 0,
            },
        )
        newest = PushSubscription.objects.filter(user=user_id).order_by("-created_at", "-pk")
        kept = list(newest.values_list("pk", flat=True)[:MOST_BROWSERS])
        PushSubscription.objects.filter(user=user_id).exclude(pk__in=kept).delete()


def knows(*, user_id: int, endpoint: str) -> bool:
    """Whether notifications of a user go to a browser."""
    return PushSubscription.objects.filter(user=user_id, endpoint=endpoint).exists()


def unsubscribe(*, user_id: int, endpoint: str) -> None:
    """Delete a browser of a user, if there is one; "": all of them."""
    found = PushSubscription.objects.filter(user=user_id)
    (found.filter(endpoint=endpoint) if endpoint else found).delete()


class Run:
    """Messages sent at the same time; each user's may take ``BUDGET`` seconds together, so a push
    service that does not answer holds up nobody else.
    """

    def __init__(self) -> None:
        self._left: defaultdict[int, float] = defaultdict(lambda: BUDGET)

    def send(self, messages: Sequence[Message]) -> list[Sent]:
        """Send messages and return what came of each; browsers that are gone are deleted."""
        calls = [_Call(message) for message in messages]
        begun = time.monotonic()
        try:
            for call in calls:
                call.begin(begun + self._left[call.browser.user_id])
            for call in calls:
                call.join(max(0.0, call.until - time.monotonic()))
        finally:
            for call in calls:
                call.end()
        took: defaultdict[int, float] = defaultdict(float)
        for call in calls:
            user = call.browser.user_id
            took[user] = max(took[user], call.ended_at - begun)
        for user, seconds in took.items():
            self._left[user] -= seconds
        outcomes = [(call.browser.pk, call.outcome) for call in calls]
        _note(outcomes)
        return [outcome for _, outcome in outcomes]


def _note(outcomes: Sequence[tuple[int, Sent]]) -> None:
    """Delete browsers that are gone or were silent too often; the others begin to count again."""
    of = {outcome: {pk for pk, found in outcomes if found == outcome} for outcome in Sent}
    silent = of[Sent.TIMED_OUT] - of[Sent.TAKEN] - of[Sent.FAILED]
    answered = (of[Sent.TAKEN] | of[Sent.FAILED]) - silent
    rows = PushSubscription.objects
    if silent:
        rows.filter(pk__in=silent).update(time_outs=F("time_outs") + 1)
    rows.filter(pk__in=answered, time_outs__gt=0).update(time_outs=0)
    spent = rows.filter(pk__in=silent, time_outs__gte=MOST_TIME_OUTS)
    gone = of[Sent.GONE] | set(spent.values_list("pk", flat=True))
    if gone:
        rows.filter(pk__in=gone).delete()


class _Call(Thread):
    """One message on its way, in a thread without the database: nothing else leaves a name that
    does not resolve.
    """

    def __init__(self, message: Message) -> None:
        super().__init__(daemon=True)
        self.browser = message.browser
        self.until = self.ended_at = 0.0
        self.outcome = Sent.LEFT_OUT
        self._address, self._body, self._headers = _request(message)
        self._socket: socket.socket | None = None
        self._is_over = False

    def begin(self, until: float) -> None:
        self.until = until
        self.ended_at = time.monotonic()
        if until > self.ended_at:
            self.outcome, self.ended_at = Sent.TIMED_OUT, until
            self.start()

    def join(self, timeout: float | None = None) -> None:
        if self.ident is not None:
            super().join(timeout)

    def run(self) -> None:
        outcome = self._outcome()
        if not self._is_over:
            self.outcome, self.ended_at = outcome, min(time.monotonic(), self.until)

    def end(self) -> None:
        """Accept no outcome any more, and close the connection."""
        self._is_over = True
        if self._socket is not None:
            # Not the method of a TLS socket, which would go on without TLS.
            with suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def _outcome(self) -> Sent:
        try:
            _check(self.browser.endpoint)
            status = self._post()
        except BadSubscription:
            return Sent.GONE
        except TimeoutError:
            return Sent.TIMED_OUT
        except (OSError, HTTPException):
            return Sent.FAILED
        if status in _GONE:
            return Sent.GONE
        return Sent.TAKEN if 200 <= status < 300 else Sent.FAILED

    def _post(self) -> int:
        """Post, following no redirect, and return the status. Raises BadSubscription, OSError,
        HTTPException.
        """
        address, host = self._address, str(self._address.hostname)
        port = address.port or _HTTPS
        place = _public_address(host, port, is_trusted=_is_trusted(address.geturl()))
        connection = HTTPConnection(host, port)
        # Connect to the very address that was checked: the name could mean another one now.
        raw = socket.create_connection((place, port), self._left())
        try:
            connection.sock = self._watched(raw)
            if address.scheme == "https":
                secured = _TLS.wrap_socket(raw, server_hostname=host, do_handshake_on_connect=False)
                connection.sock = self._watched(secured)
                secured.do_handshake()
            path = (address.path or "/") + (f"?{address.query}" if address.query else "")
            connection.request("POST", path, self._body, dict(self._headers))
            return connection.getresponse().status
        finally:
            connection.close()

    def _watched(self, used: socket.socket) -> socket.socket:
        """Note a socket, which ``end`` closes. Raises TimeoutError after the end."""
        self._socket = used
        used.settimeout(self._left())
        return used

    def _left(self) -> float:
        """Return the seconds that are left. Raises TimeoutError for none."""
        left = self.until - time.monotonic()
        if self._is_over or left <= 0:
            raise TimeoutError
        return left


def _request(message: Message) -> tuple[SplitResult, bytes, dict[str, str]]:
    """Return address, encrypted body and signed headers of a message."""
    browser = message.browser
    address = urlsplit(browser.endpoint)
    keys = {"p256dh": browser.p256dh, "auth": browser.auth}
    pusher = WebPusher({"endpoint": browser.endpoint, "keys": keys})
    body = pusher.encode(json.dumps(message.shown).encode(), "aes128gcm")["body"]
    claims = {
        "aud": f"{address.scheme}://{address.netloc}",
        "sub": f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}",
    }
    headers = {
        **_signer().sign(claims),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEPT_FOR),
        "Topic": message.topic,
    }
    return address, body, headers


def _signer() -> Vapid02:
    return Vapid02.from_raw(settings.VAPID_PRIVATE_KEY.encode())


def _decoded(text: str, length: int) -> bytes:
    """Return the bytes of base64 text of this length. Raises BadSubscription."""
    try:
        found = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (BadBase64, ValueError):
        found = b""
    if len(found) != length:
        raise BadSubscription("not a key of a browser")
    return found


def _is_trusted(endpoint: str) -> bool:
    """Whether an address is that of the tests' own push service."""
    trusted = settings.PUSH_TRUSTED
    return bool(trusted) and endpoint.startswith(trusted)


def _check(endpoint: str) -> None:
    """Check, without asking for its host, an https address at the usual port. Raises
    BadSubscription.
    """
    if _is_trusted(endpoint):
        return
    try:
        address = urlsplit(endpoint)
        port = address.port
    except ValueError:
        raise BadSubscription("not an address") from None
    host = address.hostname or ""
    try:
        host.encode("idna")
    except UnicodeError:
        raise BadSubscription("not the name of a host") from None
    is_plain = endpoint.isascii() and endpoint.isprintable() and " " not in endpoint
    if (
        not is_plain
        or len(endpoint) > _LONGEST
        or (address.scheme, port or _HTTPS) != ("https", _HTTPS)
        or "@" in address.netloc
        or "." not in host.strip(".")
        or not host.rpartition(".")[2].isalpha()  # no number is a host
    ):
        raise BadSubscription("not the address of a push service")


def _public_address(host: str, port: int, *, is_trusted: bool) -> str:
    """Return the first address of a host. Raises BadSubscription if one of them is not public."""
    found = [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not is_trusted and not all(map(is_public, found)):
        raise BadSubscription("not a public host")
    return found[0]


def is_public(text: str) -> bool:
    """Whether an IP address is one of the internet, also after translation to IPv4.
    >>> [is_public(text) for text in ("8.8.8.8", "172.16.0.1", "::ffff:7f00:1", "64:ff9b::7f00:1")]
    [True, False, False, False]
    """
    address = ip_address(text.partition("%")[0])
    if not address.is_global or address.is_multicast:
        return False
    if not isinstance(address, IPv6Address):
        return address not in _RELAYS
    is_isatap = (int(address) >> 32) & 0xFDFF_FFFF == 0x5EFE
    return address in _UNICAST and not is_isatap and not any(address in net for net in _SPECIAL)


#: The kinds of notifications: fields of ``PushChoice``.
KINDS: Final = ("turn", "start", "phase", "challenge", "town")


def _hour(label: str) -> forms.TypedChoiceField:
    choices = [("", "never"), *((hour, f"{hour:02}:00") for hour in range(24))]
    return forms.TypedChoiceField(
        label=label, choices=choices, coerce=int, empty_value=None, required=False
    )


class PushForm(forms.ModelForm):
    """Takes the kinds, the quiet hours and the time zone."""

    quiet_from = _hour("Quiet from")
    quiet_until = _hour("until")

    class Meta:
        model = PushChoice
        fields = (*KINDS, "quiet_from", "quiet_until", "time_zone")

    def clean_time_zone(self) -> str:
        zone = str(self.cleaned_data["time_zone"])
        if zone not in available_timezones():
            raise ValidationError("A time zone such as Europe/Berlin.")
        return zone

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        start, end = found.get("quiet_from"), found.get("quiet_until")
        if (start is None) != (end is None) or (start is not None and start == end):
            raise ValidationError("Choose both hours of the quiet time, or neither.")
        return found


def choice_of(user: User) -> PushChoice:
    """Return a user's choice, for a user who has not been asked an unsaved row of defaults."""
    return PushChoice.objects.filter(user=user).first() or PushChoice(user=user)


def keep_choice(user: User, **chosen: bool) -> PushChoice:
    """Store what a user has chosen; the first of several at once stores the defaults."""
    return PushChoice.objects.update_or_create(user=user, defaults=chosen)[0]


def has_been_asked(user_id: int) -> bool:
    """Whether a user was asked for notifications, or chose them on the settings page."""
    return PushChoice.objects.filter(user=user_id).exists()


def choices_of(user_ids: Collection[int]) -> Mapping[int, PushChoice]:
    """Return the choices of those of these active users who have a subscribed browser."""
    rows = PushChoice.objects.filter(
        user__in=user_ids, user__is_active=True, user__push_subscriptions__isnull=False
    )
    return {choice.user_id: choice for choice in rows.distinct()}


def quiet_until(choice: PushChoice, now: datetime) -> datetime | None:
    """Return the end of the quiet hours that last now; None: it is not quiet."""
    if choice.quiet_from is None or choice.quiet_until is None:
        return None
    here = now.astimezone(ZoneInfo(choice.time_zone))
    start, end = choice.quiet_from, choice.quiet_until
    is_quiet = start <= here.hour < end if start < end else here.hour >= start or here.hour < end
    if not is_quiet:
        return None
    until = here.replace(hour=end, minute=0, second=0, microsecond=0, fold=0)
    # The wall clock counts: a day with a change of time is longer or shorter than 24 hours.
    return (until if until > here else until + timedelta(days=1)).astimezone(now.tzinfo)
