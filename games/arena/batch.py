"""The batch writer's work for the arena: the actions of thousands of users as one batch."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Any, Final

from django.db import connection

from accounts.models import User
from economy.sql import BulkRows, Row, is_any
from games.arena.models import Choice, Player, Round
from games.arena.presenters import OF_PLAYER, OwnStats, own_stats_of
from games.arena.rounds import (
    CHOICE_ROWS,
    FIGURES,
    forget_day,
    is_fighting,
    is_still,
    newest_round,
    options_of,
    preferences_of,
)
from games.arena.rules.actions import ArenaAction, Choose, Join, Leave, Prefer, Reset
from games.arena.rules.scores import sits_out
from games.arena.statements import rows_of
from games.engine.errors import IllegalAction, StaleAction, refusal
from games.engine.structs import canonical, replace
from games.matches.processing.submissions import Answer, Committed, StepwiseWork
from games.moderation.fair_play import require_not_frozen
from games.realtime.leases import moment

#: Least seconds between two batches: with thousands of choices this makes fewer batches, and other
#: tables wait less.  After a pause the first choice is written at once.
GATHER: Final = 0.1
#: Accepted actions that are recognised when they are sent again, more than in the 12 s of a retry.
KEPT: Final = 20_000

#: A user, and the id of an action.
Key = tuple[int, str]

#: Takes a round's number and the new stats of some players.
Tell = Callable[[int, Mapping[int, OwnStats]], None]

#: The fields of a player that are written; the first is the key.
_WRITTEN: Final = (
    "user", "is_bot", "round_no", "is_in", "joined_at", "gone_since", "watching", "leaves",
    "resets", "health", "idle_rounds", "rounds_before", "preferences", *FIGURES,
)  # fmt: skip

_players: Final = BulkRows(Player, _WRITTEN, ("user",))

#: The columns of a player that are read beside a choice.
_STATS: Final = ("user_id", *(f'"{name}"' for name in OF_PLAYER))

#: Refusals of this game alone that no code catches: code -> its meaning.
REFUSALS: Final = {
    "action/not_in_arena": "Only players who are in may choose",
    "action/no_rounds_left": "A guest has thrown all uncounted rounds of a visit",
}


@dataclass(frozen=True, slots=True, repr=False)
class Item:
    """A user's action; ``phase`` is the round of the view it was made for, ``id`` the client's,
    kept on retry.
    """

    user_id: int
    action: ArenaAction
    phase: int
    id: str

    @property
    def open_facts(self) -> dict[str, Any]:
        """The facts that the access log may tell."""
        return {"user": self.user_id, "match": "arena", "kind": self.action.kind}


@dataclass(slots=True, repr=False)
class Batch:
    """A batch of actions other than choices, with the locked round and players, and these users'
    ``choices`` in it. ``tell`` takes the players' stats.
    """

    items: Sequence[Item]
    tell: Tell
    at: datetime
    current: Round | None
    players: dict[int, Player]
    users: Mapping[int, User]
    choices: Mapping[int, str]
    _stored: dict[int, Row] = field(init=False)

    def __post_init__(self) -> None:
        self._stored = {user: _row(player) for user, player in self.players.items()}

    @property
    def is_running(self) -> bool:
        """Whether a round is under way, even if its selection has just ended."""
        return self.current is not None and self.current.is_under_way

    @property
    def joined_at(self) -> datetime:
        """The joining time of a user who joins now: never in a round that is being counted."""
        if self.current is None or not self.current.is_being_counted:
            return self.at
        return max(self.at, self.current.ends_at)

    @property
    def round_no(self) -> int:
        return 0 if self.current is None else self.current.no

    def player(self, user_id: int) -> Player:
        if user_id not in self.players:
            new = Player(user_id=user_id, is_bot=self.users[user_id].is_bot)
            self.players[user_id], self._stored[user_id] = new, _row(new)
        return self.players[user_id]

    def judge(self) -> list[Answer]:
        answers = []
        for item in self.items:
            try:
                ACTIONS[type(item.action)](self, item)
            except IllegalAction as problem:
                answers.append(Answer(problem))
            else:
                answers.append(Answer())
        return answers

    def write(self) -> None:
        """Write the players that differ from what is stored."""
        rows = [_row(self.players[user]) for user in sorted(self.players)]
        _players.upsert([row for row in rows if row != self._stored[row[0]]])

    def show(self) -> None:
        """Show all these players: one may not have seen what another process has written."""
        choices = self.choices
        mine = {
            user: own_stats_of(player, choices.get(user, ""))
            for user, player in self.players.items()
        }
        self.tell(self.round_no, mine)


def _row(player: Player) -> Row:
    return player.user_id, *(getattr(player, name) for name in _WRITTEN[1:])


class ArenaWork(StepwiseWork):
    """The arena's kind of work; ``tell`` is called in the event loop with players' new stats."""

    rest, enough = GATHER, math.inf

    def __init__(self, tell: Tell, clock: Callable[[], datetime] = moment) -> None:
        self._tell, self._clock = tell, clock
        #: The last accepted actions.
        self._accepted: dict[Key, ArenaAction] = {}

    def commit(self, items: Sequence[Item]) -> Committed:
        """Apply the actions; one whose id was accepted before is a repeat or a conflict. Raises
        DatabaseError: a write failed, and all actions may be sent again.
        """
        accepted, new = self._accepted, dict[Key, Item]()
        for item in items:
            if (item.user_id, item.id) not in accepted:
                new.setdefault((item.user_id, item.id), item)
        done, judged = self._apply(list(new.values()))
        for key, answer in judged.items():
            if answer.error is None:
                accepted[key] = new[key].action
        answers = []
        for item in items:
            key = (item.user_id, item.id)
            if key not in accepted:
                answers.append(judged[key])
            elif accepted[key] != item.action:
                answers.append(Answer(refusal("conflict", "this id was used for another action")))
            else:
                answers.append(judged.pop(key, Answer(repeated=True)))
        for old in list(islice(accepted, max(0, len(accepted) - KEPT))):
            del accepted[old]
        return Committed(answers, partial(_show, done), sum([each.held for each in done]))

    def _apply(self, items: Sequence[Item]) -> tuple[list[Committed], dict[Key, Answer]]:
        """Apply choices before the rest, but a choice after a join of the same user."""
        joining = {item.user_id for item in items if isinstance(item.action, Join)}
        parts: tuple[list[Item], ...] = ([], [], [])
        for item in items:
            is_choice = isinstance(item.action, Choose)
            parts[1 if not is_choice else 2 if item.user_id in joining else 0].append(item)
        done, judged = [], dict[Key, Answer]()
        for part, apply in zip(parts, (self._choose, super().commit, self._choose), strict=True):
            if part:
                done.append(apply(part))
                for item, answer in zip(part, done[-1].answers, strict=True):
                    judged[item.user_id, item.id] = answer
        return done, judged

    def lock(self, items: Sequence[Item]) -> Batch:
        current = _held_round()
        asking = {item.user_id for item in items}
        players = Player.objects.select_for_update().order_by("user").in_bulk(asking)
        # Read the time after locking: the leader may have held the locks.
        at = self._clock()
        chosen = Choice.objects.filter(user__in=asking, round_no=current.no if current else 0)
        choices = dict(chosen.values_list("user", "move"))
        return Batch(items, self._tell, at, current, players, User.objects.in_bulk(asking), choices)

    def _choose(self, items: Sequence[Item]) -> Committed:
        """Store the choices that were made for the round in its selection."""
        at, begun = self._clock(), time.monotonic()
        newest = rows_of(
            ["no", "options", "ends_at > %s"],
            'FROM "arena_round" WHERE no = (SELECT max(no) FROM "arena_round")',
            [at],
        )
        no, options, is_open = newest[0] if newest else (0, "", False)
        moves = {
            item.user_id: item.action.move.value if item.action.move else ""
            for item in items
            if isinstance(item.action, Choose) and item.phase == no
        }
        taken = store_choices(moves, no, at) if moves and is_open else set()
        held = time.monotonic() - begun
        # Without a model object for each row, because there are thousands.
        is_one, asking = is_any("user_id", {item.user_id for item in items}, "bigint")
        rows = rows_of(_STATS, f'FROM "arena_player" WHERE {is_one}', [asking])
        players = {user: OwnStats(bool(is_in), *rest) for user, is_in, *rest in rows}
        answers = []
        for item in items:
            player = players.get(item.user_id)
            if item.phase == no and item.user_id in taken:
                answers.append(Answer())
            elif player is None or not player.is_in:
                answers.append(Answer(refusal("action/not_in_arena", "join first")))
            elif item.phase == no and is_open and sits_out(options_of(options), player.health):
                error = refusal("action/out", "without health one sits the round out")
                answers.append(Answer(error))
            else:
                answers.append(Answer(StaleAction("this selection is over", round=no)))
        for user in taken:
            players[user].choice = moves[user]
        return Committed(
            answers, partial(self._tell, no, {user: players[user] for user in taken}), held
        )


def _show(done: Sequence[Committed]) -> None:
    for each in done:
        each.show()


def store_choices(chosen: Mapping[int, str], round_no: int, at: datetime) -> set[int]:
    """Store users' choices for a round, and return the users whose choice was stored; each of the
    others is not in or sits out, or the round is no longer chosen for.
    """
    fights, in_round = is_fighting(round_no)
    is_still_open, of = is_still(round_no, Round.State.SELECTING)
    is_player = f'SELECT 1 FROM "arena_player" p WHERE p.user_id = given.user_id AND {fights}'  # noqa: S608
    rows = [(user, round_no, chosen[user], at) for user in sorted(chosen)]
    # The statement itself checks that the selection is open, so that no read under a lock is
    # needed: a transaction that closes the round waits for it, or has committed before.
    # Raw SQL: the ORM took 5.5 times the time (SQLite; 4.5 on PostgreSQL; 2026-11-27).
    may = f"EXISTS ({is_player}) AND {is_still_open}"
    if CHOICE_ROWS.upsert(rows, may, [*in_round, *of]) == len(rows):
        return set(chosen)
    is_one, users = is_any("user_id", chosen, "bigint")
    is_it = f'FROM "arena_choice" WHERE round_no = %s AND at = %s AND {is_one}'
    return {user for (user,) in rows_of(["user_id"], is_it, [round_no, at, users])}


def _held_round() -> Round | None:
    """Return the newest round, locked for share: the leader waits for it, other batches do not."""
    newest = newest_round()
    while newest is not None and connection.vendor == "postgresql":
        table = Round._meta.db_table
        # Raw SQL: the ORM has no FOR SHARE.
        (held,) = Round.objects.raw(
            f'SELECT * FROM "{table}" WHERE no = %s FOR SHARE',  # noqa: S608
            [newest.no],
        )
        newest = newest_round()
        # After a wait for the leader the locked round may no longer be the newest.
        if newest is None or newest.no == held.no:
            return held
    return newest


def _join(batch: Batch, item: Item) -> None:
    require_not_frozen(batch.users[item.user_id])
    player = batch.player(item.user_id)
    if not player.is_in:
        player.is_in, player.joined_at, player.idle_rounds = True, batch.joined_at, 0
    player.leaves, player.watching, player.gone_since = False, "", None


def _leave(batch: Batch, item: Item) -> None:
    """Leave after the round: a player who sees the choices cannot escape the result."""
    player = batch.player(item.user_id)
    if not player.is_in:
        return
    if batch.is_running:
        player.leaves = True
    else:
        player.is_in, player.watching = False, Player.Watching.LEFT


def _prefer(batch: Batch, item: Item) -> None:
    assert isinstance(item.action, Prefer)
    player = batch.player(item.user_id)
    before = preferences_of(player.preferences)
    wishes = replace(before, **{item.action.option: item.action.value})
    if wishes != before:
        player.preferences = canonical(wishes)


def _reset(batch: Batch, item: Item) -> None:
    """Reset figures after the round; the phase check rejects an action sent again later."""
    if item.phase != batch.round_no:
        raise StaleAction("another round has begun", round=batch.round_no)
    player = batch.player(item.user_id)
    if player.is_in and batch.is_running:
        player.resets = True
    elif any(getattr(player, name) for name in FIGURES):
        fought = player.round_wins + player.round_losses + player.round_ties
        player.rounds_before = (player.rounds_before or 0) + fought
        for name, value in FIGURES.items():
            setattr(player, name, value)
        forget_day([item.user_id], batch.at)


ACTIONS: Final[Mapping[type[ArenaAction], Callable[[Batch, Item], None]]] = {
    Join: _join,
    Leave: _leave,
    Prefer: _prefer,
    Reset: _reset,
}
