import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.arena import batch, lease, presence, queries, round_loop, services
from games.arena.models import Choice, DayFigures, Fight, Player, Round
from games.arena.resolving import read_players
from games.arena.rounds import ENOUGH, options_of
from games.arena.rules.actions import ArenaAction, Choose, Join, Leave, Prefer, Reset
from games.arena.rules.columns import Columns, resolve_arrays
from games.arena.rules.moves import Move
from games.arena.rules.options import Preference
from games.engine.draws import hash_of_seed
from games.matches.models import Flag
from games.matches.services.reports import report_player
from tests.at_once import all_at_once
from tests.games.arena.kit import ONE, OTHER, ArenaKit, allow, ask, new_item, new_people

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.both_databases
def test_arena_round_is_resolved_from_what_was_chosen() -> None:
    kit = ArenaKit(4)
    begun = kit.begin()
    assert (begun.ends_at - begun.began_at, begun.shows_until) == (timedelta(seconds=5), None)
    over = kit.play("rock", "paper", "rock", "scissors")
    assert (over.state, over.players, over.people) == ("resolved", 4, 4)
    fights = kit.fights(over.no)
    one, two, three, four = (fights[user.pk] for user in kit.people)
    assert [(f["wins"], f["losses"], f["ties"]) for f in (one, two, three, four)] == [
        (1, 1, 1), (2, 1, 0), (1, 1, 1), (1, 2, 0),
    ]  # fmt: skip
    assert [f["result"] for f in (one, two, three, four)] == ["tied", "won", "tied", "lost"]
    winner = kit.player(1)
    assert (winner.score, winner.streak, winner.best_streak, winner.round_wins) == (1, 1, 1, 1)
    loser = kit.player(3)
    assert (loser.score, loser.streak, loser.best_streak, loser.round_losses) == (-1, -1, 0, 1)
    new = kit.round
    assert new.no == over.no + 1
    assert new.shows_until == new.began_at + timedelta(seconds=2)
    assert new.ends_at == new.shows_until + timedelta(seconds=5)


def test_arena_result_can_be_proved_by_the_seed() -> None:
    kit = ArenaKit(5, team="on")
    kit.begin()
    kit.choose("rock", "", "paper")
    players = read_players(kit.round)
    over = kit.end()
    assert hash_of_seed(over.link) == over.commitment
    found = resolve_arrays(
        Columns(
            bytes([player.choice for player in players]),
            [player.streak for player in players],
            [player.score for player in players],
        ),
        options_of(over.options),
        over.seed,
    )
    fights = [kit.fights(over.no)[player.user] for player in players]
    assert [Move(fight["move"]) for fight in fights] == [
        list(Move)[move - 1] for move in found.moves
    ]
    assert bytes(fight["team"] for fight in fights) == found.teams
    shown = queries.round_shown(over.no)
    assert shown is not None
    assert (shown["seed"], tuple(shown["counts"][move] for move in Move)) == (
        over.seed,
        found.counts,
    )


def test_arena_blitz_is_shorter_and_spans_are_numbers_of_the_site() -> None:
    allow(blitz_ms=700)
    kit = ArenaKit(1, blitz="on")
    begun = kit.begin()
    assert begun.ends_at - begun.began_at == timedelta(milliseconds=700)


def test_arena_joining_during_a_selection_plays_in_that_round() -> None:
    kit = ArenaKit(1)
    begun = kit.begin()
    (late,) = new_people(1)
    kit.plain(late)
    kit.now = begun.ends_at - timedelta(milliseconds=1)
    kit.join(late)
    assert late.pk in kit.fights(kit.end().no)


def test_arena_joining_after_the_selection_plays_in_the_next_round() -> None:
    kit = ArenaKit(1)
    begun = kit.begin()
    (late,) = new_people(1)
    kit.now = begun.ends_at + timedelta(milliseconds=1)
    kit.join(late)
    assert kit.look().has_moved
    assert late.pk not in kit.fights(begun.no)
    assert late.pk in kit.fights(kit.end().no)


@pytest.mark.both_databases
def test_arena_choice_may_change_until_the_selection_ends() -> None:
    kit = ArenaKit(2)
    begun = kit.begin()
    kit.choose("rock", "paper")
    kit.choose("scissors", "")
    assert dict(Choice.objects.filter(user__in=kit.people).values_list("user", "move")) == {
        kit.people[0].pk: "scissors",
        kit.people[1].pk: "",
    }
    kit.now = begun.ends_at
    late = kit.do(kit.people[0], Choose(Move.ROCK))
    assert late.error is not None
    assert late.error.code == "stale"
    over = kit.end()
    fights = kit.fights(over.no)
    assert (fights[kit.people[0].pk]["move"], fights[kit.people[0].pk]["how"]) == (
        "scissors", "chosen",
    )  # fmt: skip
    assert fights[kit.people[1].pk]["how"] == "random"


def test_arena_choice_for_another_round_is_stale_and_one_who_is_out_may_not_choose() -> None:
    kit = ArenaKit(1)
    begun = kit.begin()
    (stranger,) = new_people(1)
    for phase in (begun.no - 1, begun.no + 1):
        answer = kit.do(kit.people[0], Choose(Move.ROCK), phase)
        assert answer.error is not None
        assert answer.error.code == "stale"
    answer = kit.do(stranger, Choose(Move.ROCK))
    assert answer.error is not None
    assert answer.error.code == "action/not_in_arena"
    assert not Choice.objects.filter(user__in=[stranger, kit.people[0]]).exists()


@pytest.mark.both_databases
def test_arena_a_batch_is_one_statement_and_the_last_choice_counts(
    django_assert_max_num_queries: Any,
) -> None:
    kit = ArenaKit(30)
    kit.begin()
    items = [
        new_item(user, Choose(move), kit.no)
        for move in (Move.ROCK, Move.PAPER)
        for user in kit.people
    ]
    # BEGIN and COMMIT are among them.
    with django_assert_max_num_queries(8):
        answers = ask(items, kit.now)
    assert not [answer for answer in answers if answer.error]
    chosen = Choice.objects.filter(round_no=kit.no, move="paper")
    assert chosen.count() == 30


@pytest.mark.both_databases
def test_arena_choices_are_stored_before_the_rest_of_a_batch() -> None:
    kit = ArenaKit(2)
    kit.begin()
    one, two = kit.people
    items = [
        new_item(one, Prefer("count", Preference.ON), kit.no),
        new_item(two, Choose(Move.ROCK), kit.no),
    ]
    with CaptureQueriesContext(connection) as done:
        answers = ask(items, kit.now)
    assert [answer.error for answer in answers] == [None, None]
    assert [table for table in written(done) if table != "arena_round"] == [
        "arena_choice", "arena_player",
    ]  # fmt: skip
    (newcomer,) = new_people(1)
    items = [new_item(newcomer, Join(), kit.no), new_item(newcomer, Choose(Move.PAPER), kit.no)]
    assert [answer.error for answer in ask(items, kit.now)] == [None, None]
    assert Choice.objects.get(user=newcomer).move == "paper"


@pytest.mark.both_databases
def test_arena_an_action_that_changes_nothing_writes_nothing_and_is_acknowledged() -> None:
    kit = ArenaKit(2)
    (outside,) = new_people(1)
    kit.begin()
    person = kit.people[0]
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
        assert written(done) == []
        assert shown == ([user.pk] if user == person else shown)
    assert not Player.objects.filter(user=outside).exists()
    assert kit.do(person, Prefer("count", Preference.OFF)).error is None
    assert '"count":"off"' in kit.player(0).preferences


def written(done: CaptureQueriesContext) -> list[str]:
    statement = re.compile(r'^(?:INSERT INTO|UPDATE|DELETE FROM) "(\w+)"')
    found = [statement.match(query["sql"]) for query in done.captured_queries]
    return [each[1] for each in found if each]


def test_arena_repeats_of_one_batch_get_the_answer_of_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(batch, "KEPT", 8)
    kit = ArenaKit(2)
    kit.begin()
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


def test_arena_frozen_account_may_not_join() -> None:
    kit = ArenaKit(1)
    (cold,) = new_people(1)
    cold.is_frozen = True
    cold.save()
    answer = kit.do(cold, Join())
    assert answer.error is not None
    assert answer.error.code == "forbidden"


def test_arena_leaving_takes_effect_after_the_round() -> None:
    kit = ArenaKit(4)
    kit.begin()
    kit.choose("rock", "paper", "paper", "paper")
    kit.leave(kit.people[0])
    assert queries.own_view(kit.people[0])["waits_until_round_end"] == "leave"
    over = kit.end()
    assert kit.fights(over.no)[kit.people[0].pk]["result"] == "lost"
    left = kit.player(0)
    assert (left.is_in, left.watching, left.streak, left.round_losses) == (False, "left", -1, 1)
    assert left.user_id not in kit.fights(kit.end().no)


def test_arena_reset_takes_effect_after_the_round_and_nobody_escapes_it() -> None:
    kit = ArenaKit(4)
    kit.begin()
    kit.play("paper", "rock", "rock", "rock")
    kit.choose("rock", "paper", "paper", "paper")
    kit.reset(kit.people[0])
    assert queries.own_view(kit.people[0])["waits_until_round_end"] == "reset"
    assert kit.player(0).score == 1
    over = kit.end()
    assert kit.fights(over.no)[kit.people[0].pk]["result"] == "lost"
    after = kit.player(0)
    figures = (after.score, after.streak, after.best_streak, after.wins, after.round_wins)
    assert (figures, after.round_losses, after.board_score, after.resets) == ((0,) * 5, 0, 0, False)
    assert not DayFigures.objects.filter(user=kit.people[0]).exists()
    assert kit.player(1).score == 0


def test_arena_reset_for_a_round_that_is_over_is_stale() -> None:
    kit = ArenaKit(4)
    kit.begin()
    kit.end()
    answer = kit.do(kit.people[0], batch.Reset(), kit.no - 1)
    assert answer.error is not None
    assert answer.error.code == "stale"


def test_arena_idle_for_some_rounds_is_watching() -> None:
    allow(idle_rounds=3)
    kit = ArenaKit(2)
    kit.begin()
    kit.play("rock")
    kit.play("rock")
    assert kit.player(1).is_in
    kit.play("rock")
    assert (kit.player(0).is_in, kit.player(1).is_in) == (True, False)
    assert kit.player(1).watching == "idle"
    kit.join(kit.people[1])
    kit.play("rock")
    assert kit.player(1).is_in


@pytest.mark.both_databases
def test_arena_losing_all_sockets_for_some_seconds_is_leaving() -> None:
    kit = ArenaKit(2)
    kit.begin()
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
    kit = ArenaKit(1)
    assert kit.begin().state == "selecting"
    kit.leave(kit.people[0])
    kit.end()
    assert not kit.look(seconds=1).has_moved
    assert not Player.objects.filter(is_in=True).exists()
    assert queries.public_view()["state"] == "resting"
    kit.join(kit.people[0])
    assert kit.look(seconds=60).has_moved
    assert (kit.round.no, kit.round.shows_until) == (2, None)


def test_arena_options_are_those_of_the_player_who_was_drawn() -> None:
    kit = ArenaKit(3, count="on", classic="on")
    begun = kit.begin()
    options = options_of(begun.options)
    assert (options.count, options.classic, options.team) == (True, True, False)
    assert begun.drawn in kit.people
    assert queries.public_view()["drawn"] == begun.drawn.username


@pytest.mark.both_databases
def test_arena_survivor_gives_health_and_takes_it() -> None:
    kit = ArenaKit(4, survivor="on")
    assert kit.begin().survivor_round == 1
    assert {kit.player(n).health for n in range(4)} == {3}
    for left in (2, 1, 0):
        kit.play("paper", "paper", "rock", "rock")
        assert [kit.player(n).health for n in range(4)] == [3, 3, left, left]
    assert kit.round.survivor_round == 4
    (late,) = new_people(1)
    kit.plain(late, survivor="on")
    kit.join(late)
    assert queries.own_view(late)["is_sat_out"]
    over = kit.play("paper", "rock")
    sitting = kit.fights(over.no)[kit.people[2].pk]
    assert (sitting["move"], sitting["result"]) == ("", "none")
    for _ in range(2):
        kit.play("paper", "rock")
    assert {kit.player(n).health for n in range(4)} == {3}, "one was left"
    assert kit.round.survivor_round == 1
    for user in [*kit.people, late]:
        kit.plain(user)
    kit.end()
    assert {kit.player(n).health for n in range(4)} == {0}


def test_arena_bots_come_while_people_are_few_and_stand_on_no_board() -> None:
    kit = ArenaKit(1)
    kit.begin()
    bots = Player.objects.filter(is_bot=True, is_in=True)
    assert bots.count() == 3
    over = kit.play("rock")
    assert (over.players, over.people) == (4, 1)
    assert {f["how"] for f in kit.fights(over.no).values()} == {"chosen"}
    others = new_people(3)
    for user in others:
        kit.plain(user)
        kit.join(user)
    kit.end()
    assert bots.count() == 0
    kit.people = kit.people + others
    kit.play("paper", "rock", "rock", "rock")
    for period in ("today", "all"):
        names = {row["name"] for row in queries.board(period, "score")}
        assert names == {user.username for user in kit.people}
    for user in kit.people:
        kit.leave(user)
    kit.end()
    assert not Player.objects.filter(is_in=True).exists()


def test_arena_a_round_with_few_people_counts_on_no_board() -> None:
    kit = ArenaKit(ENOUGH - 1)
    kit.begin()
    kit.play("paper", "rock", "rock")
    assert kit.player(0).round_wins + kit.player(0).round_losses + kit.player(0).round_ties == 1
    assert queries.board("all", "score") == queries.board("today", "score") == []


@pytest.mark.both_databases
def test_arena_board_orders_and_shares_places() -> None:
    kit = ArenaKit(5)
    kit.begin()
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
    kit = ArenaKit(2)
    kit.begin()
    assert kit.look(ONE, 1).is_leading
    assert not kit.look(OTHER, 1).is_leading
    # The leader is dead: the other one leads within five seconds, and the selection ends.
    kit.choose("rock", "paper")
    waited = 0.0
    while not kit.look(OTHER, 1).is_leading:
        waited += 1
        assert waited < 5
    old = Round.objects.get(no=1)
    if old.state == "selecting":
        kit.end(OTHER)
    assert [fight["how"] for user, fight in kit.fights(1).items() if user in kit.here] == [
        "chosen", "chosen",
    ]  # fmt: skip
    assert not kit.look(ONE).is_leading


def test_arena_is_led_where_its_sockets_are() -> None:
    kit = ArenaKit(2)
    kit.begin()
    # A leader without sockets makes room for the process with players.
    presence.keep(OTHER, kit.here, kit.now)
    given = kit.look(ONE, has_sockets=False)
    assert given.has_left
    assert not given.is_leading
    assert not kit.look(ONE, has_sockets=False).is_leading
    assert kit.look(OTHER).is_leading
    # It leads on even while the other one's lease might be had for a moment.
    kit.now += lease.HELD
    assert not kit.look(ONE, has_sockets=False).is_leading
    assert kit.look(OTHER).is_leading


def test_arena_is_led_without_sockets_when_those_who_have_them_are_dead() -> None:
    kit = ArenaKit(2)
    kit.begin()
    presence.keep(OTHER, kit.here, kit.now)
    kit.look(ONE, has_sockets=False)
    assert kit.look(OTHER).is_leading
    waited = 0.0
    while not kit.look(ONE, 1, has_sockets=False).is_leading:
        waited += 1
        assert waited < 5
    # Nobody says any more that players are elsewhere: it leads on.
    kit.here.clear()
    kit.now += presence.FRESH
    assert kit.look(ONE, has_sockets=False).is_leading
    assert kit.look(ONE, 1, has_sockets=False).is_leading


@pytest.mark.both_databases
def test_arena_selection_of_a_dead_leader_is_resolved_from_what_was_stored() -> None:
    kit = ArenaKit(4)
    begun = kit.begin()
    kit.choose("rock", "paper", "paper", "paper")
    kit.now = begun.ends_at + timedelta(seconds=10)
    late = kit.do(kit.people[0], Choose(Move.SCISSORS))
    assert late.error is not None
    assert late.error.code == "stale"
    assert kit.look(OTHER).has_moved
    assert Round.objects.get(no=1).state == "resolved"
    assert kit.fights(1)[kit.people[0].pk]["move"] == "rock"


@pytest.mark.both_databases
def test_arena_round_is_dropped_after_an_outage_of_all_processes() -> None:
    kit = ArenaKit(4)
    kit.begin()
    kit.choose("rock", "paper", "paper", "paper")
    kit.leave(kit.people[3])
    assert kit.look(OTHER, 24).has_moved
    assert Round.objects.get(no=1).state == "dropped"
    assert not Fight.objects.exists()
    assert [kit.player(n).round_losses for n in range(4)] == [0] * 4
    assert [kit.player(n).is_in for n in range(4)] == [True, True, True, False]
    assert (kit.round.no, kit.round.state, kit.round.shows_until) == (2, "selecting", None)
    assert queries.round_shown(1) is None


def test_arena_released_lease_is_free_at_once() -> None:
    kit = ArenaKit(1)
    kit.begin()
    lease.release(ONE, kit.now)
    assert kit.look(OTHER).is_leading


@pytest.mark.both_databases
def test_arena_no_round_is_counted_twice_when_many_look_at_once() -> None:
    kit = ArenaKit(6)
    begun = kit.begin()
    kit.choose("rock", "paper", "scissors", "rock", "paper", "rock")
    kit.now = begun.ends_at + timedelta(seconds=5)
    looks = all_at_once(
        lambda number=number: round_loop.look(f"process {number}", kit.now) for number in range(6)
    )
    assert sum(look.has_moved for look in looks) == 1
    assert Fight.objects.filter(round_no=begun.no).count() == 6
    assert Round.objects.count() == 2
    for number in range(6):
        player = kit.player(number)
        assert player.round_wins + player.round_losses + player.round_ties == 1


@pytest.mark.plain
def test_arena_fights_are_kept_for_days_then_only_counts() -> None:
    kit = ArenaKit(4)
    kit.begin()
    over = kit.play("rock", "paper", "paper", "paper")
    assert services.forget_old_rounds(kit.now + timedelta(days=6)) == 0
    (row, *_) = queries.history(kit.people[0])
    assert (row["round"], row["move"], row["counts"]["paper"]) == (over.no, "rock", 3)
    assert services.forget_old_rounds(kit.now + timedelta(days=8)) == 1
    assert queries.history(kit.people[0]) == []
    shown = queries.round_shown(over.no)
    assert shown is not None
    assert (shown["counts"]["paper"], shown["is_full"]) == (3, False)


def test_arena_seed_is_told_with_the_result_and_never_before() -> None:
    kit = ArenaKit(4)
    begun = kit.begin()
    everything = json.dumps([queries.public_view(), queries.own_view(kit.people[0])])
    assert begun.seed not in everything
    assert begun.commitment in everything
    assert queries.round_shown(begun.no) is None
    assert begun.seed not in repr(begun) + str(begun)
    kit.end()
    last = queries.public_view()["last"]
    assert (last["seed"], last["commitment"]) == (begun.seed, begun.commitment)


@pytest.mark.plain
def test_arena_reporting_a_name_opens_one_flag_a_day() -> None:
    one, two = new_people(2)
    assert report_player(user=one, name=two.username, reason="a rude name")
    assert not report_player(user=one, name=two.username, reason="a rude name")
    assert not report_player(user=one, name=one.username, reason="myself")
    assert not report_player(user=one, name="nobody_at_all", reason="nobody")
    (flag,) = Flag.objects.filter(kind="report")
    assert json.loads(flag.detail)["reason"] == "a rude name"
