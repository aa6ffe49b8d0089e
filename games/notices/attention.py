"""A user's affairs: the balance, what waits for the user, and what is next."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from django.db.models import CharField, Exists, F, OuterRef
from django.http import HttpRequest
from msgspec import UNSET

from accounts.models import User
from economy.parts import given
from economy.selectors import balances_of
from economy.sql import USERS, Compiled, GivenMany
from games import registry
from games.engine.facts import SeatNo, as_datetime
from games.engine.table import OPEN, RUNNING
from games.matches.journal.snapshots import Snapshot
from games.matches.models import Match, Seat
from games.matches.models.matches import of_match
from games.matches.queries import selectors
from games.matches.queries.addresses import match_url
from games.matches.queries.own import OwnMatch, own_of

#: A request to a user, as title, url and what (a few words).
Need = dict[str, str]
#: The place of what has no deadline: after all that has one.
NEVER: Final = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Affairs:
    """One user's points, needs by match, ``others`` besides tables, and all live tables of the
    user.
    """

    balance: int
    needs: Mapping[int, Need]
    match_ids: frozenset[int]
    others: tuple[Need, ...] = ()

    @property
    def needs_you(self) -> list[Need]:
        """Tables first, the newest first."""
        return [*(self.needs[pk] for pk in sorted(self.needs, reverse=True)), *self.others]

    def after(self, snapshot: Snapshot, user_id: int) -> Affairs | None:
        """Return these affairs after a step of a running match; None: they must be read again."""
        match_id, seat = snapshot.match.pk, snapshot.seat_of(user_id)
        if match_id not in self.match_ids or seat is None or snapshot.state.stage != RUNNING:
            return None
        what, known = need_of(snapshot, seat), self.needs.get(match_id)
        if what == (known and known["what"]):
            return self
        needs = {pk: need for pk, need in self.needs.items() if pk != match_id}
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
    """Return the template context of what needs the user, except this page; tables first, newest
    first.
    """
    user, path = getattr(request, "user", None), request.path
    # A page of a refusal may be made before the log-in is known.
    if not isinstance(user, User):
        return {"needs_you": []}
    matches = own_of(request).matches
    tables = [
        {"title": one.row.title, "url": match_url(one.row), "what": what}
        for one, what in zip(matches, _whats_of(matches), strict=True)
        if what is not None
    ]
    others = _others([user.pk], user.pk).get(user.pk, ())
    return {"needs_you": [need for need in (*tables, *others) if need["url"] != path]}


#: The requests of matches to seats; only entries and names change them.
_whats: Final[dict[tuple[Any, ...], str | None]] = {}
_MOST_WHATS: Final = 10_000


def _whats_of(matches: Iterable[OwnMatch]) -> list[str | None]:
    """Return what each match asks of its user; no query if all are known."""
    keys = {(m.row.pk, m.row.public_id, m.row.action_count, m.seat, m.opener): m for m in matches}
    missing = [key for key in keys if key not in _whats]
    found = selectors.snapshots(key[0] for key in missing) if missing else {}
    made = {key: _what(found[key[0]], key[3]) for key in missing if key[0] in found}
    answers = [_whats.get(key, made.get(key)) for key in keys]
    if len(_whats) > _MOST_WHATS:
        _whats.clear()
    _whats.update(made)
    return answers


def _others(user_ids: list[int], viewer_id: int | None = None) -> dict[int, list[Need]]:
    others: dict[int, list[Need]] = defaultdict(list)
    for ask in given("needs"):
        for user_id, need in ask(user_ids, viewer_id):
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


_GAMES: Final = GivenMany("games", CharField())
# Conditions on a match stand in EXISTS, so that SQLite begins with the users.
_SEATS: Final = Compiled(
    lambda: Seat.objects.filter(
        of_match(status__in=Match.LIVE, game__in=_GAMES), user__in=USERS
    ).values_list("user", "match", "no")
)
#: The unanswered challenges whose challenger is seated.
_CHALLENGES: Final = Compiled(
    lambda: (
        Match.objects.filter(
            Exists(Match.objects.filter(pk=OuterRef("pk"), status=Match.Status.OPEN)),
            invited__in=USERS,
            seats__user=F("opened_by"),
            game__in=_GAMES,
        )
        .exclude(seats__user=F("invited"))
        .values_list("invited", "pk")
    )
)


def _needs(
    user_ids: list[int],
) -> tuple[dict[int, dict[int, Need]], dict[int, list[int]]]:
    """Return user -> match -> need, and user -> matches."""
    here = registry.slugs()
    rows: list[tuple[int, int, int | None]] = [
        *_SEATS.rows(users=user_ids, games=here),
        *((*row, None) for row in _CHALLENGES.rows(users=user_ids, games=here)),
    ]
    wanted = {row[1] for row in rows}
    snapshots = selectors.snapshots(wanted) if wanted else {}
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
    """Return the request of a table to a seat, or to a challenged user, who has none."""
    if seat is not None:
        return need_of(snapshot, seat)
    if snapshot.challenge is None or snapshot.state.stage != OPEN:
        return None
    words = registry.table(snapshot.match.game).lists.invitation
    return f"{snapshot.challenge[0]} {words}"


class Turn(NamedTuple):
    """A game or something else that waits for a user: by ``due_at``, None without a deadline."""

    title: str
    url: str
    what: str
    due_at: datetime | None


def turns_of(user_id: int) -> list[Turn]:
    """Return all that waits for a user: games by their deadlines, then all else."""
    affairs = affairs_of([user_id])[user_id]
    found = selectors.snapshots(affairs.needs) if affairs.needs else {}
    order = sorted(found, key=lambda pk: _place(found[pk]))
    turns = [Turn(**affairs.needs[pk], due_at=due_at_of(found[pk])) for pk in order]
    return [*turns, *(Turn(**need, due_at=None) for need in affairs.others)]


def next_turn(user_id: int, after: Match | None) -> str | None:
    """Return the path of the game that waits next after another one (None: first), all round."""
    needs = affairs_of([user_id])[user_id].needs
    found = selectors.snapshots({*needs, *([after.pk] if after else [])}) if needs else {}
    here = found.pop(after.pk, None) if after else None
    places = sorted((_place(found[pk]), pk) for pk in needs if pk in found)
    later = [pk for place, pk in places if here is None or place > _place(here)]
    wanted = next(iter(later or [pk for _, pk in places]), None)
    return None if wanted is None else needs[wanted]["url"]


def due_at_of(snapshot: Snapshot) -> datetime | None:
    """Return the deadline that people see: of the phase or turn, or an appointed start."""
    state = snapshot.state
    if state.stage == OPEN:
        return None if state.begins_at is UNSET else as_datetime(state.begins_at)
    due_at = snapshot.table.shown_deadline(state)
    return None if due_at is None else as_datetime(due_at)


def _place(snapshot: Snapshot) -> tuple[datetime, int]:
    return due_at_of(snapshot) or NEVER, snapshot.match.pk
