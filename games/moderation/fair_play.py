"""Fair play checks when somebody sits down, gets ready or starts; they open flags."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache, cached_property
from itertools import permutations
from types import MappingProxyType
from typing import Any, Final

from django.db import transaction
from django.db.models import CharField

from accounts.devices import SharedDevices, Sighting, company_among, shared_sightings
from accounts.models import User
from economy.selectors import settings_starting
from economy.sql import USERS, BulkRows, Compiled, GivenMany
from games import registry
from games.engine.errors import AlreadySeated, IllegalAction, refuse
from games.engine.table import OVER
from games.engine.table.actions import SEATING_KINDS
from games.matches.models import Flag, Match, PairLoss, Seat
from games.matches.processing.bots import is_staked, least_purse, people_at, purses_of
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.reactions import Reaction
from games.matches.processing.submissions import OnlyHere, Submission
from games.matches.queries.losses import (
    Losses,
    Purses,
    losses_of,
    midnight_before,
    net_losses,
    purses_in_play,
    stakes_between,
)
from games.moderation import flags
from games.moderation.outflow import Known, Outflow, limit, losses_ever, outflow, winners_from


class SameDevice(OnlyHere, IllegalAction):
    """Somebody else at this table plays from the same device."""

    code = "forbidden"


class LostEnough(OnlyHere, IllegalAction):
    """One of two players has lost the daily limit to the other, or would with what is at stake in
    running games; detail: most, name, then also at_stake.
    """

    code = "limit"


class PairLimit(LostEnough):
    """One of two players would pass what one may ever lose to the other and its company. Detail:
    most, the purse that is allowed; name; limit.
    """

    code = "action/pair_limit"


class FairPlayBatch:
    """Query cache of one batch. The first question loads the data of all expected users, so that
    the number of queries does not grow with the tables.
    """

    def __init__(self) -> None:
        self._people: set[int] = set()
        self._seen: dict[int, list[Sighting]] | None = None
        self._losses: dict[datetime, Losses] = {}
        self._pairs: dict[tuple[frozenset[int], datetime], list[tuple[int, int]]] = {}
        self._ever: Losses | None = None
        self._in_play: list[Purses] | None = None
        self._begun: list[Purses] = []
        self._risks: dict[int, int] = {}

    def expect(self, users: Collection[int]) -> None:
        if not self._people.issuperset(users):
            self._people.update(users)
            self._seen = self._in_play = self._ever = None
            self._losses.clear()
            self._risks.clear()

    def note_begun(self, purses: Purses) -> None:
        """Add a game that begins in this batch, which no query shows yet."""
        self._begun.append(purses)
        self._pairs.clear()
        self._risks.clear()

    @cached_property
    def numbers(self) -> dict[str, int]:
        return settings_starting("fair.")

    def company_of(self, user_id: int, others: Collection[int], at: datetime) -> SharedDevices:
        """Return which of the others shared a device or an address with a user lately."""
        self.expect([user_id, *others])
        return company_among(user_id, others, self._sightings(at))

    def look_back(self, users: Collection[int]) -> Losses:
        """Return all losses of the expected users; before devices are looked at."""
        self.expect(users)
        if self._ever is None:
            self._ever, self._seen = losses_ever(self._people), None
        return self._ever

    def risk(self, loser_id: int) -> int:
        """Return all that a user has lost or may lose in running games: at least what any winner
        and its company can have of it.
        """
        ever = self.look_back([loser_id])
        if loser_id not in self._risks:
            lost = [lost for (one, _), lost in ever.items() if one == loser_id and lost > 0]
            games = [purses for purses in self._running() if loser_id in purses]
            lost += [min(p[loser_id], p[o]) for p in games for o in p if o != loser_id]
            self._risks[loser_id] = sum(lost)
        return self._risks[loser_id]

    def outflow(self, loser: User, winner_id: int, at: datetime) -> Outflow:
        """Return what a user has lost to another one and its company, and may lose."""
        ever = self.look_back([loser.id, winner_id])
        stakes = self.stakes_among(self._playing_with(loser.id) | {loser.id, winner_id})
        known = Known(ever, self._sightings(at), stakes)
        return outflow(loser, winner_id, known, self.numbers, at)

    def _sightings(self, at: datetime) -> dict[int, list[Sighting]]:
        if self._seen is None:
            ever = self._ever or Losses()
            # Whose company counts: at these tables, in running games, and who won before.
            asked = set(self._people)
            for user_id in self._people if self._ever is not None else ():
                asked |= {*winners_from(user_id, ever), *self._playing_with(user_id)}
            since = at - timedelta(days=self.numbers["fair.device_days"])
            self._seen = shared_sightings(asked, since)
        return self._seen

    def _playing_with(self, user_id: int) -> set[int]:
        games = (purses for purses in self._running() if user_id in purses)
        return {other for purses in games for other in purses}

    def pairs_over(self, users: Collection[int], at: datetime) -> list[tuple[int, int]]:
        """Return (loser, winner) of pairs at the daily limit, if running games end as losses. Flag
        the pairs that have really lost it.
        """
        key = frozenset(users), midnight_before(at)
        if key not in self._pairs:
            self._pairs[key] = self._find_pairs(key[0], at)
        return self._pairs[key]

    def _find_pairs(self, users: frozenset[int], at: datetime) -> list[tuple[int, int]]:
        self.expect(users)
        day = midnight_before(at)
        if day not in self._losses:
            self._losses[day] = net_losses(self._people, at)
        # By ``get``: a Counter makes a Python call for a pair without an entry, as nearly all are.
        lost_by, most = self._losses[day].get, self.numbers["fair.pair_daily"]
        at_stake = self.stakes_among(users).get
        # Only pairs of this table: the batch may have many tables.
        over = []
        for pair in permutations(sorted(users), 2):
            lost = lost_by(pair, 0)
            if lost >= most:
                _flag_later(flags.chips(pair, lost, at))
            if lost - lost_by(pair[::-1], 0) + at_stake(pair, 0) >= most:
                over.append(pair)
        return over

    def stakes_among(self, users: Collection[int]) -> Counter[tuple[int, int]]:
        """Return (loser, winner) -> points at stake in running games."""
        return stakes_between(users, self._running())

    def _running(self) -> list[Purses]:
        if self._in_play is None:
            self._in_play = purses_in_play(self._people)
        return [*self._in_play, *self._begun]


# Raw SQL: the ORM reads before it adds, and took 12.8 times the time (SQLite; 5.3 on PostgreSQL;
# 2026-11-27).
_LOSSES: Final = BulkRows(PairLoss, ("loser", "winner", "points"), ("loser", "winner"))


def note_losses(losses: Losses) -> None:
    """Add the losses of ended games to each pair's sum: one statement. The accounts of all are
    locked, so that limits count each game.
    """
    points = Losses()
    for (loser, winner), lost in losses.items():
        points[min(loser, winner), max(loser, winner)] += lost if loser < winner else -lost
    _LOSSES.upsert([(*pair, lost) for pair, lost in sorted(points.items()) if lost], adds=True)


class WasReplaced(AlreadySeated):
    """The user has played in this match and was replaced, and cannot come back."""

    code = "action/was_replaced"


class Substitutes(Reaction):
    kinds = frozenset({"take_over"})

    def admit(self, locked: LockedMatch, submission: Submission, user: User) -> None:
        if submission.action.get("kind") != "take_over":
            return
        if user.is_bot or not user.is_active:
            refuse("forbidden", "this account takes over for nobody")
        if any(gone.user_id == user.id for gone in locked.replaced):
            raise WasReplaced("you have played in this game and were replaced")


class FairPlay(Reaction):
    """Checks fair play, and counts losses at the end."""

    kinds = frozenset({"sit", "take_over", "ready", "rematch"})

    def __init__(self) -> None:
        self._asked = FairPlayBatch()
        self._lost: list[Losses] = []

    def expect(self, users: Collection[int]) -> None:
        self._asked.expect(users)

    def admit(self, locked: LockedMatch, submission: Submission, user: User) -> None:
        """Refuse unfair company and, on sitting down, players who time out too often. Raises as the
        checks below.
        """
        kind = submission.action.get("kind")
        if kind in self.kinds:
            others = [*locked.seating.accounts.values()]
            others += [gone.user for gone in locked.replaced]
            purses = _purses_with(locked, user, submission.action)
            require_fair_company(user, others, locked.now, self._asked, purses)
        if kind in SEATING_KINDS and locked.seat_of(user.id) is None:
            require_no_cool_down(user.id, locked.now, self._asked)

    def begun(self, locked: LockedMatch) -> None:
        self._asked.note_begun(purses_of(locked))

    def closed(self, locked: LockedMatch) -> None:
        if locked.state.stage == OVER and is_staked(locked):
            nets = [(seat.user_id, seat.net or 0) for seat in locked.seats.values()]
            people = set(people_at(locked))
            lost = losses_of(nets).items()
            self._lost.append(Losses({pair: net for pair, net in lost if people.issuperset(pair)}))

    def written(self, changed: Sequence[LockedMatch]) -> None:
        if self._lost:
            note_losses(sum(self._lost, Losses()))

    def unwelcome(self, locked: LockedMatch) -> set[int]:
        people = locked.seating.accounts.values()
        purses = purses_of(locked) if is_staked(locked) else {}
        return unwelcome(people, locked.now, self._asked, purses)

    def allowed_purse(self, locked: LockedMatch, user: User, purse: int) -> int:
        if not is_staked(locked):
            return purse
        most, purses = purse, purses_of(locked)
        for other in locked.seating.accounts.values():
            if other.is_bot or other.id == user.id:
                continue
            flows = (
                self._asked.outflow(user, other.id, locked.now),
                self._asked.outflow(other, user.id, locked.now),
            )
            room = min(flow.room for flow in flows)
            if min(most, purses[other.id]) > room:
                most = room
        return most if most >= least_purse(locked) else purse


def require_not_frozen(user: User) -> None:
    """Raise ``forbidden`` for a frozen account."""
    if user.is_frozen:
        why = f": {user.frozen_reason}" if user.frozen_reason else ""
        refuse("forbidden", f"your account is frozen{why}", reason=user.frozen_reason)


def require_fair_company(
    user: User,
    others: Collection[User],
    at: datetime,
    asked: FairPlayBatch,
    purses: Purses = MappingProxyType({}),
) -> None:
    """Refuse a user whose company at a table would be unfair. ``others``: the users there;
    ``purses``: what each would play for. Raises ``forbidden``, SameDevice, LostEnough, PairLimit.
    """
    require_not_frozen(user)
    people = {other.id: other for other in others if not other.is_bot and other.id != user.id}
    if not people:
        return
    if purses:
        asked.look_back([user.id, *people])
    _require_own_device(user, people, at, asked)
    most = asked.numbers["fair.pair_daily"]
    for one, other in asked.pairs_over([user.id, *people], at):
        if user.id in (one, other):
            name = people[other if one == user.id else one].username
            raise _lost_enough(name, most, asked.stakes_among([one, other])[one, other])
    for stranger in people.values() if purses else ():
        for loser, winner in ((user, stranger), (stranger, user)):
            flow = _flow_beyond(loser, winner, at, asked, purses)
            if flow:
                raise _pair_limit(stranger, flow, is_own=loser is user)


def require_no_cool_down(user_id: int, at: datetime, asked: FairPlayBatch) -> None:
    """Refuse a user who timed out too often in a row; raises action/cooling_down."""
    numbers = asked.numbers
    wait = timedelta(minutes=numbers["fair.cool_down"])
    last = last_timeout_of_streak(user_id, numbers["fair.timeouts"])
    if last is None or last + wait <= at:
        return
    seconds = -int((at - last - wait).total_seconds())
    minutes = -(-seconds // 60)
    message = f"you were absent too often in a row: sit down again in {minutes} min"
    refuse("action/cooling_down", message, seconds=seconds)


def unwelcome(
    people: Collection[User],
    at: datetime,
    asked: FairPlayBatch,
    purses: Purses = MappingProxyType({}),
) -> set[int]:
    """Return users who must not start a game: frozen accounts, and losers at a limit."""
    frozen = {user.id for user in people if user.is_frozen}
    rest = [user for user in people if not user.is_bot and user.id not in frozen]
    if len(rest) < 2:
        return frozen
    losers = {loser for loser, _ in asked.pairs_over([user.id for user in rest], at)}
    for loser, winner in permutations(rest, 2):
        if _flow_beyond(loser, winner, at, asked, purses):
            losers.add(loser.id)
    return frozen | losers


def last_timeout_of_streak(user_id: int, length: int) -> datetime | None:
    """Return a user's last timeout if the last ``length`` games with absences all had one."""
    absences = [game.slug for game in registry.games() if game.counts.absences]
    # At most three are running; one without a timeout is skipped.
    told = [
        timed_out_at
        for status, timed_out_at in _recent(length + 3).rows(users=[user_id], games=absences)
        if status == Match.Status.OVER or timed_out_at is not None
    ][:length]
    if len(told) < length or None in told:
        return None
    return max(at for at in told if at is not None)


@cache
def _recent(most: int) -> Compiled:
    seats = Seat.objects.filter(
        user__in=USERS,
        match__game__in=GivenMany("games", CharField()),
        match__status__in=(Match.Status.RUNNING, Match.Status.OVER),
    ).order_by("-match__started_at")
    return Compiled(lambda: seats.values_list("match__status", "timed_out_at")[:most])


def _require_own_device(
    user: User, people: dict[int, User], at: datetime, asked: FairPlayBatch
) -> None:
    company = asked.company_of(user.id, people, at)
    for other in sorted(company.by_address - company.by_device):
        _flag_later(flags.company(Flag.Kind.ADDRESS, (user.id, other), at))
    for other in sorted(company.by_device):
        _flag_later(flags.company(Flag.Kind.DEVICE, (user.id, other), at))
        raise SameDevice(f"{people[other].username} plays from the same device as you")


def _purses_with(locked: LockedMatch, user: User, action: Mapping[str, Any]) -> Purses:
    """Return what all play for after an action, as far as known; nothing without stakes."""
    if not is_staked(locked):
        return {}
    least, purses = least_purse(locked), purses_of(locked)
    if action["kind"] == "rematch":
        # Purses are cut to what is allowed.
        return dict.fromkeys(purses, least)
    named = action.get("purse")
    purse = named if type(named) is int else purses.get(user.id, least)
    return {**purses, user.id: max(least, purse)}


def _flow_beyond(
    loser: User, winner: User, at: datetime, asked: FairPlayBatch, purses: Purses
) -> Outflow | None:
    """Return what a user has lost to another one if their purses would pass the limit; flag it."""
    # Nobody can win more from another than the smaller of both purses.
    value = min(purses.get(loser.id, 0), purses.get(winner.id, 0))
    if not value:
        return None
    if limit(loser.date_joined, at, asked.numbers) - asked.risk(loser.id) >= value:
        return None
    flow = asked.outflow(loser, winner.id, at)
    if flow.room >= value:
        return None
    if flow.is_suspicious:
        _flag_later(flags.passed_on((loser.id, winner.id), flow, at))
    return flow


def _pair_limit(other: User, flow: Outflow, *, is_own: bool) -> PairLimit:
    name, most = other.username, flow.room
    if is_own:
        who, whom = "you may", name
    else:
        who, whom = f"{name} may", "you"
    why = (
        f"{who} lose {most} more points to {whom} for now: play for {most} at most"
        if most
        else f"{who} lose no more points to {whom} for now: play others, or without points"
    )
    return PairLimit(why, most=most, name=name, limit=flow.most)


def _lost_enough(name: str, most: int, at_stake: int) -> LostEnough:
    if at_stake:
        return LostEnough(
            f"between you and {name} one may lose {most} points to the other in a day, and so much"
            " is lost or at stake in running games; let those end first",
            most=most,
            name=name,
            at_stake=at_stake,
        )
    return LostEnough(
        f"between you and {name} one has lost {most} points to the other today, which is the most;"
        " play together again tomorrow",
        most=most,
        name=name,
    )


def _flag_later(flag: flags.NewFlag) -> None:
    # After the commit, so that no flag can break a game.  Not a partial: Django cannot name a
    # partial in its log when it fails.
    transaction.on_commit(lambda: flags.open_flag(flag), robust=True)
