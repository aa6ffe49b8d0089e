import itertools
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from economy.selectors import settings_starting
from games.arena import leader, queries, resolving
from games.arena.models import Choice, DayFigures, Fight, Player, Round
from games.arena.rules.actions import Choose
from games.arena.rules.moves import Move
from games.engine.errors import StaleAction
from tests.games.arena.kit import ONE, OTHER, ArenaKit, ask, new_item, new_people, playing

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

#: The round that these tests stop in.
MOVES = ("rock", "paper", "paper", "scissors")


class Died(Exception):
    """The leader is gone."""


def die_at(monkeypatch: Any, module: Any, name: str, turn: int = 1) -> ArenaKit:
    """Return an arena whose leader has died in this call of a function, counting a round."""
    kit, run, calls = playing(4), getattr(module, name), itertools.count(1)
    kit.choose(*MOVES)
    kit.now = kit.round.ends_at

    def die(*given: object) -> None:
        if next(calls) == turn:
            raise Died
        run(*given)

    with monkeypatch.context() as patched:
        patched.setattr(module, name, die)
        with pytest.raises(Died):
            kit.look(ONE)
    assert kit.round.state == ("counting" if name == "count" else "counted")
    return kit


@pytest.fixture
def kit(monkeypatch: pytest.MonkeyPatch) -> ArenaKit:
    return die_at(monkeypatch, resolving, "finish")


def assert_counted_once(kit: ArenaKit) -> None:
    no = kit.no
    assert kit.look(OTHER, 3).has_moved
    over, parts = Round.objects.get(no=no), [kit.fights(no)[user.pk] for user in kit.people]
    assert (over.state, over.players) == ("resolved", 4)
    assert ([part["move"] for part in parts], kit.played()) == (list(MOVES), [1] * 4)
    assert kit.each("score", "streak") == [(part["score"], part["streak"]) for part in parts]
    days = DayFigures.objects.order_by("user").values_list("user", "score")
    assert list(days) == [(part["user_id"], part["score"]) for part in parts]
    assert not kit.look(ONE).has_moved


def stored(kit: ArenaKit, no: int) -> list[object]:
    fights = list(Fight.objects.filter(round_no=no).order_by("user").values())
    players = list(Player.objects.order_by("user").values())
    return [fights, players, list(Round.objects.values())]


@pytest.mark.parametrize(
    ("module", "step", "parts"),
    [(resolving, "count", 0), (resolving, "give", 4), (resolving, "finish", 4)],
)
def test_arena_round_whose_leader_died_while_counting_counts_once(monkeypatch, module, step, parts):
    kit = die_at(monkeypatch, module, step)
    assert Fight.objects.filter(round_no=kit.no).count() == parts
    assert_counted_once(kit)


def test_arena_round_left_while_figures_were_given_gives_the_others_theirs(monkeypatch) -> None:
    monkeypatch.setattr(resolving, "TOGETHER", 1)
    kit = die_at(monkeypatch, resolving._days, "upsert", turn=3)
    counted = [each == kit.no for each in kit.each("round_no")]
    assert sorted(counted) == [False, False, True, True]
    assert_counted_once(kit)


def test_arena_leader_that_wakes_up_late_changes_nothing(kit: ArenaKit) -> None:
    stale = kit.round
    # An outage drops no round that was closed before it.
    assert kit.look(OTHER, 60).has_moved
    assert (Round.objects.get(no=stale.no).state, kit.played()[0]) == ("resolved", 1)
    before = stored(kit, stale.no)
    numbers = settings_starting("arena.")
    assert leader._count(ONE, stale, stale.ends_at, numbers) is None
    assert leader._count(OTHER, stale, kit.now, numbers) is None
    assert stored(kit, stale.no) == before


def test_arena_round_that_is_being_counted_is_not_told_of(kit: ArenaKit) -> None:
    no, client = kit.no, Client()
    client.force_login(User.objects.create_superuser("chief", password="a long password"))
    view = queries.public_view()
    assert (view["state"], view["round"], view["last"]) == ("selecting", no, None)
    for user in kit.people:
        assert queries.own_view(user)["last"] is None
        assert queries.history(user) == []
    assert queries.round_shown(no) is None
    page = client.get(f"/admin/arena/round/{no}/change/").content.decode()
    assert kit.round.seed not in page
    kit.look(OTHER, 3)
    assert [row["round"] for row in queries.history(kit.people[0])] == [no]


def test_arena_what_is_asked_for_while_a_round_is_counted_waits_for_its_end(kit: ArenaKit) -> None:
    no = kit.no
    (late,) = new_people(1)
    assert isinstance(kit.do(kit.people[0], Choose(Move.SCISSORS)).error, StaleAction)
    assert kit.leave(kit.people[1]).error is None
    assert kit.reset(kit.people[2]).error is None
    assert kit.join(late).error is None
    assert kit.player(1).is_in
    assert kit.look(OTHER, 3).has_moved
    assert set(kit.fights(no)) == {user.pk for user in kit.people}
    assert kit.fights(no)[kit.people[0].pk]["move"] == "rock"
    assert (kit.player(1).is_in, kit.player(1).watching, kit.played()[1]) == (False, "left", 1)
    assert kit.each("score", "round_ties", "resets")[2] == (0, 0, False)
    assert not DayFigures.objects.filter(user=kit.people[2]).exists()
    kit.end()
    assert set(kit.fights(no + 1)) == {user.pk for user in (*kit.people, late)} - {kit.people[1].pk}


def test_arena_choices_of_one_batch_are_stored_of_those_who_are_in() -> None:
    kit = playing(4)
    begun, (outside,) = kit.round, new_people(1)
    users = [kit.people[0], outside, kit.people[1]]
    items = [new_item(user, Choose(Move.PAPER), begun.no) for user in users]
    late = new_item(kit.people[2], Choose(Move.PAPER), begun.no - 1)
    errors = [answer.error for answer in ask([*items, late], kit.now)]
    codes = [error and error.code for error in errors]
    assert codes == [None, "action/not_in_arena", None, "stale"]
    assert set(Choice.objects.filter(round_no=begun.no).values_list("user", flat=True)) == {
        kit.people[0].pk,
        kit.people[1].pk,
    }
