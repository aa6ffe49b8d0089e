"""``/metrics`` of a web process, in Prometheus's format. Each process answers for itself, on its
own port; what is in the database is the same in all. No label names a user, a match or a secret.
"""

import asyncio
import hmac
import ipaddress
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final
from urllib.parse import urlsplit

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import DatabaseError
from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from accounts.tokens import bearer_secret
from games.realtime import runtime
from games.realtime.measures import Histogram, measures, process_name
from games.realtime.page_queue import page_queue
from rpsite.disk import free_bytes
from rpsite.input import Application, Receive, Send
from rpsite.stored_facts import StoredFacts, stored_facts

PATH: Final = "/metrics"
#: Seconds for which facts of the database are cached.
GOOD_FOR: Final = 10.0
#: Headers of proxies: a request with one does not come from this machine.
_PASSED_ON: Final = frozenset({b"forwarded", b"via", b"x-forwarded-for", b"x-real-ip"})


class Metrics:
    """Answers ``/metrics``, before Django: a scrape needs neither the site's host name nor TLS nor
    a thread.
    """

    def __init__(self, application: Application) -> None:
        self._application = application
        self._facts: StoredFacts | None = None
        self._until = 0.0
        self._turn = asyncio.Lock()
        self._registry = CollectorRegistry(auto_describe=False)
        for kind in (GCCollector, PlatformCollector, ProcessCollector):
            kind(registry=self._registry)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["path"] != PATH:
            await self._application(scope, receive, send)
            return
        headers = {name.lower(): value for name, value in scope["headers"]}
        if not may_read(scope, headers):
            await _answer(send, 404, b"Not found\n", "text/plain; charset=utf-8")
            return
        facts = await self._stored()
        encode, kind = choose_encoder(headers.get(b"accept", b"").decode("latin-1"))
        body = encode(_Both(self._registry, ProcessFacts(), DatabaseFacts(facts)))
        await _answer(send, 200, body, kind)

    async def _stored(self) -> StoredFacts | None:
        """Return what the database tells, a few seconds old; None while it is away."""
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
            return self._facts


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


class _Both(Collector):
    """Several collectors as one, as far as an encoder needs it."""

    def __init__(self, *collectors: Collector) -> None:
        self._collectors = collectors

    def collect(self) -> Iterable[Metric]:
        return (metric for each in self._collectors for metric in each.collect())


class ProcessFacts(Collector):
    """Counts of this process and sizes of its parts; to be read in its event loop."""

    def collect(self) -> Iterator[Metric]:
        labels = ["process", "version"]
        info = GaugeMetricFamily("rr_process", "This web process.", labels=labels)
        info.add_metric([process_name(), settings.VERSION], 1)
        yield info
        yield _histogram("rr_answer_seconds", "From an action to its answer.", measures.answers)
        yield _histogram("rr_batch_jobs", "Actions in a batch.", measures.batches)
        yield _histogram("rr_deadline_late_seconds", "Lateness of clocks.", measures.deadlines)
        yield _histogram("rr_round_late_seconds", "Lateness of arena rounds.", measures.rounds)
        dropped = "Views that a newer one replaced before a slow client took them."
        yield CounterMetricFamily("rr_views_dropped", dropped, measures.views_dropped)
        yield GaugeMetricFamily("rr_disk_free_bytes", "Room on the disk.", free_bytes())
        closes = CounterMetricFamily("rr_socket_closes", "Sockets ended here.", labels=["code"])
        for code, count in sorted(measures.closes.items()):
            closes.add_metric([str(int(code))], count)
        yield closes
        yield GaugeMetricFamily("rr_pages_running", "Page requests at work.", page_queue.running)
        yield GaugeMetricFamily("rr_pages_waiting", "Page requests in line.", page_queue.waiting)
        refused = "Page requests that got no turn."
        yield CounterMetricFamily("rr_pages_refused", refused, page_queue.refused)
        if running := runtime.current():
            yield from _live(running)


def _live(running: runtime.Runtime) -> Iterator[Metric]:
    yield GaugeMetricFamily("rr_queue_jobs", "Actions that wait.", len(running.writer))
    yield GaugeMetricFamily("rr_rooms", "Matches with sockets.", len(running.hub.rooms))
    redis = "Whether the hint bus is connected."
    yield GaugeMetricFamily("rr_redis_connected", redis, running.bus.is_listening)
    sockets = GaugeMetricFamily("rr_sockets", "Open sockets.", labels=["kind"])
    for kind, count in Counter(type(socket).__name__ for socket in running.sockets).items():
        sockets.add_metric([kind.removesuffix("Consumer").lower()], count)
    yield sockets


class DatabaseFacts(Collector):
    """Facts of the database; None: it is away."""

    def __init__(self, facts: StoredFacts | None) -> None:
        self._facts = facts

    def collect(self) -> Iterator[Metric]:
        facts = self._facts
        yield GaugeMetricFamily("rr_database_up", "Whether it answers.", facts is not None)
        if facts is None:
            return
        for name, (meaning, value) in facts.numbers.items():
            yield GaugeMetricFamily(name, meaning, value)
        for name, (meaning, label, values) in facts.families.items():
            family = GaugeMetricFamily(name, meaning, labels=[label])
            for key, value in values.items():
                family.add_metric([key], value)
            yield family


def _histogram(name: str, meaning: str, found: Histogram) -> Metric:
    total, buckets = 0, list[tuple[str, float]]()
    for bound, count in zip([*map(str, found.bounds), "+Inf"], list(found.counts), strict=True):
        total += count
        buckets.append((bound, total))
    return HistogramMetricFamily(name, meaning, buckets=buckets, sum_value=found.sum)


async def _answer(send: Send, status: int, body: bytes, kind: str) -> None:
    headers = [
        (b"content-type", kind.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store, private"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
