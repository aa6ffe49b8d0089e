"""Founding, joining, leaving, being ready; amendments, which three objections end, or those of all.
Source: docs/rules/agora.md "The contest".
"""

from collections.abc import Collection

from games.contests.rules.errors import OutOfLimits
from games.contests.rules.state import (
    Allowed,
    Amended,
    AmendmentFailed,
    BecameReady,
    BecameUnready,
    Change,
    Contest,
    Founded,
    Joined,
    Left,
    MasterReplaced,
    Objected,
    Party,
    Proposal,
    Proposed,
    Settings,
    require_party,
    require_within,
)
from games.engine.errors import refuse
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
    """Become a party; raises contest/closed, contest/already_party."""
    require_open(contest)
    if contest.party(user) is not None:
        refuse("contest/already_party", "you are a party to this contest already")
    return Step(replace(contest, parties=(*contest.parties, Party(user))), (Told(Joined(user)),))


def leave(contest: Contest, user: int, living: Collection[int]) -> Step[Contest]:
    """Be a party no longer; a proposal and an objection stay, a contestmaster is replaced.
    ``living``: users of the running game. Raises contest/closed, contest/not_party,
    contest/still_citizen.
    """
    require_open(contest)
    mine = require_party(contest, user)
    if user in living:
        message = "you live in the running game: leave town first, or see it through"
        refuse("contest/still_citizen", message)
    rest = tuple(party for party in contest.parties if party is not mine)
    left = Step(replace(contest, parties=rest), (Told(Left(user)),))
    return left.then(replace_master) if user == contest.master else left


def replace_master(contest: Contest) -> Step[Contest]:
    """Make the site contestmaster; raises contest/closed."""
    require_open(contest)
    assert contest.master is not None
    return Step(replace(contest, master=None), (Told(MasterReplaced(contest.master)),))


def make_ready(contest: Contest, user: int) -> Step[Contest]:
    """Make a user ready, last in order; raises contest/closed, contest/not_party."""
    require_open(contest)
    mine = require_party(contest, user)
    if mine.ready_no:
        return Step(contest)
    number = contest.readied + 1
    changed = with_party(contest, replace(mine, ready_no=number))
    return Step(replace(changed, readied=number), (Told(BecameReady(user)),))


def make_unready(contest: Contest, user: int, reason: str = "asked") -> Step[Contest]:
    """Make a user unready; raises contest/closed, contest/not_party."""
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
        refuse("contest/closed", "this contest is closed")


def propose(
    contest: Contest, allowed: Allowed, user: int, wanted: Settings, at: Instant
) -> Step[Contest]:
    """Propose other settings; unchanged ones are left out. Each party may once propose back the
    last change, or a part of it, beside the limit of one a week. Raises OutOfLimits, and closed,
    not_party, proposal_open, no_change, proposed_lately of a contest.
    """
    require_open(contest)
    require_party(contest, user)
    if contest.proposal is not None:
        refuse("contest/proposal_open", "another proposal is open")
    if fixed := sorted(set(wanted) - allowed.amendable):
        raise OutOfLimits("this is not changed by an amendment", setting=fixed[0][:40])
    require_within(allowed, wanted)
    changes = {name: new for name, new in wanted.items() if contest.settings[name] != new}
    if not changes:
        refuse("contest/no_change", "this would change nothing")
    last = contest.last_change
    if last is not None and user not in last.asked and changes.items() <= last.before.items():
        last = replace(last, asked=(*last.asked, user))
    is_back = last is not contest.last_change
    again = may_propose_at(contest, allowed, user)
    if not is_back and again is not None and at < again:
        refuse("contest/proposed_lately", "you have proposed something lately", at=again)
    no, effect_at = contest.proposals + 1, Instant(at + allowed.effect)
    voters = frozenset(party.user for party in contest.parties) - {user}
    proposed = replace(
        contest,
        proposal=Proposal(no, user, changes, effect_at, voters, is_back=is_back),
        proposals=no,
        proposed=contest.proposed if is_back else {**contest.proposed, user: at},
        last_change=last,
    )
    return Step(proposed, (Told(Proposed(no, user, changes, effect_at)),))


def may_propose_at(contest: Contest, allowed: Allowed, user: int) -> Instant | None:
    """Return from when a user may propose again, None without a proposal so far."""
    last = contest.proposed.get(user)
    return None if last is None else Instant(last + allowed.between)


def object_to(contest: Contest, user: int, no: int, at: Instant) -> Step[Contest]:
    """Object to the open proposal, also after leaving; the third objection ends it, or that of all
    who may object. Raises contest/closed, contest/no_proposal, contest/may_not_object.
    """
    proposal = require_may_object(contest, user, no, at)
    objected = (*proposal.objected, user)
    told = Step(
        replace(contest, proposal=replace(proposal, objected=objected)), (Told(Objected(no, user)),)
    )
    if len(objected) < proposal.needed:
        return told
    return told.then(lambda now: lapse(now, "objections"))


def require_may_object(contest: Contest, user: int, no: int, at: Instant) -> Proposal:
    """Return the open proposal; raises as ``object_to`` does."""
    proposal = _require_proposal(contest, no, at)
    if user not in proposal.voters:
        who = "your own proposal" if user == proposal.by else "what was proposed before you came"
        refuse("contest/may_not_object", f"you cannot object to {who}")
    if user in proposal.objected:
        refuse("contest/may_not_object", "you have objected already")
    return proposal


def withdraw(contest: Contest, user: int, no: int, at: Instant) -> Step[Contest]:
    """Withdraw one's open proposal, also after leaving; it counts for the week all the same. Raises
    contest/closed, contest/no_proposal, contest/not_proposer.
    """
    if _require_proposal(contest, no, at).by != user:
        refuse("contest/not_proposer", "only its proposer withdraws a proposal")
    return lapse(contest, "withdrawn")


def take_effect(contest: Contest, allowed: Allowed, at: Instant) -> Step[Contest]:
    """Apply the open proposal if it is due; it fails outside the current limits."""
    proposal = contest.proposal
    if proposal is None or at < proposal.effect_at:
        return Step(contest)
    try:
        require_within(allowed, proposal.changes)
    except OutOfLimits:
        return lapse(contest, "limits")
    settings = {**contest.settings, **proposal.changes}
    change = Change(proposal.no, {name: contest.settings[name] for name in proposal.changes})
    amended = replace(contest, settings=settings, proposal=None, last_change=change)
    return Step(amended, (Told(Amended(proposal.no, proposal.changes)),))


def lapse(contest: Contest, reason: str) -> Step[Contest]:
    """End the open proposal, if there is one, as failed."""
    if contest.proposal is None:
        return Step(contest)
    failed = AmendmentFailed(contest.proposal.no, reason)
    return Step(replace(contest, proposal=None), (Told(failed),))


def _require_proposal(contest: Contest, no: int, at: Instant) -> Proposal:
    require_open(contest)
    proposal = contest.proposal
    if proposal is None or proposal.no != no or at >= proposal.effect_at:
        refuse("contest/no_proposal", "this proposal is not open any more")
    return proposal
