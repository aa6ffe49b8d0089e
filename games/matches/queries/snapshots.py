"""A match at one moment, with all data needed to build any viewer's view of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from games.engine.facts import SeatNo
from games.engine.table import Table, TableState
from games.matches.journal.lines import write_lines
from games.matches.journal.match_cache import CachedMatch, Sitter
from games.matches.models import Match


@dataclass(frozen=True, slots=True)
class News:
    """The seats that can see a difference to an earlier state; nobody else can.

    ``since`` is the number of that state's last entry.
    """

    since: int
    seats: frozenset[int]


class Snapshot:
    """The current state of a match and its sitters' belongings; holds every secret, never sent.

    Nothing in it changes.  ``no`` is the number of the last entry; a larger one is a later state.
    The checkpoint in ``match`` may be old.  Without ``news`` everybody may see a difference to the
    state before.
    """

    def __init__(
        self,
        cached: CachedMatch,
        sitters: Mapping[int, Sitter],
        successor: str | None = None,
        news: News | None = None,
    ) -> None:
        self.cached, self.sitters, self.successor, self.news = cached, sitters, successor, news
        self.match: Match = cached.match
        self.table: Table = cached.table
        self.state: TableState = cached.state
        self.no: int = cached.match.action_count

    @cached_property
    def log(self) -> str:
        """The last public lines, as JSON."""
        return write_lines(self.cached.lines)

    @cached_property
    def open_seats(self) -> tuple[SeatNo, ...]:
        """The seats that somebody else may take over; this is public."""
        return self.table.open_seats(self.state)

    @property
    def challenge(self) -> tuple[str, str] | None:
        """The names of challenger and challenged; None for a match without a challenge."""
        match = self.match
        if match.invited is None or match.opened_by is None:
            return None
        return match.opened_by.username, match.invited.username

    @property
    def people(self) -> set[int]:
        """The users whom the match concerns: seated, replaced and invited."""
        invited = {self.match.invited_id} if self.match.invited_id else set()
        replaced = {gone.user_id for gone in self.cached.replaced}
        return invited | replaced | {sitter.user_id for sitter in self.sitters.values()}

    def seat_of(self, user_id: int | None) -> int | None:
        """Return the seat of a user, None for a user without one."""
        for seat, sitter in self.sitters.items():
            if sitter.user_id == user_id:
                return seat
        return None
