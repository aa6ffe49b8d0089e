from datetime import datetime, timedelta

import pytest

from games.arena import queries
from games.arena.models import Player, SeasonFigures
from games.arena.rounds import options_of
from games.arena.rules.actions import Prefer
from games.arena.rules.options import Preference, RoundOptions
from games.engine.facts import instant, iso
from tests.games.arena.kit import ArenaKit, allow, new_people, playing

pytestmark = pytest.mark.django_db(transaction=True)


def streaks(kit: ArenaKit, *lengths: int) -> None:
    for user, streak in zip(kit.people, lengths, strict=True):
        Player.objects.filter(user=user).update(streak=streak)


@pytest.mark.both_databases
def test_arena_best_streaks_are_shown_after_a_round_with_the_own_place() -> None:
    kit = playing(4)
    streaks(kit, 7, 4, 2, 0)
    before = queries.public_view()
    assert [row["streak"] for row in before["streaks"]] == [7, 4, 2]
    # Paper beats the three rocks: the streaks of 7 and 4 break, the one of 2 is too short to tell.
    kit.choose("rock", "rock", "rock", "paper")
    assert queries.public_view() == before, "nothing of a selection that runs"
    kit.end()
    names = [user.username for user in kit.people]
    view = queries.public_view()
    assert view["streaks"] == [{"name": names[3], "streak": 1}]
    assert view["broken"] == [
        {"of": names[0], "streak": 7, "by": names[3]},
        {"of": names[1], "streak": 4, "by": names[3]},
    ]
    places = [queries.own_view(user)["streak_place"] for user in kit.people]
    assert (places[0], places[3]) == (None, 1)
    # Two share the first place.
    streaks(kit, 3, 5, 5, 1)
    assert [queries.own_view(user)["streak_place"] for user in kit.people] == [3, 1, 1, 4]


def test_arena_at_most_ten_streaks_are_shown_and_never_bots() -> None:
    kit = playing(3)
    for number in range(1, 13):
        Player.objects.filter(user=kit.add()).update(streak=number)
    Player.objects.filter(is_bot=True).update(streak=50)
    shown = queries.public_view()["streaks"]
    assert [row["streak"] for row in shown] == list(range(12, 2, -1))


def evening(kit: ArenaKit) -> datetime:
    """Make a season of two hours begin at the arena's clock; return its beginning."""
    begins_at = kit.now.replace(second=0)
    allow(season_begins=begins_at.hour * 60 + begins_at.minute, season_minutes=120)
    return begins_at


@pytest.mark.both_databases
def test_arena_season_has_the_points_of_its_rounds_and_then_a_winner() -> None:
    kit = ArenaKit(4)
    begins_at = evening(kit)
    kit.begin()
    for _ in range(2):
        kit.play("paper", "rock", "rock", "rock")
    rows = SeasonFigures.objects.filter(began_at=begins_at).order_by("user")
    assert list(rows.values_list("score", "round_wins")) == [(2, 2), (-2, 0), (-2, 0), (-2, 0)]
    shown = queries.season_shown(kit.now)
    winner = kit.people[0].username
    assert (shown["is_running"], shown["last"]) == (True, None)
    assert shown["leaders"] == [{"name": winner, "score": 2}]
    over = queries.season_shown(begins_at + timedelta(hours=2))
    assert (over["is_running"], over["leaders"]) == (False, [])
    assert over["begins_at"] == iso(instant(begins_at + timedelta(days=1)))
    assert over["last"] == {"name": winner, "score": 2, "began_at": iso(instant(begins_at))}


@pytest.mark.parametrize(("people", "late"), [(4, -10), (3, 0)], ids=["outside", "too few"])
def test_arena_rounds_outside_of_a_season_give_it_nothing(people: int, late: int) -> None:
    kit = ArenaKit(people)
    kit.now = evening(kit) + timedelta(minutes=late)
    kit.begin()
    kit.play("paper", "rock", "rock", "rock")
    assert not SeasonFigures.objects.exists()
    allow(season_minutes=0)
    assert queries.season_shown(kit.now) is None


@pytest.fixture
def newcomers() -> ArenaKit:
    kit = ArenaKit(0)
    kit.people = new_people(4)
    for user in kit.people:
        kit.join(user)
    return kit


def test_arena_rounds_of_new_players_are_plain_and_nobody_is_drawn(newcomers: ArenaKit) -> None:
    kit = newcomers
    kit.begin()
    for _ in range(3):
        assert (kit.round.drawn, options_of(kit.round.options)) == (None, RoundOptions())
        kit.play("rock", "paper", "scissors", "rock")
    assert kit.round.drawn in kit.people
    # A reset makes nobody new again, in the round or while out.
    for user in kit.people:
        kit.reset(user)
    kit.end()
    assert kit.round.drawn in kit.people
    assert kit.each("rounds_before") == [4] * 4
    shown = queries.round_shown(kit.no - 1) or {}
    assert shown["carried"].keys() == {"team", "survivor"}


def test_arena_a_player_with_a_wish_is_drawn_and_a_new_one_is_not(newcomers: ArenaKit) -> None:
    kit = newcomers
    kit.do(kit.people[2], Prefer("count", Preference.ON))
    kit.begin()
    assert kit.round.drawn == kit.people[2]
    assert options_of(kit.round.options).count
    # A wish that is taken back is none.
    kit.do(kit.people[2], Prefer("count", Preference.ANY))
    kit.play("rock", "paper", "scissors", "rock")
    assert kit.round.drawn is None
