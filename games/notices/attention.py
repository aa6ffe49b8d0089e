"""A user's affairs: the balance, and the tables and contests that wait for the user.
Source: docs/reference/protocol.md "User affairs".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import F
from django.http import HttpRequest

from accounts.models import User
from economy.selectors import balances_of
from games import registry
from games.engine.facts import SeatNo
from games.engine.table import OPEN, RUNNING
from games.matches.journal.snapshots import Snapshot
from games.matches.models import Match, Seat
from games.matches.queries import selectors
from games.matches.queries.addresses import address_of, match_url

#: A request to a user, as title, url and what (a few words).
Need = dict[str, str]
#: Returns (user, need) for needs of these users besides tables.
Asked = Callable[[Collection[int]], Iterable[tuple[int, Need]]]
_asked: list[Asked] = []


def ask_also(ask: Asked) -> None:
    """Register another source of needs; it may only read, with one query or two."""
    _asked.append(ask)


@dataclass(frozen=True, slots=True)
class Affairs:
    """One user's points and needs, and all live tables that concern the user. ``needs`` are keyed
    by match, ``others`` are the needs besides tables.
    """

    balance: int
    needs: Mapping[int, Need]
    match_ids: frozenset[int]
    others: tuple[Need, ...] = ()

    @property
    def needs_you(self) -> list[Need]:
        """The needs: title, url and what; tables first, the newest first."""
        return [*(self.needs[pk] for pk in sorted(self.needs, reverse=True)), *self.others]

    def after(self, snapshot: Snapshot, user_id: int) -> Affairs | None:
        """Return these affairs after a step of a running match; None: they must be read again."""
        match_id, seat = snapshot.match.pk, snapshot.seat_of(user_id)
        if match_id not in self.match_ids or seat is None or snapshot.state.stage != RUNNING:
            return None
        needs = {pk: need for pk, need in self.needs.items() if pk != match_id}
        what = need_of(snapshot, seat)
        if what is not None:
            needs[match_id] = _need(snapshot, what)
        return Affairs(self.balance, needs, self.match_ids, self.others)


def affairs_of(user_ids: Iterable[int]) -> dict[int, Affairs]:
    """Return the affairs of several users: four queries, more where any has tables or needs."""
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


def needs(request: HttpRequest) -> dict[str, list[Need]]:
    """Return the template context of what needs the user: tables first, the newest first. The page
    itself is left out; pages of refusals may be made before the log-in is known.
    """
    user, path = getattr(request, "user", None), request.path
    if not isinstance(user, User):
        return {"needs_you": []}
    found = _needs([user.pk], path)[0].get(user.pk, {})
    others = _others([user.pk]).get(user.pk, ())
    tables = [found[pk] for pk in sorted(found, reverse=True)]
    return {"needs_you": [*tables, *(need for need in others if need["url"] != path)]}


def _others(user_ids: list[int]) -> dict[int, list[Need]]:
    others: dict[int, list[Need]] = defaultdict(list)
    for ask in _asked:
        for user_id, need in ask(user_ids):
            others[user_id].append(need)
    return others


def need_of(snapshot: Snapshot, seat: int) -> str | None:
    """Return the request of a table to a seat in a few words, None when it can wait."""
    state = snapshot.state
    if state.stage == OPEN:
        return None if state.seats[seat].ready else "Get ready"
    if state.stage != RUNNING or state.play is None:
        return None
    if SeatNo(seat) not in snapshot.table.rules.pending_seats(state.play):
        return None
    need = registry.table(snapshot.match.game).lists.need
    return need(state.play, seat)


def _needs(
    user_ids: list[int], path: str = ""
) -> tuple[dict[int, dict[int, Need]], dict[int, list[int]]]:
    """Return user -> match -> need, except that of the page at ``path``, and user -> matches."""
    seats = Seat.objects.filter(user__in=user_ids, match__status__in=Match.LIVE)
    # The unanswered challenges whose challenger is seated.
    challenges = Match.objects.filter(
        invited__in=user_ids, status=Match.Status.OPEN, seats__user=F("opened_by")
    ).exclude(seats__user=F("invited"))
    here = registry.slugs()
    rows: list[tuple[int, int, str, str, int | None]] = [
        *seats.filter(match__game__in=here).values_list(
            "user", "match", "match__game", "match__public_id", "no"
        ),
        *(
            (*row, None)
            for row in challenges.filter(game__in=here).values_list(
                "invited", "pk", "game", "public_id"
            )
        ),
    ]
    wanted = {row[1] for row in rows if not path or address_of(row[2], row[3]) != path}
    snapshots = selectors.snapshots(wanted) if wanted else {}
    needs: dict[int, dict[int, Need]] = defaultdict(dict)
    tables: dict[int, list[int]] = defaultdict(list)
    for user_id, match_id, _, _, no in rows:
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
    """Return the request of a table to a seat, or to a challenged user, who has none."""
    if seat is not None:
        return need_of(snapshot, seat)
    if snapshot.challenge is None or snapshot.state.stage != OPEN:
        return None
    words = registry.table(snapshot.match.game).lists.invitation
    return f"{snapshot.challenge[0]} {words}"
