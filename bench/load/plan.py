"""Plans of the load: numbers of the command line, named profiles, shares of processes."""

import ipaddress
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from bench.load.asking import SEATS
from bench.load.client import Person, Place
from bench.load.crowd import Share

#: The first address of this machine from which somebody connects; each has one of their own.
FIRST_ADDRESS: Final = ipaddress.IPv4Address("127.64.0.1")
#: Of this many idle sockets one is a guest's at the lobby, the others tell users' own affairs.
LOBBY_SHARE: Final = 4


@dataclass(frozen=True, slots=True)
class Plan:
    """Numbers of the load; ``games`` are those of the tables, in turn.

    ``people`` sit down in turn, at least as many as have seats.  ``lurkers`` are idle sockets,
    ``spectators`` guests at the tables; ``guests`` read pages and practise, and as many people with
    an account read pages too.  ``think`` is in seconds, ``talk`` a share of actions.
    With ``enough`` the load ends as soon as each game has had that number of answers; with
    ``train``, people in one Train, when that is over.
    """

    games: Sequence[str] = tuple(SEATS)
    matches: int = 8
    people: int = 0
    arena: int = 8
    spectators: int = 8
    lurkers: int = 8
    guests: int = 4
    think: float = 1.0
    talk: float = 0.03
    train: int = 0
    seconds: float = 60.0
    generators: int = 1
    enough: int = 0

    @property
    def tables(self) -> list[str]:
        """The game of each table."""
        return [self.games[number % len(self.games)] for number in range(self.matches)]

    @property
    def players(self) -> int:
        """The number of people for the tables."""
        return max(self.people, sum(SEATS[game] for game in self.tables))

    @property
    def accounts(self) -> int:
        """The number of accounts."""
        lurkers = sum(1 for number in range(self.lurkers) if not is_at_lobby(number))
        return self.players + self.arena + lurkers + self.train

    @property
    def sockets(self) -> int:
        """The number of sockets at once."""
        seats = sum(SEATS[game] for game in self.tables)
        return seats + self.arena + self.spectators + self.lurkers + self.guests + 2 * self.train


NOBODY: Final = {"arena": 0, "spectators": 0, "lurkers": 0, "guests": 0}
PROFILES: Final[Mapping[str, Mapping[str, Any]]] = {
    "mixed": {},
    "matches": NOBODY | {"matches": 200, "guests": 10},
    "idle": NOBODY | {"matches": 20, "lurkers": 5000},
    "spectators": NOBODY | {"matches": 10, "games": ("duel", "showdown"), "spectators": 1000},
    "open-mafia": NOBODY | {"matches": 40, "guests": 10},
    "arena": NOBODY | {"matches": 20, "arena": 2000},
    "train": NOBODY
    | {"matches": 20, "games": ("duel", "showdown"), "train": 1000, "seconds": 900.0},
}
#: Games of Agoran Mafia under way beside the load, on a site that is started for the profile.
TOWNS: Final = {"open-mafia": 100_000}


def is_at_lobby(number: int) -> bool:
    """Whether the idle socket with this number is a guest's at the lobby."""
    return number % LOBBY_SHARE == LOBBY_SHARE - 1


def shares(
    plan: Plan, places: Sequence[Place], accounts: Sequence[Mapping[str, Any]], run: str
) -> Iterator[Share]:
    """Yield what each process plays; the first accounts are those of the tables."""
    is_local = all(ipaddress.ip_address(place.host).is_loopback for place in places)
    numbers = iter(range(2**22))

    def somebody(account: Mapping[str, Any] | None = None) -> Person:
        source = str(FIRST_ADDRESS + next(numbers)) if is_local else None
        return Person(source=source, **(account or {}))

    left = iter(accounts)
    people = [somebody(next(left)) for _ in range(plan.players)]
    fighters = [somebody(next(left)) for _ in range(plan.arena)]
    lurkers = [
        somebody(None if is_at_lobby(number) else next(left)) for number in range(plan.lurkers)
    ]
    spectators = [somebody() for _ in range(plan.spectators)]
    guests = [somebody() for _ in range(plan.guests)]
    riders = [somebody(next(left)) for _ in range(plan.train)]
    seated = 0
    for no in range(plan.generators):
        games = plan.tables[no :: plan.generators]
        # Everybody else waits for a seat in the last process that has tables.
        until = seated + sum(SEATS[game] for game in games)
        until = len(people) if no == plan.generators - 1 else until
        yield Share(
            places=list(places),
            run=f"{run}{no}",
            think=plan.think,
            talk=plan.talk,
            games=games,
            people=people[seated:until],
            fighters=fighters[no :: plan.generators],
            spectators=spectators[no :: plan.generators],
            lurkers=lurkers[no :: plan.generators],
            guests=guests[no :: plan.generators],
            riders=riders[no :: plan.generators],
            enough=plan.enough,
        )
        seated = until


def changed(plan: Plan, given: Mapping[str, Any]) -> Plan:
    """Return the plan with the numbers that were given.

    Raises:
        ValueError: they make no load; with a sentence.
    """
    plan = replace(plan, **{name: value for name, value in given.items() if value is not None})
    if unknown := sorted(set(plan.games) - set(SEATS)):
        raise ValueError(f"There is no table game {unknown[0]}: {', '.join(SEATS)}.")
    for name in (
        "matches",
        "people",
        "arena",
        "spectators",
        "lurkers",
        "guests",
        "train",
        "enough",
    ):
        if getattr(plan, name) < 0:
            raise ValueError(f"--{name} must not be negative.")
    if not 0.1 <= plan.think <= 60:
        raise ValueError("--think must be 0.1 to 60 seconds: the site refuses faster people.")
    if not 0 < plan.seconds <= 3600:
        raise ValueError("--seconds must be at most 3600, and more than 0.")
    if not 1 <= plan.generators <= max(1, plan.matches):
        raise ValueError("--generators must be at least 1, and not more than --matches.")
    if plan.spectators and not plan.matches:
        raise ValueError("Spectators need a match to watch: --matches 1.")
    if not plan.sockets:
        raise ValueError("Nobody would come: all numbers are 0.")
    return plan
