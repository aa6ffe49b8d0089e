"""The site on several processes, without containers: ``./run cluster``.

    ./run cluster [--web N] [--workers M]    nginx, PostgreSQL, Valkey, web processes, workers, beat
    ./run cluster deploy                     in a running one: new web processes take over
    ./run cluster back                       gives back: at once while both serve, else by new ones

nginx and PostgreSQL are Debian's.  The database is a temporary one, unless DATABASE_URL names
another.  A deployment starts what is in the checkout now.

Source: docs/how-to/deploy.md.
"""

import argparse
import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
# Before the settings' own module reads it: beside the files of ./run site.
os.environ.setdefault("SITE_VAR", str(ROOT / "var" / "cluster"))

from rpsite.env import VAR, valkey_socket  # noqa: E402
from rpsite.processes import runner  # noqa: E402
from rpsite.processes.listening import CannotListen, address, is_well, listen  # noqa: E402
from rpsite.processes.runner import LOOK, SIGNALS, Child, Program, is_ready, say  # noqa: E402
from rpsite.processes.valkey import NoValkey  # noqa: E402
from tools import debian, nginx, postgres, rolling  # noqa: E402

HOST: Final = "127.0.0.1"
#: Seconds that a web process takes to end after its drain.
END: Final = 6.0
DONE, FAILED = "done", "failed"


def control_socket() -> Path:
    """Return the socket file by which a running cluster gets commands."""
    return valkey_socket().with_name("cluster.sock")


class Cluster:
    """All processes but PostgreSQL; also the fleet of its deployments."""

    def __init__(self, given: argparse.Namespace, database: str) -> None:
        self._given = given
        self._variables = runner.environment([HOST, "localhost"]) | {
            "DATABASE_URL": database,
            "DJANGO_SETTINGS_MODULE": os.environ.get(
                "DJANGO_SETTINGS_MODULE", "rpsite.settings.site"
            ),
            "DRAIN_SECONDS": str(given.drain),
            "PUBLIC_URL": f"http://{address(HOST, given.port)}",
            "TRUST_PROXY": "1",
        }
        self._upstreams = VAR / "nginx/upstreams.conf"
        self._webs: dict[int, Child] = {}
        self._others: list[Child] = []
        self._proxy: Child | None = None
        self._valkey: Child | None = None
        self._rolling: asyncio.Task[None] | None = None
        self._end = asyncio.Event()

    async def run(self) -> int:
        """Start everything, wait for a signal, end everything; return the exit code."""
        for number in SIGNALS:
            asyncio.get_running_loop().add_signal_handler(number, self._told_to_end)
        try:
            await self._start()
            control = await asyncio.start_unix_server(self._obey, control_socket())
            async with control:
                await self._end.wait()
        except rolling.RollFailed as problem:
            say("cluster", str(problem))
            return 1
        else:
            return 0
        finally:
            await self._stop()
            say("cluster", "stopped")

    async def _start(self) -> None:
        say("cluster", "preparing the database and the files")
        await self.prepare()
        await self._start_valkey()
        first = self._given.web_port
        ports = [first + number for number in range(self._given.web)]
        await self.start(ports)
        self._upstreams.parent.mkdir(exist_ok=True)
        self._upstreams.write_text(rolling.upstreams(ports), encoding="ascii")
        await rolling.until_well(self, ports, HOST)
        where = address(HOST, self._given.port)
        command = nginx.command(
            self._upstreams.parent, nginx.site(self._upstreams.parent, where, VAR)
        )
        proxy = Program("nginx", command, {"PATH": os.environ.get("PATH", "")}, patience=5)
        self._proxy = Child(proxy, say)
        self._proxy.start()
        self._start_others()
        await self._until_passed_on()
        say("cluster", f"Rock & Racket is at http://{where}/ (Ctrl-C ends it)")

    async def _until_passed_on(self) -> None:
        """Wait until the proxy passes on an answer of one of the web processes."""
        for _ in range(round(rolling.START_LIMIT / LOOK)):
            if await is_well(HOST, self._given.port, HOST, self.starts([*self._webs])):
                return
            await asyncio.sleep(LOOK)
        raise rolling.RollFailed("nginx passes nothing on")

    async def _start_valkey(self) -> None:
        if "REDIS_URL" in os.environ:
            return
        self._valkey = Child(runner.embedded_valkey(valkey_socket()), say)
        self._valkey.start()
        if not await is_ready(self._valkey.program):
            raise rolling.RollFailed("Valkey does not answer")

    def _start_others(self) -> None:
        workers = [
            runner.worker(self._variables, f"worker{number + 1}")
            for number in range(self._given.workers)
        ]
        self._others = [Child(program, say) for program in (*workers, runner.beat(self._variables))]
        for child in self._others:
            child.start()

    async def _stop(self) -> None:
        if self._rolling is not None:
            self._rolling.cancel()
        if self._proxy is not None:
            # First: without sockets the web processes have nothing to drain.
            await self._proxy.stop()
        await asyncio.gather(*(web.stop() for web in self._webs.values()))
        if self._rolling is not None:
            await asyncio.wait([self._rolling])
        await asyncio.gather(*(child.stop() for child in self._others))
        if self._valkey is not None:
            await self._valkey.stop()

    def _told_to_end(self) -> None:
        if self._end.is_set():
            say("cluster", "told twice: ending everything at once")
            for child in (*self._webs.values(), *self._others):
                child.kill()
        self._end.set()

    # The fleet ---------------------------------------------------------------------------

    async def prepare(self) -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "manage.py", "prepare", cwd=ROOT, env=self._variables
        )
        if await process.wait() != 0:
            raise rolling.RollFailed("the database or the files could not be prepared")

    async def start(self, ports: Sequence[int]) -> None:
        for port in ports:
            patience = self._given.drain + END
            self._webs[port] = Child(runner.web_at(self._variables, port, patience), say)
            self._webs[port].start()

    def starts(self, ports: Sequence[int]) -> list[str | None]:
        return [self._webs[port].start_token for port in ports]

    async def stop(self, ports: Sequence[int]) -> None:
        await asyncio.gather(*(self._webs.pop(port).stop() for port in ports))

    async def reload_proxy(self) -> None:
        if self._proxy is not None:
            self._proxy.signal(signal.SIGHUP)

    async def restart_others(self) -> None:
        await asyncio.gather(*(child.stop() for child in self._others))
        self._start_others()

    # Commands ----------------------------------------------------------------------------

    async def _obey(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry out a command; say each step, and how it ended."""
        word, _, seconds = (await reader.readline()).decode().strip().partition(" ")

        def tell(text: str) -> None:
            say("cluster", text)
            writer.write(f"{text}\n".encode())

        is_back = word == "back"
        if self._rolling is not None and not self._rolling.done():
            if is_back:
                self._rolling.cancel()
                await asyncio.wait([self._rolling])
                if not self._rolling.cancelled():
                    tell("too late: the old processes had begun to drain")
                end = DONE if self._rolling.cancelled() else FAILED
            else:
                tell("a deployment is under way")
                end = FAILED
        else:
            roll = rolling.Roll(self, self._upstreams, HOST, tell)
            length = length_of(float(seconds) if seconds else None, self._given)
            self._rolling = asyncio.create_task(roll.run(length, has_migration=not is_back))
            await asyncio.wait([self._rolling])
            problem = None if self._rolling.cancelled() else self._rolling.exception()
            if problem is not None:
                tell(f"failed: {problem}")
            end = FAILED if self._rolling.cancelled() or problem else DONE
        writer.write(f"{end}\n".encode())
        writer.close()


def length_of(asked: float | None, given: argparse.Namespace) -> float:
    """Return the seconds side by side: as asked, as given at the start, or the usual ones."""
    wishes = (asked, given.side_by_side, rolling.SIDE_BY_SIDE)
    return next(float(wish) for wish in wishes if wish is not None)


async def ask(word: str, seconds: float | None) -> int:
    """Send a command to the running cluster; print what it says; return the exit code."""
    try:
        reader, writer = await asyncio.open_unix_connection(control_socket())
    except OSError:
        print("No cluster runs in this checkout.  Start one: ./run cluster", file=sys.stderr)
        return 1
    writer.write(f"{word} {'' if seconds is None else seconds}\n".encode())
    line = ""
    while said := (await reader.readline()).decode().strip():
        line = said
        if line not in (DONE, FAILED):
            print(line, flush=True)
    writer.close()
    return 0 if line == DONE else 1


@contextlib.contextmanager
def database() -> Iterator[str]:
    """Yield the address of the database, by default of a temporary PostgreSQL."""
    if given := os.environ.get("DATABASE_URL"):
        yield given
        return
    say("cluster", "starting PostgreSQL; its database ends with it (DATABASE_URL keeps one)")
    with postgres.running_cluster(durable=True) as url:
        yield url


def main(arguments: Sequence[str]) -> int:
    """Run a cluster, or tell the running one what to do; return the exit code."""
    given = parse(arguments)
    if given.what != "run":
        return asyncio.run(ask(given.what, given.side_by_side))
    VAR.mkdir(mode=0o700, parents=True, exist_ok=True)
    control_socket().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        nginx.ensure()
        for port in (given.port, *range(given.web_port, given.web_port + given.web)):
            listen(HOST, port).close()
        with database() as url:
            return asyncio.run(Cluster(given, url).run())
    except (CannotListen, NoValkey, debian.Missing) as problem:
        print(problem, file=sys.stderr)
        return 1


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="./run cluster", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("what", nargs="?", choices=("run", "deploy", "back"), default="run")
    parser.add_argument("--web", type=int, default=2, metavar="N", help="web processes")
    parser.add_argument("--workers", type=int, default=1, metavar="M")
    parser.add_argument("--port", type=int, default=8000, help="of nginx")
    parser.add_argument("--web-port", type=int, default=8001, help="of the first web process")
    parser.add_argument("--drain", type=int, default=10, metavar="SECONDS")
    parser.add_argument(
        "--side-by-side", type=float, metavar="SECONDS",
        help="for which old and new web processes serve in a deployment, by default"
        f" {rolling.SIDE_BY_SIDE:g}; given at the start, it holds for all deployments",
    )  # fmt: skip
    given = parser.parse_args(arguments)
    if not (1 <= given.web < rolling.DISTANCE and given.workers >= 1):
        parser.error(f"there are 1 to {rolling.DISTANCE - 1} web processes and 1 worker or more")
    return given


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
