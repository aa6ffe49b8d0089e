"""Dynamite Town on the site, for tests: its people and their teams."""

from typing import Any

from games.mafia.dynamite.rules.teams import Team
from tests.games.mafia.common.kit import AnyTownKit, want_substitutes
from tests.games.match_kit import new_user
from tests.remembered import remembered


class BandKit(AnyTownKit):
    """A town with its people, in the order of their seats."""

    game = "dynamite"

    def of(self, team: Team) -> list[Any]:
        """Return those who live and belong to a team."""
        return [self.people[player.no] for player in self.play.living if player.team == team]

    def seat(self, user: Any) -> int:
        """Return where somebody sits."""
        return self.people.index(user)

    def vote_round(self, *but: Any) -> None:
        """Vote with all living seats, except these, for the next living one."""
        alive = self.alive
        for place, user in enumerate(alive):
            if user not in but:
                following = alive[(place + 1) % len(alive)]
                self.act(user, kind="vote", choice=self.seat(following))


@remembered
def band(seats: int = 8, *, substitutes: bool = False, **options: Any) -> BandKit:
    """Return a town on its first day; with substitutes, as contests set it."""
    kit = BandKit(*(new_user(f"d{no}x") for no in range(seats)), seats=seats, **options)
    if substitutes:
        want_substitutes(kit.match)
    kit.start(purse=0)
    return kit
