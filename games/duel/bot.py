"""Duel's bots: even ones, some with a habit that a person can learn, some that read their opponent;
what they say afterwards. Pure.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from random import Random
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from games.contract import Character
from games.duel.reading import (
    HANDS,
    Counts,
    Observer,
    Thrown,
    best_reply,
    deviations,
    from_seat,
    hands_in,
)
from games.duel.rules.actions import Resume, Throw, legal_actions
from games.duel.rules.state import BEATS, DuelState, Hand
from games.text.telling import Data

#: Hand -> the hand that beats it.
BEATEN_BY: Final[Mapping[Hand, Hand]] = {loser: winner for winner, loser in BEATS.items()}


class Habit(NamedTuple):
    """A habit: after a throw (own, theirs) the hand that follows, None where it says nothing; what
    a bot says that has it, and how a bot names it that waited for it. ``always``: one hand, from
    the first throw on.
    """

    rule: Callable[[Hand, Hand], Hand | None]
    own: str = ""
    of_you: str = ""
    always: Hand | None = None

    def after(self, last: Thrown) -> Hand | None:
        """Return the hand that it asks for after a throw; (None, None) before the first."""
        own, theirs = last
        return self.rule(own, theirs) if own and theirs else self.always


def _won(own: Hand, theirs: Hand) -> bool:
    return BEATS[own] == theirs


def _loves(hand: Hand) -> Habit:
    return Habit(lambda _, __: hand, f"I love {hand.value}", f"to throw {hand.value}", hand)


HABITS: Final[Mapping[str, Habit]] = {
    **{hand.value: _loves(hand) for hand in HANDS},
    "circle": Habit(
        lambda own, _: BEATEN_BY[own],
        "I throw what beats my last hand",
        "to throw what beats your last hand",
    ),
    "copy": Habit(lambda _, theirs: theirs, "I copy your last hand", "to copy my last hand"),
    "proud": Habit(
        lambda own, theirs: own if _won(own, theirs) else None,
        "After a win I throw the same again",
        "to repeat after a win",
    ),
    "sore": Habit(
        lambda own, theirs: BEATEN_BY[theirs] if _won(theirs, own) else None,
        "After a loss I throw what would have won",
        "to throw what would have won, after a loss",
    ),
}


class Nature(NamedTuple):
    """A bot's strength, its habit, "reader", or whose throws it knows from before, "" for an even
    one, and how often (0 to 1) it does what that asks; otherwise it throws evenly.
    """

    strength: str
    plays: str
    share: float


#: Manner -> nature.
NATURES: Final[Mapping[str, Nature]] = {
    "stubborn": Nature("easy", "rock", 0.55),
    "restless": Nature("easy", "circle", 0.6),
    "mimic": Nature("easy", "copy", 0.6),
    "proud": Nature("normal", "proud", 0.95),
    "sore loser": Nature("normal", "sore", 0.95),
    "watchful": Nature("normal", "reader", 0.6),
    "even": Nature("even", "", 0.0),
    "reader": Nature("hard", "reader", 0.95),
    "veteran": Nature("hard", "all", 0.95),
    "knows you": Nature("hard", "yours", 0.95),
}
EVEN: Final = "even"
#: Bot -> manner; the others are even.
BOTS: Final[Mapping[str, str]] = {
    "Lefty_Malone": "stubborn", "Two-Coat_Eddie": "restless", "Dice_Delvecchio": "mimic",
    "Knuckles_McGraw": "proud", "Sister_Agnes": "sore loser", "Nickels_Novak": "watchful",
    "Aunt_Carmela": EVEN, "Bookkeeper_Bo": "reader", "Long-Shot_Louie": "veteran",
    "Crowbar_Kowalski": "knows you",
}  # fmt: skip
#: Strength -> how such bots play, the mildest first.
SKILLS: Final[Mapping[str, str]] = {
    "easy": "has a habit that is easy to see",
    "normal": "shows a habit now and then, or looks for yours",
    "even": "throws by chance: nobody beats it in the long run",
    "hard": "looks for your habits; some know people's throws from before",
}
#: A reader throws evenly while its best reply wins less than this above what it loses.
UNSURE: Final = 0.06
#: The standard deviations above chance from which a reader names a habit.
NOTABLE: Final = 1.5

#: Milliseconds between a view and an action: a person's pace, well within any clock.
LEAST_THINKING: Final = 900
USUAL_THINKING: Final = 1_700
MOST_THINKING: Final = 3_500


_NOTHING: Final[Thrown] = (None, None)


def nature_of(name: str | None) -> Nature:
    return NATURES[BOTS.get(name or "", EVEN)]


def _cast() -> dict[str, Character]:
    """Return the description of each bot, the mildest first."""
    skills = list(SKILLS)
    mildest_first = sorted(BOTS.items(), key=lambda bot: skills.index(NATURES[bot[1]].strength))
    return {
        name: Character(manner, nature.strength, SKILLS[nature.strength], reads=manner != EVEN)
        for name, manner in mildest_first
        if (nature := NATURES[manner])
    }


class DuelBot:
    """Throw by the bot's nature; never agree to a suspension."""

    cast: Mapping[str, Character] = MappingProxyType(_cast())

    def choose(self, view: Mapping[str, Any], chance: Random) -> list[dict[str, Any]]:
        own = view["game"]["you"]
        if "throw" in own["legal"]:
            nature, seat = nature_of(view["you"]["name"]), view["you"]["seat"]
            hand = None
            if nature.plays and chance.random() < nature.share:
                throws = thrown_by(seat, view.get("history", ()))
                hand = next_hand(nature.plays, throws, view.get("prior"))
            return [{"kind": "throw", "hand": (hand or chance.choice(HANDS)).value}]
        return [{"kind": "resume"}] if "resume" in own["legal"] else []

    def has_decision(self, state: DuelState, seat: int) -> bool:
        return any(
            type(each) in (Throw, Resume) for each in legal_actions(state, state.seats[seat])
        )

    def think_milliseconds(self, state: DuelState, seat: int, chance: Random) -> int:
        return int(chance.triangular(LEAST_THINKING, MOST_THINKING, USUAL_THINKING))


def thrown_by(seat: int, throws: Sequence[Data]) -> Sequence[Thrown]:
    """Return the throws as (own, theirs), oldest first; each has ``hands`` by seat."""
    return from_seat(seat, [hands_in(throw) for throw in throws])


def next_hand(plays: str, throws: Sequence[Thrown], prior: Counts | None = None) -> Hand | None:
    """Return the hand that a habit, or a reader, asks for; None for an even throw."""
    if plays in HABITS:
        return HABITS[plays].after(throws[-1] if throws else _NOTHING)
    observer = Observer(prior)
    for own, theirs in throws:
        observer.learn(theirs, own)
    expected = observer.expected()
    reply = best_reply(expected)
    if reply is None:
        return None
    by_hand = dict(zip(HANDS, expected, strict=True))
    is_sure = by_hand[BEATS[reply]] - by_hand[BEATEN_BY[reply]] >= UNSURE
    return reply if is_sure else None


class Kept(NamedTuple):
    """A count of the times that a hand was thrown, of those for which a habit asked for it."""

    times: int
    asked: int

    @property
    def deviations(self) -> float:
        return deviations(self.times, self.asked)


def kept(habit: Habit, throws: Sequence[Thrown]) -> Kept:
    """Count how often a player kept to a habit."""
    times = asked = 0
    for last, (thrown, _) in pairwise((_NOTHING, *throws)):
        hand = habit.after(last) if thrown else None
        asked += hand is not None
        times += hand is not None and hand == thrown
    return Kept(times, asked)


def afterword(name: str, view: Data, seat: int) -> str:
    """Return how a bot says that it played, from a public view after the end; of the throws that
    the view still has.
    """
    nature = nature_of(name)
    own = thrown_by(seat, view["throws"])
    if not nature.plays or len(own) < 2:
        return "" if nature.plays else "I throw by chance. Nobody beats that in the long run."
    if nature.plays in HABITS:
        times, asked = kept(HABITS[nature.plays], own)
        return f"{HABITS[nature.plays].own}: {times} of {asked}." if asked else ""
    theirs = from_seat(1, own)
    counts = {habit.of_you: kept(habit, theirs) for habit in HABITS.values()}
    best = max(counts, key=lambda text: counts[text].deviations)
    if counts[best].deviations < NOTABLE:
        return "I found nothing in your throws to wait for."
    return f"I waited for you {best}: {counts[best].times} of {counts[best].asked}."
