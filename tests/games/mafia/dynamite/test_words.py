"""Sentences, typed commands and bots of Dynamite Town."""

from collections import Counter
from typing import Any, get_args

import pytest

from games.engine.structs import kind_of
from games.mafia.dynamite.bot import DynamiteBot
from games.mafia.dynamite.commands import COMMANDS
from games.mafia.dynamite.game import GAME
from games.mafia.dynamite.replies import answer, confirm
from games.mafia.dynamite.rules.actions import Confront, DynamiteAction, Vote
from games.mafia.dynamite.rules.engine import Dynamite
from games.mafia.dynamite.rules.teams import Team
from games.mafia.dynamite.testing import play_random
from games.mafia.dynamite.words import DYNAMITE_SENTENCES
from games.text.typed import Query, UnknownPlayer, Words
from tests.forms import form
from tests.games.mafia.common.bots import NAMES, table_view
from tests.games.mafia.dynamite.rules.kit import RULES, Band

tell = GAME.speech.tell

BOT = DynamiteBot()
BOT_GAMES = form(120, in_all=240, in_long=400)


# The replay -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "held"),
    [
        (
            {"team": "dynamite", "danger": 3, "points": None, "target": None},
            "Dynamite Townie, danger 3",
        ),
        (
            {"team": "rock", "danger": None, "points": 2, "target": 1},
            "Rock Mafioso, 2 points: p1",
        ),
    ],
)
def test_dynamite_replay_shows_what_a_seat_holds(own: dict[str, Any], held: str) -> None:
    assert GAME.replay is not None
    assert GAME.replay.holding(own, NAMES) == held


# Sentences ------------------------------------------------------------------------------------


def test_dynamite_every_kind_of_fact_has_its_words_or_a_reason_for_none() -> None:
    kinds = {kind_of(fact) for fact in get_args(Dynamite.Fact)}
    assert kinds - {"clock_postponed"} == set(DYNAMITE_SENTENCES)
    silent = {kind for kind, sentence in DYNAMITE_SENTENCES.items() if sentence is None}
    # Of an award the table tells what was paid.
    assert silent == {"checked_in", "check_in_withdrawn", "posted", "will_written", "award_earned"}


def test_dynamite_every_fact_of_random_games_is_told() -> None:
    told = Counter[str]()
    for n in range(12):
        for event in play_random(f"words {n}").events:
            line = tell(event.kind, event.data, NAMES)
            if line:
                told[event.kind] += 1
                assert line[-1] in ".!", line
    assert {"game_started", "points_gained", "danger_changed", "player_died"} <= set(told)
    assert {"confrontation_declared", "game_ended"} <= set(told)


@pytest.mark.parametrize(
    ("kind", "data", "line"),
    [
        (
            "player_died",
            {"seat": 2, "team": "dynamite", "causes": ["stapler", "explosion"]},
            "p2, a Dynamite Townie, is dead: killed by a rampaging stapler and exploded.",
        ),
        (
            "player_died",
            {"seat": 2, "team": "rock", "causes": ["confronted"]},
            "p2, a Rock Mafioso, is dead: confronted by the Paper Mafia.",
        ),
        (
            "points_gained",
            {"team": "rock", "by_votes": 2, "by_dead": 1, "points": 4},
            "The Rock Mafia gains 2 by votes, 1 for its dead: it has 4.",
        ),
        (
            "awards_paid",
            {"awards": [[4, 5, 0, 0, 0], [1, 3, 0, 2, 0]], "daily_limit": 60, "is_halved": True},
            (
                "Awards are halved: these players have been paid for a game today. "
                "Awarded 5: p4. Awarded 3: p1. 2 more would be over the limit of 60 a day."
            ),
        ),
        (
            "game_ended",
            {
                "reason": "eliminated",
                "teams": ["rock"],
                "winners": [0, 3],
                "players": [[0, "rock"], [1, "paper"], [2, "scissors"], [3, "dynamite"]],
            },
            (
                "The Scissors Mafia is wiped out. Townies who live win, too. "
                "The winners: p0 and p3. "
                "Rock Mafia: p0. Paper Mafia: p1. Scissors Mafia: p2. Dynamite Town: p3."
            ),
        ),
    ],
)
def test_dynamite_a_fact_in_words(kind: str, data: dict[str, Any], line: str) -> None:
    assert tell(kind, data, NAMES) == line


# Commands -------------------------------------------------------------------------------------


def typed(name: str, *words: str, view: dict[str, Any]) -> Any:
    entry = next(entry for entry in COMMANDS if name in entry.names)
    return entry.read(Words(entry.usage, words), view)


def test_dynamite_every_action_of_the_game_but_posts_and_wills_has_a_command() -> None:
    kinds = {kind_of(action) for action in get_args(DynamiteAction)}
    assert kinds - {entry.kind for entry in COMMANDS} == {"post", "write_will"}


def test_dynamite_what_is_typed_is_an_action() -> None:
    band = Band()
    day = table_view(RULES, band.state, 0)
    assert typed("vote", "P3", view=day).action == {"kind": "vote", "choice": 3}
    assert typed("leave", view=day).action == {"kind": "leave"}
    with pytest.raises(UnknownPlayer):
        typed("vote", "zoe", view=day)
    assert typed("confront", "p2", view=day).action == {"kind": "confront", "target": 2}
    assert typed("withdraw", view=day).action == {"kind": "withdraw"}
    assert typed("done", view=day).action == {"kind": "done"}
    assert typed("leave", view=table_view(RULES, band.state, None)).action == {"kind": "stand"}
    assert confirm({"kind": "confront", "target": 2}, day) == "Tonight you confront p2."


def test_dynamite_questions_are_answered_from_the_own_view() -> None:
    band = Band()
    rock, mate = band.are(Team.ROCK)
    paper, townie = band.are(Team.PAPER)[0], band.are(Team.DYNAMITE)[0]
    nothing = answer(Query("history"), table_view(RULES, band.state, 0))
    assert nothing == "Nothing has happened yet."
    band.act(0, Vote(1))
    votes = answer(Query("votes"), table_view(RULES, band.state, None))
    assert votes.splitlines()[0] == "p1: p0."
    assert "No vote yet: p1" in votes
    band.day()
    band.give(Team.ROCK, 4)
    band.act(rock, Confront(paper))
    status = answer(Query("status"), table_view(RULES, band.state, mate))
    assert "You are a Rock Mafioso." in status
    assert "Your team's points: 4, 2 of them reserved." in status
    assert f"Tonight p{rock} confronts p{paper}." in status
    assert "Paper Mafia: 0 of 2 dead." in status
    danger = answer(Query("status"), table_view(RULES, band.state, townie))
    assert "Your danger points: 0." in danger
    assert "points: 4" not in danger
    assert "You are" not in answer(Query("status"), table_view(RULES, band.state, None))
    band.give(Team.SCISSORS, 2)
    band.act(band.are(Team.SCISSORS)[0], Confront(paper))
    band.late()
    history = answer(Query("history"), table_view(RULES, band.state, None))
    assert f"p{paper}, Paper Mafioso (confronted by the Scissors Mafia)" in history
    assert f"p{rock}" in answer(Query("status"), table_view(RULES, band.state, mate))
