"""The common part of the bots of all Mafia games: strengths, knowledge, moments, answers. A bot
knows its own view, the posts that its seat may read, and the time.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from math import ceil
from random import Random
from types import MappingProxyType
from typing import Any, Final, Generic, NamedTuple, TypeVar

from games.contract import Character, TimedBots
from games.engine.facts import Instant
from games.mafia.common.bot.hearing import (
    NAMING,
    Claims,
    asked_in,
    claims_in,
    named_in,
    question_in,
    sentences_in,
    shapes_of,
)
from games.mafia.common.bot.lines import Lines
from games.mafia.common.rules.phases import PLAYED_OUT, SECOND, Stage
from games.mafia.common.rules.rooms import TOWN
from games.mafia.common.rules.state import TownState


class Wits(NamedTuple):
    """A bot's skill; every number but ``whim`` is a probability."""

    #: It tells what its role has learned.
    claims: float
    #: Accused, it claims a role that it has not.
    bluffs: float
    #: It chooses at night by what was claimed.
    plans: float
    #: It uses votes of earlier days.
    recalls: float
    #: The weight of its fancy against facts.
    whim: float


STRENGTHS: Final[Mapping[str, Wits]] = {
    "easy": Wits(claims=0.3, bluffs=0.05, plans=0.1, recalls=0.1, whim=2.2),
    "normal": Wits(claims=0.8, bluffs=0.2, plans=0.6, recalls=0.5, whim=1.2),
    "hard": Wits(claims=1.0, bluffs=0.4, plans=1.0, recalls=1.0, whim=0.7),
}
ABOUT: Final[Mapping[str, str]] = {
    "easy": "votes by fancy and keeps what it knows to itself",
    "normal": "claims what it has learned and votes by facts now and then",
    "hard": "plans its nights, remembers every vote and bluffs",
}

#: The names of the bots that are not normal.
NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "easy": (
        "Lefty_Malone", "Two-Coat_Eddie", "Dice_Delvecchio", "Knuckles_McGraw", "Penny_Pincher",
        "Doc_Hollow", "Seven_Come_Sal", "Iron_Fist_Ivan", "Professor_Plume", "Irma_Ironside",
        "Roulette_Rita", "Sledge_Sullivan", "Sober_Stella", "Plain_Jane_Doyle", "Chancy_Chauncey",
        "Mad_Dog_Mabel",
    ),
    "normal": (
        "Quiet_Sal", "Aunt_Carmela", "Sister_Agnes", "Ma_Ricotta", "Lucky_Lorraine",
        "Ruby_Diamante", "Big_Theodora", "Tiny_the_Door", "Gentle_Giuseppe", "Steady_Freddie",
        "Jackpot_Jill", "Rhino_Ramirez", "Slow_Hand_Stan", "Mister_Umber", "Double_Down_Dan",
        "Hatpin_Hattie",
    ),
    "hard": (
        "Nickels_Novak", "Bookkeeper_Bo", "Long-Shot_Louie", "Crowbar_Kowalski", "Nonna_Bianchi",
        "Clara_Clockwork", "Wild_Card_Wanda", "Bull_Brannigan",
    ),
}  # fmt: skip

CAST: Final[Mapping[str, Character]] = {
    name: Character("", strength, ABOUT[strength])
    for strength, names in NAMES.items()
    for name in names
}


def wits_of(name: str | None) -> Wits:
    """Return a bot's wits by its name; those of people count as normal."""
    character = CAST.get(name or "")
    return STRENGTHS["normal" if character is None else character.strength]


#: The parts of a day in which bots cast their votes, and twice look whether to change them.
PARTS: Final = ((0.06, 0.56), (0.62, 0.92), (0.93, 0.985))
#: The share of a day after which a bot may cast the vote that decides while people have not voted.
DECIDES: Final = 0.6
#: The shares of a short phase that is played out, in which all bots act at once.
AT_ONCE: Final = (0.15, 0.5, 0.8)
#: Milliseconds into a night at which the bots act, where the night is long enough.
BY_NIGHT: Final = (1_500, 6_000)
#: The shares of a night at which bots look again, such as after a failure.
AGAIN: Final = (0.3, 0.6, 0.9)
TINY: Final = 1e-9
#: Milliseconds: the age of a post when a bot answers it, in town and among mates, whose night may
#: end soon; and the delay of a vote that is late.
ANSWERS_AFTER: Final = 5_000
ANSWERS_MATES_AFTER: Final = 1_500
LATE: Final = 1_000


class Now(NamedTuple):
    """The moment of a view, when its phase began, and the share of it that has passed."""

    at: int
    began_at: float
    share: float
    is_played_out: bool


def moment_of(view: Mapping[str, Any]) -> Now:
    game = view["game"]
    length = PLAYED_OUT if game["is_played_out"] else SECOND * game["phase_seconds"]
    ends_at = datetime.fromisoformat(game["due_at"]).timestamp() * SECOND
    # An instant is a whole millisecond, at or after the share.
    began_at = ends_at - length
    share = (view["at"] - began_at) / length + TINY
    return Now(view["at"], began_at, share, game["is_played_out"])


def slots(bots: int, turn: int, *, is_played_out: bool) -> tuple[float, ...]:
    """Return the shares of a day at which the bot with this turn votes, and looks again twice.
    >>> [round(share, 2) for share in slots(5, 0, is_played_out=False)]
    [0.11, 0.65, 0.94]
    """
    if is_played_out:
        return AT_ONCE
    return tuple(first + (last - first) * (turn + 0.5) / bots for first, last in PARTS)


def night_share(phase: int, length: int) -> float:
    return min(Random(phase).randint(*BY_NIGHT) / length, AT_ONCE[0])


View = Mapping[str, Any]
Actions = list[dict[str, Any]]
Reply = tuple[str | None, Actions]

#: A kind of sentences, and the further words in their places.
Reason = tuple[str, dict[str, str]]
#: The share of a day before which nobody is called silent.
EARLY: Final = 0.35
#: A bot's answer in the town when it has no other; the number makes it new.
LAST_WORDS: Final = "I heard you, {asker}, {no} posts into this."
LAST_WORDS_OF_A_MATE: Final = "Heard, {asker}, that makes {no} posts in here."


class Question(NamedTuple):
    """A post that a bot answers: its kind (``hearing.QUESTIONS``), and the seat that it is about,
    None if it names nobody besides the bot and the asker.
    """

    kind: str
    room: str
    seat: int
    asker: str
    about: int | None
    #: Whether it was asked in the phase that runs.
    is_fresh: bool


class Mind:
    """All that a bot knows at a moment, by its view alone."""

    #: The sentences of the game.
    lines: Lines

    def __init__(self, view: View) -> None:
        self.view, self.game, self.seat = view, view["game"], int(view["you"]["seat"])
        self.you: Mapping[str, Any] = self.game["you"]
        self.posts: Sequence[Mapping[str, Any]] = view["posts"]
        self.wits = wits_of(view["you"].get("name"))
        self.now = moment_of(view)

    @cached_property
    def names(self) -> dict[int, str]:
        return {s["no"]: s["player"]["name"] for s in self.view["seats"] if s["player"]}

    @cached_property
    def bots(self) -> frozenset[int]:
        seats = self.view["seats"]
        return frozenset(s["no"] for s in seats if s["player"] and s["player"]["bot"])

    @cached_property
    def alive(self) -> list[int]:
        return [seat["no"] for seat in self.game["seats"] if seat["is_alive"]]

    @cached_property
    def others(self) -> list[int]:
        return [no for no in self.alive if no != self.seat]

    @cached_property
    def turns(self) -> list[int]:
        """The living bots in their order of this phase."""
        living = [no for no in self.alive if no in self.bots or no == self.seat]
        chance = Random(f"{self.view['match']['public_id']}/{self.game['phase']}")
        return chance.sample(living, len(living))

    @cached_property
    def votes(self) -> dict[int, int | str]:
        seats = self.game["seats"]
        return {s["no"]: s["vote"] for s in seats if s["is_alive"] and s["vote"] is not None}

    @cached_property
    def is_waited_for(self) -> bool:
        return any(no not in self.bots and no not in self.votes for no in self.alive)

    @cached_property
    def sole_person(self) -> int | None:
        people = [no for no in self.names if no not in self.bots]
        return people[0] if len(people) == 1 else None

    @cached_property
    def is_few(self) -> bool:
        """Whether people are at most half as many as bots."""
        people = len(self.names) - len(self.bots)
        return 0 < 2 * people <= len(self.bots)

    @cached_property
    def claims(self) -> Claims:
        return claims_in([each for each in self.posts if each["room"] == TOWN], self.names)

    @cached_property
    def said(self) -> frozenset[str]:
        """The sentences of the posts that it has read."""
        return frozenset(s for each in self.posts for s in sentences_in(each["text"]))

    @cached_property
    def votes_before(self) -> dict[int, Any]:
        """The votes at the end of the last day, by seat."""
        return dict((self.game["last_day"] or {}).get("votes", ()))

    def fancy(self, other: int) -> float:
        """Return the bot's fancy about a seat, the same for the whole round, from 0 to 1."""
        name, game_round = self.view["match"]["public_id"], self.game["round"]
        return Random(f"{name}/{game_round}/{self.seat}/{other}").random()

    @cached_property
    def shapes(self) -> frozenset[str]:
        names = tuple(self.names.values())
        return frozenset[str]().union(*(shapes_of(each["text"], names) for each in self.posts))

    @cached_property
    def spoke_today(self) -> frozenset[int]:
        return frozenset(
            each["seat"]
            for each in self.posts
            if each["room"] == TOWN and each["at"] >= self.now.began_at
        )

    @property
    def has_just_spoken(self) -> bool:
        """Whether it has posted in the last twentieth of the phase so far."""
        since = self.now.at - (self.now.at - self.now.began_at) / 20
        return any(each["seat"] == self.seat and each["at"] > since for each in self.posts)

    def told(self, kinds: str, words: Mapping[str, Any]) -> list[str]:
        return [text.format_map(words) for kind in kinds.split() for text in self.lines[kind]]

    def line(self, kinds: str, chance: Random, **words: Any) -> str | None:
        """Return a text of a kind, or of several, that nobody has used in this game."""
        texts = self.told(kinds, words)
        names = tuple(self.names.values())
        free = [text for text in texts if not self.shapes & shapes_of(text, names)]
        if (asker := words.get("asker")) in (words.get("name"), words.get("other")) and asker:
            # No sentence calls somebody by a name and speaks of the same name.
            free = [text for text in free if text.count(asker) < 2]
        return chance.choice(free) if free else None

    def statement(self, kinds: str, chance: Random, **words: Any) -> str | None:
        """Return a text about a fact: another fact may have been told in the same words."""
        texts = self.told(kinds, words)
        fresh = [text for text in texts if not self.said.intersection(sentences_in(text))]
        return self.line(kinds, chance, **words) or (chance.choice(fresh) if fresh else None)

    def reasons(self, choice: int) -> Iterator[Reason]:
        before, today = self.votes_before.get(choice), self.votes.get(choice)
        if before == self.seat:
            yield "against_me", {}
        if today == self.seat:
            yield "against_me_today", {}
        if choice in self.votes_before and before is None:
            yield "no_vote", {}
        is_wordless = choice not in self.spoke_today
        if isinstance(today, int) and today not in (self.seat, choice):
            yield "of_today wordless" if is_wordless else "of_today", {"other": self.names[today]}
        if today is None and self.now.share > EARLY:
            yield "unvoted silent" if is_wordless else "unvoted", {}

    def reason(self, found: Iterable[Reason], choice: int, chance: Random) -> str | None:
        """Return the first of these on a seat that nobody has told yet, if there is one."""
        for kinds, words in found:
            words = {"name": self.names[choice], **words}
            if any(self.said.issuperset(sentences_in(text)) for text in self.told(kinds, words)):
                continue
            if said := self.line(kinds, chance, **words):
                return said
        return None


M = TypeVar("M", bound=Mind)


class TownBot(TimedBots, Generic[M]):
    cast: Mapping[str, Character] = MappingProxyType(CAST)

    #: Makes what the bot with this view knows.
    mind_of: Callable[[View], M]

    @abstractmethod
    def by_night(self, mind: M, chance: Random) -> Actions:
        """Return the actions of a night in which the bot is not done yet."""

    @abstractmethod
    def vote(self, mind: M, chance: Random) -> Actions:
        """Return the first vote of a day, with a post or without."""

    @abstractmethod
    def second_thought(self, mind: M, chance: Random) -> Actions:
        """Return another vote later that day, or nothing."""

    @abstractmethod
    def reply(self, mind: M, asked: Question, chance: Random) -> Reply:
        """Return an answer to a post, None where nothing fits, and actions that follow from it."""

    def answers_after(self, room: str) -> int:
        return ANSWERS_AFTER if room == TOWN else ANSWERS_MATES_AFTER

    def next_look(self, state: TownState[Any], bots: frozenset[int], at: Instant) -> Instant | None:
        living = [member for member in state.living if member.no in bots]
        if not living or state.stage == Stage.OVER:
            return None
        clock, count = state.clock, len(living)
        began = clock.ends_at - clock.limit
        if state.stage == Stage.NIGHT:
            shares = [night_share(state.phase, clock.limit), *AGAIN]
        else:
            turns = range(count)
            each = [slots(count, turn, is_played_out=state.is_played_out) for turn in turns]
            late = sum(began + ceil(first * clock.limit) <= at for first, *_ in each)
            if late > sum(member.vote is not None for member in living):
                return Instant(at + min(LATE, clock.limit // 60))
            shares = sorted({share for some in each for share in some})
        instants = (Instant(began + ceil(share * clock.limit)) for share in shares)
        return next((instant for instant in instants if instant > at), None)

    def wave(
        self, bots: Sequence[int], view_of: Callable[[int], View], chance: Random
    ) -> list[tuple[int, dict[str, Any]]]:
        """Return the actions of this moment: by day of one bot, so that each sees the one before;
        by night, and in a game that is played out, of all.
        """
        found: list[tuple[int, dict[str, Any]]] = []
        if not bots:
            return found
        first = Mind(view_of(bots[0]))
        for seat in first.turns or bots:
            view = first.view if seat == bots[0] else view_of(seat)
            acts = self.choose(view, chance)
            found += [(seat, action) for action in acts]
            if acts and first.game["stage"] == Stage.DAY and not first.now.is_played_out:
                break
        return found

    def choose(self, view: View, chance: Random) -> Actions:
        mind = self.mind_of(view)
        if mind.game["stage"] == Stage.OVER or not mind.you["is_alive"]:
            return []
        decide = self._at_night if mind.game["stage"] == Stage.NIGHT else self._on_the_day
        return decide(mind, chance) or self._answer(mind, chance)

    def _at_night(self, mind: M, chance: Random) -> Actions:
        first = night_share(mind.game["phase"], SECOND * mind.game["phase_seconds"])
        is_time = mind.now.is_played_out or mind.now.share >= first
        return self.by_night(mind, chance) if is_time and "done" in mind.you["may"] else []

    def _on_the_day(self, mind: M, chance: Random) -> Actions:
        if mind.seat not in mind.turns or "vote" not in mind.you["may"]:
            return []
        turn, is_played_out = mind.turns.index(mind.seat), mind.now.is_played_out
        own = slots(len(mind.turns), turn, is_played_out=is_played_out)
        if mind.seat not in mind.votes:
            return self.vote(mind, chance) if mind.now.share >= own[0] else []
        window = 1.0 if is_played_out else 0.35 / len(mind.turns)
        is_time = any(0 <= mind.now.share - share <= window for share in own[1:])
        return self.second_thought(mind, chance) if is_time else []

    def _answer(self, mind: M, chance: Random) -> Actions:
        """Answer the last post of a person that concerns the bot and is old enough."""
        open_rooms = {each["room"] for each in mind.you["rooms"] if each["may_post"]}
        for said in reversed(mind.posts):
            room = said["room"]
            if room in open_rooms and self._concerns(mind, said):
                asked = _read(mind, said)
                text, acts = self.reply(mind, asked, chance)
                last = LAST_WORDS if room == TOWN else LAST_WORDS_OF_A_MATE
                lines = sum(each["room"] == room for each in mind.posts)
                text = text or last.format(asker=asked.asker, no=lines)
                return [post(text, room), *acts]
        return []

    def _concerns(self, mind: M, asked: Mapping[str, Any]) -> bool:
        room = asked["room"]
        due = asked["at"] + self.answers_after(room)
        if asked["seat"] in mind.bots or mind.now.at < due:
            return False
        # A post from before that moment is no answer.
        own = (e for e in mind.posts if e["room"] == room and e["seat"] == mind.seat)
        if any(each["at"] >= due for each in own):
            return False
        names = tuple(sorted(mind.names.items()))
        named = named_in(asked["text"], names)
        if room == TOWN and not {*named} - {asked["seat"]} and asked["seat"] == mind.sole_person:
            # To all of the bots: one of them answers.
            is_asked = asked_in(asked["text"]) and asked["at"] >= mind.now.began_at
            return bool(is_asked) and mind.seat == mind.turns[0]
        if room == TOWN or mind.bots & {*named} & self.mates(mind):
            asked_about = question_in(asked["text"], is_about=len(named) > 1) in NAMING
            text = asked_in(asked["text"])
            text = text if named_in(text, names) else asked["text"]
            called, _, rest = text.partition(",")  # "Hey Kowalski, …" or "Kowalski why …"
            called = called if rest and len(called.split()) < 3 else text.partition(" ")[0]
            named = named_in(text, names)
            is_called = named_in(called, names) == named[:1]
            return mind.seat in (named[:1] if asked_about or is_called else named)
        # To the whole team: the first of its bots answers.
        return mind.seat == min(self.mates(mind) & mind.bots & set(mind.alive))

    def mates(self, mind: M) -> frozenset[int]:
        """Return the seats of the bot's team as far as it knows them, its own included."""
        return frozenset({mind.seat})


def _read(mind: Mind, said: Mapping[str, Any]) -> Question:
    named = named_in(said["text"], tuple(sorted(mind.names.items())))
    others = [no for no in named if no not in (mind.seat, said["seat"])]
    about = next((no for no in others if no in mind.alive), next(iter(others), None))
    kind = question_in(said["text"], is_about=about is not None)
    asker = mind.names.get(said["seat"], "you")
    return Question(kind, said["room"], said["seat"], asker, about, said["at"] >= mind.now.began_at)


def may_decide(mind: Mind) -> bool:
    """Whether a bot's vote may decide the day now."""
    return not mind.is_waited_for or mind.now.is_played_out or mind.now.share >= DECIDES


def post(text: str, room: str = TOWN) -> dict[str, Any]:
    return {"kind": "post", "room": room, "text": text}
