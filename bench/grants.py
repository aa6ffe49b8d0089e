"""Simulate a month of accounts that pass on what the site gave them, and of honest beginners.

``python -m bench.grants``.  The limits are those of the site's own functions; beginners play the
pure rules of Showdown.  The same seed gives the same month.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final, NamedTuple, cast

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rpsite.settings.base")
django.setup()

from accounts.models import User  # noqa: E402
from bench.evenings import RULES, names_of, play  # noqa: E402
from economy.selectors import grant_after  # noqa: E402
from economy.tunables import TUNABLES  # noqa: E402
from games.engine.facts import Points, SeatNo  # noqa: E402
from games.engine.table.state import offered_purse  # noqa: E402
from games.matches.queries.losses import Losses, losses_of  # noqa: E402
from games.moderation.outflow import Known, Outflow, outflow  # noqa: E402
from games.showdown.rules.state import Options  # noqa: E402

BEGIN: Final = datetime(2026, 12, 1, tzinfo=UTC)
DAYS: Final = 30
#: Accounts that one address may make in a day.
SIGN_UPS: Final = 72
#: Of a stake that one loses, the other gets this many percent: both stakes are taxed by 5 %.
PASSED: Final = 90
#: What a table plays for: seven of ten take the default ante.
ANTES: Final = (1, 1, 1, 1, 1, 1, 1, 5, 5, 20)
GAMES: Final = 10
LARGEST: Final = 100

Numbers = Mapping[str, int]


@dataclass
class Person:
    """An account: what ``outflow`` asks of a user, and what one owns, in points."""

    pk: int
    date_joined: datetime
    name: str = ""
    wallet: int = 0
    granted: int = 0
    helped_on: int = -1
    met: set[int] = field(default_factory=set)

    def give(self, numbers: Numbers, day: int) -> None:
        """Give the part of the grant that is due, and the day's stipend to who is broke."""
        due = grant_after(len(self.met), numbers) - self.granted
        self.granted, self.wallet = self.granted + due, self.wallet + due
        if self.wallet < numbers["stipend.floor"] and self.helped_on < day:
            self.wallet += numbers["stipend.amount"]
            self.helped_on = day


# The attacker ----------------------------------------------------------------------------------


def attack(accounts: int, numbers: Numbers, *, limited: bool, bots: int) -> list[int]:
    """Return what one account has got from the others by the end of each day.

    Programs play, so a stipend and the whole grant are no hindrance, and all is lost at once.

    Args:
        limited: by what one may ever lose to another; before, only by ``fair.pair_daily``.
        bots: points that each account wins from bots in a day.
    """
    people = [Person(no, BEGIN) for no in range(1, accounts)]
    if not limited:
        numbers = {**numbers, "grant.at_once": 100}
    ever, got, gains = Losses(), 0, []
    for day in range(DAYS):
        at = BEGIN + timedelta(days=day)
        for person in people:
            person.met = set(range(min(accounts - 1, numbers["grant.games"])))
            person.give(numbers, day)
            person.wallet += bots
            room = (
                _flow(person, 0, ever, numbers, at).room if limited else numbers["fair.pair_daily"]
            )
            lost = min(person.wallet, room)
            person.wallet -= lost
            ever[person.pk, 0] += lost
            ever[0, person.pk] -= lost
            got += lost
        gains.append(got * PASSED // 100)
    return gains


def churn(numbers: Numbers, *, limited: bool) -> int:
    """Return what one account gets in a day from all accounts that an address makes in it."""
    if not limited:
        numbers = {**numbers, "grant.at_once": 100}
    person = Person(1, BEGIN)
    person.give(numbers, 0)
    room = (
        _flow(person, 0, Losses(), numbers, BEGIN).room if limited else numbers["fair.pair_daily"]
    )
    return SIGN_UPS * min(person.wallet, room) * PASSED // 100


def _flow(loser: Person, winner: int, ever: Losses, numbers: Numbers, at: datetime) -> Outflow:
    known = Known(ever, {}, Losses())
    return outflow(cast("User", loser), winner, known, numbers, at)


def attacks(numbers: Numbers) -> Iterator[str]:
    """Write the attacker's figures as Markdown."""
    yield "| accounts | bots | rules | first hour | points an hour | a day and account |"
    yield "|---|---|---|---|---|---|"
    for accounts in (3, 10, 100):
        for bots in (0, TUNABLES["bots.daily_win_limit"].default):
            for limited in (False, True):
                gains = attack(accounts, numbers, limited=limited, bots=bots)
                yield (
                    f"| {accounts} | {bots} | {'after' if limited else 'before'} | {gains[0]:,}"
                    f" | {gains[-1] / DAYS / 24:.1f} | {gains[-1] / DAYS / accounts:.1f} |"
                )
    yield ""
    before, after = (churn(numbers, limited=limited) for limited in (False, True))
    yield f"{SIGN_UPS} new accounts a day, each used once: {before:,} points a day, now {after:,}."


# Beginners -------------------------------------------------------------------------------------


@dataclass
class Month:
    """Events of beginners, by account or (loser, winner).

    ``cut``: who brought less than the purse on offer; ``refused``: who could not play for points;
    ``flagged`` and ``collectors``: whom an administrator would look at, now; ``before``: before.
    """

    seats: int = 0
    cut: set[int] = field(default_factory=set)
    refused: set[int] = field(default_factory=set)
    flagged: set[tuple[int, int]] = field(default_factory=set)
    collectors: set[int] = field(default_factory=set)
    before: set[int] = field(default_factory=set)


class Seated(NamedTuple):
    """A player and the purse."""

    person: Person
    purse: int


class Town:
    """Beginners who meet at Showdown's tables, evening by evening."""

    def __init__(self, people: int, numbers: Numbers, seed: str) -> None:
        self.chance, self.numbers = Random(seed), numbers
        names = names_of("easy") + names_of("normal")
        self.people = [Person(pk, BEGIN, self.chance.choice(names)) for pk in range(1, people + 1)]
        #: Each one's losses and gains in all, as ``losses_ever`` returns them.
        self.ever = {person.pk: Losses() for person in self.people}
        self.today, self.month = Losses(), Month()

    def strangers(self) -> list[list[Person]]:
        """Seat everybody with others at tables of two to four."""
        waiting = self.chance.sample(self.people, len(self.people))
        tables = []
        while len(waiting) > 1:
            size = self.chance.choice((2, 3, 4))
            tables.append(waiting[:size])
            waiting = waiting[size:]
        return tables

    def circles(self, size: int) -> list[list[Person]]:
        """Seat everybody with the same friends as always."""
        return [self.people[first : first + size] for first in range(0, len(self.people), size)]

    def evening(self, day: int, tables: Sequence[Sequence[Person]], antes: Sequence[int]) -> None:
        """Play the games of each table at one ante; note at the end what is flagged."""
        at, self.today = BEGIN + timedelta(days=day, hours=20), Losses()
        for table in tables:
            ante = self.chance.choice(antes)
            for _ in range(GAMES):
                self._game(table, ante, at)
        self._look(day, at)

    def _game(self, table: Sequence[Person], ante: int, at: datetime) -> None:
        seated: list[Seated] = []
        for person in table:
            person.give(self.numbers, (at - BEGIN).days)
            if person.wallet >= ante:
                purse = self._purse(person, ante, seated, at)
                seated += [Seated(person, purse)] * (purse >= ante)
        if len(seated) < 2:
            return
        names = [each.person.name for each in seated]
        options = Options(seats=len(seated), ante=Points(ante), largest_purse=Points(LARGEST))
        purses, seed = [each.purse for each in seated], self.chance.getrandbits(64)
        ended = RULES.outcome(play(names, purses, seed, options, None)[0])
        nets = {each.person.pk: ended[SeatNo(no)].net for no, each in enumerate(seated)}
        for each in seated:
            each.person.wallet += nets[each.person.pk]
            each.person.met |= nets.keys() - {each.person.pk}
        for (one, other), lost in losses_of(nets.items()).items():
            for losses in (self.ever[one], self.ever[other], self.today):
                losses[one, other] += lost
                losses[other, one] -= lost

    def _purse(self, person: Person, ante: int, seated: Sequence[Seated], at: datetime) -> int:
        """Return the purse on offer, cut as ``fair_play.FairPlay.allowed_purse`` does."""
        offered = purse = offered_purse((ante, LARGEST), person.wallet)
        for other, brought in seated:
            flows = {
                (one.pk, two.pk): self._flow(one, two.pk, at)
                for one, two in ((person, other), (other, person))
            }
            room = min(flow.room for flow in flows.values())
            if min(purse, brought) > room:
                purse = room
                self.month.flagged |= {pair for pair, flow in flows.items() if flow.is_suspicious}
        self.month.seats += 1
        if purse < offered:
            (self.month.cut if purse >= ante else self.month.refused).add(person.pk)
        return purse

    def _flow(self, loser: Person, winner: int, at: datetime) -> Outflow:
        ever = Losses({**self.ever[loser.pk], **self.ever[winner]})
        return _flow(loser, winner, ever, self.numbers, at)

    def _look(self, day: int, at: datetime) -> None:
        """Note what ``flags.look_for_abuse`` would flag after this evening."""
        accounts, least = (self.numbers[f"fair.grant_{name}"] for name in ("accounts", "points"))
        people = {person.pk: person for person in self.people}
        halves: dict[int, Losses] = {}
        for loser, winner in {*self.today}:
            lost = self.ever[loser][loser, winner]
            if 2 * lost >= self.numbers["fair.pair_ever"]:
                flow = self._flow(people[loser], winner, at)
                if flow.is_suspicious:
                    halves.setdefault(winner, Losses())[loser, winner] = lost
                self.month.flagged |= {(loser, winner)} if not flow.room else set()
        won: dict[int, Losses] = {}
        for (loser, winner), lost in self.today.items():
            if lost > 0:
                won.setdefault(winner, Losses())[loser, winner] = lost
        collected = {winner for winner, of in won.items() if _is_much(of, accounts, least)}
        self.month.before |= collected if not day else set()
        self.month.collectors |= collected if day < 7 else set()
        self.month.collectors |= {
            one for one, of in halves.items() if _is_much(of, accounts, least)
        }


def _is_much(won: Losses, accounts: int, least: int) -> bool:
    return len(won) >= accounts and won.total() >= least


def beginners(people: int, evenings: int, numbers: Numbers, seed: str) -> Iterator[str]:
    """Write the beginners' figures as Markdown."""
    yield "| who plays | ante | seats | cut | refused | pairs flagged | flagged | before |"
    yield "|---|---|---|---|---|---|---|---|"
    for title, size, antes in (
        ("whom they find", 0, ANTES),
        ("whom they find", 0, (1,)),
        ("whom they find", 0, (5,)),
        ("the same three", 4, ANTES),
        ("the same one", 2, (1,)),
        ("the same one", 2, (5,)),
    ):
        town = Town(people, numbers, seed)
        for evening in range(evenings):
            day = evening * DAYS // evenings
            tables = town.circles(size) if size else town.strangers()
            town.evening(day, tables, antes)
        month = town.month
        ante = "1, 5, 20" if len(set(antes)) > 1 else str(antes[0])
        yield (
            f"| {title} | {ante} | {month.seats:,} | {len(month.cut)} | {len(month.refused)}"
            f" | {len(month.flagged)} | {len(month.collectors)} | {len(month.before)} |"
        )


def main() -> None:
    """Simulate attackers and beginners, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=1_000)
    parser.add_argument("--evenings", type=int, default=5, help="of a month, ten games each")
    parser.add_argument("--seed", default="grants")
    given = parser.parse_args()
    numbers = {name: tunable.default for name, tunable in TUNABLES.items()}
    for line in (*attacks(numbers), ""):
        print(line)
    for line in beginners(given.people, given.evenings, numbers, given.seed):
        print(line, flush=True)


if __name__ == "__main__":
    main()
