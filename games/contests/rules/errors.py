"""The refusals of a contest.
Source: docs/reference/protocol.md, "Errors".
"""

from typing import Final

from games.engine.errors import IllegalAction

#: Refusals that no code catches: code -> its meaning.
REFUSALS: Final = {
    "contest/closed": "The contest is closed: it cannot change any more",
    "contest/already_party": "The user is a party to the contest already",
    "contest/not_party": "Only a party to the contest may do this",
    "contest/still_citizen": "A citizen who lives in the running game cannot leave the contest",
    "contest/not_contestmaster": "Only the contestmaster may do this; detail: at, from when any"
    " party may, if ever",
    "contest/game_running": "A game of this contest is running: there is one at a time",
    "contest/first_death": "A game cannot be called off after the first death",
    "contest/proposal_open": "Another proposal is open: there is one at a time",
    "contest/proposed_lately": "The party has proposed something within the last days; detail: at,"
    " when it may again",
    "contest/no_change": "The proposal would change nothing",
    "contest/no_proposal": "No such proposal is open any more",
    "contest/not_proposer": "Only who made a proposal withdraws it",
    "contest/may_not_object": "Only a party at the time of the proposal may object: once, and not"
    " the proposer",
    "contest/too_many": "The user has the most open contests that one founder may have; detail:"
    " most",
    "contest/away": "The user is marked as away; detail: until, the last day of the absence",
}


class TooFewReady(IllegalAction):
    """Fewer ready users may play together than a game needs; detail: least, ready."""

    code = "contest/too_few_ready"


class OutOfLimits(IllegalAction):
    """A setting is unknown, of another type or out of its limits; detail: setting, least, most."""

    code = "contest/out_of_limits"
