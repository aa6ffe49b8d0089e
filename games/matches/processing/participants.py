"""The users of a batch: accounts, belongings, the house's checks."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any, Final

from django.utils.module_loading import import_string

from accounts.models import User
from economy import ledger
from economy.errors import InsufficientPoints
from economy.ledger import Plan
from economy.parts import given
from economy.selectors import belongings_of, setting
from economy.sql import read_rows
from economy.units import OWNED, Unit
from games.engine import errors
from games.engine.errors import IllegalAction, refuse
from games.engine.facts import SeatNo
from games.engine.table import OPEN
from games.engine.table.state import is_quick, offered_purse
from games.matches.journal.snapshots import Snapshot
from games.matches.processing import bots, opening, seating, settlement
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.reactions import Reaction, checked_kinds
from games.matches.processing.seating import (
    CONSENTING,
    consents,
    has_seats,
    require_wanted,
    unwanted_seats,
)
from games.matches.processing.submissions import OnlyHere, Submission, written


class NotInvited(OnlyHere, IllegalAction):
    """The free seat is reserved for another user, or nobody invited this one; detail: name."""

    code = "action/not_invited"


#: Actions that check the company at the table.
ASKING: Final = frozenset({"sit", "take_over", "ready", "reveal", "rematch"})
#: Actions that need a purse.
PAYING: Final = frozenset({"sit", "bring", "ready"})


class Participants:
    def __init__(self) -> None:
        self.users: dict[int, User] = {}
        self.bots: dict[tuple[int, int | None, str], User] = {}
        self._bonus_keys: set[str] = set()
        self._bonuses = defaultdict[int, int](int)
        self._sits = defaultdict[int, int](int)

    @cached_property
    def reactions(self) -> list[Reaction]:
        return [reaction() for reaction in given("reactions")]

    @cached_property
    def writers(self) -> list[Reaction]:
        return [each for each in self.reactions if type(each).written is not Reaction.written]

    @cached_property
    def bot_room(self) -> bots.BotRoom:
        return bots.BotRoom()

    def owners(self) -> Iterator[str]:
        for user in (*self.users.values(), *self.bots.values()):
            yield ledger.user_owner(user.id)

    def invite(self, submissions: Sequence[Submission], matches: Sequence[Snapshot]) -> None:
        for snapshot in matches:
            self.users.update(snapshot.seating.accounts)
        actors = {s.actor_id for s in submissions if s.actor_id is not None}
        if unknown := actors - self.users.keys():
            self.users |= {user.id: user for user in read_rows(User, "id", unknown)}
        # A deadline may start a game.
        opened = {each.match.id for each in matches if each.state.stage == OPEN}
        asking = {
            s.match_id
            for s in submissions
            if s.kind in ASKING or (s.kind in ("deadline", "begin") and s.match_id in opened)
        }
        if asking:
            coming = {s.actor_id for s in submissions if s.actor_id and s.match_id in asking}
            company = [each.seating.accounts for each in matches if each.match.id in asking]
            for reaction in self.reactions:
                reaction.expect(coming.union(*company))
        if callers := [s for s in submissions if s.kind == "add_bot"]:
            self._call_bots(callers, matches)

    def check(self, locked: LockedMatch, submission: Submission, plan: Plan) -> Mapping[str, Any]:
        """Return the action to apply, with a purse where one is offered. Raises BadField,
        InsufficientPoints, BotLimit, NotInvited, action/too_many_tables, NoPrograms, IllegalAction.
        """
        action, actor_id, kind = submission.action, submission.actor_id, submission.kind
        if actor_id is None:
            return action
        if isinstance(text := action.get("text"), str) and (kept := written(text, "text")) != text:
            # A blank text is for the rules to judge.
            action = {**action, "text": kept or text}
        user = self.users.get(actor_id)
        if user is not None and (user.is_staff or kind in checked_kinds()):
            for reaction in self.reactions:
                if user.is_staff or kind in reaction.kinds:
                    reaction.admit(locked, submission, user)
        if kind == "sit" and user is not None and locked.seat_of(actor_id) is None:
            require_wanted(locked, user)
        if kind in PAYING:
            action = self._require_affordable(locked, action, plan, actor_id)
        if kind in CONSENTING and consents(locked, submission):
            # Under the lock of the accounts, so that no other batch seats the user meanwhile.
            plan.lock_all()
            most = setting("tables.live_seats")
            if has_seats(actor_id, most - self._sits[actor_id]):
                message = f"you may sit at {most} tables at once"
                refuse("action/too_many_tables", message, most=most)
        return action

    def note_sitting(self, user_id: int) -> None:
        self._sits[user_id] += 1

    def seat_for_bot(
        self, locked: LockedMatch, submission: Submission
    ) -> tuple[User, dict[str, Any]]:
        """Return a free bot and the house's action that seats it. Raises action/not_seated,
        TableFull, NotInvited, action/no_bot_willing, BotLimit.
        """
        if locked.seat_of(submission.actor_id) is None:
            refuse("action/not_seated", "only a seat may ask for a bot")
        free = [seat.no for seat in locked.state.seats if not seat.taken]
        if not free:
            raise errors.TableFull("every seat is taken")
        require_invited(locked, None)
        bot = self.bots.get(submission.key)
        if bot is None or locked.seat_of(bot.id) is not None:
            refuse("action/no_bot_willing", "no bot is free at the moment")
        if bots.is_staked(locked) and bots.reads(locked.game, bot.username):
            refuse("action/no_bot_willing", f"{bot.username} never plays for points")
        self._require_room_for_bots(locked, submission.actor_id)
        return bot, {"kind": "sit_bot", "seat": free[0], "purse": _usual_purse(locked)}

    def awaits_log(self, locked: LockedMatch) -> bool:
        return opening.awaits_log(locked.match.seed_commitment, locked.now)

    def absent(self, locked: LockedMatch) -> list[SeatNo]:
        """Return the seats of a counting-down quick table whose people are not there."""
        state = locked.state
        if len(state.people) < 2 or not (state.starting or state.start_at):
            return []
        return seating.absent({locked.match.id: state}, locked.at).get(locked.match.id, [])

    def warned(self, locked: LockedMatch) -> list[int]:
        """Return the seats whose people did not come to their last quick game."""
        if not locked.game.warned or not is_quick(locked.state.options):
            return []
        people = {no: seat.user_id for no, seat in locked.seats.items() if not seat.user.is_bot}
        found: list[int] = import_string(locked.game.warned)(people)
        return found

    def unwelcome(self, locked: LockedMatch) -> tuple[list[int], str]:
        """Return the seats with which no game starts here, and why: first bots, then others."""
        shy = [int(seat.no) for seat in locked.state.taken if seat.bot]
        if shy and self.bot_room.passed_by(locked):
            return shy, "shy"
        names = locked.seating.names
        free = [no for no in shy if bots.reads(locked.game, names[no])]
        if free and bots.is_staked(locked):
            return free, "no_stakes"
        if programs := unwanted_seats(locked):
            return programs, "program"
        out = {user_id for reaction in self.reactions for user_id in reaction.unwelcome(locked)}
        return [no for no, seat in sorted(locked.seats.items()) if seat.user_id in out], "unfair"

    def fund_bots(self, locked: LockedMatch, plan: Plan) -> None:
        for seat in locked.state.taken:
            if seat.bot:
                self.fund_bot(locked, locked.seats[seat.no].user, seat.purse, plan)

    def fund_bot(self, locked: LockedMatch, bot: User, purse: int, plan: Plan) -> None:
        held = plan.balance(ledger.wallet(bot.id))
        if held < purse:
            wanted = max(purse, setting("bots.wallet"))
            plan.move(settlement.funding_move(locked.match.id, bot.id, wanted - held, locked.now))

    def missing_purses(self, locked: LockedMatch, plan: Plan) -> list[list[int]]:
        """Return [seat, missing points] for each user who cannot pay the purse."""
        return [
            [seat.no, seat.purse - held]
            for seat in locked.state.taken
            if (held := plan.balance(ledger.wallet(locked.seating.users[seat.no]))) < seat.purse
        ]

    def may_pay_bonus(self, user_id: int, key: str, at: datetime) -> bool:
        """Whether today's limits leave room for a bonus, after those of this batch."""
        paid_here = self._bonuses[user_id]
        if key in self._bonus_keys or not settlement.may_pay_bonus(user_id, key, at, paid_here):
            return False
        self._bonus_keys.add(key)
        self._bonuses[user_id] += 1
        return True

    def look_at_belongings(self, plan: Plan, locked_matches: Iterable[LockedMatch]) -> None:
        """Set the sitters' belongings where they changed, and from time to time: from a locked
        plan, else by a query.
        """
        moved = plan.moved
        asking = [
            locked
            for locked in locked_matches
            if not locked.knows_belongings
            or (plan.is_locked and locked.changed_seats)
            or (moved and not moved.isdisjoint(map(ledger.user_owner, locked.seating.accounts)))
        ]
        users = {user_id for locked in asking for user_id in locked.seating.users.values()}
        if users:
            owned = _planned(plan, users) if plan.is_locked else belongings_of(users)
            for locked in asking:
                locked.note_belongings(owned)

    def open_next(self, locked: LockedMatch, submission: Submission, plan: Plan) -> None:
        seat = locked.seat_of(submission.actor_id)
        if locked.match.successor_id is not None or seat is None:
            return
        has_bots = bots.is_staked(locked) and any(s.bot for s in locked.state.taken)
        owned = {}
        for no, taken in locked.seats.items():
            if not taken.user.is_bot:
                most = plan.balance(ledger.wallet(taken.user_id))
                if has_bots:
                    most = min(most, self.bot_room.left(taken.user_id, locked.now))
                owned[no] = self._allowed_purse(locked, taken.user, most)
        salt_hash = submission.action.get("salt_hash")
        locked.match.successor = opening.open_successor(locked, seat, salt_hash, owned)

    def _call_bots(self, callers: Sequence[Submission], matches: Sequence[Snapshot]) -> None:
        sitting = {
            (each.match.id, user_id) for each in matches for user_id in each.seating.accounts
        }
        willing = bots.free_bots()
        for caller in callers:
            free = [bot for bot in willing if (caller.match_id, bot.id) not in sitting]
            if (bot := bots.suited(free, caller)) is not None:
                sitting.add((caller.match_id, bot.id))
                self.bots[caller.key] = bot
                willing.remove(bot)

    def begun(self, locked: LockedMatch) -> None:
        self.bot_room.begun(locked)
        bots.note_priors(locked)
        for reaction in self.reactions:
            reaction.begun(locked)

    def _require_affordable(
        self, locked: LockedMatch, action: Mapping[str, Any], plan: Plan, user_id: int
    ) -> Mapping[str, Any]:
        kind, seat = action["kind"], locked.seat_of(user_id)
        if kind == "sit" and seat is None:
            require_invited(locked, user_id)
            action = self._with_purse(locked, action, plan, user_id)
            self._require_purse(locked, plan, user_id, _purse_in(action))
        elif kind == "bring" and seat is not None:
            self._require_purse(locked, plan, user_id, _purse_in(action))
        elif kind == "ready" and seat is not None:
            purse = _purse_in(action) if "purse" in action else locked.state.seats[seat].purse
            self._require_purse(locked, plan, user_id, purse)
        return action

    def _with_purse(
        self, locked: LockedMatch, action: Mapping[str, Any], plan: Plan, user_id: int
    ) -> Mapping[str, Any]:
        if "purse" in action:
            return action
        limits = locked.table.rules.purse_limits(locked.state.options)
        purse = offered_purse(limits, plan.balance(ledger.wallet(user_id)))
        purse = self.bot_room.offered(locked, user_id, purse)
        return {**action, "purse": self._allowed_purse(locked, self.users[user_id], purse)}

    def _allowed_purse(self, locked: LockedMatch, user: User, purse: int) -> int:
        for reaction in self.reactions:
            purse = reaction.allowed_purse(locked, user, purse)
        return purse

    def _require_purse(self, locked: LockedMatch, plan: Plan, user_id: int, purse: int) -> None:
        held = plan.balance(ledger.wallet(user_id))
        if held < purse:
            missing = purse - held
            raise InsufficientPoints(
                f"you have {held} points, {missing} too few", missing=missing, balance=held
            )
        self.bot_room.require(locked, user_id, purse)

    def _require_room_for_bots(self, locked: LockedMatch, caller_id: int | None) -> None:
        least = bots.least_purse(locked)
        for user_id, left in self.bot_room.passed_by(locked).items():
            if not left:
                message = "somebody here has won enough from the bots today"
                refuse("action/no_bot_willing", message)
            name = None if user_id == caller_id else self.users[user_id].username
            raise bots.bot_limit(left, least, name)


def _planned(plan: Plan, users: Iterable[int]) -> Mapping[int, Mapping[Unit, int]]:
    """Return these users' points and stock after the plan."""
    return {
        user_id: {ref.unit: plan.balance(ref) for ref in _belongings(user_id)} for user_id in users
    }


@lru_cache(10_000)
def _belongings(user_id: int) -> list[ledger.AccountRef]:
    return [ledger.wallet(user_id), *(ledger.stock(user_id, unit) for unit in OWNED.values())]


def _usual_purse(locked: LockedMatch) -> int:
    """Return the median purse at the table, within its limits."""
    purses = sorted(seat.purse for seat in locked.state.taken)
    least, most = locked.table.rules.purse_limits(locked.state.options)
    return int(min(max(purses[len(purses) // 2], least), most))


def require_invited(locked: LockedMatch, user_id: int | None) -> None:
    """Keep a challenge's second seat for who is invited; raises NotInvited."""
    match = locked.match
    if match.invited is not None and user_id not in (match.invited_id, match.opened_by_id):
        name = match.invited.username
        raise NotInvited(f"this seat is kept for {name}", name=name)


def _purse_in(action: Mapping[str, Any]) -> int:
    """Return the requested purse, 0 for a malformed one, which the table refuses."""
    purse = action.get("purse")
    return purse if type(purse) is int else 0
