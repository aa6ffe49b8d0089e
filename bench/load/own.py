"""A site that is started for a run, with as many web processes as asked, and stopped after it."""

import contextlib
import http.client
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bench.children import Hand
from bench.load.asking import fetch
from bench.load.client import Place
from bench.load.drive import NotPossible
from bench.stand import Setup, Stand
from bench.template import LIMITS, POSTGRESQL, Template, workshop
from tools import debian, postgres

#: The users among whom the towns are spread: each plays in a hundred of 100,000.
CITIZENS: Final = 5000
#: Sweeps whose time is measured, and seconds until a site must answer.
SWEEPS, PATIENCE = 20, 60.0


@dataclass(frozen=True, slots=True)
class Own:
    """The database, the number of web processes, their server, and towns beside the load."""

    database: str
    web: int
    server: str
    towns: int


@dataclass(slots=True)
class Site:
    """A running site: its variables, its addresses, and figures of its start, as texts."""

    stand: Stand
    places: list[Place] = field(default_factory=list)
    found: dict[str, str] = field(default_factory=dict)


@contextlib.contextmanager
def started(own: Own, where: Path) -> Iterator[Site]:
    """Run a site below a directory; its limits are those of the product.

    Raises:
        NotPossible: PostgreSQL is not here.
    """
    with contextlib.ExitStack() as stack:
        directory, cluster = stack.enter_context(workshop(where)), None
        if own.database == POSTGRESQL:
            try:
                cluster = stack.enter_context(postgres.running_cluster(durable=True))
            except debian.Missing as problem:
                raise NotPossible(f"PostgreSQL is not here: {problem}") from None
        people = CITIZENS if own.towns else 0
        template = Template(directory / "template", own.database, cluster, people)
        setup = Setup("site", own.database, own.server, own.web)
        site = Site(stack.enter_context(Stand(setup, template)))
        site.stand.environment = {
            name: value for name, value in site.stand.environment.items() if name not in LIMITS
        }
        if own.towns:
            _add_towns(site, own.towns)
        swept = site.stand.hand("sweep", rounds=SWEEPS)
        site.found["sweep ms (least, most)"] = f"{min(swept) * 1e3:.1f}, {max(swept) * 1e3:.1f}"
        begun = time.perf_counter()
        site.stand.start_web()
        site.places = [_place(web.address) for web in site.stand.webs]
        site.found["start s"] = f"{time.perf_counter() - begun:.1f}"
        site.stand.start_worker()
        yield site


def _add_towns(site: Site, count: int) -> None:
    stand, begun = site.stand, time.perf_counter()
    hand = Hand(stand.var / "towns.log", stand.environment, "bench.load.seed")
    hand("towns", count=count, users=[person["id"] for person in stand.people])
    hand.close()
    site.found["towns"] = f"{count:,}"
    site.found["towns made in s"] = f"{time.perf_counter() - begun:.0f}"


def _place(address: str) -> Place:
    """Wait until a web process serves pages."""
    host, _, port = address.partition(":")
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with contextlib.suppress(OSError, http.client.HTTPException):
            if fetch(host, int(port), "/healthz", {"Host": address}).status == http.HTTPStatus.OK:
                break
        time.sleep(0.05)
    return Place(host, int(port), address)
