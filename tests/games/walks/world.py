"""The parts of the world in which walks take place."""

from accounts.models import User
from tests.games.arena.kit import ArenaKit
from tests.games.contests.kit import ContestKit
from tests.games.duel.kit import DuelKit
from tests.games.finished import finished
from tests.games.mafia.agora.kit import town
from tests.games.match_kit import MatchKit
from tests.games.table_kit import TableKit

DAY = 86_400


class World:
    """People, and what they have played; ``names``: placeholder -> public id."""

    def __init__(self, parts: list[str]) -> None:
        self.una, self.ben, self.cy = (
            User.objects.create_user(name, f"{name}@example.org", "a long password")
            for name in ("una", "ben", "cy")
        )
        User.objects.create_superuser("chief", "chief@example.org", "a long password")
        self.names: dict[str, str] = {}
        for part in parts:
            getattr(self, part)()

    @property
    def people(self) -> dict[str, User]:
        """Everybody, by name."""
        return {user.username: user for user in User.objects.filter(is_bot=False)}

    def keep(self, **kits: MatchKit) -> None:
        """Name matches."""
        self.names |= {name: kit.match.public_id for name, kit in kits.items()}

    def duels(self) -> None:
        """Play a duel that una has won, a draw, and one in which ben has thrown."""
        won = DuelKit(self.una, self.ben, best_of=3, stake=10, age=3_600)
        won.start()
        won.win(self.una)
        drawn = DuelKit(self.ben, self.una, best_of=1, age=DAY)
        drawn.start()
        drawn.throw("rock", "rock")
        running = DuelKit(self.ben, self.una, best_of=3, clock_seconds=DAY)
        running.start()
        running.throw("rock", None)
        self.keep(won=won, drawn=drawn, running=running)

    def tables(self) -> None:
        """Play a table that is over, one in its first betting, and one with free seats."""
        over = TableKit(self.una, self.ben, self.cy, seats=3, age=7_200)
        over.start(20)
        over.play_to_the_end()
        betting = TableKit(self.cy, self.ben, betting_clock=120)
        betting.start(10)
        free = TableKit(self.ben, seats=4)
        free.seat_everybody(5)
        self.keep(over=over, betting=betting, free=free)

    def towns(self) -> None:
        """Play a story that is over, and a town in its first night."""
        night = town(5, phase_seconds=DAY)
        self.keep(story=finished("dynamite"), night=night)

    def contest(self) -> None:
        """Found a contest of five, all of them ready."""
        kit = ContestKit(5)
        kit.ready()
        self.names["contest"] = kit.row.public_id

    def arena(self) -> None:
        """Play a round of the arena."""
        kit = ArenaKit(4)
        kit.begin()
        kit.play("rock", "paper", "scissors", "rock")
