import json
import re
from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import devices
from accounts.models import User
from accounts.services import freeze, unfreeze
from economy.ledger import mint, post, wallet
from economy.models import Setting, Transfer
from economy.selectors import balance_of
from economy.transfers import TransferCode
from economy.units import Unit
from games.matches.models import Flag, Match
from games.matches.processing import writing
from games.matches.queries.losses import losses_of, midnight_before, net_losses, points_collected
from games.moderation import fair_play, flags
from games.showdown.shopping import buy_weapon
from games.standings import boards, rewards
from tests.economy.kit import give, move
from tests.games.duel.kit import DuelKit
from tests.games.match_kit import old_user
from tests.games.table_kit import TableKit, finished, new_user, running_table
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def share_browser(*users: User, token: str = "t" * 43, address: str = "198.51.100.7") -> None:
    for user in users:
        devices.note(user_id=user.pk, token=token, address=address, at=timezone.now())


@pytest.mark.plain
def test_losses_are_shared_among_the_winners_in_proportion_rounded_up() -> None:
    assert losses_of([(1, -100), (2, 90)]) == {(1, 2): 100}
    assert losses_of([(1, -100), (2, 60), (3, 35)]) == {(1, 2): 64, (1, 3): 37}
    assert losses_of([(1, -50), (2, -50), (3, 95)]) == {(1, 3): 50, (2, 3): 50}
    assert losses_of([(1, 0), (2, 0)]) == {}


def test_hostile_58_losses_of_a_day_are_net_and_per_pair() -> None:
    ann, bob, cleo = new_user(), new_user(), new_user()
    finished({ann: -200, bob: 190})
    finished({ann: 57, bob: -60})
    finished({ann: -30, cleo: 28})
    finished({ann: -500, bob: 500}, status="void")
    finished({ann: -500, bob: 500}, ended_ago=86_400)
    people = [ann.pk, bob.pk, cleo.pk]
    assert net_losses(people, timezone.now()) == {(ann.pk, bob.pk): 140, (ann.pk, cleo.pk): 30}


@pytest.mark.parametrize(("lost", "code"), [(299, None), (300, "limit")])
def test_hostile_58_whoever_lost_the_days_most_sits_down_with_the_winner_no_more(lost, code):
    ann, bob = new_user(), new_user()
    finished({ann: -lost, bob: lost})
    for first, second in ((ann, bob), (bob, ann)):
        kit = TableKit(first, second)
        kit.act(first, kind="sit", seat=0, purse=10)
        assert kit.code(second, kind="sit", seat=1, purse=10) == code
    TableKit(ann, new_user()).seat_everybody(10)


@pytest.mark.plain
def test_hostile_58_the_refusal_says_so_and_leaves_a_flag(django_capture_on_commit_callbacks):
    ann, bob = new_user(), new_user()
    finished({ann: -310, bob: 300})
    kit = TableKit(ann, bob)
    kit.act(bob, kind="sit", seat=1, purse=10)
    for _ in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            error = kit.answer(ann, kind="sit", seat=0, purse=10).error
    assert bob.username in str(error)
    assert "300 points" in str(error)
    assert error.detail == {"most": 300, "name": bob.username}
    flag = Flag.objects.get()
    assert (flag.kind, set(flag.users.all()), flag.closed_at) == ("chips", {ann, bob}, None)
    detail = json.loads(flag.detail)
    assert (detail["lost"], detail["loser"], detail["winner"]) == (310, ann.pk, bob.pk)


def test_hostile_58_the_task_flags_a_pair_once_and_says_how_unusual_it_is() -> None:
    ann, bob = new_user(), new_user()
    finished({ann: -400, bob: 400})
    for lost in (10, 20, 30):
        finished({new_user(): -lost, new_user(): lost})
    assert [flags.look_for_abuse() for _ in range(3)] == [1, 0, 0]
    detail = json.loads(Flag.objects.get(kind="chips").detail)
    # 400 among 10, 20, 30, 400: mean 115, standard deviation 164.7.
    assert detail["z_hundredths"] == 173
    assert (detail["shared_device"], detail["shared_address"]) == (False, False)


def test_hostile_58_those_who_sit_already_get_ready_and_start_no_more() -> None:
    ann, bob, cleo = new_user(), new_user(), new_user()
    seated, kit = TableKit(ann, bob, seats=3), TableKit(ann, bob, cleo, seats=3)
    for each in (seated, kit):
        each.seat_everybody(10)
    kit.make_ready(ann, bob)
    finished({ann: -300, bob: 285})
    assert [seated.code(user, kind="ready", configuration=1) for user in (ann, bob)] == [
        "limit"
    ] * 2
    kit.make_ready(cleo)
    kit.pass_time(5)
    assert seated.row.status == kit.row.status == "open"
    assert {seat.user for seat in kit.row.seats.all()} == {bob, cleo}
    said = [line["text"] for line in kit.view()["log"]]
    assert f"{ann.username} cannot play here any more today." in said
    kit.pass_time(6)
    assert (kit.row.status, balance_of(ann.pk)) == ("running", 100)


@pytest.mark.plain
def test_hostile_58_the_limit_is_a_setting_and_ends_with_the_day() -> None:
    Setting.objects.filter(name="fair.pair_daily").update(value=40)
    ann, bob = new_user(), new_user()
    finished({ann: -40, bob: 38})
    assert fair_play.unwelcome([ann, bob], timezone.now(), fair_play.FairPlayBatch()) == {ann.pk}
    tomorrow = midnight_before(timezone.now()) + timedelta(days=1)
    assert fair_play.unwelcome([ann, bob], tomorrow, fair_play.FairPlayBatch()) == set()


@pytest.mark.parametrize(
    ("tokens", "days", "flagged"),
    [("tt", 0, "device"), ("ab", 0, "address"), ("tt", 31, None)],
    ids=["device", "address", "long ago"],
)
def test_hostile_59_a_second_account_of_one_device_gets_no_seat_at_the_same_table(
    tokens: str, days: int, flagged: str | None, django_capture_on_commit_callbacks
) -> None:
    ann, bob, cleo = new_user(), new_user(), new_user()
    for user, token in zip((ann, bob), tokens, strict=True):
        share_browser(user, token=token * 43)
    share_browser(cleo, token="c" * 43, address="203.0.113.9")
    ann.devices.update(last_seen=timezone.now() - timedelta(days=days))
    kit = TableKit(ann, bob, cleo, seats=3)
    kit.act(ann, kind="sit", seat=0, purse=10)
    kit.act(cleo, kind="sit", seat=2, purse=10)
    with django_capture_on_commit_callbacks(execute=True):
        code = kit.code(bob, kind="sit", seat=1, purse=10)
    assert code == ("forbidden" if flagged == "device" else None)
    flags_of = [(flag.kind, set(flag.users.all())) for flag in Flag.objects.all()]
    assert flags_of == ([(flagged, {ann, bob})] if flagged else [])
    TableKit(bob, new_user()).seat_everybody(10)


@pytest.mark.plain
def test_hostile_59_two_accounts_of_one_device_in_one_batch_get_one_seat() -> None:
    ann, bob = new_user(), new_user()
    share_browser(ann, bob)
    kit = TableKit(ann, bob)
    both = [
        kit.submission(user, kind="sit", seat=seat, purse=5) for seat, user in enumerate((ann, bob))
    ]
    first, second = writing.apply_batch(both, kit.now).answers
    assert first.error is None
    assert isinstance(second.error, fair_play.SameDevice)
    assert kit.row.seats.get().user == ann


def collect(nets: list[int], rich: User | None = None) -> set[User]:
    rich, fresh = rich or new_user(), [new_user() for _ in nets]
    for user, net in zip(fresh, nets, strict=True):
        finished({user: net, rich: -net})
    return {rich, *fresh}


@pytest.mark.parametrize(("accounts", "each"), [(12, 79), (3, 50), (5, 30)])
def test_hostile_60_grants_that_flow_into_one_account_are_flagged_once(accounts, each) -> None:
    first, rich = new_user(), new_user()
    everybody = {first, *collect([-each] * (accounts - 1), rich)}
    finished({first: -each + 1, rich: each - 1})
    if accounts * each == 150:
        assert flags.look_for_abuse() == 0
    finished({first: -1, rich: 1})
    assert [flags.look_for_abuse() for _ in range(2)] == [1, 0]
    flag = Flag.objects.get()
    assert (flag.kind, set(flag.users.all())) == ("grants", everybody)
    assert json.loads(flag.detail)["won"] == accounts * each


@pytest.mark.parametrize(
    ("nets", "back"),
    [([-290, -290], 0), ([-60, -60, -60], 40), ([-49, -49, -49], 0)],
    ids=["two accounts", "lost back", "too little"],
)
def test_hostile_60_less_than_that_is_no_flag(nets: list[int], back: int) -> None:
    rich = new_user()
    fresh = collect(nets, rich) - {rich}
    if back:
        finished({fresh.pop(): back, rich: -back})
    assert flags.look_for_abuse() == 0


@pytest.mark.breaks_ledger
@pytest.mark.parametrize(("days", "each"), [(0, [60, 60, 60, 10]), (6, [60] * 3), (8, [])])
def test_hostile_60_awards_of_a_week_that_are_passed_on_are_flagged(days, each) -> None:
    """Four old accounts lose to one; the last one was awarded less than it loses."""
    rich, losers = new_user(), [old_user() for _ in range(4)]
    for user, award in zip(losers, (60, 60, 60, 0) if days else (200, 60, 60, 10), strict=True):
        if award:
            code, at = TransferCode.GAME_AWARD, timezone.now() - timedelta(days=days)
            post([move(mint(Unit.POINT), wallet(user.pk), award, code=code)], at)
        finished({user: -60, rich: 60})
    today = midnight_before(timezone.now())
    assert sorted(points_collected(today)[rich.pk].values() if each else []) == sorted(each)
    assert flags.look_for_abuse() == bool(each)
    assert [flag.kind for flag in Flag.objects.all()] == ["grants"] * bool(each)


@pytest.mark.plain
def test_hostile_60_old_accounts_and_bots_are_not_counted() -> None:
    rich = new_user()
    losers = [old_user(8), old_user(8), new_user(), new_user()]
    bot = User.objects.filter(is_bot=True).first()
    for user in losers:
        finished({user: -90, rich: 85})
        finished({user: -90, bot: 85})
    assert flags.look_for_abuse() == 0


@pytest.mark.plain
def test_hostile_60_what_was_won_in_a_days_last_moment_is_flagged_for_that_day() -> None:
    midnight = midnight_before(timezone.now()) + timedelta(days=1)
    collect([-60] * 3)
    Match.objects.update(ended_at=midnight - timedelta(seconds=1))
    assert flags.look_for_abuse(midnight + timedelta(seconds=30)) == 1
    assert flags.look_for_abuse(midnight + timedelta(minutes=2)) == 0
    day = midnight - timedelta(days=1)
    assert json.loads(Flag.objects.get().detail)["day"] == f"{day:%Y-%m-%d}"


def test_hostile_60_collected_grants_are_on_no_board_until_the_flag_is_settled() -> None:
    rich, honest, admin = new_user(), old_user(), new_user()
    finished({honest: 90, new_user(): -90})
    finished({rich: 10, honest: -10})
    collect([-79] * 12, rich)
    week = boards.week_of(timezone.now())
    for board in (None, week):
        assert boards.standings(board)[0].net == 12 * 79 + 10
    flags.look_for_abuse()
    for board in (None, week):
        first, second = boards.standings(board)[:2]
        assert (first.name, first.net) == (honest.username, 80)
        assert (second.name, second.net, second.games) == (rich.username, 10, 13)
    assert boards.standings(boards.week_after(week, -1)) == []
    flags.close_flags(flags=Flag.objects.all(), by=admin, note="a party of thirteen")
    flags.look_for_abuse()
    for board in (None, week):
        assert boards.standings(board)[0].name == rich.username


@pytest.mark.plain
def test_hostile_60_collected_grants_win_no_prize_though_nobody_has_looked_yet() -> None:
    rich, honest = new_user(), new_user()
    for _ in range(5):
        collect([-20], honest)
    collect([-79] * 6, rich)
    monday = boards.beginning_of(boards.week_after(boards.week_of(timezone.now())))
    rewards.pay_prizes(monday + timedelta(hours=1))
    paid = Transfer.objects.filter(code="PRIZE").values_list("credit__owner", "amount")
    assert (list(paid), Flag.objects.get().kind) == ([(wallet(honest.pk).owner, 20)], "grants")


def time_out(user: User, other: User) -> TableKit:
    kit = TableKit(other, user)
    kit.now = timezone.now()
    kit.start(purse=5)
    while kit.row.status == "running" and kit.on_turn() == other:
        kit.act(other, kind="call")
    kit.pass_time(21)
    assert kit.row.status == "over"
    return kit


def test_hostile_61_three_time_outs_in_a_row_close_the_tables_for_half_an_hour() -> None:
    """Or a throw against a bot would be a way around it: only a game of betting ends the row."""
    ann, bob = new_user(), new_user()
    for _ in range(2):
        time_out(ann, bob)
    duel = DuelKit(ann, bob)
    duel.now = timezone.now()
    duel.start()
    duel.throw("rock", "paper")
    last = time_out(ann, bob)
    ahead = (last.now - timezone.now()).total_seconds()
    kit = TableKit(bob, ann, age=-ahead - 600)
    error = kit.answer(ann, kind="sit", seat=0, purse=5).error
    assert error.code == "action/cooling_down"
    assert 19 * 60 <= error.detail["seconds"] <= 20 * 60
    assert "20 min" in str(error)
    kit.act(bob, kind="sit", seat=1, purse=5)
    later = TableKit(bob, ann, age=-ahead - 1801)
    later.act(ann, kind="sit", seat=0, purse=5)


def test_hostile_61_a_game_played_in_between_ends_the_row() -> None:
    ann, bob = new_user(), new_user()
    for _ in range(2):
        time_out(ann, bob)
    finished({ann: -1, bob: 1}, ended_ago=-30)
    time_out(ann, bob)
    kit = TableKit(ann, bob)
    kit.seat_everybody(5)


def test_hostile_61_giving_up_by_absence_counts_as_a_time_out() -> None:
    Setting.objects.filter(name="fair.timeouts").update(value=1)
    kit = running_table(purse=5)
    ann, bob = kit.people
    kit.call_all()
    for _ in range(2):
        kit.act(bob, kind="lock")
        kit.pass_time(31)
    assert kit.row.status == "over"
    assert fair_play.last_timeout_of_streak(ann.pk, 1) is not None
    assert fair_play.last_timeout_of_streak(bob.pk, 1) is None


def test_frozen_account_may_look_but_not_sit_start_or_buy() -> None:
    ann, bob = new_user(), new_user()
    ready = TableKit(ann, bob, seats=2)
    ready.seat_everybody(5)
    ready.make_ready(ann)
    kit = TableKit(bob, ann)
    freeze(user_id=ann.pk, reason="we are looking into it")
    error = kit.answer(ann, kind="sit", seat=0, purse=5).error
    assert error.code == "forbidden"
    assert "we are looking into it" in str(error)
    assert kit.view(ann)["match"]["status"] == "open"
    with refuses("forbidden", match="frozen"), transaction.atomic():
        buy_weapon(user_id=ann.pk, unit=Unit.ROCK, quantity=1, action_id="frozen-1")
    assert balance_of(ann.pk) == 100
    ready.make_ready(bob)
    ready.pass_time(5)
    assert (ready.row.status, [seat.user for seat in ready.row.seats.all()]) == ("open", [bob])
    unfreeze(user_id=ann.pk)
    kit.act(ann, kind="sit", seat=0, purse=5)
    buy_weapon(user_id=ann.pk, unit=Unit.ROCK, quantity=1, action_id="frozen-2")


def test_frozen_account_plays_a_running_game_to_its_end() -> None:
    kit = running_table(purse=20, target=3)
    ann = kit.people[0]
    freeze(user_id=ann.pk, reason="we are looking into it")
    kit.play_to_the_end()
    assert kit.row.status == "over"
    assert kit.row.seats.get(user=ann).net is not None
    assert kit.code(ann, kind="rematch") == "forbidden"


@pytest.mark.plain
def test_flag_is_closed_with_a_note_and_not_opened_again() -> None:
    ann, bob, chief = new_user(), new_user(), new_user()
    flag = flags.chips((ann.pk, bob.pk), 300, timezone.now())
    assert [flags.open_flag(flag) for _ in range(2)] == [True, False]
    rows = Flag.objects.all()
    with pytest.raises(flags.NoteMissing):
        flags.close_flags(flags=rows, by=chief, note="  ok ")
    assert flags.close_flags(flags=rows, by=chief, note="they are siblings") == 1
    assert flags.close_flags(flags=rows, by=chief, note="they are siblings") == 0
    assert not flags.open_flag(flag)
    row = Flag.objects.get()
    assert (row.closed_by, row.note) == (chief, "they are siblings")


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_flag_that_cannot_be_stored_breaks_no_game(monkeypatch) -> None:
    ann, bob, cleo = new_user(), new_user(), new_user()
    share_browser(ann, bob)
    share_browser(cleo, token="c" * 43)
    fail = Mock(side_effect=RuntimeError("there is no room for flags"))
    monkeypatch.setattr(flags, "open_flag", fail)
    kit = TableKit(ann, bob, cleo, seats=3)
    kit.act(ann, kind="sit", seat=0, purse=5)
    assert kit.code(bob, kind="sit", seat=1, purse=5) == "forbidden"
    kit.act(cleo, kind="sit", seat=2, purse=5)
    assert [call.args[0].kind for call in fail.mock_calls] == ["device", "address"]
    assert {seat.user for seat in kit.row.seats.all()} == {ann, cleo}
    assert not Flag.objects.exists()


def test_fair_play_asks_nothing_of_the_database_while_a_game_runs() -> None:
    kit = running_table(purse=5)
    submission = kit.submission(kit.on_turn(), kind="call")
    with CaptureQueriesContext(connection) as queries:
        writing.apply_batch([submission], kit.now)
    asked = " ".join(query["sql"] for query in queries)
    assert not re.search("accounts_device|games_flag|economy_setting", asked)


def test_people_with_more_points_than_the_limit_may_sit_down() -> None:
    ann = new_user()
    give(wallet(ann.pk), 5_000)
    TableKit(ann, largest_purse=5_000).act(ann, kind="sit", seat=0, purse=5_000)
