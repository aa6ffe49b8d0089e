"""Duel's bots: what they play, what they say afterwards, and where they do not play."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from accounts.models import User
from games import registry
from games.duel import bot
from games.duel.bot import BEATEN_BY, BOTS, HABITS, NATURES, afterword, kept, next_hand, thrown_by
from games.duel.dossier import choose
from games.duel.priors import prior_of
from games.duel.reading import HANDS, Thrown
from games.duel.rules.state import BEATS, Hand
from games.matches.journal.loading import match_cache
from games.matches.models import Habits, Match, Seat
from games.matches.processing import bots
from games.matches.processing.bots import LIKE_ME, ensure_bots
from games.matches.queries.selectors import snapshot_of
from games.practice.tables import PERSON, Plan, PracticeTable, choices_of, is_offered
from tests.games.duel.kit import DuelKit
from tests.games.journal_kit import facts_of
from tests.games.match_kit import new_user
from tests.games.matches.test_views import browser
from tests.games.practice.kit import NOON, THOUGHT, open_table

BOT = bot.DuelBot()
ROCK, PAPER, SCISSORS = HANDS
Player = Callable[[Sequence[Thrown], Random], Hand]


def follower(plays: str) -> Player:
    """Return a player who has seen through a habit."""

    def throw(throws: Sequence[Thrown], chance: Random) -> Hand:
        hand = next_hand(plays, throws)
        return BEATEN_BY[hand] if hand else chance.choice(HANDS)

    return throw


def even(throws: Sequence[Thrown], chance: Random) -> Hand:
    return chance.choice(HANDS)


def after_a_win_again(throws: Sequence[Thrown], chance: Random) -> Hand:
    """Throw as most people do, after a win the same again; ``throws`` are the bot's."""
    theirs, own = throws[-1] if throws else (None, None)
    return own if own and theirs and BEATS[own] == theirs else chance.choice(HANDS)


def seen_by(name: str, throws: Sequence[Thrown]) -> dict[str, Any]:
    """Return the view of a bot at seat 0 with its history."""
    return {
        "you": {"name": name, "seat": 0},
        "game": {"you": {"legal": ["throw"]}},
        "history": [{"hands": pair} for pair in throws],
    }


def share_won(name: str, player: Player, best_of: int, duels: int = 120) -> float:
    """Return the share of duels without ties that a player wins against a bot."""
    won = 0
    for number in range(duels):
        chance, throws, wins = Random(f"{name}{number}"), list[Thrown](), [0, 0]
        while max(wins) <= best_of // 2:
            hand = Hand(BOT.choose(seen_by(name, throws), chance)[0]["hand"])
            answer = player(throws, chance)
            throws.append((hand, answer))
            wins[0] += BEATS[hand] == answer
            wins[1] += BEATS[answer] == hand
        won += wins[1] > wins[0]
    return won / duels


@pytest.mark.parametrize("name", [n for n, m in BOTS.items() if NATURES[m].plays in HABITS])
def test_a_habit_loses_to_a_player_who_has_seen_it(name: str) -> None:
    assert share_won(name, follower(NATURES[BOTS[name]].plays), 21) >= 0.7
    assert 0.35 < share_won(name, even, 21) < 0.65


def test_a_reader_beats_a_habit_and_is_even_against_chance() -> None:
    hard = share_won("Bookkeeper_Bo", after_a_win_again, 15, 30)
    assert hard < 0.3
    assert hard < share_won("Nickels_Novak", after_a_win_again, 15, 30)
    assert 0.25 < share_won("Bookkeeper_Bo", even, 5, 60) < 0.75


def test_an_even_bot_and_one_without_a_past_throw_each_hand_as_often() -> None:
    for name in ("Aunt_Carmela", "Somebody", "Bookkeeper_Bo", "Dice_Delvecchio"):
        chance, view = Random(3), seen_by(name, [])
        thrown = Counter(BOT.choose(view, chance)[0]["hand"] for _ in range(3_000))
        assert set(thrown) == {"rock", "paper", "scissors"}
        assert all(900 < count < 1_100 for count in thrown.values())
    view = seen_by("Aunt_Carmela", [(ROCK, ROCK)] * 40)
    assert {BOT.choose(view, Random(n))[0]["hand"] for n in range(50)} == {
        "rock", "paper", "scissors"
    }  # fmt: skip


def test_what_habits_ask_for() -> None:
    assert next_hand("copy", [(ROCK, PAPER)]) == PAPER
    assert next_hand("circle", [(ROCK, PAPER)]) == PAPER
    assert next_hand("proud", [(PAPER, ROCK)]) == PAPER
    assert [next_hand("proud", [pair]) for pair in ((ROCK, PAPER), (ROCK, ROCK))] == [None, None]
    assert next_hand("sore", [(ROCK, PAPER)]) == SCISSORS
    assert [next_hand("sore", [pair]) for pair in ((PAPER, ROCK), (ROCK, ROCK))] == [None, None]
    # A throw without a hand says nothing.
    assert next_hand("copy", [(None, PAPER)]) is None
    assert next_hand("copy", []) is None
    assert next_hand("rock", []) == ROCK
    # Somebody who always throws rock gets paper.
    assert next_hand("reader", [(SCISSORS, ROCK)] * 6) == PAPER


def test_what_bots_say_afterwards() -> None:
    def said(name: str, *pairs: tuple[str | None, str | None]) -> str:
        return afterword(name, {"throws": [{"hands": list(pair)} for pair in pairs]}, 0)

    rocks = [("rock", "paper"), ("rock", "paper"), ("rock", "scissors")]
    assert said("Lefty_Malone", *rocks) == "I love rock: 3 of 3."
    assert said("Dice_Delvecchio", *rocks) == "I copy your last hand: 0 of 2."
    assert said("Knuckles_McGraw", *rocks) == ""
    assert said("Aunt_Carmela", *rocks) == "I throw by chance. Nobody beats that in the long run."
    assert said("Lefty_Malone", ("rock", "paper")) == ""
    assert (
        said("Lefty_Malone", ("rock", None), ("rock", "paper"), (None, None))
        == "I love rock: 2 of 2."
    )
    winning = [("rock", "paper")] * 9
    assert said("Bookkeeper_Bo", *winning) == "I waited for you to throw paper: 9 of 9."
    nothing = [("rock", "rock"), ("rock", "paper"), ("paper", "rock")]
    assert said("Bookkeeper_Bo", *nothing) == "I found nothing in your throws to wait for."
    assert kept(HABITS["proud"], thrown_by(1, [{"hands": pair} for pair in winning])) == (8, 8)


# At tables ------------------------------------------------------------------------------


def seated(user: User, **options: Any) -> DuelKit:
    kit = DuelKit(user, **options)
    kit.act(user, kind="sit", seat=0)
    return kit


def name_of_bot(kit: DuelKit) -> str | None:
    player = kit.view()["seats"][1]["player"]
    return player and player["name"]


def beat(kit: DuelKit) -> str | None:
    """Play to the end, always the same hand; return what the bot says."""
    for _ in range(400):
        if kit.row.status == "over":
            says: str | None = kit.view()["seats"][1]["player"].get("says")
            return says
        if "throw" in kit.view(kit.ann)["game"]["you"]["legal"]:
            assert "says" not in kit.view(kit.ann)["seats"][1]["player"]
            kit.act(kit.ann, kind="throw", hand="rock")
        kit.pass_time(3.6)
    raise AssertionError("the duel does not end")


@pytest.mark.django_db
def test_a_reading_bot_never_plays_for_points() -> None:
    ensure_bots()
    ann = new_user()
    for name in BOTS:
        kit = seated(ann, stake=5)
        refusal = kit.answer(ann, kind="add_bot", bot=name).error
        reads = registry.table("duel").bot.cast[name].reads
        assert (refusal is not None) == reads, name
        assert not reads or (refusal.code, str(refusal)) == (
            "action/no_bot_willing", f"{name} never plays for points",
        )  # fmt: skip
        kit.act(ann, kind="stand")
        kit.pass_time(15 * 60 + 1)


@pytest.mark.django_db
def test_a_reading_bot_leaves_when_points_come_to_its_table() -> None:
    ensure_bots()
    kit = seated(new_user())
    kit.act(kit.ann, kind="add_bot", bot="Bookkeeper_Bo")
    kit.act(kit.ann, kind="configure", stake=5)
    kit.act(kit.ann, kind="ready", configuration=2)
    kit.pass_time(5)
    assert (kit.row.status, name_of_bot(kit)) == ("open", None)
    assert [fact.data["reason"] for fact in facts_of(kit.match, "stood")] == ["no_stakes"]


@pytest.mark.django_db
def test_a_bot_that_nobody_named_throws_by_chance() -> None:
    ensure_bots()
    ann = new_user()
    for _ in range(12):
        kit = seated(ann)
        kit.act(ann, kind="add_bot")
        assert NATURES[BOTS.get(name_of_bot(kit) or "", "even")].plays == ""
        kit.act(ann, kind="stand")
        kit.pass_time(15 * 60 + 1)


@pytest.mark.django_db
def test_the_bot_like_me_is_the_one_nearest_to_half() -> None:
    ensure_bots()
    ann = new_user()

    def like_me() -> str | None:
        kit = seated(ann)
        kit.act(ann, kind="add_bot", bot=LIKE_ME)
        name = name_of_bot(kit)
        kit.act(ann, kind="stand")
        kit.pass_time(15 * 60 + 1)
        return name

    assert NATURES[BOTS.get(like_me() or "", "even")].plays == ""  # nobody met yet
    records = {
        "Lefty_Malone": "won won won",
        "Bookkeeper_Bo": "lost won lost",
        "Dice_Delvecchio": "lost",
    }
    for name, results in records.items():
        for result in results.split():
            kit = seated(ann, best_of=1, no_ties=True)
            kit.act(ann, kind="add_bot", bot=name)
            kit.act(ann, kind="ready", configuration=1)
            beat(kit)
            Seat.objects.filter(match=kit.match, user=ann).update(result=result)
    assert like_me() == "Bookkeeper_Bo"


@pytest.mark.django_db
def test_a_bot_has_all_throws_of_its_match_and_says_how_it_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ensure_bots()
    kit = seated(new_user(), best_of=31, no_ties=True)
    kit.act(kit.ann, kind="add_bot", bot="Two-Coat_Eddie")
    kit.act(kit.ann, kind="ready", configuration=1)
    seen = list[list[Any]]()
    choose = bot.DuelBot.choose

    def watched(self: bot.DuelBot, view: Any, chance: Random) -> Any:
        seen.append([throw["hands"] for throw in view["history"]])
        assert len(seen[-1]) == view["game"]["throw"] - 1
        return choose(self, view, chance)

    monkeypatch.setattr(bot.DuelBot, "choose", watched)
    says = beat(kit)
    assert says is not None
    assert says.startswith("I throw what beats my last hand: ")
    hands = [fact.data["hands"] for fact in facts_of(kit.match, "hands_revealed")]
    # Only what has happened, and no hand that is not revealed.
    assert all(history == hands[: len(history)] for history in seen)
    assert max(map(len, seen)) > 20
    page = browser(kit.ann).get(f"/duels/{kit.match.public_id}/").content.decode()
    assert says in page


@pytest.mark.django_db
def test_an_even_bot_is_handed_no_history() -> None:
    ensure_bots()
    kit = seated(new_user())
    kit.act(kit.ann, kind="add_bot", bot="Aunt_Carmela")
    kit.act(kit.ann, kind="ready", configuration=1)
    kit.pass_time(3.6)
    match = Match.objects.get(pk=kit.match.pk)
    snapshot = snapshot_of(match)
    assert "history" not in bots._view_of(snapshot, 1)


# In practice ----------------------------------------------------------------------------


def test_practice_is_against_the_bot_that_one_chooses() -> None:
    game = registry.table("duel")
    assert set(choices_of(game)) == set(BOTS)
    assert is_offered(game, "", "Dice_Delvecchio")
    assert not is_offered(game, "", "Somebody")
    assert not is_offered(registry.table("showdown"), "", "Lefty_Malone")
    first = open_table("duel")
    table = PracticeTable(Plan(game, first.plan.options, bot="Dice_Delvecchio"), "Guest", NOON)
    table.start(NOON)
    now, copied = NOON, 0
    for number in range(30):
        if table.state.is_finished:
            break
        if table.is_waiting:
            hand = ("rock", "paper")[number % 2]
            table.act({"kind": "throw", "hand": hand}, f"turn-{number}", table.match.phase, now)
        now = type(NOON)(now + THOUGHT)
        table.tick(now)
    throws = [told.data["hands"] for told in table.told if told.kind == "hands_revealed"]
    copied = sum(before[0] == after[1] for before, after in pairwise(throws))
    bot_seat = table.view()["seats"][1]["player"]
    assert bot_seat["name"] == "Dice_Delvecchio"
    assert bot_seat["says"] == f"I copy your last hand: {copied} of {len(throws) - 1}."
    assert "says" not in table.view()["seats"][PERSON]["player"]


@pytest.mark.django_db
def test_practice_page_names_the_chosen_bot_and_knows_no_other() -> None:
    guest = browser(None)
    page = guest.get("/practice/duel/", {"bot": "Bookkeeper_Bo"})
    assert page.context["table_config"]["socket"] == "/ws/practice/duel/?bot=Bookkeeper_Bo"
    assert page.context["initial_view"]["view"]["seats"][1]["player"]["name"] == "Bookkeeper_Bo"
    assert guest.get("/practice/duel/", {"bot": "Nobody"}).status_code == 404
    assert guest.get("/practice/showdown/", {"bot": "Lefty_Malone"}).status_code == 404
    assert (
        guest.get("/practice/duel/").context["initial_view"]["view"]["seats"][1]["player"]["name"]
        == "Lefty_Malone"
    )


# What bots know from before -------------------------------------------------------------


def practised(ann: User, bob: User, throws: int = 120) -> None:
    """Play counted duels: ann repeats her hand after wins, bob throws rock."""
    chance, thrown = Random(4), 0
    while thrown < throws:
        kit = DuelKit(ann, bob, best_of=15, no_ties=True)
        kit.start()
        hand = "paper"
        while kit.row.status == Match.Status.RUNNING:
            kit.throw(hand, "rock")
            thrown += 1
            hand = "paper" if hand == "rock" or chance.random() < 0.9 else "rock"


@pytest.mark.django_db
@pytest.mark.both_databases
def test_a_bot_knows_a_person_who_allows_it_from_100_throws_on() -> None:
    ann, bob = new_user(), new_user()
    assert prior_of("Crowbar_Kowalski", [ann.pk]) == {}
    practised(ann, bob, 60)
    choose(ann.pk, shows=False, is_known=True)
    assert prior_of("Crowbar_Kowalski", [ann.pk]) == {}
    practised(ann, bob, 60)
    known = prior_of("Crowbar_Kowalski", [ann.pk])
    rows = Habits.objects.filter(user=ann, context__contains=":")
    assert {(context, no): hands[no] for context, hands in known.items() for no in range(3)} == {
        (context, no): sum(rows.filter(context=context, hand=no).values_list("count", flat=True))
        for context in known
        for no in range(3)
    }
    assert known["r:w"][1] > sum(known["r:w"]) * 0.7  # the same again after a win with paper
    # Not the other one, not two people, not a bot that asks for nothing, not after a no.
    choose(bob.pk, shows=True)
    assert prior_of("Crowbar_Kowalski", [bob.pk]) == {}
    assert prior_of("Crowbar_Kowalski", [ann.pk, bob.pk]) == {}
    assert prior_of("Bookkeeper_Bo", [ann.pk]) == {}
    choose(ann.pk, shows=True)
    assert prior_of("Crowbar_Kowalski", [ann.pk]) == {}


@pytest.mark.django_db
def test_a_veteran_knows_the_throws_of_everybody_in_a_small_dose() -> None:
    ann, bob = new_user(), new_user()
    practised(ann, bob)
    known = prior_of("Long-Shot_Louie", [new_user().pk])
    assert all(sum(hands) <= 60.000001 for hands in known.values())
    assert known["r:l"][0] == sum(known["r:l"])  # bob throws rock, and loses
    assert next_hand("all", [(PAPER, ROCK)], known) == PAPER


@pytest.mark.django_db
def test_what_a_bot_knows_is_fixed_at_the_start_and_handed_over_at_each_throw(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ensure_bots()
    ann, bob = new_user(), new_user()
    practised(ann, bob)
    choose(ann.pk, shows=False, is_known=True)
    known = prior_of("Crowbar_Kowalski", [ann.pk])
    assert known
    kit = seated(ann, best_of=5, no_ties=True)
    kit.act(ann, kind="add_bot", bot="Crowbar_Kowalski")
    assert Seat.objects.get(match=kit.match, no=1).prior is None
    kit.act(ann, kind="ready", configuration=1)
    given = list[Any]()
    choose_hand = bot.DuelBot.choose

    def watched(self: bot.DuelBot, view: Any, chance: Random) -> Any:
        given.append(view["prior"])
        return choose_hand(self, view, chance)

    monkeypatch.setattr(bot.DuelBot, "choose", watched)
    Habits.objects.all().delete()  # as if it had changed since
    match_cache.forget()  # as after a restart
    beat(kit)
    assert given
    assert all(each == known for each in given)
    # Nobody is shown it.
    for viewer in (ann, bob, None):
        assert "prior" not in json.dumps(kit.view(viewer))
