"""A rolling deployment on a machine with the units of ``deploy/systemd``: new web processes take
over from old ones while both serve, or give back. Ports come in pairs, such as 8001 and 8101; one
serves, as nginx's file of upstreams says. Run as root, after ``current`` names the new release.
"""

import argparse
import asyncio
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

from rpsite.processes.listening import CannotListen, is_well, listen
from rpsite.processes.signs import start_token

#: The distance of the two ports of a pair, and one more than the most web processes of a machine.
DISTANCE: Final = 100
#: Seconds until a new process must answer, for which both serve, and between two looks.
START_LIMIT: Final = 60.0
SIDE_BY_SIDE: Final = 30.0
LOOK: Final = 0.5
#: Seconds in which the proxy may still pass on requests to those it served before.
PROXY_LAG: Final = 1.0
UPSTREAMS: Final = Path("/etc/nginx/upstreams.conf")

_FILE: Final = """\
# The web processes; tools/rolling.py changes the ports of 127.0.0.1.
upstream web {{
    zone web 64k;
    {way}
{servers}
}}
"""
#: A server of this machine, in a line without its comment.
_SERVER: Final = re.compile(r"(\bserver\s+127\.0\.0\.1:)(\d+)")

Say = Callable[[str], None]


class RollFailed(Exception):
    """The new processes did not take over; the old ones serve."""


class Fleet(Protocol):
    """The processes of a site, and the proxy before them."""

    async def prepare(self) -> None:
        """Migrate the database and collect the files of the new release. Raises RollFailed."""

    async def start(self, ports: Sequence[int]) -> None:
        """Start a web process of the new release on each port."""

    def starts(self, ports: Sequence[int]) -> list[str | None]:
        """Return the token of each process's present start; None for one that has ended."""

    async def stop(self, ports: Sequence[int]) -> None:
        """Drain and end the web processes on these ports; return when they have ended."""

    async def reload_proxy(self) -> None:
        """Make the proxy read the file of upstreams again."""

    async def restart_others(self) -> None:
        """Restart workers and beat with the new release."""


def upstreams(ports: Sequence[int], *, is_spread: bool = False) -> str:
    """Return nginx's upstreams for web processes on these ports; ``is_spread``: requests in turn
    instead of by their place.
    """
    servers = "\n".join(f"    server 127.0.0.1:{port} fail_timeout=2s;" for port in ports)
    return _FILE.format(way="" if is_spread else "hash $place;", servers=servers)


def ports_in(file: Path) -> list[int]:
    """Return the ports of this machine's servers in a file of upstreams."""
    codes = (line.partition("#")[0] for line in file.read_text("utf-8").splitlines())
    return list(dict.fromkeys(int(found[2]) for code in codes for found in _SERVER.finditer(code)))


def _moved(text: str, ports: Mapping[int, int]) -> Iterator[str]:
    def moved(port: str) -> str:
        return str(ports.get(int(port), port))

    for line in text.splitlines(keepends=True):
        code, mark, comment = line.partition("#")
        yield _SERVER.sub(lambda found: found[1] + moved(found[2]), code) + mark + comment


def other_port(port: int) -> int:
    """Return the other port of a pair.
    >>> other_port(8001), other_port(8101)
    (8101, 8001)
    """
    return port + DISTANCE if port // DISTANCE % 2 == 0 else port - DISTANCE


async def until_well(fleet: Fleet, ports: Sequence[int], host: str) -> None:
    """Wait until the fleet's own processes answer on all these ports. Raises RollFailed."""
    loop = asyncio.get_running_loop()
    limit = loop.time() + START_LIMIT
    while not await are_well(fleet, ports, host):
        if loop.time() > limit:
            raise RollFailed(f"{_listed(ports)} do not answer")
        await asyncio.sleep(LOOK)


async def are_well(fleet: Fleet, ports: Sequence[int], host: str) -> bool:
    """Whether each of these ports is answered by the fleet's process, which runs."""
    starts = fleet.starts(ports)
    if not all(starts):
        return False
    looks = (
        is_well("127.0.0.1", port, host, {start}) for port, start in zip(ports, starts, strict=True)
    )
    return all(await asyncio.gather(*looks)) and starts == fleet.starts(ports)


def require_free(ports: Sequence[int]) -> None:
    """Raise RollFailed where anything listens on one of the ports."""
    for port in ports:
        try:
            listen("127.0.0.1", port).close()
        except CannotListen:
            raise RollFailed(
                f"port {port} is in use; nothing was changed.  It is for a web process alone:"
                " end what listens there"
            ) from None


class Roll:
    """One deployment; ``file`` is the proxy's file of upstreams, ``host`` a name that the site
    answers to.
    """

    def __init__(self, fleet: Fleet, file: Path, host: str, say: Say) -> None:
        self._fleet, self._file, self._host, self._say = fleet, file, host, say
        self._old = ports_in(file)
        if not self._old:
            raise RollFailed(f"{file} names no server at 127.0.0.1")
        self._new = [other_port(port) for port in self._old]

    async def run(self, side_by_side: float, *, has_migration: bool = True) -> None:
        """Replace the old processes by new ones; give back when cancelled before they drain, or
        where the new ones do not start or stay well. Raises RollFailed.
        """
        require_free(self._new)
        if has_migration:
            self._say("migrating")
            await self._fleet.prepare()
        try:
            await self._take_over(side_by_side)
        except BaseException:
            await asyncio.shield(self._give_back())
            raise
        finishing = asyncio.ensure_future(self._finish())
        while not finishing.done():
            try:
                await asyncio.shield(finishing)
            except asyncio.CancelledError:
                self._say("too late to give back: the old ones drain")

    async def _finish(self) -> None:
        self._say(f"draining {_listed(self._old)}")
        await self._fleet.stop(self._old)
        await self._fleet.restart_others()
        self._say(f"done: {_listed(self._new)} serve")

    async def _take_over(self, side_by_side: float) -> None:
        loop = asyncio.get_running_loop()
        self._say(f"starting {_listed(self._new)}")
        await self._fleet.start(self._new)
        await until_well(self._fleet, self._new, self._host)
        await self._route(self._new)
        self._say(f"new clients come to {_listed(self._new)}; both serve for {side_by_side:.0f} s")
        limit = loop.time() + max(side_by_side, PROXY_LAG)
        while loop.time() < limit:
            await asyncio.sleep(LOOK)
            if not await are_well(self._fleet, self._new, self._host):
                raise RollFailed(f"{_listed(self._new)} do not stay well")

    async def _give_back(self) -> None:
        self._say(f"giving back to {_listed(self._old)}")
        await self._route(self._old)
        await asyncio.sleep(PROXY_LAG)
        await self._fleet.stop(self._new)

    async def _route(self, ports: Sequence[int]) -> None:
        draft = self._file.with_suffix(".new")
        others = {other_port(port): port for port in ports}
        text = self._file.read_text("utf-8")
        draft.write_text("".join(_moved(text, others)), "utf-8")
        draft.replace(self._file)
        await self._fleet.reload_proxy()


def _listed(ports: Sequence[int]) -> str:
    return ", ".join(map(str, ports))


class Units:
    """The fleet of a machine with the units of ``deploy/systemd``."""

    async def prepare(self) -> None:
        await _call("systemctl", "start", "migrate.service")

    async def start(self, ports: Sequence[int]) -> None:
        await _call("systemctl", "enable", "--now", *_units(ports))

    async def stop(self, ports: Sequence[int]) -> None:
        await _call("systemctl", "disable", "--now", *_units(ports))

    def starts(self, ports: Sequence[int]) -> list[str | None]:
        return [_start_of(unit) for unit in _units(ports)]

    async def reload_proxy(self) -> None:
        await _call("nginx", "-t", "-q")
        await _call("systemctl", "reload", "nginx.service")

    async def restart_others(self) -> None:
        await _call("systemctl", "restart", "worker@*", "beat.service")


def _units(ports: Sequence[int]) -> list[str]:
    return [f"web@{port}.service" for port in ports]


def _start_of(unit: str) -> str | None:
    """Return the token of the start that systemd has named; None if the unit does not run."""
    shown = ("systemctl", "show", "--property=ActiveState,InvocationID", unit)
    said = subprocess.run(shown, capture_output=True, text=True, check=False).stdout
    facts = dict(line.split("=", 1) for line in said.splitlines() if "=" in line)
    is_running = facts.get("ActiveState") == "active"
    return start_token(facts.get("InvocationID", "")) if is_running else None


async def _call(*command: str) -> None:
    # In a session of its own: Ctrl-C is for this program.
    process = await asyncio.create_subprocess_exec(*command, start_new_session=True)
    if await process.wait() != 0:
        raise RollFailed(f"{' '.join(command)} failed")


def main(arguments: Sequence[str]) -> int:
    """Deploy on this machine; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.rolling", description=__doc__)
    parser.add_argument("--back", action="store_true", help="no migration: a former release")
    parser.add_argument("--side-by-side", type=float, default=SIDE_BY_SIDE, metavar="SECONDS")
    parser.add_argument("--upstreams", type=Path, default=UPSTREAMS)
    parser.add_argument("--host", default="localhost", help="a host that the site answers to")
    given = parser.parse_args(arguments)

    def say(text: str) -> None:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()

    try:
        roll = Roll(Units(), given.upstreams, given.host, say)
        asyncio.run(roll.run(given.side_by_side, has_migration=not given.back))
    except (RollFailed, OSError) as problem:
        say(f"failed: {problem}")
        return 1
    except KeyboardInterrupt:
        say("given back")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
