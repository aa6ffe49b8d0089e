"""Practice tables, a match in memory for one person and some bots, and which games offer one."""

from __future__ import annotations

import random
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from accounts.shared import site_numbers
from economy.ledger import AccountRef, stock, wallet
from economy.units import OWNED
from games import registry
from games.contract import Character, Lesson, Practice, TableGame
from games.engine.draws import commitment
from games.engine.errors import NotInPhase
from games.engine.facts import Instant, SeatNo, Told, instant
from games.engine.table import OPEN, RUNNING, Table, TableState
from games.engine.table.state import offered_purse
from games.matches.journal.snapshots import Snapshot
from games.matches.models import Match
from games.matches.processing.batch import DEADLINE
from games.matches.processing.bots import prior_of, reads
from games.matches.processing.locked_match import AcceptedAction, LockedMatch
from games.matches.processing.submissions import Answer, Submission
from games.matches.queries.match_view import match_view
from games.matches.services import default_options
from games.practice.memory import CHIPS, GAMES_IN_CHIPS, MATCH, PERSON_ID, MemoryStore, sitter

#: The person's seat.
PERSON: Final = SeatNo(0)

#: The table's own actions that are refused: a practice table is set up in advance.
_TABLES_OWN: Final = frozenset({"sit", "stand", "configure", "unready", "add_bot", "remove_bot"})
#: The table's own actions that are offered here.
_OFFERED: Final = frozenset({"ready", "reveal", "rematch"})


@dataclass(frozen=True, slots=True)
class Plan:
    """A game with complete options and a title; a lesson makes it the same each time. ``kind``: of
    the practice; ``bot`` takes the place of its own.
    """

    game: TableGame
    options: Any
    lesson: Lesson | None = None
    title: str = "Practice"
    kind: str = ""
    bot: str = ""
    #: What that bot knows from before.
    prior: Mapping[str, Any] = field(default_factory=dict)


class PracticeTable:
    """A table for one game, whose clock stops while the person has a decision; bots take their
    usual time. ``now`` is in milliseconds; ``balances``: chips and weapons from an earlier game
    here.
    """

    def __init__(
        self,
        plan: Plan,
        person: str,
        now: Instant,
        balances: Mapping[AccountRef, int] | None = None,
    ) -> None:
        lesson, game = plan.lesson, GAMES_IN_CHIPS.of(plan.game)
        given = lesson or practice_of(game)
        self.plan = plan
        self.game = replace(game, bot=lesson.bot) if lesson else game
        self.person = person
        self.table = Table(game.newest)
        self.bot_at: Instant | None = None
        self._chance = random.Random(lesson.seed) if lesson else random.SystemRandom()
        # The clock of the world, and the table's own, which stops while the person decides.
        self._now, self._at = now, now
        seed = lesson.seed if lesson else secrets.token_hex(32)
        match = Match(
            pk=MATCH,
            public_id=f"practice-{secrets.token_urlsafe(9)}",
            game=game.slug,
            rules_version=self.table.rules.version,
            title=self.plan.title,
            seed=seed,
            seed_commitment=commitment(seed, "practice"),
            at_ms=now,
        )
        state = self.table.open(plan.options, now)
        weapons = {stock(PERSON_ID, OWNED[name]): count for name, count in given.stock.items()}
        self._store = MemoryStore(
            Snapshot(match, self.game, self.table, state, {}, self.table.deadline(state)),
            dict(balances or {wallet(PERSON_ID): CHIPS, **weapons}),
        )
        self._seat_everybody((plan.bot,) if plan.bot else given.bots)

    # Queries ----------------------------------------------------------------------------

    @property
    def match(self) -> Match:
        """The match's row, which is in no database."""
        return self._store.snapshot.match

    @property
    def state(self) -> TableState:
        return self._store.snapshot.state

    @property
    def chips(self) -> int:
        """The person's chips, without those in the game."""
        return self._store.balances[wallet(PERSON_ID)]

    @property
    def told(self) -> Sequence[Told]:
        return self._store.told

    @property
    def is_waiting(self) -> bool:
        """Whether the game waits for the person: the clock is stopped then."""
        if self.state.stage != RUNNING:
            return False
        return PERSON in self.table.rules.pending_seats(self.state.play)

    @property
    def wake_at(self) -> Instant | None:
        """When the next deadline or bot action is, by the wall clock; None for never."""
        due_at = self._due_at
        wall = None if due_at is None else Instant(due_at + self._now - self._at)
        return min((at for at in (wall, self.bot_at) if at is not None), default=None)

    @property
    def _due_at(self) -> Instant | None:
        return None if self.is_waiting else self.table.deadline(self.state)

    def view(self, seat: int | None = PERSON) -> dict[str, Any]:
        """Build a seat's view, as at every table, but without a deadline."""
        view = match_view(self._store.snapshot, seat, {"seats": [PERSON], "watching": 0})
        view["you"]["may"] = [kind for kind in view["you"]["may"] if kind in _OFFERED]
        if self.state.stage == RUNNING:
            view["due_at"] = None
            if "due_at" in view["game"]:
                view["game"] = {**view["game"], "due_at": None}
        return view

    # Actions ----------------------------------------------------------------------------

    def start(self, now: Instant) -> None:
        """Begin the game, once for each table."""
        self._pass_time(now)
        if self.state.stage == OPEN and not self.state.seats[PERSON].ready:
            ready = {"kind": "ready", "configuration": self.state.options_revision}
            self._submit(Submission(MATCH, ready, "start", PERSON_ID))

    def act(
        self, action: Mapping[str, Any], action_id: str, phase: int | None, now: Instant
    ) -> Answer:
        """Apply the person's action; a refused one changes nothing."""
        self.tick(now)
        if action.get("kind") in _TABLES_OWN:
            return Answer(NotInPhase("at a practice table all of that is arranged"))
        return self._submit(Submission(MATCH, action, action_id, PERSON_ID, phase))

    def tick(self, now: Instant) -> None:
        """Fire a due deadline, and let the bots act that have thought."""
        self._pass_time(now)
        if self._due_at is not None and self._due_at <= self._at:
            self._submit(Submission(MATCH, DEADLINE, "deadline"))
        if self.bot_at is not None and self.bot_at <= now:
            self.bot_at = self.match.bot_at = None
            for seat in self.table.rules.pending_seats(self.state.play):
                if seat != PERSON:
                    self._let_bot_act(seat)

    def settle(self, now: Instant) -> None:
        """Apply the bots' actions and all deadlines, until the person has a decision."""
        self._pass_time(now)
        while self.state.stage == RUNNING:
            before = self.match.action_count
            pending = self.table.rules.pending_seats(self.state.play)
            bots = [seat for seat in pending if seat != PERSON]
            for seat in bots:
                self._let_bot_act(seat)
            if not bots and self._due_at is not None:
                self._at = max(self._at, self._due_at)
                self._submit(Submission(MATCH, DEADLINE, "deadline"))
            if self.match.action_count == before:
                return

    def stand_still(self, now: Instant) -> None:
        """Skip the time until ``now``: the table had no sockets."""
        if self.bot_at is not None:
            self.bot_at = Instant(self.bot_at + now - self._now)
        self._now = max(self._now, now)

    def next(self, now: Instant) -> PracticeTable:
        """Return a table for the next game, with the remaining chips and weapons."""
        plan = replace(self.plan, options=self.table.next_options(self.state))
        return PracticeTable(plan, self.person, now, self._store.balances)

    # Steps ------------------------------------------------------------------------------

    def _pass_time(self, now: Instant) -> None:
        passed = max(0, now - self._now)
        if not self.is_waiting:
            self._at = Instant(self._at + passed)
        self._now = Instant(self._now + passed)

    def _seat_everybody(self, bots: Sequence[str]) -> None:
        balances, limits = self._store.balances, self.table.rules.purse_limits(self.plan.options)
        if self.chips < max(limits[0], 1):
            balances[wallet(PERSON_ID)] = CHIPS
        purse = offered_purse(limits, self.chips)
        locked = LockedMatch(self._store.snapshot, self._at)
        for no, name in enumerate((self.person, *bots)):
            user = sitter(no, name)
            if no:
                balances[wallet(user.pk)] = purse
                action = {"kind": "sit_bot", "seat": no, "purse": purse}
                step = self.table.apply_house(locked.state, action, self._at)
            else:
                action = {"kind": "sit", "seat": no, "purse": purse}
                step = self.table.apply(locked.state, None, action, self._at)
            locked.keep(step, AcceptedAction(action, sitter=user))
        self._store.snapshot = locked.snapshot()

    def _submit(self, submission: Submission) -> Answer:
        """Judge an action; a bot that has begun to think thinks on, while the clock stands."""
        answer = self._store.apply(submission, self._at)
        bot_at = self.match.bot_at
        if bot_at is None:
            self.bot_at = None
        elif self.bot_at is None:
            self.bot_at = Instant(instant(bot_at) + self._now - self._at)
        return answer

    def _let_bot_act(self, seat: SeatNo) -> None:
        """Submit what a bot chooses, unless the game has moved on."""
        if self.state.stage != RUNNING or seat not in self.table.rules.pending_seats(
            self.state.play
        ):
            return
        view, battles = self.view(seat), self.game.battles
        if reads(self.game, view["you"]["name"]):
            view["history"] = [told.data for told in self.told if told.kind in battles]
            view["prior"] = self.plan.prior
        for action in self.game.bot.choose(view, self._chance):
            if self._submit(Submission(MATCH, action, "bot", PERSON_ID + seat)).error is not None:
                return


def practice_of(game: TableGame) -> Practice:
    """Return a game's practice; raises KeyError if it has none."""
    if game.practice is None:
        raise KeyError(game.slug)
    return game.practice


#: The name of a person without an account in views.
GUEST: Final = "Guest"
#: The part of the URL that asks for the lesson.
LESSON: Final = "lesson"


def is_offered(game: TableGame, kind: str, bot: str = "") -> bool:
    """Whether a game can be practised, in a further kind of practice, against this bot, or learned
    by a lesson.
    """
    if game.practice is None:
        return False
    if kind == LESSON:
        return not bot and game.practice.lesson is not None
    return (not kind or kind in game.practice.kinds) and (not bot or bot in choices_of(game))


def choices_of(game: TableGame) -> Mapping[str, Character]:
    """Return the bots of which the person may choose one; none where several play."""
    return game.bot.cast if len(practice_of(game).bots) == 1 else {}


def has_lesson() -> bool:
    """Whether any game that is played here has a lesson."""
    return any(is_offered(game, LESSON) for game in registry.tables())


def plan_of(game: TableGame, kind: str, bot: str = "") -> Plan:
    """Return the plan: default options, with those of this kind of practice or the lesson. Raises
    KeyError.
    """
    practice = practice_of(game)
    taught = practice.lesson if kind == LESSON else None
    chosen = taught.options if taught else practice.kinds.get(kind, practice.options)
    title = "Your first game" if taught else "Practice"
    options = default_options(game.slug, chosen, numbers=site_numbers())
    return Plan(game, options, taught, title, kind, bot)


def plan_to_play(game: TableGame, kind: str, bot: str, user_id: int | None) -> Plan:
    """Return the plan with what its bot knows of the user; pages show a table without it."""
    plan = plan_of(game, kind, bot)
    people = [] if user_id is None else [user_id]
    return replace(plan, prior=prior_of(game, bot, people)) if bot else plan
