"""Web push: browsers that asked for notifications, and one encrypted message to one of them.

A browser names the address of its push service, so an address is checked like any from outside:
https only, and no host of this machine or of a private network, when it is stored and again when
it is used.  A message is encrypted for the browser and signed with the site's VAPID key.

Source: docs/how-to/run-a-site.md "Notifications".
"""

import json
import socket
import ssl
from base64 import urlsafe_b64decode
from binascii import Error as BadBase64
from collections.abc import Mapping
from contextlib import suppress
from email.utils import parseaddr
from enum import Enum
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv6Address, IPv6Network, ip_address
from threading import Timer
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from py_vapid import Vapid02, b64urlencode
from pywebpush import WebPusher

from accounts.models import PushSubscription, User

#: The most browsers of a user; a further one replaces the oldest.
MOST_BROWSERS: Final = 5
#: Seconds until a connection to a push service is closed, answered or not.
TIME_OUT: Final = 4.0
#: Seconds for which a push service keeps a message for a browser that is off.
KEPT_FOR: Final = 12 * 60 * 60
_LONGEST: Final = 500
_HTTPS: Final = 443
_GONE: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
#: IPv6 addresses that a gateway translates to IPv4 ones.
_TRANSLATED: Final = IPv6Network("64:ff9b::/96")
_TLS: Final = ssl.create_default_context()


class BadSubscription(ValueError):
    """A subscription is malformed, or its address is not a public https address."""


class Sent(Enum):
    """The outcome of a message."""

    TAKEN = "taken"
    FAILED = "failed"
    GONE = "gone"


def public_key() -> str:
    """Return the key that browsers need to subscribe; "" where the site has none."""
    if not settings.VAPID_PRIVATE_KEY:
        return ""
    point = _signer().public_key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return str(b64urlencode(point))


def subscribe(*, user_id: int, session_key: str, endpoint: str, p256dh: str, auth: str) -> None:
    """Store a browser of a user; the oldest one is deleted if there are too many.

    Args:
        session_key: the log-in; the browser is forgotten when it ends.

    Raises:
        BadSubscription: an address or key that no push service gives.
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


def send(subscription: PushSubscription, message: Mapping[str, Any], topic: str) -> Sent:
    """Send one message and return what came of it; a browser that is gone is deleted.

    Args:
        message: must not contain a secret, since it is shown on a locked screen.
        topic: a later message of the same topic replaces one that was not delivered.
    """
    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    address = urlsplit(subscription.endpoint)
    pusher = WebPusher({"endpoint": subscription.endpoint, "keys": keys})
    body = pusher.encode(json.dumps(message).encode(), "aes128gcm")["body"]
    claims = {
        "aud": f"{address.scheme}://{address.netloc}",
        "sub": f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}",
    }
    headers = {
        **_signer().sign(claims),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEPT_FOR),
        "Topic": topic,
    }
    try:
        _check(subscription.endpoint)
        status = _post(address, body, headers)
    except BadSubscription:
        status = HTTPStatus.GONE
    except (OSError, HTTPException):
        return Sent.FAILED
    if status in _GONE:
        subscription.delete()
        return Sent.GONE
    return Sent.TAKEN if 200 <= status < 300 else Sent.FAILED


def _signer() -> Vapid02:
    return Vapid02.from_raw(settings.VAPID_PRIVATE_KEY.encode())


def _decoded(text: str, length: int) -> bytes:
    """Return the bytes of base64 text of this length.

    Raises:
        BadSubscription: something else.
    """
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
    """Check an address as far as possible without asking for its host.

    Raises:
        BadSubscription: it is no https address of a named host at the usual port.
    """
    if _is_trusted(endpoint):
        return
    try:
        address = urlsplit(endpoint)
        port = address.port
    except ValueError:
        raise BadSubscription("not an address") from None
    host = address.hostname or ""
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


def _post(address: SplitResult, body: bytes, headers: Mapping[str, str]) -> int:
    """Post to a push service, following no redirect, and return the status of its answer.

    Raises:
        BadSubscription: the host is not public.
        OSError, HTTPException: no answer, or not in time.
    """
    host, is_open = str(address.hostname), address.scheme == "http"
    port = address.port or _HTTPS
    place = _public_address(host, port, is_trusted=_is_trusted(address.geturl()))
    connection = HTTPConnection(host, port, timeout=TIME_OUT)
    # Connect to the very address that was checked: the name could mean another one now.
    connection.sock = socket.create_connection((place, port), TIME_OUT)
    raw = connection.sock

    def close() -> None:
        with suppress(OSError):
            raw.shutdown(socket.SHUT_RDWR)

    timer = Timer(TIME_OUT, close)
    timer.start()
    try:
        if not is_open:
            connection.sock = _TLS.wrap_socket(raw, server_hostname=host)
        path = (address.path or "/") + (f"?{address.query}" if address.query else "")
        connection.request("POST", path, body, dict(headers))
        return connection.getresponse().status
    finally:
        timer.cancel()
        connection.close()


def _public_address(host: str, port: int, *, is_trusted: bool) -> str:
    """Return the first address of a host, all of whose addresses must be public.

    Raises:
        BadSubscription: one of them is not.
    """
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
        return True
    is_translated = address in _TRANSLATED or address.sixtofour or address.teredo
    return not (is_translated or address.ipv4_mapped)
