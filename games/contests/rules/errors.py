"""The refusals of a contest.
Source: docs/reference/protocol.md, "Errors".
"""

from typing import ClassVar

from games.engine.errors import IllegalAction


class ContestClosed(IllegalAction):
    """The contest is closed: it cannot change any more."""

    code: ClassVar[str] = "contest/closed"


class AlreadyParty(IllegalAction):
    """The user is a party to the contest already."""

    code: ClassVar[str] = "contest/already_party"


class NotParty(IllegalAction):
    """Only a party to the contest may do this."""

    code: ClassVar[str] = "contest/not_party"


class StillCitizen(IllegalAction):
    """A citizen who lives in the running game cannot leave the contest."""

    code: ClassVar[str] = "contest/still_citizen"


class NotContestmaster(IllegalAction):
    """Only the contestmaster may do this; detail: at, from when any party may, if ever."""

    code: ClassVar[str] = "contest/not_contestmaster"


class GameRunning(IllegalAction):
    """A game of this contest is running: there is one at a time."""

    code: ClassVar[str] = "contest/game_running"


class TooFewReady(IllegalAction):
    """Fewer ready users may play together than a game needs; detail: least, ready."""

    code: ClassVar[str] = "contest/too_few_ready"


class FirstDeath(IllegalAction):
    """A game cannot be called off after the first death."""

    code: ClassVar[str] = "contest/first_death"


class ProposalOpen(IllegalAction):
    """Another proposal is open: there is one at a time."""

    code: ClassVar[str] = "contest/proposal_open"


class ProposedLately(IllegalAction):
    """The party has proposed something within the last days; detail: at, when it may again."""

    code: ClassVar[str] = "contest/proposed_lately"


class NoChange(IllegalAction):
    """The proposal would change nothing."""

    code: ClassVar[str] = "contest/no_change"


class OutOfLimits(IllegalAction):
    """A setting is unknown, of another type or out of its limits; detail: setting, least, most."""

    code: ClassVar[str] = "contest/out_of_limits"


class NoProposal(IllegalAction):
    """No such proposal is open any more."""

    code: ClassVar[str] = "contest/no_proposal"


class NotProposer(IllegalAction):
    """Only who made a proposal withdraws it."""

    code: ClassVar[str] = "contest/not_proposer"


class MayNotObject(IllegalAction):
    """Only a party at the time of the proposal may object: once, and not the proposer."""

    code: ClassVar[str] = "contest/may_not_object"
