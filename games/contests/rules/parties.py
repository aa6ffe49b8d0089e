"""Founding, joining, leaving, being ready.
Source: docs/rules/agora.md "The contest".
"""

from collections.abc import Collection

from games.contests.rules.errors import AlreadyParty, ContestClosed, StillCitizen
from games.contests.rules.state import (
    Allowed,
    BecameReady,
    BecameUnready,
    Contest,
    Founded,
    Joined,
    Left,
    MasterReplaced,
    Party,
    Settings,
    require_party,
    require_within,
)
from games.engine.facts import Instant, Step, Told
from games.engine.structs import replace


def found(
    allowed: Allowed, user: int, settings: Settings, at: Instant, *, is_master: bool
) -> Step[Contest]:
    """Found a contest; its founder is its first party. Raises OutOfLimits, also if a setting is
    missing or unknown.
    """
    require_within(allowed, {**dict.fromkeys(allowed.settings, -1), **settings})
    master = user if is_master else None
    contest = Contest(founder=user, master=master, settings=settings, idle_since=at)
    founded = Step(contest, (Told(Founded(user, master, settings)),))
    return founded.then(lambda open_one: join(open_one, user))


def join(contest: Contest, user: int) -> Step[Contest]:
    """Become a party; raises ContestClosed, AlreadyParty."""
    require_open(contest)
    if contest.party(user) is not None:
        raise AlreadyParty("you are a party to this contest already")
    return Step(replace(contest, parties=(*contest.parties, Party(user))), (Told(Joined(user)),))


def leave(contest: Contest, user: int, living: Collection[int]) -> Step[Contest]:
    """Be a party no longer; a proposal and an objection stay, a contestmaster is replaced.
    ``living``: users of the running game. Raises ContestClosed, NotParty, StillCitizen.
    """
    require_open(contest)
    mine = require_party(contest, user)
    if user in living:
        raise StillCitizen("you live in the running game: leave town first, or see it through")
    rest = tuple(party for party in contest.parties if party is not mine)
    left = Step(replace(contest, parties=rest), (Told(Left(user)),))
    return left.then(replace_master) if user == contest.master else left


def replace_master(contest: Contest) -> Step[Contest]:
    """Make the site contestmaster; raises ContestClosed."""
    require_open(contest)
    assert contest.master is not None
    return Step(replace(contest, master=None), (Told(MasterReplaced(contest.master)),))


def make_ready(contest: Contest, user: int) -> Step[Contest]:
    """Make a user ready, last in order; raises ContestClosed, NotParty."""
    require_open(contest)
    mine = require_party(contest, user)
    if mine.ready_no:
        return Step(contest)
    number = contest.readied + 1
    changed = with_party(contest, replace(mine, ready_no=number))
    return Step(replace(changed, readied=number), (Told(BecameReady(user)),))


def make_unready(contest: Contest, user: int, reason: str = "asked") -> Step[Contest]:
    """Make a user unready; raises ContestClosed, NotParty."""
    require_open(contest)
    mine = require_party(contest, user)
    if not mine.ready_no:
        return Step(contest)
    changed = with_party(contest, replace(mine, ready_no=0))
    return Step(changed, (Told(BecameUnready(user, reason)),))


def with_party(contest: Contest, changed: Party) -> Contest:
    parties = tuple(changed if p.user == changed.user else p for p in contest.parties)
    return replace(contest, parties=parties)


def require_open(contest: Contest) -> None:
    if not contest.is_open:
        raise ContestClosed("this contest is closed")
