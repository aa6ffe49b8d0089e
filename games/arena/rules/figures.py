"""A player's figures, and how a round changes them: on the site, on its boards, in the engine.
Source: docs/rules/arena.md, "A round".
"""

from games.arena.rules.outcome import Battles
from games.arena.rules.resolve import How
from games.arena.rules.scores import LOST, TIED, WON, streak_after
from games.engine.structs import Record


class Figures(Record, frozen=True):
    """A player's figures; battles and rounds are counted apart."""

    score: int = 0
    streak: int = 0
    best_streak: int = 0
    wins: int = 0
    losses: int = 0
    ties: int = 0
    round_wins: int = 0
    round_losses: int = 0
    round_ties: int = 0

    @property
    def rounds(self) -> int:
        """The rounds with a battle."""
        return self.round_wins + self.round_losses + self.round_ties


def figures_after(old: Figures, fought: Battles, verdict: int, score_delta: int) -> Figures:
    """Return the figures after a round. ``verdict``: ``scores.WON`` and so on."""
    streak = streak_after(old.streak, verdict)
    return Figures(
        old.score + score_delta,
        streak,
        max(old.best_streak, streak),
        old.wins + fought.wins,
        old.losses + fought.losses,
        old.ties + fought.ties,
        old.round_wins + (verdict == WON),
        old.round_losses + (verdict == LOST),
        old.round_ties + (verdict == TIED),
    )


def idle_rounds_after(idle_rounds: int, how: How) -> int:
    """Return the rounds in a row without a choice; one that was sat out says nothing."""
    return 0 if how == How.CHOSEN else idle_rounds + (how != How.NONE)
