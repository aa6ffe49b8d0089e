"""Dynamite Town on the site, for tests: its people and their teams."""

from typing import Any

from games.mafia.dynamite.rules.teams import Team
from tests.games.mafia.common.kit import AnyTownKit, town_of


class BandKit(AnyTownKit):
    game = "dynamite"

    def of(self, team: Team) -> list[Any]:
        return [self.people[player.no] for player in self.play.living if player.team == team]


def band(seats: int = 8, **options: Any) -> BandKit:
    kit: BandKit = town_of(BandKit.game, seats, kind=BandKit, **options)
    return kit
