"""A town on the site, for tests: its people, and a clock that only moves when told to."""

import json
from typing import Any

from games import registry
from games.engine.structs import canonical
from games.matches.models import Match
from tests.games.match_kit import MatchKit, bell_of, new_user

#: The slugs of the Mafia games.
GAMES = [
    game.slug
    for game in registry.tables()
    if registry.package(game.slug).startswith("games.mafia.")
]


class AnyTownKit(MatchKit):
    """A town with its people, in the order of their seats; ``game`` where no subclass names it."""

    def __init__(self, *people: Any, game: str = "", **options: Any) -> None:
        if game:
            self.game = game
        super().__init__(*people, **options)

    @property
    def play(self) -> Any:
        return self.snapshot.state.play

    @property
    def alive(self) -> list[Any]:
        """The people who live; bots sit after them."""
        living = (member.no for member in self.play.living)
        return [self.people[no] for no in living if no < len(self.people)]

    @property
    def partners(self) -> tuple[str, list[Any]]:
        """A private room of a team of two or more, and those of the team."""
        seats = self.play.teams
        room = next(name for name in seats.values() if list(seats.values()).count(name) > 1)
        return room, [self.people[no] for no, name in seats.items() if name == room]

    @property
    def open_seats(self) -> list[int]:
        return [chair["no"] for chair in self.view()["seats"] if chair["is_open"]]

    def seat(self, user: Any) -> int:
        return self.people.index(user)

    def vote_round(self, *but: Any) -> None:
        """By day vote with all who live, except these, for the next one: so all live on."""
        alive = self.alive if self.play.stage == "day" else []
        for place, user in enumerate(alive):
            if user not in but:
                self.act(user, kind="vote", choice=self.seat(alive[(place + 1) % len(alive)]))

    def run_out(self) -> None:
        self.pass_time((self.row.due_at - self.now).total_seconds())

    def end(self) -> None:
        while self.row.is_live:
            for user in self.alive:
                if self.row.is_live and self.play.member(self.people.index(user)).may_act:
                    self.act(user, kind="leave")
            if self.row.is_live:
                self.run_out()


def town_of(
    game: str, seats: int = 8, *, substitutes: bool = False, kind: Any = AnyTownKit, **options: Any
) -> Any:
    """Return a town in its first phase; with substitutes, as contests set it."""
    kit = kind(*(new_user(f"m{no}x") for no in range(seats)), game=game, seats=seats, **options)
    if substitutes:
        want_substitutes(kit.match)
    kit.start(purse=0)
    return kit


def wanted(user: Any) -> list[str]:
    return [need["what"] for need in bell_of(user.pk)]


def want_substitutes(match: Match) -> None:
    """Turn on substitutes for an open table, which players cannot do."""
    texts = {}
    for name in ("origin", "table"):
        state = json.loads(getattr(match, name))
        state["options"]["substitutes"] = True
        texts[name] = canonical(state)
    Match.objects.filter(pk=match.pk).update(**texts)
