"""Sentences, typed commands and bots of Agoran Mafia."""

from collections import Counter
from typing import Any, get_args

import pytest

from games.engine.structs import kind_of
from games.mafia.agora.commands import COMMANDS
from games.mafia.agora.game import GAME
from games.mafia.agora.replies import answer, confirm
from games.mafia.agora.rules.actions import AgoraAction
from games.mafia.agora.rules.engine import Agora
from games.mafia.agora.rules.roles import Role
from games.mafia.agora.testing import play_random
from games.mafia.agora.words import AGORA_SENTENCES
from games.text.typed import Query, UnknownPlayer, Words
from tests.games.mafia.agora.rules.kit import RULES, Town
from tests.games.mafia.common.bots import NAMES, table_view

tell = GAME.speech.tell


# Sentences ------------------------------------------------------------------------------------


def test_agora_every_kind_of_fact_has_its_words_or_a_reason_for_none() -> None:
    kinds = {kind_of(fact) for fact in get_args(Agora.Fact)}
    assert kinds - {"clock_postponed"} == set(AGORA_SENTENCES)
    silent = {kind for kind, sentence in AGORA_SENTENCES.items() if sentence is None}
    # Of an award the table tells what was paid.
    assert silent == {"checked_in", "check_in_withdrawn", "posted", "will_written", "award_earned"}


def test_agora_every_fact_of_random_games_is_told() -> None:
    told = Counter[str]()
    for n in range(12):
        for event in play_random(f"words {n}").events:
            line = tell(event.kind, event.data, NAMES)
            if line:
                told[event.kind] += 1
                assert line[-1] in ".!", line
    assert {"game_started", "target_chosen", "file_read", "citizen_died", "game_ended"} <= set(told)


@pytest.mark.parametrize(
    ("kind", "data", "line"),
    [
        ("voted", {"seat": 1, "choice": "none"}, "p1 votes for nobody."),
        ("voted", {"seat": 1, "choice": None}, "p1 takes the vote back."),
        ("voted", {"seat": 1, "choice": 0}, "p1 votes for p0."),
        ("citizen_died", {"seat": 2, "cause": "lynched", "role": None}, "p2 is lynched."),
        (
            "citizen_died",
            {"seat": 2, "cause": "killed", "role": "doctor"},
            "p2, the doctor, was killed in the night.",
        ),
        ("role_dealt", {"seat": 1, "role": "agent"}, "p1: agent of the mafia."),
        (
            "target_chosen",
            {"seat": 1, "role": "mafioso", "target": "none"},
            "The mafia (p1) kills nobody.",
        ),
        (
            "target_chosen",
            {"seat": 1, "role": "mafioso", "target": 0},
            "The mafia (p1) chose to kill p0.",
        ),
        (
            "target_chosen",
            {"seat": 1, "role": "agent", "target": 0},
            "p1, agent of the mafia, forged the file on p0.",
        ),
        (
            "citizen_died",
            {"seat": 2, "cause": "lynched", "role": "citizen"},
            "p2, an ordinary citizen, is lynched.",
        ),
        (
            "file_read",
            {"seat": 0, "target": 3, "is_mafia": False},
            "The file on p3 says: NOT MAFIA.",
        ),
        (
            "awards_paid",
            {
                "awards": [[4, 12, 12, 0, 0], [1, 5, 10, 7, 2], [2, 12, 12, 0, 0]],
                "daily_limit": 60,
                "is_halved": False,
            },
            (
                "Awarded 12 + 12i: p4 and p2. "
                "Awarded 5 + 10i: p1. 7 + 2i more would be over the limit of 60 a day."
            ),
        ),
        (
            "awards_withheld",
            {"seats": [0, 1], "reason": "unrated"},
            "The game was not rated, so no award is paid.",
        ),
        (
            "awards_withheld",
            {"seats": [0, 1], "reason": "bot"},
            "Bots are paid no award: p0 and p1.",
        ),
        (
            "game_ended",
            {
                "reason": "mafia_dead",
                "winner": "town",
                "roles": [[0, "mafioso"], [1, "citizen"], [2, "citizen"]],
            },
            (
                "The town wins: the last of the mafia is dead. "
                "Ordinary citizens: p1 and p2. Mafioso: p0."
            ),
        ),
    ],
)
def test_agora_a_fact_in_words(kind: str, data: dict[str, Any], line: str) -> None:
    assert tell(kind, data, NAMES) == line


# Commands -------------------------------------------------------------------------------------


def typed(name: str, *words: str, view: dict[str, Any]) -> Any:
    entry = next(entry for entry in COMMANDS if name in entry.names)
    return entry.read(Words(entry.usage, words), view)


def test_agora_every_action_of_the_game_but_posts_and_wills_has_a_command() -> None:
    kinds = {kind_of(action) for action in get_args(AgoraAction)}
    assert kinds - {entry.kind for entry in COMMANDS} == {"post", "write_will"}


def test_agora_what_is_typed_is_an_action() -> None:
    town = Town()
    doctor = town.one(Role.DOCTOR)
    night = table_view(RULES, town.state, doctor)
    assert typed("target", "P3", view=night).action == {"kind": "choose", "target": 3}
    assert typed("target", "none", view=night).action == {"kind": "choose", "target": "none"}
    assert typed("none", view=night).action == {"kind": "choose", "target": "none"}
    assert typed("leave", view=night).action == {"kind": "leave"}
    town.late()
    day = table_view(RULES, town.state, doctor)
    assert typed("vote", "p4", view=day).action == {"kind": "vote", "choice": 4}
    assert typed("vote", "NONE", view=day).action == {"kind": "vote", "choice": "none"}
    assert typed("none", view=day).action == {"kind": "vote", "choice": "none"}
    assert typed("unvote", view=day).action == {"kind": "vote", "choice": None}
    with pytest.raises(UnknownPlayer):
        typed("vote", "zoe", view=day)
    assert confirm({"kind": "vote", "choice": 4}, day) == "Your vote: p4."
    assert typed("leave", view=table_view(RULES, town.state, None)).action == {"kind": "stand"}


def test_agora_questions_are_answered_from_the_own_view() -> None:
    town = Town()
    sheriff, bad = town.one(Role.SHERIFF), town.one(Role.MAFIOSO)
    assert answer(Query("votes"), table_view(RULES, town.state, 0)) == "There are no votes now."
    assert answer(Query("history"), table_view(RULES, town.state, 0)) == "Nothing has happened yet."
    town.night(sheriff=bad)
    town.vote(bad, sheriff, 0 if sheriff else 1)
    status = answer(Query("status"), table_view(RULES, town.state, sheriff))
    assert "You are the sheriff." in status
    assert f"the file on p{bad} said MAFIA" in status
    spectator = answer(Query("status"), table_view(RULES, town.state, None))
    assert "You are" not in spectator
    assert "MAFIA" not in spectator
    votes = answer(Query("votes"), table_view(RULES, town.state, None))
    assert votes.startswith("4 of 7 decide.")
    assert f"p{bad}: " in votes
    town.late()
    history = answer(Query("history"), table_view(RULES, town.state, None))
    assert "Night 1: nobody was killed." in history
    assert "Day 1: nobody was lynched." in history


def test_agora_who_is_there_is_told_by_the_day() -> None:
    town = Town(5)
    view = table_view(RULES, town.state, 0)
    days = ("2026-11-22", None)
    for seat in view["seats"]:
        seat["player"]["bot"] = seat["no"] == 4
        seat |= {"present": None, "seen_on": days[seat["no"] % 2]}
    told = answer(Query("who"), {**view, "match": {"watching": 0}})
    assert told.splitlines() == [
        "Seat 1: p0, last here on 2026-11-22.",
        "Seat 2: p1, not seen yet.",
        "Seat 3: p2, last here on 2026-11-22.",
        "Seat 4: p3, not seen yet.",
        "Seat 5: p4, a bot.",
        "No spectators.",
    ]
