"""Sentences, typed commands, the bell and bots of duels."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from economy.models import Setting
from games.duel.bot import DuelBot
from games.duel.commands import COMMANDS
from games.duel.game import GAME
from games.duel.rules.hands import BadHand
from games.duel.words import SENTENCES
from games.matches.models import Match, Seat
from games.matches.processing import bots, roster
from games.matches.processing.participants import NoBotWilling
from games.matches.queries import attention
from games.matches.queries.commands import answer, confirmation, parse
from games.text.typed import Action, Query, UnknownCommand
from tests.games.duel.kit import DuelKit
from tests.games.match_kit import new_user

tell = GAME.speech.tell

BOT = DuelBot()
NAMES = {0: "ann", 1: "bob"}


# Sentences -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "data", "told"),
    [
        (
            "game_started",
            {"seats": [0, 1], "best_of": 5, "no_ties": True, "clock_seconds": 30, "stake": 10},
            "ann against bob: best of 5, ties are thrown again, 10 points each.",
        ),
        (
            "hands_revealed",
            {
                "throw": 2,
                "hands": ["rock", "scissors"],
                "winners": [0],
                "counted": True,
                "wins": [1, 0],
            },
            "Throw 2: ann with rock against bob with scissors. ann wins it: 1 to 0.",
        ),
        (
            "hands_revealed",
            {
                "throw": 3,
                "hands": [None, "paper"],
                "winners": [1],
                "counted": True,
                "wins": [0, 1],
            },
            "Throw 3: ann with nothing in time against bob with paper. bob wins it: 0 to 1.",
        ),
        (
            "hands_revealed",
            {
                "throw": 1,
                "hands": ["rock", "rock"],
                "winners": [0, 1],
                "counted": True,
                "wins": [1, 1],
            },
            "Throw 1: ann with rock against bob with rock. A win for both: 1 to 1.",
        ),
        (
            "game_ended",
            {"winners": [1], "reason": "resigned"},
            "bob wins. ann resigned.",
        ),
        (
            "game_ended",
            {"winners": [], "reason": "suspension"},
            "Only one player came back after the break.",
        ),
        ("throw_voided", {"throw": 4}, "Throw 4: nobody threw in time, so it does not count."),
        ("pot_awarded", {"seat": 1, "amount": 19}, "bob gets both stakes: 19 after tax."),
        ("match_closed", {"reason": "declined"}, "The challenge is declined."),
        ("sat", {"seat": 0, "purse": 0, "bot": False}, "ann sits down."),
    ],
)
def test_wording_of_a_duel(kind: str, data: dict[str, Any], told: str) -> None:
    assert tell(kind, data, NAMES) == told


@pytest.mark.django_db
def test_wording_every_public_event_of_a_duel_is_known() -> None:
    kit = DuelKit(new_user(), new_user(), best_of=5, no_ties=True, stake=5)
    kit.start()
    kit.throw("rock", "rock")
    kit.act(kit.ann, kind="suspend")
    kit.act(kit.ann, kind="withdraw_suspend")
    kit.suspend()
    kit.act(kit.ann, kind="resume")
    kit.act(kit.ann, kind="withdraw_resume")
    kit.resume()
    kit.pass_time(30)
    kit.win(kit.ann)
    assert set(kit.kinds) - {"hand_chosen"} <= set(SENTENCES)
    assert kit.view()["log"][-1]["text"]


# Typed commands ------------------------------------------------------------------------------


@pytest.fixture
def kit(db: None) -> DuelKit:
    """A running duel, best of three."""
    kit = DuelKit(new_user("ann"), new_user("bob"), best_of=3, stake=5)
    kit.start()
    return kit


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("!rock", {"kind": "throw", "hand": "rock"}),
        ("!r", {"kind": "throw", "hand": "rock"}),
        ("!P", {"kind": "throw", "hand": "paper"}),
        ("!scissors", {"kind": "throw", "hand": "scissors"}),
        ("!throw Paper plane", {"kind": "throw", "hand": "paper"}),
        ("!throw s", {"kind": "throw", "hand": "scissors"}),
        ("!resign", {"kind": "resign"}),
        ("!leave", {"kind": "resign"}),
        ("!suspend", {"kind": "suspend"}),
        ("!resume", {"kind": "resume"}),
        ("!withdraw", {"kind": "withdraw_suspend"}),
        ("!stand", {"kind": "stand"}),
        ("!ready", {"kind": "ready", "configuration": 1}),
        ("!unready", {"kind": "unready"}),
        ("!bot", {"kind": "add_bot"}),
    ],
)
def test_commands_of_a_running_duel(kit: DuelKit, text: str, action: dict[str, Any]) -> None:
    assert parse(text, kit.view(kit.ann)) == Action(action)


@pytest.mark.django_db
def test_commands_of_an_open_and_of_a_suspended_duel(kit: DuelKit) -> None:
    fresh = DuelKit(new_user(), stake=7)
    assert parse("!sit", fresh.view(fresh.ann)) == Action({"kind": "sit"})
    fresh.act(fresh.ann, **parse("!sit", fresh.view(fresh.ann)).action)
    assert parse("!leave", fresh.view(fresh.ann)) == Action({"kind": "stand"})
    assert fresh.view()["seats"][0]["purse"] == 7
    kit.suspend()
    assert parse("!withdraw", kit.view(kit.ann)) == Action({"kind": "withdraw_resume"})


@pytest.mark.django_db
def test_commands_of_showdown_are_unknown_at_a_duel(kit: DuelKit) -> None:
    for text in ("!fold", "!atk r bob", "!lock", "!stock"):
        with pytest.raises(UnknownCommand):
            parse(text, kit.view(kit.ann))
    with pytest.raises(BadHand):
        parse("!throw lizard", kit.view(kit.ann))


@pytest.mark.django_db
def test_commands_questions_are_answered_with_the_own_hand_only(kit: DuelKit) -> None:
    kit.act(kit.ann, kind="throw", hand="paper")
    view, theirs = kit.view(kit.ann), kit.view(kit.bob)
    assert parse("!who", view) == Query("who")
    assert kit.ann.username in answer(Query("who"), view)
    assert "Your hand is in: paper." in answer(Query("status"), view)
    assert f"waiting for {kit.bob.username}" in answer(Query("status"), theirs)
    assert "paper" not in answer(Query("status"), theirs)
    lines = answer(Query("help"), view).splitlines()
    assert len([line for line in lines if not line.endswith(":")]) == len(COMMANDS)
    assert lines[0] == "You can now:"
    assert confirmation({"kind": "throw", "hand": "rock"}, theirs) == "You throw rock."


# The bell ------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_needs_of_a_duel_follow_what_it_waits_for(kit: DuelKit) -> None:
    def told() -> list[list[str]]:
        return [[need["what"] for need in attention.needs_of(user.pk)] for user in kit.people]

    assert told() == [["Throw"], ["Throw"]]
    kit.act(kit.ann, kind="throw", hand="paper")
    assert told() == [[], ["Throw"]]
    kit.act(kit.bob, kind="suspend")
    assert told() == [["Your opponent offers a break"], ["Throw"]]
    kit.act(kit.ann, kind="suspend")
    assert told() == [[], []]
    kit.act(kit.bob, kind="resume")
    assert told() == [["Your opponent is ready to continue"], []]


# Bots ----------------------------------------------------------------------------------------


def with_bot(**options: object) -> DuelKit:
    """Return a running duel with a bot on seat 1."""
    roster.ensure_bots()
    kit = DuelKit(new_user(), **options)
    kit.act(kit.ann, kind="sit", seat=0)
    kit.act(kit.ann, kind="add_bot")
    kit.act(kit.ann, kind="ready", configuration=1)
    assert kit.row.status == "running"
    return kit


@pytest.mark.django_db
def test_bot_throws_at_a_human_pace_and_a_whole_duel_ends() -> None:
    kit = with_bot(best_of=5, no_ties=True, stake=4)
    assert 0.9 <= (kit.row.bot_at - kit.now).total_seconds() <= 3.5
    for _ in range(60):
        if kit.row.status == "over":
            break
        if "throw" in kit.view(kit.ann)["game"]["you"]["legal"]:
            kit.act(kit.ann, kind="throw", hand="rock")
        kit.pass_time(3.6)
    assert kit.row.status == "over"
    results = Seat.objects.filter(match=kit.match).values_list("result", flat=True)
    assert sorted(results) == ["lost", "won"]
    result = kit.act(kit.ann, kind="rematch")
    kit.match = Match.objects.get(public_id=result.snapshots[kit.match.pk].successor)
    kit.pass_time(5)
    assert kit.row.status == "running"


@pytest.mark.django_db
def test_bot_agrees_to_no_suspension_and_is_not_woken_for_it() -> None:
    kit = with_bot(best_of=3)
    kit.pass_time(3.6)
    assert kit.duel["seats"][1]["hand_in"]
    kit.act(kit.ann, kind="suspend")
    assert kit.row.bot_at is None
    assert bots.bot_actions(kit.row, kit.now) == []
    kit.pass_time(5)
    assert kit.duel["stage"] == "throwing"


def test_bot_goes_on_with_a_suspended_duel_and_throws_each_hand_as_often() -> None:
    def view(*legal: str) -> dict[str, Any]:
        game = {"stage": "throwing", "you": {"hand": None, "legal": list(legal)}}
        return {"match": {"game": "duel"}, "you": {"name": "Lefty_Malone"}, "game": game}

    assert BOT.choose(view("resume", "resign", "leave"), Random(1)) == [{"kind": "resume"}]
    assert BOT.choose(view("suspend", "resign", "leave"), Random(1)) == []
    chance = Random(3)
    thrown = Counter(BOT.choose(view("throw", "suspend"), chance)[0]["hand"] for _ in range(3_000))
    assert set(thrown) == {"rock", "paper", "scissors"}
    assert all(900 < count < 1_100 for count in thrown.values())


@pytest.mark.django_db
def test_bots_manners_keep_them_from_stakes_only() -> None:
    kit = with_bot(stake=20)
    for _ in range(40):
        if kit.row.status == "over":
            break
        if "throw" in kit.view(kit.ann)["game"]["you"]["legal"]:
            kit.act(kit.ann, kind="throw", hand="rock")
        kit.pass_time(3.6)
    Seat.objects.filter(match=kit.match, no=0).update(net=18)
    Seat.objects.filter(match=kit.match, no=1).update(net=-20)
    Setting.objects.filter(name="bots.daily_win_limit").update(value=5)
    staked = DuelKit(kit.ann, stake=1)
    staked.act(kit.ann, kind="sit", seat=0)
    assert isinstance(staked.answer(kit.ann, kind="add_bot").error, NoBotWilling)
    free = DuelKit(kit.ann)
    free.act(kit.ann, kind="sit", seat=0)
    assert free.answer(kit.ann, kind="add_bot").error is None
