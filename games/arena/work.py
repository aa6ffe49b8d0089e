"""The pump's work for the arena: what thousands ask for at once, as one batch.

A choice is accepted while its selection runs by the database's time, inside of a transaction for
which the leader waits: what was acknowledged is in its round.

Source: docs/arena.md "Choices"; docs/durability.md G6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.db import connection

from accounts.models import User
from economy.bulk import is_any
from games.arena.errors import NotInArena
from games.arena.models import Choice, Player, Round
from games.arena.rounds import FIGURES, forget_day, newest_round, preferences_of
from games.arena.rules.actions import ArenaAction, Choose, Join, Leave, Prefer, Reset
from games.arena.showing import OF_PLAYER, Mine, mine_of
from games.arena.statements import GivenRows, moment, rows_of
from games.kernel.errors import IllegalAction, StaleAction
from games.kernel.structs import canonical, replace
from games.play.jobs import StepwiseWork
from games.play.submissions import Answer
from games.services.fair_play import require_not_frozen

#: When thousands choose, so many seconds lie between two batches: fewer of them, and tables beside
#: the arena wait less.  The first of a few goes at once.
GATHER: Final = 0.05

#: Takes a round and what stands of some players in it.
Tell = Callable[[int, Mapping[int, Mine]], None]

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

    ``standing`` is how those stand who ask; of those who ask for more than a choice there are
    ``players`` and ``users`` besides, and their earlier choice is among the ``choices`` for this
    round.  ``tell`` is told what has become of whom.
    """

    items: Sequence[Item]
    tell: Tell
    at: datetime
    current: Round | None
    standing: Mapping[int, Mine]
    players: dict[int, Player] = field(default_factory=dict)
    users: Mapping[int, User] = field(default_factory=dict)
    choices: dict[int, str] = field(default_factory=dict)
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

    def judge(self) -> list[Answer]:
        """Do what users ask for, each by itself, in memory."""
        return [_judged(self, item) for item in self.items]

    def write(self) -> None:
        """Write choices and players, a statement each."""
        _choices.upsert(
            [(user, self.round_no, self.choices[user], self.at) for user in sorted(self.chosen)]
        )
        rows = []
        for user in sorted(self.changed):
            player = self.players[user]
            rows.append((user, *(getattr(player, name) for name in _WRITTEN[1:])))
        _players.upsert(rows)

    def show(self) -> None:
        """Tell what has become of those who asked."""
        touched = self.chosen | self.changed
        stand: dict[int, Player | Mine] = {**self.standing, **self.players}
        mine = {user: mine_of(stand[user], self.choices.get(user, "")) for user in touched}
        self.tell(self.round_no, mine)


class ArenaWork(StepwiseWork):
    """The kind of work; ``tell`` is told in the event loop what has become of whom."""

    rest = GATHER

    def __init__(
        self,
        tell: Callable[[int, Mapping[int, Mine]], None],
        clock: Callable[[], datetime] = moment,
    ) -> None:
        self._tell, self._clock = tell, clock

    def lock(self, items: Sequence[Item]) -> Batch:
        """Hold the round and the players that some users' wishes are about."""
        current = _held_round(items, self._clock)
        standing = _held_players({item.user_id for item in items})
        # After the locks: the leader may have held them.
        batch = Batch(items, self._tell, self._clock(), current, standing)
        asking = {item.user_id for item in items if not isinstance(item.action, Choose)}
        if asking:
            batch.players = Player.objects.in_bulk(asking)
            batch.users = User.objects.in_bulk(asking)
            chosen = Choice.objects.filter(user__in=asking, round_no=batch.round_no)
            batch.choices = dict(chosen.values_list("user", "move"))
        return batch


def _held_players(users: Iterable[int]) -> dict[int, Mine]:
    """Lock players, and return how they stand: without an object a row, for there are thousands."""
    is_one, given = is_any("user_id", users, "bigint")
    lock = " ORDER BY user_id FOR UPDATE" if connection.vendor == "postgresql" else ""
    columns = ["user_id", *(f'"{name}"' for name in OF_PLAYER)]
    rows = rows_of(columns, f'FROM "arena_player" WHERE {is_one}{lock}', [given])
    return {user: Mine(bool(is_in), *rest) for user, is_in, *rest in rows}


def _held_round(items: Sequence[Item], clock: Callable[[], datetime]) -> Round | None:
    """Return the newest round; the leader waits for those who hold it, they not for each other.

    It is not held for choices that are too late: the leader's turn would never come while there
    are always some.
    """
    newest = newest_round()
    if connection.vendor != "postgresql" or newest is None:
        return newest
    is_late = newest.ends_at <= clock()
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
    player = batch.players.get(item.user_id) or batch.standing.get(item.user_id)
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
