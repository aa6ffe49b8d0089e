"""The Train's rules against an independent model, for 2 to 1,000 players."""

import hashlib
import hmac
import json
import random
from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.events import bracket
from games.events.bracket import Pairing, Side
from tests.architecture.code import ROOT, imports
from tests.forms import form


def number(seed: str, label: str, bound: int) -> int:
    """Return a draw as ``docs/explanation/proof.md`` tells it, from the standard library alone."""
    for attempt in range(9):
        text = json.dumps([label, attempt], separators=(",", ":")).encode()
        value = int.from_bytes(hmac.digest(seed.encode(), text, hashlib.sha256)[:8], "big")
        if value < 2**64 - 2**64 % bound:
            return value % bound
    raise AssertionError


class Model:
    """The Train told as people on foot: everybody stands behind somebody, or in front."""

    def __init__(self, seed: str, players: list[int]) -> None:
        self.seed, self.players = seed, players
        self.behind: dict[int, int] = {}
        self.fell_at: dict[int, int] = {}
        self.still = set(players)

    def pairs(self, no: int) -> list[tuple[int, ...]]:
        pool = sorted(self.still)
        line = []
        while len(pool) > 1:
            # Swapping the drawn one with the last, then taking the last, is Fisher and Yates.
            at = number(self.seed, f"station/{no}/{len(pool) - 1}", len(pool))
            pool[at], pool[-1] = pool[-1], pool[at]
            line.append(pool.pop())
        line = [*pool, *reversed(line)] if pool else line[::-1]
        return [tuple(line[at : at + 2]) for at in range(0, len(line), 2)]

    def front(self, who: int) -> int:
        while who in self.behind:
            who = self.behind[who]
        return who


def play(
    seed: str, count: int, chance: random.Random, *, absent: float = 0.0
) -> tuple[list[list[Pairing]], Model]:
    """Play a Train both ways, station by station; return the stations and the model."""
    players = list(range(1, count + 1))
    model, stations = Model(seed, players), list[list[Pairing]]()
    while len(model.still) > 1:
        no = len(stations) + 1
        drawn = bracket.draw_station(seed, no, sorted(model.still, key=lambda _: chance.random()))
        met = [tuple(who for who in p[:2] if who is not None) for p in drawn]
        assert met == model.pairs(no)
        done = []
        for pairing in drawn:
            winner = pairing.winner
            if pairing.second is not None:
                winner = (
                    chance.choice([pairing.first, pairing.second])
                    if chance.random() >= absent
                    else None
                )
            for who in (pairing.first, pairing.second):
                if who is not None and who != winner:
                    model.still.discard(who)
                    model.fell_at[who] = no
                    model.behind[who] = winner if winner is not None else 0
            done.append(pairing._replace(winner=winner))
        stations.append(done)
    return stations, model


@pytest.mark.plain
@given(st.integers(2, 1000), st.randoms(use_true_random=False), st.sampled_from([0, 0, 0.2]))
@settings(max_examples=form(15, in_all=100, in_long=1_000), deadline=None)
def test_train_is_as_the_model_plays_it(count: int, chance: random.Random, absent: float) -> None:
    stations, model = play(str(chance.random()), count, chance, absent=absent)
    if not absent:
        assert len(stations) == (count - 1).bit_length()
    riders = defaultdict[int, set[int]](set)
    for who in model.behind:
        riders[model.front(who)].add(who)
    for front, ride in bracket.trains(stations).items():
        assert len(ride) == len(set(ride)), "nobody rides twice"
        assert set(ride) == riders[front]
    last = next(iter(model.still), None)
    placed = bracket.places(stations, last)
    assert bool(placed) == (last is not None)
    for who, place in placed.items():
        later = sum(model.fell_at.get(other, 99) > model.fell_at.get(who, 99) for other in placed)
        assert place == later + 1
    limits = bracket.most_pairs(count)
    assert len(stations) <= len(limits)
    for pairings, most in zip(stations, limits, strict=False):
        assert sum(p.second is not None for p in pairings) <= most


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8, 1000])
def test_the_longest_ride_is_the_first_whom_the_winner_beat(count: int) -> None:
    stations, model = play("seed", count, random.Random(count))
    (last,) = model.still
    placed = bracket.places(stations, last)
    met = [p for s in stations for p in s if last in p[:2] and p.second is not None]
    first = next(who for who in met[0][:2] if who != last)
    assert bracket.longest_ride(stations, placed) == (first if placed[first] > 2 else None)
    assert sorted(placed.values())[:2] == [1, 2]
    assert len(bracket.trains(stations)[last]) == count - 1, "in the end all ride in one train"


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [((1, 2), (0, 9), 0), ((0, 9), (1, 1), 1), ((1, 4), (1, 5), 1), ((0, 3), (0, 2), 0)],
)
def test_a_pair_without_a_winner_goes_by_wins_then_by_the_last_throw(
    first: tuple[int, int], second: tuple[int, int], expected: int
) -> None:
    assert bracket.decide("seed", "x", (Side(*first), Side(*second))) == expected


def test_two_alike_are_drawn_and_two_who_never_threw_are_both_out() -> None:
    alike = Side(1, 3), Side(1, 3)
    found = {bracket.decide("seed", f"decide/1/{no}", alike) for no in range(20)}
    assert found == {0, 1}
    assert bracket.decide("seed", "decide/1/3", alike) == number("seed", "decide/1/3", 2)
    assert bracket.decide("seed", "x", (Side(0, 0), Side(0, 0))) is None


def test_who_wins_and_withdraws_shares_the_place_of_the_next_station() -> None:
    stations = [[Pairing(1, 2, 1), Pairing(3, 4, 3), Pairing(5, 6, 5)], [Pairing(3, 5, 5)]]
    assert bracket.places(stations, 5) == {5: 1, 3: 2, 1: 3, 2: 3, 4: 3, 6: 3}


def test_the_rules_of_the_bracket_are_pure() -> None:
    ours = {name for name in imports(ROOT / "games/events/bracket.py") if "games" in name}
    assert ours == {"games.engine.draws.draw_below"}
