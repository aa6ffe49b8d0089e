import pytest
from django.test import Client

from accounts.models import User
from economy.selectors import settings_starting
from games.arena import player_stats, queries, resolving, round_loop
from games.arena.errors import NotInArena
from games.arena.models import Choice, DayFigures, Fight, Player, Round
from games.arena.rules.actions import Choose
from games.arena.rules.moves import Move
from games.engine.errors import StaleAction
from tests.games.arena.kit import ONE, OTHER, ArenaKit, ask, new_item, new_people

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

#: The round that these tests stop in.
MOVES = ("rock", "paper", "paper", "scissors")


class Died(Exception):
    """The leader is gone."""


def closed(monkeypatch: pytest.MonkeyPatch, step: str = "finish") -> ArenaKit:
    """Return an arena whose leader has died before this step of counting a round."""
    kit = ArenaKit(4)
    begun = kit.begin()
    kit.choose(*MOVES)
    kit.now = begun.ends_at

    def die(*_: object) -> None:
        raise Died

    with monkeypatch.context() as patched:
        patched.setattr(
            {"count": resolving, "give": player_stats, "finish": resolving}[step], step, die
        )
        with pytest.raises(Died):
            kit.look(ONE)
    assert kit.round.state == ("counting" if step == "count" else "counted")
    return kit


def stored(kit: ArenaKit, no: int) -> list[object]:
    """Return what is stored of a round, of the players, and of the newest one."""
    fights = list(Fight.objects.filter(round_no=no).order_by("user").values())
    players = list(Player.objects.order_by("user").values())
    return [fights, players, list(Round.objects.values())]


@pytest.mark.parametrize(("step", "parts"), [("count", 0), ("give", 4), ("finish", 4)])
def test_arena_round_whose_leader_died_while_counting_counts_once(
    monkeypatch: pytest.MonkeyPatch, step: str, parts: int
) -> None:
    kit = closed(monkeypatch, step)
    no = kit.round.no
    assert Fight.objects.filter(round_no=no).count() == parts
    assert kit.look(OTHER, 3).has_moved
    over = Round.objects.get(no=no)
    assert (over.state, over.players) == ("resolved", 4)
    assert [kit.fights(no)[user.pk]["move"] for user in kit.people] == list(MOVES)
    for number, user in enumerate(kit.people):
        player, part = kit.player(number), kit.fights(no)[user.pk]
        assert player.round_wins + player.round_losses + player.round_ties == 1
        assert (player.score, player.streak) == (part["score"], part["streak"])
        assert DayFigures.objects.get(user=user).score == part["score"]
    assert not kit.look(ONE).has_moved


def test_arena_leader_that_wakes_up_late_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    kit = closed(monkeypatch)
    stale = kit.round
    assert kit.look(OTHER, 3).has_moved
    before = stored(kit, stale.no)
    numbers = settings_starting("arena.")
    assert round_loop._count(ONE, stale, stale.ends_at, numbers) is None
    assert round_loop._count(OTHER, stale, kit.now, numbers) is None
    assert stored(kit, stale.no) == before


def test_arena_round_that_is_being_counted_is_not_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    kit = closed(monkeypatch)
    chief = User.objects.create_superuser("chief", password="a long password")
    client = Client()
    client.force_login(chief)
    view = queries.public_view()
    assert (view["state"], view["round"], view["last"]) == ("selecting", kit.no, None)
    for user in kit.people:
        assert queries.own_view(user)["last"] is None
        assert queries.history(user) == []
    assert queries.round_shown(kit.no) is None
    page = client.get(f"/admin/arena/round/{kit.no}/change/").content.decode()
    assert kit.round.seed not in page
    no = kit.no
    kit.look(OTHER, 3)
    assert [row["round"] for row in queries.history(kit.people[0])] == [no]


def test_arena_what_is_asked_for_while_a_round_is_counted_waits_for_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kit = closed(monkeypatch)
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
    assert (kit.player(1).is_in, kit.player(1).watching) == (False, "left")
    assert kit.player(1).round_wins + kit.player(1).round_losses + kit.player(1).round_ties == 1
    assert (kit.player(2).score, kit.player(2).round_ties, kit.player(2).resets) == (0, 0, False)
    assert not DayFigures.objects.filter(user=kit.people[2]).exists()
    kit.end()
    assert set(kit.fights(no + 1)) == {user.pk for user in (*kit.people, late)} - {kit.people[1].pk}


def test_arena_round_left_while_figures_were_given_gives_the_others_theirs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(player_stats, "TOGETHER", 1)
    kit = ArenaKit(4)
    begun = kit.begin()
    kit.choose(*MOVES)
    kit.now = begun.ends_at
    upsert, calls = player_stats._days.upsert, []

    def die_at_the_third(rows: list[tuple[object, ...]]) -> None:
        calls.append(rows)
        if len(calls) == 3:
            raise Died
        upsert(rows)

    with monkeypatch.context() as patched:
        patched.setattr(player_stats._days, "upsert", die_at_the_third)
        with pytest.raises(Died):
            kit.look(ONE)
    counted = [kit.player(n).round_no == begun.no for n in range(4)]
    assert sorted(counted) == [False, False, True, True]
    assert kit.look(OTHER, 3).has_moved
    for number, user in enumerate(kit.people):
        player, part = kit.player(number), kit.fights(begun.no)[user.pk]
        assert player.round_wins + player.round_losses + player.round_ties == 1
        assert (player.score, player.streak) == (part["score"], part["streak"])
        assert DayFigures.objects.get(user=user).score == part["score"]


def test_arena_round_that_was_closed_before_an_outage_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kit = closed(monkeypatch)
    no = kit.no
    assert kit.look(OTHER, 60).has_moved
    assert Round.objects.get(no=no).state == "resolved"
    assert kit.player(0).round_wins + kit.player(0).round_losses + kit.player(0).round_ties == 1


def test_arena_choices_of_one_batch_are_stored_of_those_who_are_in() -> None:
    kit = ArenaKit(4)
    begun = kit.begin()
    (outside,) = new_people(1)
    users = [kit.people[0], outside, kit.people[1]]
    items = [new_item(user, Choose(Move.PAPER), begun.no) for user in users]
    late = new_item(kit.people[2], Choose(Move.PAPER), begun.no - 1)
    errors = [answer.error for answer in ask([*items, late], kit.now)]
    assert [type(error) for error in errors] == [type(None), NotInArena, type(None), StaleAction]
    assert set(Choice.objects.filter(round_no=begun.no).values_list("user", flat=True)) == {
        kit.people[0].pk,
        kit.people[1].pk,
    }
