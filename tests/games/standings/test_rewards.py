from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from accounts import devices
from accounts.models import User
from accounts.services import freeze, unfreeze
from economy.ledger import TREASURY, post, wallet
from economy.models import Setting, Transfer
from economy.payouts import extend_grant, pay_stipend
from economy.selectors import balance_of
from games.matches.models import Match, PrizeWeek, Seat
from games.standings import boards, rewards
from games.standings.tasks import pay_rewards
from tests.accounts.kit import browser
from tests.at_once import all_at_once
from tests.economy.kit import give, held, move
from tests.games.match_kit import old_user
from tests.games.table_kit import TableKit, new_user

pytestmark = pytest.mark.django_db

#: A Wednesday in the week 2026-W46, and the Monday after it.
WEDNESDAY = datetime(2026, 11, 11, 20, tzinfo=UTC)
MONDAY = datetime(2026, 11, 16, 0, 11, tzinfo=UTC)
WEEK = "2026-W46"


def games(count: int, net: int, *people: User, at: datetime = WEDNESDAY) -> None:
    """Store games in which the first player wins this amount from the second."""
    for number in range(count):
        kit = TableKit(*people, seats=2)
        for seat, (user, sign) in enumerate(zip(people, (1, -1), strict=True)):
            amount = 0 if number else sign * net
            Seat.objects.create(match=kit.match, no=seat, user=user, net=amount, seen_at=kit.now)
        Match.objects.filter(pk=kit.match.pk).update(
            status="over", started_at=at, ended_at=at, due_at=None, wake_at=None
        )


def prizes() -> dict[str, int]:
    return dict(Transfer.objects.filter(code="PRIZE").values_list("key", "amount"))


def empty_treasury() -> None:
    if held(TREASURY()):
        post([move(TREASURY(), wallet(900_999), held(TREASURY()))], WEDNESDAY)


@pytest.fixture
def field() -> list[User]:
    people = [new_user() for _ in range(4)]
    for user, net in zip(people, (40, 30, 20, 10), strict=True):
        games(5, net, user, new_user())
    return people


def test_prizes_of_a_week_go_to_the_first_three_once_and_not_before_it_has_settled(field) -> None:
    empty_treasury()
    give(TREASURY(), 30)
    assert rewards.pay_prizes(MONDAY - timedelta(minutes=12)) == ["2026-W45"]
    assert rewards.pay_prizes(MONDAY - timedelta(minutes=2)) == []
    assert prizes() == {}
    assert [rewards.pay_prizes(MONDAY) for _ in range(2)] == [[WEEK], []]
    assert prizes() == {f"prize:{WEEK}:1": 20, f"prize:{WEEK}:2": 10, f"prize:{WEEK}:3": 5}
    assert [balance_of(user.pk) for user in field] == [120, 110, 105, 100]
    cover = Transfer.objects.get(code="PRIZE_COVER")
    assert (cover.amount, held(TREASURY())) == (5, 0)


def test_prizes_of_all_weeks_of_a_pause_are_made_up_for(field: list[User]) -> None:
    rewards.pay_prizes(MONDAY - timedelta(days=7))
    games(5, 10, field[3], new_user(), at=WEDNESDAY + timedelta(days=7))
    late = MONDAY + timedelta(days=15)
    assert rewards.pay_prizes(late) == [WEEK, "2026-W47", "2026-W48"]
    assert prizes()["prize:2026-W47:1"] == 20
    assert balance_of(field[3].pk) == 120
    assert PrizeWeek.objects.count() == 4


def test_prizes_need_five_games_a_win_and_an_account_in_order(field: list[User]) -> None:
    few, loser = new_user(), new_user()
    games(4, 500, few, loser)
    games(1, 1, new_user(), loser)
    bot = User.objects.filter(is_bot=True).first()
    games(5, 300, bot, new_user())
    freeze(user_id=field[0].pk, reason="we are looking into it")
    rewards.pay_prizes(MONDAY)
    assert [balance_of(user.pk) for user in field] == [100, 120, 110, 105]
    assert balance_of(few.pk) == balance_of(loser.pk) == 100


@pytest.mark.plain
def test_prizes_of_nothing_are_not_paid() -> None:
    Setting.objects.filter(name="prizes.second").update(value=0)
    for net in (9, 8, 7):
        games(5, net, new_user(), new_user())
    rewards.pay_prizes(MONDAY)
    assert prizes() == {f"prize:{WEEK}:1": 20, f"prize:{WEEK}:3": 5}


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_prizes_are_paid_once_by_many_workers_at_once() -> None:
    winner = new_user()
    games(5, 9, winner, new_user())
    results = all_at_once([lambda: rewards.pay_prizes(MONDAY) for _ in range(6)])
    assert sorted(results) == [[]] * 5 + [[WEEK]]
    assert balance_of(winner.pk) == 120


def test_standings_count_a_week_from_monday_to_sunday_and_leave_void_games_out() -> None:
    ann, bob = new_user(), new_user()
    begins, second = boards.beginning_of(WEEK), timedelta(seconds=1)
    ends = begins + timedelta(days=7)
    for net, at in ((1, begins), (2, ends - second), (4, begins - second), (8, ends)):
        games(1, net, ann, bob, at=at)
    games(1, 16, ann, bob)
    Match.objects.filter(seats__net=16).update(status="void")
    rows = [(row.place, row.name, row.net, row.games) for row in boards.standings(WEEK)]
    assert rows == [(1, ann.username, 3, 2), (2, bob.username, -3, 2)]
    assert boards.standings(None)[0].net == 15


def newcomer_of(inviter: User, played: int = 3) -> User:
    """Return a new player who was invited and has finished this number of games."""
    user = new_user("newcomer")
    User.objects.filter(pk=user.pk).update(invited_by=inviter)
    for _ in range(played):
        play(new_user(), user)
    return user


def play(*people: User) -> None:
    """Play a game of Showdown to its end: all are idle for two rounds, then the first leaves."""
    kit = TableKit(*people, seats=len(people))
    kit.start(purse=2)
    kit.call_all()
    for person in people * 2:
        kit.act(person, kind="lock")
    kit.act(people[0], kind="leave")
    assert kit.row.status == "over"


def bonuses() -> dict[str, int]:
    return dict(Transfer.objects.filter(code="REFERRAL").values_list("key", "amount"))


def test_inviter_gets_five_points_once_the_newcomer_has_finished_three_games() -> None:
    ann = new_user()
    bob = newcomer_of(ann, played=2)
    assert rewards.pay_referrals() == 0
    play(new_user(), bob)
    freeze(user_id=ann.pk, reason="we are looking into it")
    assert rewards.pay_referrals() == 0, "a frozen inviter waits"
    unfreeze(user_id=ann.pk)
    assert [rewards.pay_referrals() for _ in range(2)] == [1, 0]
    assert bonuses() == {f"referral:{bob.pk}": 5}
    assert balance_of(ann.pk) == 105


def test_games_in_which_one_did_nothing_or_that_were_voided_do_not_count() -> None:
    bob = newcomer_of(new_user(), played=1)
    kit = TableKit(bob, new_user())
    kit.start(purse=2)
    kit.act(bob, kind="leave")
    assert kit.row.status == "over"
    play(new_user(), bob)
    voided = Seat.objects.filter(user=bob).latest("pk").match_id
    Match.objects.filter(pk=voided).update(status="void")
    assert Match.objects.filter(seats__user=bob, status="over").count() == 2
    assert rewards.games_played(bob.pk) == 1


def test_inviter_gets_nothing_for_a_newcomer_of_the_same_device() -> None:
    ann = new_user()
    bob = newcomer_of(ann)
    for user in (ann, bob):
        devices.note(user_id=user.pk, token="t" * 43, address="", at=timezone.now())
    assert [rewards.pay_referrals() for _ in range(2)] == [0, 0]
    assert bonuses() == {}
    bob.refresh_from_db()
    assert bob.referral_settled_at is not None


def inviter_of_three_where_two_are_paid_for_a_day() -> User:
    Setting.objects.filter(name="referral.daily").update(value=2)
    Setting.objects.filter(name="referral.games").update(value=1)
    ann = new_user()
    for _ in range(3):
        newcomer_of(ann, played=1)
    return ann


def test_inviter_gets_ten_a_day_at_most_and_the_rest_tomorrow() -> None:
    ann, today = inviter_of_three_where_two_are_paid_for_a_day(), timezone.now()
    assert [rewards.pay_referrals(today) for _ in range(2)] == [2, 0]
    assert rewards.pay_referrals(today + timedelta(days=1)) == 1
    assert balance_of(ann.pk) == 115


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_inviter_is_paid_once_by_many_workers_and_never_above_the_days_most() -> None:
    ann = inviter_of_three_where_two_are_paid_for_a_day()
    assert sum(all_at_once([rewards.pay_referrals for _ in range(6)])) == 2
    assert balance_of(ann.pk) == 110


@pytest.mark.plain
@pytest.mark.both_databases
def test_task_pays_prizes_and_invitations(field: list[User]) -> None:
    Setting.objects.filter(name="referral.games").update(value=1)
    newcomer_of(field[3], played=1)
    pay_rewards()
    assert len(bonuses()) == 1
    assert PrizeWeek.objects.count() == 1


@pytest.mark.plain
@pytest.mark.both_databases
def test_leaderboard_shows_places_prizes_and_ones_own_row() -> None:
    boards.forget()
    assert "No rankings yet." in browser().get("/leaderboard/").content.decode()
    boards.forget()
    ann, bob = new_user(), new_user()
    now = timezone.now()
    games(5, 12, ann, bob, at=now - timedelta(days=7))
    games(1, 3, bob, ann, at=now)
    rewards.pay_prizes(now)
    client = browser(ann)
    week = client.get("/leaderboard/")
    assert [row.name for row in week.context["rows"]] == [bob.username]
    assert week.context["mine"].net == -3
    assert "Not placed: you are at" in week.content.decode()
    last = client.get("/leaderboard/?period=last")
    assert [(row.name, row.prize) for row in last.context["rows"]] == [(ann.username, 20)]
    assert "have been paid" in last.content.decode()
    ever = browser().get("/leaderboard/?period=all")
    assert [row.net for row in ever.context["rows"]] == [9]
    assert 'id="me"' not in ever.content.decode()
    assert client.get("/leaderboard/?period=never").status_code == 404


@pytest.mark.plain
@pytest.mark.both_databases
def test_leaderboard_shows_ones_own_row_below_the_first_fifty(monkeypatch) -> None:
    monkeypatch.setattr(boards, "SHOWN", 1)
    ann, bob = new_user(), new_user()
    games(1, 3, bob, ann, at=timezone.now())
    games(1, 5, ann, new_user(), at=timezone.now())
    client = browser(ann)
    page = client.get("/leaderboard/")
    assert len(page.context["rows"]) == 1
    assert page.context["mine_is_below"]
    assert page.content.decode().count('id="me"') == 1


@pytest.mark.plain
def test_leaderboard_nobody_leads_with_a_loss_and_who_is_banned_is_not_on_it() -> None:
    boards.forget()
    ann, bob, cid = new_user(), new_user(), new_user()
    now = timezone.now()
    games(2, 3, ann, bob, at=now)
    games(1, 1, cid, bob, at=now)
    User.objects.filter(pk=ann.pk).update(is_active=False)
    board = browser().get("/leaderboard/?period=all")
    assert [(row.place, row.name) for row in board.context["rows"]] == [(1, cid.username)]
    mine = browser(bob).get("/leaderboard/?period=all")
    assert mine.context["mine"].net == -4
    assert 'id="me"' not in mine.content.decode()


@pytest.fixture
def grant_in_parts() -> None:
    """Give 100 of 200 points at once, the rest with two others."""
    for name, value in {"grant.signup": 200, "grant.at_once": 50, "grant.games": 2}.items():
        Setting.objects.filter(name=name).update(value=value)


def grants_of(user: User) -> dict[str, int]:
    own = Transfer.objects.filter(code="SIGNUP_GRANT", credit__owner=wallet(user.pk).owner)
    return dict(own.values_list("key", "amount"))


@pytest.mark.both_databases
@pytest.mark.usefixtures("grant_in_parts")
def test_hostile_94_the_grant_comes_in_parts_with_games_against_different_people() -> None:
    ann, bob = new_user(), new_user()
    assert grants_of(ann) == {f"signup:{ann.pk}": 100}
    for games in ((ann, bob), (ann, bob), (ann, new_user()), (ann, new_user())):
        play(*games)
        rewards.pay_grants()
        rewards.pay_grants()
    parts = {f"signup:{ann.pk}": 100, f"signup:{ann.pk}/1": 50, f"signup:{ann.pk}/2": 50}
    assert grants_of(ann) == parts
    assert grants_of(bob) == {f"signup:{bob.pk}": 100, f"signup:{bob.pk}/1": 50}


@pytest.mark.plain
@pytest.mark.usefixtures("grant_in_parts")
def test_hostile_94_who_has_it_all_came_long_ago_or_plays_with_bots_or_oneself_gets_no_part():
    Setting.objects.filter(name="grant.at_once").update(value=100)
    whole = new_user()
    Setting.objects.filter(name="grant.at_once").update(value=50)
    early, frozen = old_user(31), new_user()
    freeze(user_id=frozen.pk, reason="we are looking into it")
    for user in (whole, early, frozen):
        for _ in range(2):
            games(1, 5, user, old_user(31), at=timezone.now())
    ann, bob = new_user(), new_user()
    for user in (ann, bob):
        devices.note(user_id=user.pk, token="t" * 43, address="", at=timezone.now())
    games(1, 5, ann, bob, at=timezone.now())
    games(1, 5, ann, User.objects.filter(is_bot=True)[0], at=timezone.now())
    Seat.objects.update(has_played=True)
    assert rewards.pay_grants() == 0
    assert [len(grants_of(user)) for user in (whole, early, frozen)] == [1, 1, 1]


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("grant_in_parts")
def test_hostile_94_a_part_of_the_grant_is_paid_once() -> None:
    ann = new_user()
    assert sorted(all_at_once([lambda: extend_grant(ann.pk, 1, MONDAY)] * 6)) == [0] * 5 + [50]
    assert all_at_once([lambda: extend_grant(ann.pk, 5, MONDAY)] * 6).count(50) == 1
    assert balance_of(ann.pk) == 200


@pytest.mark.plain
@pytest.mark.both_databases
def test_hostile_94_a_stipend_comes_only_after_a_game_that_was_finished_since_the_last() -> None:
    ann = new_user()
    post([move(wallet(ann.pk), TREASURY(), 100)], WEDNESDAY)
    today, tomorrow = timezone.now(), timezone.now() + timedelta(days=1)
    assert pay_stipend(ann.pk, today) == 0
    games(1, 0, ann, new_user(), at=today - timedelta(hours=1))
    assert pay_stipend(ann.pk, today) == 0
    Seat.objects.update(has_played=True)
    assert [pay_stipend(ann.pk, at) for at in (today, today, tomorrow)] == [5, 0, 0]
    games(1, 0, ann, new_user(), at=today + timedelta(hours=1))
    Seat.objects.update(has_played=True)
    assert pay_stipend(ann.pk, tomorrow) == 5
