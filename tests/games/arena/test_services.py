import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.arena import SLUG, batch, leader, personal, processes, queries
from games.arena.models import Choice, DayFigures, Fight, Lease, Player, Round
from games.arena.rounds import ENOUGH, options_of
from games.arena.rules.actions import ArenaAction, Choose, Join, Leave, Prefer, Reset
from games.arena.rules.moves import Move
from games.arena.rules.options import Preference
from games.realtime.leases import HELD
from tests.at_once import all_at_once
from tests.games.arena.kit import ONE, OTHER, allow, ask, new_item, new_people, playing

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.both_databases
def test_arena_round_is_resolved_from_what_was_chosen() -> None:
    kit = playing(4)
    begun = kit.round
    assert (begun.ends_at - begun.began_at, begun.shows_until) == (timedelta(seconds=5), None)
    over = kit.play("rock", "paper", "rock", "scissors")
    assert (over.state, over.players, over.people) == ("resolved", 4, 4)
    fights = [kit.fights(over.no)[user.pk] for user in kit.people]
    assert [(f["wins"], f["losses"], f["ties"], f["result"]) for f in fights] == [
        (1, 1, 1, "tied"), (2, 1, 0, "won"), (1, 1, 1, "tied"), (1, 2, 0, "lost"),
    ]  # fmt: skip
    figures = kit.each("score", "streak", "best_streak", "round_wins", "round_losses")
    assert (figures[1], figures[3]) == ((1, 1, 1, 1, 0), (-1, -1, 0, 0, 1))
    new = kit.round
    assert (new.no, new.shows_until) == (over.no + 1, new.began_at + timedelta(seconds=2))
    assert new.ends_at == new.shows_until + timedelta(seconds=5)


def test_arena_joining_during_a_selection_plays_in_that_round() -> None:
    kit = playing(1)
    begun = kit.round
    kit.now = begun.ends_at - timedelta(milliseconds=1)
    in_time = kit.add()
    kit.now = begun.ends_at + timedelta(milliseconds=1)
    late = kit.add()
    assert kit.look().has_moved
    assert kit.fights(begun.no).keys() & {in_time.pk, late.pk} == {in_time.pk}
    assert late.pk in kit.fights(kit.end().no)


@pytest.mark.both_databases
def test_arena_choice_of_who_is_in_may_change_until_the_selection_ends() -> None:
    kit = playing(2)
    one, two = (user.pk for user in kit.people)
    kit.choose("rock", "paper")
    kit.choose("scissors", "")
    chosen = Choice.objects.filter(user__in=kit.people).values_list("user", "move")
    assert dict(chosen) == {one: "scissors", two: ""}
    (stranger,) = new_people(1)
    for phase in (kit.no - 1, kit.no + 1):
        assert kit.refusal(kit.people[0], Choose(Move.ROCK), phase) == "stale"
    assert kit.refusal(kit.people[0], Reset(), kit.no - 1) == "stale"
    assert kit.refusal(stranger, Choose(Move.ROCK)) == "action/not_in_arena"
    stranger.is_frozen = True
    stranger.save()
    assert kit.refusal(stranger, Join()) == "forbidden"
    kit.now = kit.round.ends_at
    assert kit.refusal(kit.people[0], Choose(Move.ROCK)) == "stale"
    assert dict(chosen.all()) == {one: "scissors", two: ""}
    assert not Choice.objects.filter(user=stranger).exists()
    fights = kit.fights(kit.end().no)
    assert (fights[one]["move"], fights[one]["how"]) == ("scissors", "chosen")
    assert fights[two]["how"] == "random"


@pytest.mark.both_databases
def test_arena_a_batch_is_one_statement_and_the_last_choice_counts(django_assert_max_num_queries):
    kit = playing(30)
    chosen = [(user, Choose(move)) for move in (Move.ROCK, Move.PAPER) for user in kit.people]
    items = [new_item(*each, kit.no) for each in chosen]
    # BEGIN and COMMIT are among them.
    with django_assert_max_num_queries(8):
        answers = ask(items, kit.now)
    assert not [answer for answer in answers if answer.error]
    assert Choice.objects.filter(round_no=kit.no, move="paper").count() == 30


@pytest.mark.both_databases
def test_arena_choices_are_stored_before_the_rest_of_a_batch() -> None:
    kit = playing(2)
    asked = zip(kit.people, (Prefer("count", Preference.ON), Choose(Move.ROCK)), strict=True)
    items = [new_item(*each, kit.no) for each in asked]
    with CaptureQueriesContext(connection) as done:
        answers = ask(items, kit.now)
    assert [answer.error for answer in answers] == [None, None]
    tables = [table for table in written(done) if table != "arena_round"]
    assert tables == ["arena_choice", "arena_player"]
    (newcomer,) = new_people(1)
    items = [new_item(newcomer, Join(), kit.no), new_item(newcomer, Choose(Move.PAPER), kit.no)]
    assert [answer.error for answer in ask(items, kit.now)] == [None, None]
    assert Choice.objects.get(user=newcomer).move == "paper"


@pytest.mark.both_databases
def test_arena_an_action_that_changes_nothing_writes_nothing_and_is_acknowledged() -> None:
    kit = playing(2)
    (outside,), person = new_people(1), kit.people[0]
    kit.do(person, Prefer("count", Preference.ON))
    kit.reset(person)
    unchanging = (
        (person, Join()), (person, Prefer("count", Preference.ON)), (person, Reset()),
        (outside, Leave()), (outside, Prefer("count", Preference.ANY)), (outside, Reset()),
    )  # fmt: skip
    for user, action in unchanging:
        shown: list[int] = []
        work = batch.ArenaWork(lambda no, mine, shown=shown: shown.extend(mine), lambda: kit.now)
        with CaptureQueriesContext(connection) as done:
            committed = work.commit([new_item(user, action, kit.no)])
        committed.show()
        assert [answer.error for answer in committed.answers] == [None]
        assert (written(done), shown) == ([], [user.pk] if user == person else shown)
    assert not Player.objects.filter(user=outside).exists()
    assert kit.do(person, Prefer("count", Preference.OFF)).error is None
    assert '"count":"off"' in kit.player(0).preferences


def written(done: CaptureQueriesContext) -> list[str]:
    statement = re.compile(r'^(?:INSERT INTO|UPDATE|DELETE FROM) "(\w+)"')
    found = [statement.match(query["sql"]) for query in done.captured_queries]
    return [each[1] for each in found if each]


def test_arena_repeats_of_one_batch_get_the_answer_of_the_first(monkeypatch: Any) -> None:
    monkeypatch.setattr(batch, "KEPT", 8)
    kit = playing(2)
    work = batch.ArenaWork(lambda *_: None, lambda: kit.now)
    stranger, person = new_people(1)[0], kit.people[0]

    def answers(*asked: tuple[User, ArenaAction]) -> list[str]:
        items = [batch.Item(user.pk, action, kit.no, "one-id") for user, action in asked]
        found = work.commit(items).answers
        return [each.error.code if each.error else str(each.repeated) for each in found]

    rock, paper = Choose(Move.ROCK), Choose(Move.PAPER)
    assert answers((stranger, rock), (stranger, rock)) == ["action/not_in_arena"] * 2
    assert answers((stranger, Join()), (person, rock), (person, rock), (person, paper)) == [
        "False", "False", "True", "conflict",
    ]  # fmt: skip
    for number in range(batch.KEPT):
        work.commit([batch.Item(person.pk, paper, kit.no, f"id-{number}")])
    assert answers((person, paper)) == ["False"], "only the last ids are known"


def test_arena_leaving_and_resetting_take_effect_after_the_round_and_nobody_escapes_it() -> None:
    kit = playing(4)
    kit.play("paper", "rock", "rock", "rock")
    kit.choose("rock", "rock", "paper", "paper")
    kit.reset(kit.people[0])
    for user in kit.people[1:3]:
        kit.leave(user)
    kit.join(kit.people[2])
    waits = [queries.own_view(user)["waits_until_round_end"] for user in kit.people[:2]]
    assert (waits, kit.player(0).score) == (["reset", "leave"], 1)
    fights = kit.fights(kit.end().no)
    assert [fights[user.pk]["result"] for user in kit.people[:2]] == ["lost", "lost"]
    names = ("score", "streak", "best_streak", "wins", "round_wins", "round_losses", "board_score")
    assert kit.each(*names, "resets")[0] == (0,) * 8
    assert not DayFigures.objects.filter(user=kit.people[0]).exists()
    left = kit.player(1)
    assert (left.is_in, left.watching, left.streak, left.round_losses) == (False, "left", -2, 2)
    assert (kit.player(2).is_in, kit.player(2).round_wins) == (True, 1), "it came back in time"
    assert left.user_id not in kit.fights(kit.end().no)


@pytest.mark.plain
def test_arena_idle_for_some_rounds_is_watching() -> None:
    allow(idle_rounds=3)
    kit = playing(2)
    for _ in range(3):
        assert kit.player(1).is_in
        kit.reset(kit.people[1])
        kit.play("rock")
    assert kit.each("is_in", "watching") == [(True, ""), (False, "idle")]
    kit.join(kit.people[1])
    kit.play("rock")
    assert kit.player(1).is_in


@pytest.mark.both_databases
def test_arena_losing_all_sockets_for_some_seconds_is_leaving() -> None:
    kit = playing(2)
    kit.here.discard(kit.people[1].pk)
    kit.end()
    assert kit.player(1).is_in
    kit.here.add(kit.people[1].pk)
    kit.end()
    assert kit.player(1).gone_since is None
    kit.here.discard(kit.people[1].pk)
    gone_at = kit.end().ends_at
    while kit.now < gone_at + timedelta(seconds=20):
        assert kit.player(1).is_in
        kit.end()
    assert (kit.player(1).is_in, kit.player(1).watching) == (False, "gone")


def test_arena_rests_with_nobody_in() -> None:
    kit = playing(1)
    assert kit.round.state == "selecting"
    kit.leave(kit.people[0])
    kit.end()
    assert not kit.look(seconds=1).has_moved
    assert not Player.objects.filter(is_in=True).exists()
    assert queries.public_view()["state"] == "resting"
    kit.join(kit.people[0])
    assert kit.look(seconds=60).has_moved
    assert (kit.round.no, kit.round.shows_until) == (2, None)


def test_arena_options_are_those_of_the_player_who_was_drawn() -> None:
    allow(blitz_ms=700)
    kit = playing(3, count="on", classic="on", blitz="on")
    begun = kit.round
    options, drawn = options_of(begun.options), begun.drawn
    assert (options.count, options.classic, options.team) == (True, True, False)
    assert drawn in kit.people
    assert queries.public_view()["drawn"] == drawn.username
    assert begun.ends_at - begun.began_at == timedelta(milliseconds=700), "a number of the site"


@pytest.mark.both_databases
def test_arena_survivor_gives_health_and_takes_it() -> None:
    kit = playing(4, survivor="on")
    assert (kit.round.survivor_round, kit.each("health")) == (1, [3] * 4)
    for left in (2, 1, 0):
        if left == 1:
            kit.leave(kit.people[3])
        kit.play("paper", "paper", "rock", "rock")
        kit.join(kit.people[3])
        assert kit.each("health") == [3, 3, left, left], "coming back gives none"
    assert kit.round.survivor_round == 4
    late = kit.add(survivor="on")
    assert queries.own_view(late)["is_sat_out"]
    over = kit.play("paper", "rock")
    sitting = kit.fights(over.no)[kit.people[2].pk]
    assert (sitting["move"], sitting["result"]) == ("", "none")
    for _ in range(2):
        kit.play("paper", "rock")
    assert kit.each("health") == [3] * 4, "one was left"
    assert kit.round.survivor_round == 1
    for user in [*kit.people, late]:
        kit.plain(user)
    kit.end()
    assert kit.each("health") == [0] * 4


def test_arena_bots_come_while_people_are_few_and_stand_on_no_board() -> None:
    kit = playing(1)
    bots = Player.objects.filter(is_bot=True, is_in=True)
    assert bots.count() == 3
    over = kit.play("rock")
    assert (over.players, over.people) == (4, 1)
    assert {f["how"] for f in kit.fights(over.no).values()} == {"chosen"}
    kit.people += [kit.add() for _ in range(3)]
    kit.end()
    assert bots.count() == 0
    kit.play("paper", "rock", "rock", "rock")
    for period in ("today", "all"):
        names = {row["name"] for row in queries.board(period, "score")}
        assert names == {user.username for user in kit.people}
    for user in kit.people:
        kit.leave(user)
    kit.end()
    assert not Player.objects.filter(is_in=True).exists()


def test_arena_a_round_with_few_people_counts_on_no_board() -> None:
    kit = playing(ENOUGH - 1)
    kit.play("paper", "rock", "rock")
    assert kit.played() == [1] * (ENOUGH - 1)
    assert queries.board("all", "score") == queries.board("today", "score") == []


@pytest.mark.both_databases
def test_arena_board_orders_and_shares_places() -> None:
    kit = playing(5)
    for _ in range(3):
        kit.play("paper", "paper", "rock", "rock", "rock")
    for period in ("today", "all"):
        rows = queries.board(period, "score")
        assert [row["place"] for row in rows] == [1, 1, 3, 3, 3]
        assert [row["value"] for row in rows] == [4, 4, -3, -3, -3], "1, 1, then 2 for a streak"
        assert queries.board(period, "best_streak")[0]["best_streak"] == 3
        assert queries.board(period, "round_wins")[0]["value"] == 3


@pytest.mark.both_databases
def test_arena_another_process_leads_when_the_lease_runs_out() -> None:
    kit = playing(2)
    assert kit.look(ONE, 1).is_leading
    assert not kit.look(OTHER, 1).is_leading
    # The leader is dead: the other one leads within five seconds, and the selection ends.
    kit.choose("rock", "paper")
    assert any(kit.look(OTHER, 1).is_leading for _ in range(5))
    if Round.objects.get(no=1).state == "selecting":
        kit.end(OTHER)
    assert [kit.fights(1)[user.pk]["how"] for user in kit.people] == ["chosen", "chosen"]
    assert not kit.look(ONE).is_leading
    Lease.release(SLUG, OTHER, kit.now)
    assert kit.look(ONE).is_leading, "a released lease is free at once"


def test_arena_is_led_where_its_sockets_are() -> None:
    kit = playing(2)
    # A leader without sockets makes room for the process with players.
    processes.keep_users(OTHER, kit.here, kit.now)
    given = kit.look(ONE, has_sockets=False)
    assert (given.has_left, given.is_leading) == (True, False)
    assert not kit.look(ONE, has_sockets=False).is_leading
    assert kit.look(OTHER).is_leading
    # It leads on even while the other one's lease might be had for a moment.
    kit.now += HELD
    assert not kit.look(ONE, has_sockets=False).is_leading
    assert kit.look(OTHER).is_leading
    # Those who have the sockets are dead: it leads without any.
    assert any(kit.look(ONE, 1, has_sockets=False).is_leading for _ in range(5))
    # Nobody says any more that players are elsewhere: it leads on.
    kit.here.clear()
    kit.now += processes.FRESH
    assert kit.look(ONE, has_sockets=False).is_leading
    assert kit.look(ONE, 1, has_sockets=False).is_leading


@pytest.mark.both_databases
def test_arena_selection_of_a_dead_leader_is_resolved_from_what_was_stored() -> None:
    kit = playing(4)
    kit.choose("rock", "paper", "paper", "paper")
    kit.now = kit.round.ends_at + timedelta(seconds=10)
    assert kit.refusal(kit.people[0], Choose(Move.SCISSORS)) == "stale"
    assert kit.look(OTHER).has_moved
    assert Round.objects.get(no=1).state == "resolved"
    assert kit.fights(1)[kit.people[0].pk]["move"] == "rock"


@pytest.mark.both_databases
def test_arena_round_is_dropped_after_an_outage_of_all_processes() -> None:
    kit = playing(4)
    kit.choose("rock", "paper", "paper", "paper")
    kit.leave(kit.people[3])
    assert kit.look(OTHER, 24).has_moved
    assert Round.objects.get(no=1).state == "dropped"
    assert not Fight.objects.exists()
    assert kit.each("round_losses", "is_in") == [(0, True)] * 3 + [(0, False)]
    assert (kit.round.no, kit.round.state, kit.round.shows_until) == (2, "selecting", None)
    assert queries.round_shown(1) is None


@pytest.mark.both_databases
def test_arena_no_round_is_counted_twice_when_many_look_at_once() -> None:
    kit = playing(6)
    begun = kit.round
    kit.choose("rock", "paper", "scissors", "rock", "paper", "rock")
    kit.now = begun.ends_at + timedelta(seconds=5)
    looks = all_at_once(
        lambda number=number: leader.look(f"process {number}", kit.now) for number in range(6)
    )
    assert sum(look.has_moved for look in looks) == 1
    assert (Fight.objects.filter(round_no=begun.no).count(), Round.objects.count()) == (6, 2)
    assert kit.played() == [1] * 6


@pytest.mark.plain
def test_arena_fights_are_kept_for_days_then_only_counts() -> None:
    kit = playing(4)
    over = kit.play("rock", "paper", "paper", "paper")
    assert personal.forget_old_rounds(kit.now + timedelta(days=6)) == 0
    (row, *_) = queries.history(kit.people[0])
    assert (row["round"], row["move"], row["counts"]["paper"]) == (over.no, "rock", 3)
    assert personal.forget_old_rounds(kit.now + timedelta(days=8)) == 1
    assert queries.history(kit.people[0]) == []
    shown = queries.round_shown(over.no)
    assert (shown["counts"]["paper"], shown["is_full"]) == (3, False)


def test_arena_seed_is_told_with_the_result_and_never_before() -> None:
    kit = playing(4)
    begun = kit.round
    everything = json.dumps([queries.public_view(), queries.own_view(kit.people[0])])
    assert begun.seed not in everything
    assert begun.commitment in everything
    assert queries.round_shown(begun.no) is None
    assert begun.seed not in repr(begun) + str(begun)
    kit.end()
    last = queries.public_view()["last"]
    assert (last["seed"], last["commitment"]) == (begun.seed, begun.commitment)
