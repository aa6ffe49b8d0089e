"""The state of a contest between two actions: immutable values, none of them secret.
Source: docs/rules/agora.md "The contest".
"""

from collections.abc import Mapping
from typing import Final

from games.contests.rules.errors import NotParty, OutOfLimits
from games.engine.facts import Instant
from games.engine.structs import Record

#: The setting that contests of every game have: the number of players, if the site starts.
WANTED: Final = "wanted"
#: The objections that end an amendment; all, where fewer may object.
OBJECTIONS: Final = 3

#: The settings of a contest by name: numbers and switches.
Settings = dict[str, int | bool]


class Limits(Record, frozen=True):
    """The least and the most value of a setting."""

    least: int
    most: int


class Allowed(Record, frozen=True):
    """The limits that the site and the game set now.

    ``settings``: name -> limits, None for a switch; ``amendable``: the names that can be amended.
    ``least`` and ``most``: the number of players of a game.  The rest are milliseconds: until a
    proposal takes effect, between two of one party, without a game until any party may start one.
    """

    settings: dict[str, Limits | None]
    amendable: frozenset[str]
    least: int
    most: int
    effect: int
    between: int
    idle: int


class Party(Record, frozen=True):
    """A party; ``ready_no`` orders the ready ones, 0: not ready."""

    user: int
    ready_no: int = 0


class Proposal(Record, frozen=True):
    """An open amendment; ``voters`` may object, who ``objected`` has. ``is_back``: it takes back
    what was changed last, beside the limit of one a week.
    """

    no: int
    by: int
    changes: Settings
    effect_at: Instant
    voters: frozenset[int]
    objected: tuple[int, ...] = ()
    is_back: bool = False

    @property
    def needed(self) -> int:
        """The number of objections that end it: 0 where nobody may object."""
        return min(OBJECTIONS, len(self.voters))


class Change(Record, frozen=True):
    """An amendment that took effect: its number, the settings before, who proposed them back."""

    no: int
    before: Settings
    asked: tuple[int, ...] = ()


class Game(Record, frozen=True):
    """The running game: its number and its players."""

    no: int
    players: tuple[int, ...]


class Contest(Record, frozen=True, kw_only=True):
    """A whole contest.

    ``master`` is the contestmaster, None where it is the site.  ``parties`` are in order of
    joining; ``readied`` counts who became ready so far.  ``idle_since`` is the founding or the end
    of the last game.  ``proposed`` says when each user last made a proposal that counts for the
    week.  ``last_change`` may be proposed back at once, by each party once.

    Invariants: one game and one proposal at a time; the master is a party; nobody is ready, no
    game runs and no proposal is open in a closed one.
    """

    founder: int
    master: int | None
    settings: Settings
    idle_since: Instant
    is_open: bool = True
    parties: tuple[Party, ...] = ()
    readied: int = 0
    game: Game | None = None
    games: int = 0
    proposal: Proposal | None = None
    proposals: int = 0
    proposed: dict[int, Instant] = {}
    last_change: Change | None = None

    @property
    def ready(self) -> tuple[int, ...]:
        """The ready users, in order of readiness."""
        waiting = [party for party in self.parties if party.ready_no]
        return tuple(party.user for party in sorted(waiting, key=lambda party: party.ready_no))

    def party(self, user: int) -> Party | None:
        """Return a user's party, None if the user is none."""
        return next((party for party in self.parties if party.user == user), None)

    @property
    def closer(self) -> int:
        """The user who may close it: its contestmaster, or its founder if that is the site."""
        return self.founder if self.master is None else self.master


def require_party(contest: Contest, user: int) -> Party:
    """Return a user's party; raises NotParty."""
    party = contest.party(user)
    if party is None:
        raise NotParty("only a party to this contest may do that")
    return party


def require_within(allowed: Allowed, wanted: Mapping[str, int | bool]) -> None:
    """Require known settings within their limits; raises OutOfLimits."""
    for name, value in wanted.items():
        if name not in allowed.settings:
            raise OutOfLimits("a contest has no such setting", setting=name[:40])
        limits = allowed.settings[name]
        if limits is None:
            if type(value) is not bool:
                raise OutOfLimits(f"{name} is on or off", setting=name)
        elif type(value) is not int or not limits.least <= value <= limits.most:
            raise OutOfLimits(
                f"{name} is a whole number from {limits.least} to {limits.most}",
                setting=name,
                least=limits.least,
                most=limits.most,
            )
