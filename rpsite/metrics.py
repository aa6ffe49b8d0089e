"""``/metrics`` of a web process, in Prometheus's format. Each process answers for itself, on its
own port; what is in the database is the same in all. No label names a user, a match or a secret.
"""

import asyncio
import hmac
import ipaddress
import os
import socket
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlsplit

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import DatabaseError
from prometheus_client import REGISTRY
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from accounts.tokens import bearer_secret
from games.realtime import runtime
from games.realtime.page_queue import page_queue
from rpsite.disk import free_bytes
from rpsite.input import Application, Receive, Send
from rpsite.stored_facts import by_label, stored_facts

PATH: Final = "/metrics"
#: Seconds for which facts of the database are cached.
GOOD_FOR: Final = 10.0
#: Headers of proxies: a request with one does not come from this machine.
_PASSED_ON: Final = frozenset({b"forwarded", b"via", b"x-forwarded-for", b"x-real-ip"})


class Metrics(Collector):
    """Answers ``/metrics``, before Django: a scrape needs neither the site's host name nor TLS nor
    a thread.
    """

    def __init__(self, application: Application) -> None:
        self._application = application
        self._facts: list[Metric] | None = None
        self._until = 0.0
        self._turn = asyncio.Lock()

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["path"] != PATH:
            await self._application(scope, receive, send)
            return
        headers = {name.lower(): value for name, value in scope["headers"]}
        if not may_read(scope, headers):
            await _answer(send, 404, b"Not found\n", "text/plain; charset=utf-8")
            return
        await self._read_facts()
        encode, kind = choose_encoder(headers.get(b"accept", b"").decode("latin-1"))
        await _answer(send, 200, encode(self), kind)

    def collect(self) -> Iterator[Metric]:
        """Yield what this process has counted, its parts, and what the database tells."""
        yield from REGISTRY.collect()
        yield from process_facts()
        yield GaugeMetricFamily("rr_database_up", "Whether it answers.", self._facts is not None)
        yield from self._facts or ()

    async def _read_facts(self) -> None:
        """Ask the database if the last answer is a few seconds old; None: it is away."""
        async with self._turn:
            if time.monotonic() >= self._until:
                running = runtime.current()
                try:
                    self._facts = await (
                        running.reads.run(stored_facts)
                        if running
                        else sync_to_async(stored_facts)()
                    )
                except DatabaseError:
                    self._facts = None
                self._until = time.monotonic() + GOOD_FOR


def may_read(scope: dict[str, Any], headers: dict[bytes, bytes]) -> bool:
    """Whether a request shows the token, or comes from this machine where that is enough."""
    if token := settings.METRICS_TOKEN:
        shown = bearer_secret(headers.get(b"authorization", b"").decode("latin-1")) or ""
        return hmac.compare_digest(shown.encode(), token.encode())
    if not settings.METRICS_HERE:
        return False
    # Behind a proxy all requests come from this machine, but not with its name.
    host = urlsplit("//" + headers.get(b"host", b"").decode("latin-1")).hostname or ""
    peer = (scope.get("client") or ("",))[0]
    return _is_here(host) and _is_here(peer) and not _PASSED_ON & headers.keys()


def _is_here(address: str) -> bool:
    if address == "localhost":
        return True
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    return bool((mapped or found).is_loopback)


def process_facts() -> Iterator[Metric]:
    """Yield sizes of this process's parts; to be called in its event loop."""
    info = GaugeMetricFamily("rr_process", "This web process.", labels=["process", "version"])
    info.add_metric([f"{socket.gethostname()}:{os.getpid()}", settings.VERSION], 1)
    yield info
    yield GaugeMetricFamily("rr_disk_free_bytes", "Room on the disk.", free_bytes())
    yield GaugeMetricFamily("rr_pages_running", "Page requests at work.", page_queue.running)
    yield GaugeMetricFamily("rr_pages_waiting", "Page requests in line.", page_queue.waiting)
    refused = "Page requests that got no turn."
    yield CounterMetricFamily("rr_pages_refused", refused, page_queue.refused)
    if running := runtime.current():
        yield GaugeMetricFamily("rr_queue_jobs", "Actions that wait.", len(running.writer))
        yield GaugeMetricFamily("rr_rooms", "Matches with sockets.", len(running.hub.rooms))
        redis = "Whether the hint bus is connected."
        yield GaugeMetricFamily("rr_redis_connected", redis, running.bus.is_listening)
        kinds = (type(each).__name__ for each in running.sockets)
        count = Counter(kind.removesuffix("Consumer").lower() for kind in kinds)
        yield by_label("rr_sockets", "Open sockets.", "kind", count)


async def _answer(send: Send, status: int, body: bytes, kind: str) -> None:
    headers = [
        (b"content-type", kind.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store, private"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
