"""The facts of a contest; all are public.  Users are ids.
Source: docs/explanation/contests.md "History".
"""

from games.contests.rules.state import Settings
from games.engine.facts import Fact, Instant


class Founded(Fact, frozen=True):
    """A user founded the contest; ``master`` is its contestmaster, None the site."""

    user: int
    master: int | None
    settings: Settings


class Joined(Fact, frozen=True):
    """A user became a party."""

    user: int


class Left(Fact, frozen=True):
    """A party left."""

    user: int


class MasterReplaced(Fact, frozen=True):
    """The user is contestmaster no longer: the site is."""

    user: int


class BecameReady(Fact, frozen=True):
    """A party is ready for the next game."""

    user: int


class BecameUnready(Fact, frozen=True):
    """A party is no longer ready: asked, absent, away, or left out of a game that begins."""

    user: int
    reason: str


class GameBegan(Fact, frozen=True):
    """A game began; ``user`` started it, None the site."""

    no: int
    user: int | None
    players: tuple[int, ...]


class GameEnded(Fact, frozen=True):
    """The running game ended: won, drawn or void; ``winners`` were its winning side."""

    no: int
    how: str
    winners: tuple[int, ...]


class Proposed(Fact, frozen=True):
    """A party proposed an amendment."""

    no: int
    user: int
    changes: Settings
    effect_at: Instant


class Objected(Fact, frozen=True):
    """A user objected to an amendment."""

    no: int
    user: int


class Amended(Fact, frozen=True):
    """An amendment took effect."""

    no: int
    changes: Settings


class AmendmentFailed(Fact, frozen=True):
    """An amendment failed: objections, limits that changed, withdrawn, or contest closed."""

    no: int
    reason: str


class Closed(Fact, frozen=True):
    """The contest was closed."""

    user: int


ContestFact = (
    Founded
    | Joined
    | Left
    | MasterReplaced
    | BecameReady
    | BecameUnready
    | GameBegan
    | GameEnded
    | Proposed
    | Objected
    | Amended
    | AmendmentFailed
    | Closed
)
