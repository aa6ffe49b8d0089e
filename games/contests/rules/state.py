"""The state of a contest and its facts: immutable, public; users are ids."""

from collections.abc import Mapping
from typing import Final

from games.contests.rules.errors import OutOfLimits
from games.engine.errors import refuse
from games.engine.facts import Fact, Instant
from games.engine.structs import Record

#: The setting that contests of every game have: the number of players, if the site starts.
WANTED: Final = "wanted"
#: The objections that end an amendment; all, where fewer may object.
OBJECTIONS: Final = 3

#: The settings of a contest by name: numbers and switches.
Settings = dict[str, int | bool]


class Limits(Record, frozen=True):
    least: int
    most: int


class Allowed(Record, frozen=True):
    """The limits now, by setting; None: a switch. ``least`` and ``most`` players; the rest in
    milliseconds: until a proposal takes effect, between two of one party, without a game until any
    party may start one.
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
    """An open amendment. ``is_back``: it takes back the last change, beside the limit of one a
    week.
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
    """An amendment that took effect: the settings before, who proposed them back."""

    no: int
    before: Settings
    asked: tuple[int, ...] = ()


class Game(Record, frozen=True):
    no: int
    players: tuple[int, ...]


class Contest(Record, frozen=True, kw_only=True):
    """A contest; parties in order of joining. ``proposed``: each user's last proposal that counts
    for the week. One game and one proposal at a time; the master, None for the site, is a party;
    nobody is ready, no game runs and no proposal is open in a closed one.
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
        return next((party for party in self.parties if party.user == user), None)

    @property
    def closer(self) -> int:
        """The user who may close it."""
        return self.founder if self.master is None else self.master


def require_party(contest: Contest, user: int) -> Party:
    party = contest.party(user)
    if party is None:
        refuse("contest/not_party", "only a party to this contest may do that")
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


class Founded(Fact, frozen=True):
    user: int
    master: int | None
    settings: Settings


class Joined(Fact, frozen=True):
    user: int


class Left(Fact, frozen=True):
    user: int


class MasterReplaced(Fact, frozen=True):
    """The user is contestmaster no longer: the site is."""

    user: int


class BecameReady(Fact, frozen=True):
    user: int


class BecameUnready(Fact, frozen=True):
    """A party is ready no longer: asked, absent, away, left_out."""

    user: int
    reason: str


class GameBegan(Fact, frozen=True):
    """A game began; ``user`` started it, None the site."""

    no: int
    user: int | None
    players: tuple[int, ...]


class GameEnded(Fact, frozen=True):
    """The running game ended: won, drawn or void."""

    no: int
    how: str
    winners: tuple[int, ...]


class Proposed(Fact, frozen=True):
    no: int
    user: int
    changes: Settings
    effect_at: Instant


class Objected(Fact, frozen=True):
    no: int
    user: int


class Amended(Fact, frozen=True):
    no: int
    changes: Settings


class AmendmentFailed(Fact, frozen=True):
    """An amendment failed: objections, limits, withdrawn, closed."""

    no: int
    reason: str


class Closed(Fact, frozen=True):
    user: int
