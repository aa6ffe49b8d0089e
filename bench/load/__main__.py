"""``./run load``: people of all games against a running site on this machine.

./run load URL [URL ...]       against a running site; several: its web processes
./run load --database sqlite --web 2 --profile arena      against a site started for it
"""

import argparse
import ipaddress
import json
import os
import socket
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from bench import machine
from bench.load.client import Place
from bench.load.drive import OTHER_FILES, NotPossible, Run, drive, raise_limit
from bench.load.own import Own, started
from bench.load.plan import PROFILES, TOWNS, Plan, changed
from bench.load.report import figures, tables
from bench.template import POSTGRESQL, SQLITE
from rpsite.env import ROOT

#: Numbers of a plan that the command line can change.
NUMBERS: Final = {
    "matches": "tables at once",
    "people": "accounts that sit down in turn",
    "arena": "players of the arena",
    "spectators": "guests who watch the tables",
    "lurkers": "idle sockets",
    "guests": "guests who read pages and practise",
    "train": "people in one Train",
    "generators": "processes that play",
    "enough": "end as soon as each game has had this number of answers",
}


#: Web processes of a site that is started for a run.
MOST_WEB: Final = 16
MOST_TOWNS: Final = 1_000_000


def place_of(url: str, *, is_mine: bool) -> Place:
    """Return where a site is.

    Raises:
        NotPossible: the address is wrong, or on another machine without ``is_mine``.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or 80
    except ValueError:
        parts, host, port = urlsplit(""), "", 0
    if parts.scheme != "http" or not host or parts.path.strip("/") or parts.query:
        raise NotPossible(f"{url} is not a site's address, like http://127.0.0.1:8000.")
    try:
        found = socket.getaddrinfo(host, port, socket.AF_INET, socket.SOCK_STREAM)
    except OSError:
        raise NotPossible(f"There is no machine {host}.") from None
    address = str(found[0][4][0])
    if not is_mine and not ipaddress.ip_address(address).is_loopback:
        raise NotPossible(
            f"{host} is another machine: the load makes accounts, matches and much traffic."
            " If it is your site, say --yes-this-is-mine."
        )
    return Place(address, port, parts.netloc.rpartition("@")[2])


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="./run load", description=__doc__.split("\n")[0])
    parser.add_argument("url", nargs="*", help="of the site, or of each of its web processes")
    parser.add_argument(
        "--profile", choices=sorted(PROFILES), nargs="+", default=["mixed"], help="in turn"
    )
    parser.add_argument("--games", nargs="+", help="of the tables, in turn")
    for name, meaning in NUMBERS.items():
        parser.add_argument(f"--{name}", type=int, help=meaning)
    parser.add_argument("--think", type=float, help="mean seconds before an action")
    parser.add_argument("--seconds", type=float, help="for which is measured")
    parser.add_argument("--yes-this-is-mine", action="store_true", help="the site is elsewhere")
    parser.add_argument("--json", type=Path, help="the file for all figures")
    own = parser.add_argument_group("without URL: a site that is started for the run")
    own.add_argument("--database", choices=(SQLITE, POSTGRESQL), default=SQLITE)
    own.add_argument("--web", type=int, default=1, help="web processes")
    own.add_argument("--server", choices=("daphne", "uvicorn"), default="daphne")
    own.add_argument("--towns", type=int, help="games of Agoran Mafia under way beside the load")
    own.add_argument("--where", type=Path, default=ROOT / "var", help="directory of the database")
    return parser.parse_args(arguments)


def plans_of(given: argparse.Namespace) -> dict[str, Plan]:
    """Return the plan of each profile, with the numbers of the command line.

    Raises:
        NotPossible: the numbers make no load.
    """
    names = [*NUMBERS, "games", "think", "seconds"]
    numbers: dict[str, Any] = {name: getattr(given, name) for name in names}
    try:
        plans = {name: changed(Plan(**PROFILES[name]), numbers) for name in given.profile}
    except ValueError as problem:
        raise NotPossible(str(problem)) from None
    for plan in plans.values():
        raise_limit(plan.sockets // plan.generators + OTHER_FILES)
    return plans


def own_of(given: argparse.Namespace) -> Own:
    """Return the site to start.

    Raises:
        NotPossible: its numbers are wrong.
    """
    if not 1 <= given.web <= MOST_WEB:
        raise NotPossible(f"--web must be 1 to {MOST_WEB}.")
    usual = max(TOWNS.get(name, 0) for name in given.profile)
    towns = usual if given.towns is None else given.towns
    if not 0 <= towns <= MOST_TOWNS:
        raise NotPossible(f"--towns must be 0 to {MOST_TOWNS:,}.")
    return Own(given.database, given.web, given.server, towns)


def runs(given: argparse.Namespace, log: Path) -> Iterator[tuple[str, Run, list[str]]]:
    """Run each profile in turn; yield its name, what was found, and notes.

    Raises:
        NotPossible: the input is wrong, or there is no such site.
    """
    plans = plans_of(given)
    if given.url:
        environment = {"DJANGO_SETTINGS_MODULE": "rpsite.settings.site"} | os.environ
        places = [place_of(url, is_mine=given.yes_this_is_mine) for url in given.url]
        for name, plan in plans.items():
            yield name, drive(plan, places, environment, log), []
        return
    with started(own_of(given), given.where) as site:
        notes = [f"{name}: {value}" for name, value in site.found.items()]
        for name, plan in plans.items():
            run = drive(plan, site.places, site.stand.environment, log)
            said = [f"the server said: {line}" for line in site.stand.problems()[:5]]
            yield name, run, [*notes, *said]


def main(arguments: Sequence[str]) -> int:
    """Run the load and print the tables; return 1 if an action was lost, 2 for bad input."""
    given = parse(arguments)
    facts, kept, is_clean = machine.describe(), dict[str, Any](), True
    with tempfile.TemporaryDirectory() as directory:
        log = Path(directory) / "load.log"
        try:
            for name, run, notes in runs(given, log):
                print(f"# {name}", tables(run), *notes, "", sep="\n", flush=True)
                kept[name], is_clean = dict(figures(run)), is_clean and run.is_clean
        except NotPossible as problem:
            print(problem, file=sys.stderr)
            return 2
        except RuntimeError:
            print(log.read_text()[-4000:], file=sys.stderr)
            raise
    print(", ".join(f"{name} {value}" for name, value in facts.items()))
    if given.json is not None:
        given.json.write_text(json.dumps({"machine": facts, **kept}, indent=1))
    if not is_clean:
        print("Actions were lost or not answered.", file=sys.stderr)
    return 0 if is_clean else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
