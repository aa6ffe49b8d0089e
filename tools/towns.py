"""Play Mafia games with bots by the rules alone, and report how they end.

``python -m tools.towns`` plays 1,000 games of each kind and prints the tables of
bench/results/2026-11-28-towns.md; ``--games 100`` plays fewer.  Four kinds of people play alone
among bots: one who does nothing, one who votes at random, one who follows the majority, and one
who votes at random and asks.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from random import Random
from typing import Any, Final

from games.engine.errors import IllegalAction
from games.engine.facts import Instant, SeatNo, SeatSetup, Told, Viewer
from games.engine.structs import reader_of
from games.mafia.agora.bot import AgoraBot
from games.mafia.agora.rules.engine import Agora
from games.mafia.agora.rules.roles import Role, Side, side_of
from games.mafia.agora.rules.state import Cause
from games.mafia.agora.rules.state import Options as AgoraOptions
from games.mafia.common.bot import NAMES
from games.mafia.common.bot.hearing import claims_in, named_in, sentences_in, shapes_of
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.rooms import TOWN
from games.mafia.common.rules.roster import NOBODY
from games.mafia.dynamite.bot import DynamiteBot
from games.mafia.dynamite.rules.engine import Dynamite
from games.mafia.dynamite.rules.state import Options as DynamiteOptions

NOON: Final = Instant(1_795_262_400_000)
#: A decision of a person: the view, the share of the phase, and chance -> actions.
Person = Callable[[Mapping[str, Any], Random], list[dict[str, Any]]]
#: What a person asks.
ASKED: Final = (
    "claim, please.",
    "whom did you save?",
    "whom did you read?",
    "why?",
    "whom do you suspect?",
    "do you believe me?",
    "vote {name}!",
    "do you clear {name}?",
    "are you mafia?",
    "what happened last night?",
    "whom do we kill?",
    "whom do you trust?",
    "you are lying.",
    "hello",
    "I am the detective and {name} is mafia.",
)
#: The shares of a phase at which a person looks.
LOOKS: Final = (0.15, 0.4, 0.65, 0.9)


def silent(view: Mapping[str, Any], chance: Random) -> list[dict[str, Any]]:
    """Do nothing at all."""
    return []


def at_random(view: Mapping[str, Any], chance: Random) -> list[dict[str, Any]]:
    """Vote once a day for a random seat; by night choose one where there is a choice."""
    return _play(view, chance, None)


def follower(view: Mapping[str, Any], chance: Random) -> list[dict[str, Any]]:
    """Vote for whom most vote, as often as that changes."""
    seat = view["you"]["seat"]
    leaders = [no for no, _ in view["game"]["tally"] if no not in ("none", seat)]
    return _play(view, chance, leaders[0] if leaders else None)


def asking(view: Mapping[str, Any], chance: Random) -> list[dict[str, Any]]:
    """Vote at random, and ask the living one after the other all that bots understand."""
    game, seat = view["game"], view["you"]["seat"]
    names = {each["no"]: each["player"]["name"] for each in view["seats"]}
    living = [e["no"] for e in game["seats"] if e["is_alive"] and e["no"] != seat]
    rooms = [each["room"] for each in game["you"]["rooms"] if each["may_post"]]
    name, other = (names[no] for no in chance.sample([*living, seat], 2))
    text = f"{name}, {chance.choice(ASKED).format(name=other)}"
    posts = [{"kind": "post", "room": chance.choice(rooms), "text": text}] if rooms else []
    return [*posts, *at_random(view, chance)]


PEOPLE: Final[Mapping[str, Person]] = {
    "silent": silent,
    "at random": at_random,
    "with the majority": follower,
    "asking": asking,
}


def _play(view: Mapping[str, Any], chance: Random, leader: int | None) -> list[dict[str, Any]]:
    game, seat = view["game"], view["you"]["seat"]
    others = [each["no"] for each in game["seats"] if each["is_alive"] and each["no"] != seat]
    may, own = game["you"]["may"], next(e["vote"] for e in game["seats"] if e["no"] == seat)
    if "vote" in may:
        choice = leader if leader is not None else own
        if choice is None:
            choice = chance.choice(others)
        done = [{"kind": "done"}] if "is_leaving" in game["you"] else []
        return [{"kind": "vote", "choice": choice}, *done] if choice != own else []
    acts = [{"kind": "choose", "target": chance.choice(others)}] if "choose" in may else []
    return [*acts, {"kind": "done"}] if "done" in may else []


@dataclass
class Trial:
    """A game while it is played, and what is reported of it.

    ``strengths``: by seat; ``person``: the seat 0 of a person, None where only bots play.
    """

    rules: Any
    bot: Any
    name: str
    strengths: Sequence[str]
    person: Person | None = None
    state: Any = None
    at: Instant = NOON
    posts: list[dict[str, Any]] = field(default_factory=list)
    readers: list[frozenset[SeatNo] | None] = field(default_factory=list)
    #: The share of the first day that passed, and whether all people had voted by then.
    first_day: float = 1.0
    all_voted: bool = False
    #: When the person died, as a phase; 0 while alive.
    died_in: int = 0
    #: The number of actions of bots that were refused.
    refused: int = 0
    #: First posts of bots, and those of them that claim a role though nobody has named the bot and
    #: it has not two votes.
    first_posts: int = 0
    unasked: int = 0
    #: When bots look because somebody has posted.
    heard: list[Instant] = field(default_factory=list)

    @cached_property
    def names(self) -> dict[int, str]:
        """Names by seat: of the site's bots while there are enough of a strength."""
        chance = Random(f"names of {self.name}")
        free = {strength: chance.sample(some, len(some)) for strength, some in NAMES.items()}
        dealt = enumerate(free[strength] for strength in self.strengths)
        are_bots = ((no, no in self.bots and names) for no, names in dealt)
        return {no: names.pop() if names else f"Player_{no}xx" for no, names in are_bots}

    @property
    def bots(self) -> frozenset[int]:
        """The seats of bots."""
        first = 0 if self.person is None else 1
        return frozenset(range(first, len(self.strengths)))

    def view(self, seat: int) -> dict[str, Any]:
        """Return as much of a table's view as bots look at."""
        seats = [
            {"no": no, "player": {"name": name, "bot": no in self.bots}}
            for no, name in self.names.items()
        ]
        posts = [
            each
            for each, readers in zip(self.posts, self.readers, strict=True)
            if readers is None or seat in readers
        ]
        return {
            "match": {"public_id": self.name},
            "seats": seats,
            "you": {"seat": seat, "name": NAMES[self.strengths[seat]][0]},
            "game": self.rules.view(self.state, Viewer(SeatNo(seat))),
            "at": self.at,
            "posts": posts,
        }

    def play(self, options: Any) -> "Trial":
        """Play to the end."""
        setups = [SeatSetup(SeatNo(no)) for no in range(len(self.strengths))]
        self.state = self.rules.setup(options, setups, self.name, self.at).state
        chance, looks, phase = Random(self.name), list[Instant](), 0
        while not self.rules.is_over(self.state):
            if self.state.phase != phase:
                phase, looks = self.state.phase, self._persons_looks(chance)
            due = self.rules.deadline(self.state)
            self.heard = [each for each in self.heard if each > self.at]
            looks_of_bots = [self.bot.next_look(self.state, self.bots, self.at), *self.heard]
            wave = min((each for each in looks_of_bots if each is not None), default=None)
            later = [each for each in looks if each > self.at]
            self.at = min(each for each in (due, wave, *later[:1]) if each is not None)
            if self.at >= due:
                self._keep(self.rules.on_deadline(self.state, self.at))
            elif self.at == wave:
                self._bots_act(chance)
            elif self.person and self.state.member(SeatNo(0)).is_alive:
                self._act([(0, action) for action in self.person(self.view(0), chance)])
        return self

    def _persons_looks(self, chance: Random) -> list[Instant]:
        clock = self.state.clock
        shares = [share + chance.uniform(-0.1, 0.1) for share in LOOKS] if self.person else []
        return [Instant(clock.began_at + round(share * clock.limit)) for share in shares]

    def _bots_act(self, chance: Random) -> None:
        living = [member.no for member in self.state.living if member.no in self.bots]
        self._act(self.bot.wave(living, self.view, chance))

    def _act(self, acts: Sequence[tuple[int, dict[str, Any]]]) -> None:
        phase = self.state.phase
        for seat, action in acts:
            if self.state.phase != phase:
                return
            read = reader_of(self.rules.Action).made_of(action)
            try:
                self._keep(self.rules.apply(self.state, SeatNo(seat), read, self.at))
            except IllegalAction:
                self.refused += 1

    def _keep(self, step: Any) -> None:
        before, self.state = self.state, step.state
        for told in step.events:
            if told.kind == "posted":
                self._hear(told)
        if before.stage == Stage.DAY and self.state.phase != before.phase and before.round == 1:
            clock = before.clock
            self.first_day = (self.at - clock.began_at) / clock.limit
            people = [m for m in before.living if m.no not in self.bots]
            # The last vote itself is in the record of the day.
            votes = dict(self.state.last_day.votes)
            self.all_voted = all(votes.get(each.no) is not None for each in people)
        if self.person and not self.died_in and not self.state.member(SeatNo(0)).is_alive:
            self.died_in = before.phase

    def _hear(self, told: Told) -> None:
        seat, room = told.data["seat"], told.data["room"]
        self.heard.append(Instant(self.at + self.bot.answers_after(room)))
        if room == TOWN and seat in self.bots and all(e["seat"] != seat for e in self.posts):
            self.first_posts += 1
            called = tuple(self.names.items())
            is_asked = any(seat in named_in(each["text"], called) for each in self.posts)
            against = sum(member.vote == seat for member in self.state.living)
            is_claim = bool(claims_in([told.data], self.names).roles)
            self.unasked += is_claim and not is_asked and against < 2
        self.posts.append({**told.data, "at": self.at})
        self.readers.append(told.audience)

    @property
    def repeats(self) -> int:
        """The number of sentences that bots said again in this game."""
        return self._again(sentences_in)

    @property
    def alike(self) -> int:
        """The number of those that differ in names at most."""
        names = tuple(self.names.values())
        return self._again(lambda text: shapes_of(text, names))

    def _again(self, parts: Callable[[str], Iterable[str]]) -> int:
        posts = [each["text"] for each in self.posts if each["seat"] in self.bots]
        said = Counter(sentence for text in posts for sentence in parts(text))
        return sum(count - 1 for count in said.values())


def mixed(count: int, chance: Random) -> list[str]:
    """Return the strengths of bots drawn from the site's."""
    all_of_them = [strength for strength, names in NAMES.items() for _ in names]
    return chance.sample(all_of_them, count)


def agora(name: str, strengths: Sequence[str], person: Person | None = None) -> Trial:
    """Play a game of Agoran Mafia in phases of two minutes."""
    options = AgoraOptions(seats=len(strengths), phase_seconds=120)
    return Trial(Agora(), AgoraBot(), name, strengths, person).play(options)


def dynamite(name: str, strengths: Sequence[str], person: Person | None = None) -> Trial:
    """Play a game of Dynamite in phases of two minutes."""
    options = DynamiteOptions(seats=len(strengths), phase_seconds=120)
    return Trial(Dynamite(), DynamiteBot(), name, strengths, person).play(options)


def town_wins(games: Sequence[Trial]) -> float:
    """Return the share of games of Agoran Mafia that the town won."""
    return sum(game.state.result.winner == "town" for game in games) / len(games)


def lies(game: Trial) -> list[bool]:
    """Return of each file that the sheriff has read whether it lies."""
    sides = [side_of(each.role) for each in game.state.citizens]
    files = [file for each in game.state.citizens for file in each.read_files]
    return [is_mafia != (sides[no] == Side.MAFIA) for _, no, is_mafia in files]


def kills(game: Trial) -> tuple[list[bool], int]:
    """Return of each night of several mafiosi whether they chose somebody; and all who died."""
    mafiosi = [each for each in game.state.citizens if each.role == Role.MAFIOSO]
    chosen = {no: choice for each in mafiosi for no, choice in each.nights if choice != NOBODY}
    last = [each.died_round or game.state.round for each in mafiosi]
    several = [no for no in range(1, game.state.round + 1) if sum(no <= end for end in last) > 1]
    killed = sum(each.cause == Cause.KILLED for each in game.state.citizens)
    return [no in chosen for no in several], killed


def _share(some: Sequence[bool]) -> str:
    return f"{sum(some) / len(some):.0%}" if some else "none"


def alone(games: int, sizes: Sequence[int]) -> Iterator[str]:
    """Yield a row for each size of a town of bots."""
    yield (
        "| citizens | town wins | draws | nights | killed a night | mafiosi agree | posts "
        "| repeated | alike | refused | unasked claims in the first post "
        "| a false file read, where any is | false files |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    for size in sizes:
        chance = Random(f"alone {size}")
        played = [agora(f"alone {size} {no}", mixed(size, chance)) for no in range(games)]
        draws = sum(game.state.result.winner is None for game in played) / games
        nights = sum(game.state.round for game in played)
        agreed = [kills(game) for game in played]
        posts = sum(len(game.posts) for game in played) / games
        unasked = sum(g.unasked for g in played) / max(1, sum(g.first_posts for g in played))
        files = [found for game in played if (found := lies(game))]
        yield (
            f"| {size} | {town_wins(played):.0%} | {draws:.0%} | {nights / games:.1f} "
            f"| {sum(killed for _, killed in agreed) / nights:.0%} "
            f"| {_share([is_one for each, _ in agreed for is_one in each])} | {posts:.0f} "
            f"| {sum(game.repeats for game in played)} | {sum(game.alike for game in played)} "
            f"| {sum(g.refused for g in played)} | {unasked:.0%} "
            f"| {_share([any(each) for each in files])} | {_share([*chain(*files)])} |"
        )


def with_a_person(
    games: int, sizes: Sequence[int], play: Callable[..., Trial], people: Sequence[str]
) -> Iterator[str]:
    """Yield a row for each size and kind of person; a first night or day ends the first round."""
    yield "| players | person | out by the end of day 1 | in night 1 | shortest day 1* | repeated |"
    yield "|---|---|---|---|---|---|"
    for size in sizes:
        for kind in people:
            chance = Random(f"{kind} {size}")
            played = [
                play(f"{kind} {size} {no}", mixed(size, chance), PEOPLE[kind])
                for no in range(games)
            ]
            out = sum(0 < game.died_in <= 2 for game in played) / games
            night = sum(game.died_in == 1 for game in played) / games
            shares = [game.first_day for game in played if not game.all_voted]
            yield (
                f"| {size} | {kind} | {out:.0%} | {night:.0%} | {min(shares, default=1):.0%} "
                f"| {sum(game.repeats for game in played)} |"
            )


def by_strength(games: int, size: int) -> Iterator[str]:
    """Yield a row for each pair of strengths: the town's and the mafia's."""
    yield "| town \\ mafia | easy | normal | hard |"
    yield "|---|---|---|---|"
    for town in NAMES:
        cells = [f"{town_wins(_of_strengths(games, size, town, mafia)):.0%}" for mafia in NAMES]
        yield f"| {town} | {' | '.join(cells)} |"


def _of_strengths(games: int, size: int, town: str, mafia: str) -> list[Trial]:
    played = []
    for no in range(games):
        name = f"{town} against {mafia} {no}"
        setups = [SeatSetup(SeatNo(seat)) for seat in range(size)]
        dealt = Agora().setup(AgoraOptions(seats=size), setups, name, NOON).state
        sides = [side_of(citizen.role) for citizen in dealt.citizens]
        played.append(agora(name, [town if side == "town" else mafia for side in sides]))
    return played


def teams(games: int, sizes: Sequence[int]) -> Iterator[str]:
    """Yield a row for each size of a game of Dynamite among bots."""
    yield (
        "| players | Rock wins | Paper wins | Scissors wins | draws | townies alive | rounds "
        "| repeated |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for size in sizes:
        chance = Random(f"teams {size}")
        played = [dynamite(f"teams {size} {no}", mixed(size, chance)) for no in range(games)]
        wins = Counter(team for game in played for team in game.state.result.teams)
        town = [p for game in played for p in game.state.players if not p.is_mafia]
        alive = sum(townie.is_alive for townie in town) / len(town)
        rounds = sum(game.state.round for game in played) / games
        cells = " | ".join(f"{wins[team] / games:.0%}" for team in ("rock", "paper", "scissors"))
        draws = sum(not game.state.result.teams for game in played) / games
        repeats = sum(game.repeats for game in played)
        yield f"| {size} | {cells} | {draws:.0%} | {alive:.0%} | {rounds:.1f} | {repeats} |"


def main(arguments: Sequence[str]) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tools.towns", description=__doc__)
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--only", choices=("alone", "person", "strength", "dynamite"))
    parser.add_argument("--sizes", type=int, nargs="*")
    chosen = parser.parse_args(arguments)
    games = chosen.games
    tables = {
        "alone": lambda: alone(games, chosen.sizes or range(5, 18)),
        "person": lambda: with_a_person(games, chosen.sizes or (5, 7, 9, 12), agora, list(PEOPLE)),
        "strength": lambda: by_strength(games, (chosen.sizes or [9])[0]),
        "dynamite": lambda: teams(games, chosen.sizes or (4, 5, 8, 12, 17)),
    }
    for name, table in tables.items():
        if chosen.only in (None, name):
            for row in table():
                sys.stdout.write(f"{row}\n")
                sys.stdout.flush()
            sys.stdout.write("\n")


if __name__ == "__main__":
    main(sys.argv[1:])
