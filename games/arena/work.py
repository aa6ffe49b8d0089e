"""The pump's work for the arena: what thousands ask for at once, as one batch.

A choice is accepted while its selection runs by the database's time, inside of a transaction for
which the leader waits: what was acknowledged is in its round.

Source: docs/arena.md "Choices"; docs/durability.md G6.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Final

from django.db import connection, transaction

from accounts.models import User
from games.arena.errors import NotInArena
from games.arena.models import Choice, Player, Round
from games.arena.rounds import FIGURES, forget_day, newest_round, preferences_of
from games.arena.rules.actions import ArenaAction, Choose, Join, Leave, Prefer, Reset
from games.arena.showing import Mine, mine_of
from games.arena.statements import GivenRows, moment
from games.kernel.errors import IllegalAction, StaleAction
from games.kernel.structs import canonical, replace
from games.play.jobs import Committed
from games.play.submissions import Answer
from games.services.fair_play import require_not_frozen

#: What is written of a player; the first is the key.
_WRITTEN: Final = (
    "user", "is_bot", "is_in", "joined_at", "gone_since", "watching", "leaves", "resets", "health",
    "preferences", *FIGURES,
)  # fmt: skip

_choices: Final = GivenRows(Choice, ("user", "round_no", "move", "at"), ("user",))
_players: Final = GivenRows(Player, _WRITTEN, ("user",))


@dataclass(frozen=True, slots=True, repr=False)
class Item:
    """Something that a user asks for; ``phase`` is the round of the view it was made for."""

    user_id: int
    action: ArenaAction
    phase: int


@dataclass(slots=True, repr=False)
class Batch:
    """A batch under way: the round, the players it is about, and what they have chosen.

    ``choices`` are those for this round, the new ones included; ``users`` are those who ask for
    more than a choice.
    """

    at: datetime
    current: Round | None
    players: dict[int, Player]
    users: Mapping[int, User]
    choices: dict[int, str]
    chosen: set[int] = field(default_factory=set)
    changed: set[int] = field(default_factory=set)

    @property
    def is_selecting(self) -> bool:
        """Whether choices are taken."""
        return self.is_running and self.current is not None and self.at < self.current.ends_at

    @property
    def is_running(self) -> bool:
        """Whether a round is under way, be it that its selection has just ended."""
        return self.current is not None and self.current.state == Round.State.SELECTING

    @property
    def round_no(self) -> int:
        """The round that is under way, or was last."""
        return 0 if self.current is None else self.current.no

    def player(self, user_id: int) -> Player:
        """Return a player's row, a new one for whoever has none."""
        if user_id not in self.players:
            self.players[user_id] = Player(user_id=user_id, is_bot=self.users[user_id].is_bot)
        return self.players[user_id]


class ArenaWork:
    """The kind of work; ``show`` is told in the event loop what has become of whom."""

    def __init__(self, show: Callable[[int, Mapping[int, Mine]], None]) -> None:
        self._show = show

    def commit(self, items: Sequence[Item]) -> Committed:
        """Judge and write a batch in one transaction."""
        begun = time.monotonic()
        answers, batch = apply(items)
        held = time.monotonic() - begun
        touched = batch.chosen | batch.changed
        mine = {user: mine_of(batch.players[user], batch.choices.get(user, "")) for user in touched}
        return Committed(answers, partial(self._show, batch.round_no, mine), held)


def apply(items: Sequence[Item], at: datetime | None = None) -> tuple[list[Answer], Batch]:
    """Do what users ask for, each by itself, and write it; return an answer for each.

    Args:
        at: the database's time, unless it is given.
    """
    with transaction.atomic():
        batch = _read(items, at)
        answers = [_judged(batch, item) for item in items]
        _write(batch)
    return answers, batch


def _read(items: Sequence[Item], at: datetime | None) -> Batch:
    current = _held_round(items, at)
    users = sorted({item.user_id for item in items})
    rows = Player.objects.select_for_update().filter(user__in=users).order_by("user")
    chosen = Choice.objects.filter(user__in=users, round_no=current.no if current else 0)
    return Batch(
        # After the locks: the leader may have held them.
        at=at or moment(),
        current=current,
        players={player.pk: player for player in rows},
        users=User.objects.in_bulk(
            {item.user_id for item in items if not isinstance(item.action, Choose)}
        ),
        choices=dict(chosen.values_list("user", "move")),
    )


def _held_round(items: Sequence[Item], at: datetime | None) -> Round | None:
    """Return the newest round; the leader waits for those who hold it, they not for each other.

    It is not held for choices that are too late: the leader's turn would never come while there
    are always some.
    """
    newest = newest_round()
    if connection.vendor != "postgresql" or newest is None:
        return newest
    is_late = newest.ends_at <= (at or moment())
    if is_late and all(isinstance(item.action, Choose) for item in items):
        return newest
    while True:
        table = Round._meta.db_table
        (held,) = Round.objects.raw(
            f'SELECT * FROM "{table}" WHERE no = %s FOR SHARE',  # noqa: S608
            [newest.no],
        )
        newest = newest_round()
        # Whoever waited for the leader may hold a round that is no longer the newest.
        if newest is None or newest.no == held.no:
            return held


def _judged(batch: Batch, item: Item) -> Answer:
    try:
        DEEDS[type(item.action)](batch, item)
    except IllegalAction as problem:
        return Answer(problem)
    return Answer()


def _choose(batch: Batch, item: Item) -> None:
    assert isinstance(item.action, Choose)
    player = batch.players.get(item.user_id)
    if player is None or not player.is_in:
        raise NotInArena("join first")
    if item.phase != batch.round_no or not batch.is_selecting:
        raise StaleAction("this selection is over", round=batch.round_no)
    batch.choices[item.user_id] = item.action.move.value if item.action.move else ""
    batch.chosen.add(item.user_id)


def _join(batch: Batch, item: Item) -> None:
    require_not_frozen(batch.users[item.user_id])
    player = batch.player(item.user_id)
    if not player.is_in:
        player.is_in, player.joined_at, player.idle_rounds = True, batch.at, 0
    player.leaves, player.watching, player.gone_since = False, "", None
    batch.changed.add(item.user_id)


def _leave(batch: Batch, item: Item) -> None:
    """Take effect after the round: nobody escapes what a streak let one see coming."""
    player = batch.player(item.user_id)
    if not player.is_in:
        return
    if batch.is_running:
        player.leaves = True
    else:
        player.is_in, player.watching = False, Player.Watching.LEFT
    batch.changed.add(item.user_id)


def _prefer(batch: Batch, item: Item) -> None:
    assert isinstance(item.action, Prefer)
    player = batch.player(item.user_id)
    wishes = replace(preferences_of(player.preferences), **{item.action.option: item.action.value})
    player.preferences = canonical(wishes)
    batch.changed.add(item.user_id)


def _reset(batch: Batch, item: Item) -> None:
    """Begin again after the round; by phase, so that what is sent again does nothing twice."""
    if item.phase != batch.round_no:
        raise StaleAction("another round has begun", round=batch.round_no)
    player = batch.player(item.user_id)
    if player.is_in and batch.is_running:
        player.resets = True
    else:
        for name, value in FIGURES.items():
            setattr(player, name, value)
        forget_day([item.user_id], batch.at)
    batch.changed.add(item.user_id)


DEEDS: Final[Mapping[type[ArenaAction], Callable[[Batch, Item], None]]] = {
    Choose: _choose,
    Join: _join,
    Leave: _leave,
    Prefer: _prefer,
    Reset: _reset,
}


def _write(batch: Batch) -> None:
    _choices.upsert(
        [(user, batch.round_no, batch.choices[user], batch.at) for user in sorted(batch.chosen)]
    )
    rows = []
    for user in sorted(batch.changed):
        player = batch.players[user]
        rows.append((user, *(getattr(player, name) for name in _WRITTEN[1:])))
    _players.upsert(rows)
