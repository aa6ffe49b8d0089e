"""A duel for the tests of the services: two people, a clock of its own, throws by name."""

from typing import Any, Self

from accounts.models import User
from games.matches.models import Match
from games.matches.processing import writing
from games.matches.processing.submissions import BatchResult
from tests.games.journal_kit import kinds_of
from tests.games.match_kit import MatchKit

#: What the first of two throws to win, with what the other throws.
WINNING, LOSING = "rock", "scissors"


class DuelKit(MatchKit):
    """One duel.  The people sit in their order; the first one is ``ann``, the second ``bob``."""

    game = "duel"

    @classmethod
    def of(cls, match: Match, *people: User, now: Any) -> Self:
        kit = cls.__new__(cls)
        kit.now, kit.people, kit.match = now, list(people), match
        kit.beat()
        return kit

    @property
    def ann(self) -> User:
        return self.people[0]

    @property
    def bob(self) -> User:
        return self.people[1]

    @property
    def duel(self) -> dict[str, Any]:
        game: dict[str, Any] = self.view()["game"]
        return game

    def seat_everybody(self, purse: int = 0) -> None:
        """Seat the people; each brings the stake."""
        for seat, user in enumerate(self.people):
            self.act(user, kind="sit", seat=seat)

    def throw(self, *hands: str | None) -> None:
        """Throw one hand for each seat; None throws nothing."""
        for user, hand in zip(self.people, hands, strict=True):
            if hand is not None:
                self.act(user, kind="throw", hand=hand)

    def win(self, winner: User) -> None:
        """Make one of the two win every throw until the duel is over."""
        while self.row.status == Match.Status.RUNNING:
            for user in self.people:
                self.act(user, kind="throw", hand=WINNING if user == winner else LOSING)

    def end(self, how: str) -> None:
        """Bring the duel to an end that is no win by throws: its reason, or ``void``."""
        if how == "draw":
            self.throw("rock", "rock")
        elif how == "resigned":
            self.act(self.bob, kind="resign")
        elif how == "abandoned":
            for _ in range(3):
                self.pass_time(30)
        elif how == "void":
            void = writing.house(self.match.pk, "void", "void-by-admin", reason="a broken chair")
            writing.submit(void, self.now)
        else:
            self.suspend()
            if how == "suspension":
                self.act(self.ann, kind="resume")
            self.pass_time(7 * 86_400)

    def suspend(self) -> None:
        for user in self.people:
            self.act(user, kind="suspend")

    def resume(self) -> BatchResult:
        self.act(self.ann, kind="resume")
        return self.act(self.bob, kind="resume")

    @property
    def kinds(self) -> list[str]:
        return kinds_of(self.match)
