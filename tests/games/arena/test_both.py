from datetime import timedelta

import pytest

from games.arena import batch, queries
from games.arena.models import Choice, DayFigures, Player, Round
from games.arena.rules.actions import Choose, Join, Prefer
from games.arena.rules.moves import CHOICES
from games.arena.rules.options import Preference
from tests.forms import form
from tests.games.arena.kit import ArenaKit, BothArenas, allow, playing
from tools.referee.arena import WEIGHTS
from tools.referee.trials import Chance, pick

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = form(20, in_long=300)
SEATS = 8
#: Rounds follow one another in which wishes and figures change more often than in other trials.
OFTEN = {**WEIGHTS, "choose": 30, "prefer": 6, "leave": 3}


@pytest.mark.slow
@pytest.mark.both_databases
def test_arena_referee_and_site_come_to_the_same_in_random_rounds(monkeypatch) -> None:
    chance = Chance("both")
    both = BothArenas(monkeypatch, SEATS, "5eed" * 16, idle_rounds=6)
    # The first rounds are of one day, all others of the next.
    both.kit.now = both.kit.now.replace(hour=23, minute=59, second=0)
    for seat in range(SEATS - 2):
        both.do(seat, Join())
        both.do(seat, Prefer("survivor", Preference.ON))
    survivor = last_no = 0
    while last_no < ROUNDS:
        for _ in range(chance.below(2 * SEATS)):
            act(both, chance)
        if both.state.due_at is None:
            both.do(chance.below(SEATS), Join())
        both.compare()
        both.end(timedelta(milliseconds=chance.below(2_000)))
        both.compare()
        last_no = both.state.last.round
        survivor += both.state.last.options.survivor
    assert 0 < survivor < ROUNDS
    assert Round.objects.filter(state=Round.State.RESOLVED).count() == ROUNDS
    assert DayFigures.objects.values("day").distinct().count() == 2


def act(both: BothArenas, chance: Chance) -> None:
    """Take a legal action, or an illegal choice, of a seat; both give the same answer."""
    seat = chance.below(SEATS)
    both.kit.now += timedelta(milliseconds=chance.below(50))
    if chance.one_in(6):
        action = Choose(CHOICES[chance.below(len(CHOICES))])
    else:
        legal = both.rules.legal_actions(both.state, seat)  # type: ignore[arg-type]
        action = pick(chance, legal, OFTEN)  # type: ignore[assignment]
    refused, answer = both.do(seat, action)
    assert refused == {"action/not_in_arena": "action/not_seated"}.get(answer or "", answer)


def knocked_out(number: int = 5) -> ArenaKit:
    kit = playing(number, survivor="on")
    for _ in range(3):
        kit.play("paper", "paper", *["rock"] * (number - 2))
    assert kit.each("health") == [3, 3, *[0] * (number - 2)]
    return kit


@pytest.mark.plain
@pytest.mark.both_databases
def test_arena_player_without_health_cannot_choose_and_is_in_no_live_count() -> None:
    kit = knocked_out()
    sitting = kit.people[2]
    shown, before = queries.public_view(), kit.player(0).board_rounds
    assert (shown["people"], shown["counts_on_boards"]) == (2, False)
    assert [each["name"] for each in shown["names"]] == [each.username for each in kit.people[:2]]
    answers = kit.choose("rock", "paper", "scissors")
    assert [answer.error and answer.error.code for answer in answers] == [None, None, "action/out"]
    assert not Choice.objects.filter(user=sitting, round_no=kit.no).exclude(move="rock").exists()
    assert batch.store_choices({sitting.pk: "rock"}, kit.no, kit.now) == set()
    Choice.objects.update_or_create(
        user=sitting, defaults={"round_no": kit.no, "move": "scissors", "at": kit.now}
    )
    live = queries.read_live(kit.no, [])
    assert live["counts"] == {"rock": 1, "paper": 1, "scissors": 0}
    assert live["names"]["scissors"] == []
    over = kit.end()
    assert (over.players, over.people, queries.public_view()["last"]["players"]) == (2, 2, 2)
    assert (kit.player(0).board_rounds, len(kit.fights(over.no))) == (before, 5)


def test_arena_bot_without_health_does_not_choose() -> None:
    kit = playing(4, survivor="on")
    kit.leave(kit.people[3])
    kit.end()
    bot = Player.objects.get(is_bot=True, is_in=True)
    assert bot.health == 0
    assert not Choice.objects.filter(user=bot.pk).exists()
    assert queries.public_view()["bots"] == 0


@pytest.mark.both_databases
def test_arena_who_leaves_has_left_before_health_is_looked_at() -> None:
    kit = knocked_out()
    kit.leave(kit.people[0])
    kit.play("rock", "rock")
    assert kit.each("health") == [3] * 5
    assert not kit.player(0).is_in
    assert kit.round.survivor_round == 1


def test_arena_who_was_idle_for_too_long_has_left_before_health_is_looked_at() -> None:
    allow(idle_rounds=2)
    kit = playing(4, survivor="on")
    for _ in range(2):
        assert kit.round.survivor_round > 0
        kit.play("rock")
    assert kit.each("is_in") == [True, False, False, False]
    assert (kit.player(0).health, kit.round.survivor_round) == (3, 1)


def test_arena_reset_of_one_who_has_gone_takes_effect() -> None:
    allow(gone_seconds=1)
    kit = playing(4)
    kit.play("rock", "paper", "paper", "paper")
    kit.here.discard(kit.people[0].pk)
    kit.play("rock", "paper", "paper", "paper")
    kit.reset(kit.people[0])
    kit.end()
    gone = kit.player(0)
    assert (gone.is_in, gone.watching, gone.resets, gone.round_losses) == (False, "gone", False, 0)


@pytest.mark.both_databases
def test_arena_days_streak_begins_at_nothing_at_midnight() -> None:
    kit = ArenaKit(4)
    midnight = kit.now.replace(hour=0, minute=0, second=0) + timedelta(days=1)
    kit.now = midnight - timedelta(seconds=15)
    kit.begin()
    ends = [kit.play("paper", "rock", "rock", "rock").ends_at for _ in range(5)]
    assert sum(end < midnight for end in ends) == 2
    days = DayFigures.objects.filter(user=kit.people[0]).order_by("day")
    figures = list(days.values_list("score", "streak", "best_streak", "round_wins"))
    # The multiplier is that of the player's own streak.
    assert (figures, kit.player(0).board_best_streak) == ([(2, 2, 2, 2), (2 + 3 + 4, 3, 3, 3)], 5)
