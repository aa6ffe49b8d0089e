"""What a user's own tables and contests ask of them, in a few words, and the balance.

Source: docs/protocol.md "One's own affairs".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import F

from economy.selectors import balances_of
from games import registry
from games.engine.facts import SeatNo
from games.engine.table import OPEN, RUNNING
from games.matches.journal.loading import awake
from games.matches.models import Match, Seat
from games.matches.queries import selectors
from games.matches.queries.addresses import match_url
from games.matches.queries.snapshots import Snapshot

#: What waits for a user: title, url, what for.
Need = dict[str, str]
#: Returns (user, need) of what waits for users besides tables.
Asked = Callable[[Collection[int]], Iterable[tuple[int, Need]]]
_asked: list[Asked] = []


def ask_also(ask: Asked) -> None:
    """Let the bell tell also of what this finds; it reads only, with one query or two."""
    _asked.append(ask)


@dataclass(frozen=True, slots=True)
class Affairs:
    """One user's points, what waits for them, and all live tables they have to do with.

    ``needs`` are by table, ``others`` what waits elsewhere.
    """

    balance: int
    needs: Mapping[int, Need]
    match_ids: frozenset[int]
    others: tuple[Need, ...] = ()

    @property
    def needs_you(self) -> list[Need]:
        """What waits: title, url and what for; tables first, the newest first."""
        return [*(self.needs[pk] for pk in sorted(self.needs, reverse=True)), *self.others]

    def after(self, snapshot: Snapshot, user_id: int) -> Affairs | None:
        """Return these affairs once a running match has moved on; None: they must be read anew."""
        match_id, seat = snapshot.match.pk, snapshot.seat_of(user_id)
        if match_id not in self.match_ids or seat is None or snapshot.state.stage != RUNNING:
            return None
        needs = {pk: need for pk, need in self.needs.items() if pk != match_id}
        what = need_of(snapshot, seat)
        if what is not None:
            needs[match_id] = _need(snapshot, what)
        return Affairs(self.balance, needs, self.match_ids, self.others)


def affairs_of(user_ids: Iterable[int]) -> dict[int, Affairs]:
    """Return the affairs of several users: four queries, more when any sits or is asked."""
    users = list(user_ids)
    needs, tables = _needs(users)
    others = _others(users)
    return {
        user_id: Affairs(
            balance,
            needs.get(user_id, {}),
            frozenset(tables.get(user_id, ())),
            tuple(others.get(user_id, ())),
        )
        for user_id, balance in balances_of(users).items()
    }


def needs_of(user_id: int) -> list[Need]:
    """Return what waits for a user: title, url and what for; tables first, the newest first."""
    found = _needs([user_id])[0].get(user_id, {})
    tables = [found[pk] for pk in sorted(found, reverse=True)]
    return [*tables, *_others([user_id]).get(user_id, ())]


def _others(user_ids: list[int]) -> dict[int, list[Need]]:
    others: dict[int, list[Need]] = defaultdict(list)
    for ask in _asked:
        for user_id, need in ask(user_ids):
            others[user_id].append(need)
    return others


def need_of(snapshot: Snapshot, seat: int) -> str | None:
    """Return what a table wants of a seat now, None when it can wait."""
    state = snapshot.state
    if state.stage == OPEN:
        return None if state.seats[seat].ready else "Get ready"
    if state.stage != RUNNING or state.play is None:
        return None
    if SeatNo(seat) not in snapshot.table.rules.pending_seats(state.play):
        return None
    need = registry.table(snapshot.match.game).lists.need
    return need(state.play, seat)


def _invitations(user_ids: list[int]) -> list[tuple[int, int]]:
    """Return (user, match) of the challenges that wait for an answer; their challenger is there."""
    waiting = Match.objects.filter(
        awake(), invited__in=user_ids, status=Match.Status.OPEN, seats__user=F("opened_by")
    )
    return list(waiting.exclude(seats__user=F("invited")).values_list("invited", "pk"))


def _needs(user_ids: list[int]) -> tuple[dict[int, dict[int, Need]], dict[int, list[int]]]:
    here = registry.slugs()
    seats = Seat.objects.filter(
        user__in=user_ids, match__status__in=Match.LIVE, match__game__in=here
    )
    rows: list[tuple[int, int, int | None]] = [
        *seats.values_list("user_id", "match_id", "no"),
        *((user_id, match_id, None) for user_id, match_id in _invitations(user_ids)),
    ]
    snapshots = selectors.snapshots({match_id for _, match_id, _ in rows}) if rows else {}
    needs: dict[int, dict[int, Need]] = defaultdict(dict)
    tables: dict[int, list[int]] = defaultdict(list)
    for user_id, match_id, no in rows:
        tables[user_id].append(match_id)
        snapshot = snapshots.get(match_id)
        what = None if snapshot is None else _what(snapshot, no)
        if snapshot is not None and what is not None:
            needs[user_id][match_id] = _need(snapshot, what)
    return needs, tables


def _need(snapshot: Snapshot, what: str) -> Need:
    match = snapshot.match
    return {"title": match.title, "url": match_url(match), "what": what}


def _what(snapshot: Snapshot, seat: int | None) -> str | None:
    """Return what a table wants of a seat, or of whoever is challenged there and has none."""
    if seat is not None:
        return need_of(snapshot, seat)
    if snapshot.challenge is None or snapshot.state.stage != OPEN:
        return None
    words = registry.table(snapshot.match.game).lists.invitation
    return f"{snapshot.challenge[0]} {words}"
