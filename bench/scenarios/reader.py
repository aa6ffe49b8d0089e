"""Measure how often the observer's best reply wins duels, and the time of a throw, in this process.

The people are simulated: they repeat after a win, and after a loss throw what would have won (Wang,
Xu, Zhou 2014).
"""

import time
from collections.abc import Sequence
from random import Random
from typing import Any

from bench.bare import Meeting
from bench.form import Form
from games.duel.bot import BEATEN_BY
from games.duel.reading import HANDS, Observer, best_reply
from games.duel.rules.state import BEATS, Hand


def person(last: Sequence[tuple[Hand, Hand]], chance: Random) -> Hand:
    """Return a person's throw after the last ones, own and the opponent's."""
    if not last or chance.random() < 0.7:
        return chance.choice(HANDS)
    own, theirs = last[-1]
    return BEATEN_BY[theirs] if BEATS[theirs] == own else own


def duel(meeting: Meeting, chance: Random) -> tuple[int, int]:
    """Play one duel without ties; return the reader's wins and the number of throws."""
    observer, last, wins, losses, throws = Observer(), list[tuple[Hand, Hand]](), 0, 0, 0
    needed = meeting.best_of // 2 + 1
    while max(wins, losses) < needed:
        reply = best_reply(observer.expected()) or chance.choice(HANDS)
        own = person(last, chance) if meeting.is_person else chance.choice(HANDS)
        if throws >= meeting.seen:
            wins += BEATS[reply] == own
            losses += BEATS[own] == reply
        observer.learn(own, reply)
        last, throws = [(own, reply)], throws + 1
    return int(wins == needed), throws


async def run(stand: Any, form: Form) -> dict[str, float]:
    """Play duels from fixed seeds; return the share that the reader wins, and the time."""
    meeting: Meeting = stand.meeting
    count = max(800, 20_000 // (meeting.best_of + meeting.seen))
    started = time.perf_counter()
    played = [duel(meeting, Random(f"{meeting}{seed}")) for seed in range(count)]
    seconds = time.perf_counter() - started
    return {
        "won_share": sum(won for won, _ in played) / count,
        "us_a_throw": seconds / sum(throws for _, throws in played) * 1_000_000,
    }
