import re
from typing import Any

import pytest
from hypothesis import given, settings

from games.arena.rules.columns import Resolved, resolve_arrays
from games.arena.rules.moves import CHOICES, Move, letters
from games.arena.rules.options import RoundOptions
from games.arena.rules.resolve import (
    BROKEN_FROM,
    MOST_BROKEN,
    TEAMS,
    LastRound,
    broken_streaks,
    team_counts,
    told_round,
    totals,
)
from games.arena.rules.scores import LOST
from games.arena.words import NO_BATTLE, reason, summary
from tests.forms import form
from tests.games.arena.rules.by_player import RoundInput, columns_of
from tests.games.arena.rules.kit import SEED, moves_of, on, rounds


def resolved(played: RoundInput) -> tuple[Resolved, dict[str, Any]]:
    found = resolve_arrays(
        columns_of(played.players), played.options, played.seed, played.survivor_round
    )
    teams = team_counts(found) if played.options.team else None
    last = LastRound(
        1, played.options, found.counts, letters(found.table), totals(found), "", "", teams
    )
    return found, told_round(last)


def told(rock: int, paper: int, scissors: int, **chosen: bool) -> dict[str, Any]:
    players = on(*moves_of((rock, paper, scissors)))
    return resolved(RoundInput(RoundOptions(**chosen), SEED, players))[1]


def number_after(verb: str, sentence: str) -> int:
    clause = re.search(rf"{verb} ((?:[\d,]+ \w+(?:, | and |))+)", sentence)
    return sum(map(int, re.findall(r"\d+", clause[1]))) if clause else 0


#: Rocks, papers, scissors, options | the player's move, none for spectators | what is read.
READ = """
4 2 0 count    | paper | Count: 4 rocks against 2 papers: rock won.
3 2 0 count    | rock  | Count: 3 rocks against 2 papers: a tie.
4 2 1 count    | rock | Count: 4 rocks against 2 papers: rock won; you beat 2 papers and 1 scissors.
4 2 1          | paper | You beat 4 rocks and lost to 1 scissors.
1 2 0 inverted | rock  | Inverted: you beat 2 papers.
3 0 0          | rock  | Everybody you met threw rock, too.
4 2 0 count    |       | Count: 4 rocks against 2 papers: rock won.
4 2 1          |       | 2 papers beat 4 rocks; 1 scissors beat 2 papers; 4 rocks beat 1 scissors.
1 1 0 inverted |       | Inverted: 1 rock beats 1 paper.
0 3 0          |       | All threw paper: a tie.
0 0 0          |       | Nobody threw.
"""


@pytest.mark.plain
@pytest.mark.parametrize("line", READ.strip().splitlines())
def test_arena_players_and_spectators_read_why(line: str) -> None:
    played, move, sentence = (part.strip() for part in line.split("|"))
    *counts, last = played.split()
    counts, chosen = ([*counts, last], {}) if last.isdigit() else (counts, {last: True})
    public = told(*map(int, counts), **chosen)
    assert (reason(public, move, None) if move else summary(public)) == sentence


def test_arena_who_sat_out_or_was_alone_reads_no_battle() -> None:
    assert reason(told(2, 1, 0), "", None) is None
    assert reason(told(1, 0, 0), "rock", None) == NO_BATTLE


@settings(max_examples=form(150, in_all=300, in_long=600), deadline=None)
@given(rounds(least=1))
def test_arena_a_reason_names_the_battles_that_were_fought(played: RoundInput) -> None:
    found, public = resolved(played)
    assert len(summary(public)) <= 160
    for index, (wins, losses, _) in enumerate(zip(*found.battles(), strict=True)):
        move, team = CHOICES[found.moves[index]], TEAMS[found.teams[index]]
        sentence = reason(public, move or "", team)
        if sentence is None:
            assert move is None
            continue
        assert len(sentence) <= 160
        is_all = ";" not in sentence and sentence.startswith("Count: ") and "you" not in sentence
        if is_all:
            # The turned pairs say it all: both numbers of each.
            others = [each for each in Move if each != move and public["counts"][each]]
            assert all(f"{public['counts'][each]} {each}" in sentence for each in others)
        else:
            named = [number_after(verb, sentence) for verb in ("beat", "lost to")]
            assert named == [wins, losses]


@settings(max_examples=form(100, in_all=200, in_long=400), deadline=None)
@given(rounds())
def test_arena_broken_streaks_are_the_longest_and_each_was_beaten(played: RoundInput) -> None:
    found, public = resolved(played)
    before = [player.streak for player in played.players]
    bots = [player.id % 10 == 1 for player in played.players]
    told_of = broken_streaks(before, found, bots)
    ended = [
        streak
        for streak, verdict, is_bot in zip(before, found.verdicts, bots, strict=True)
        if streak >= BROKEN_FROM and verdict == LOST and not is_bot
    ]
    assert [each.streak for each in told_of] == sorted(ended, reverse=True)[:MOST_BROKEN]
    for each in told_of:
        loser, winner = CHOICES[found.moves[each.of]], CHOICES[found.moves[each.by]]
        assert None not in (loser, winner)
        assert public["table"][str(winner)][str(loser)] == "W"
        assert not played.options.team or found.teams[each.of] != found.teams[each.by]


def test_arena_the_breaker_is_the_best_of_those_who_beat_the_loser() -> None:
    moves, streaks = on("rock", "paper", "paper", "rock", "scissors", "paper"), [7, 0, 2, 2, 9, 0]
    players = [each._replace(streak=streak) for each, streak in zip(moves, streaks, strict=True)]
    # The fifth is beaten by both rocks, the first by all papers.
    found, _ = resolved(RoundInput(RoundOptions(), SEED, players))
    told_of = broken_streaks(streaks, found, [False] * 6)
    assert [(each.of, each.streak, each.by) for each in told_of] == [(0, 7, 2)]
