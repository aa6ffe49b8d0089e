import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from random import Random
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.engine.draws import commitment
from games.engine.errors import NotInPhase
from games.engine.facts import Instant, instant
from games.jsonrpc.programs import make_program
from games.matches.models import DailyPlay, DailyTable
from games.practice import daily
from games.practice.tables import PERSON
from games.realtime.protocol import Act
from tests.accounts.kit import browser
from tests.games.match_kit import new_user

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
GAME = daily.daily_game()
if GAME is None:
    pytest.skip("no game offers a daily table", allow_module_level=True)


@pytest.fixture
def play() -> DailyPlay:
    return daily.begin(new_user(), GAME)


def now() -> Instant:
    return instant(timezone.now())


def asked_at(table: daily.DailyPractice, action: dict[str, Any]) -> Act:
    return Act(f"a-{table.known:04d}", table.match.phase, action)


def act_on(
    play: DailyPlay, table: daily.DailyPractice, at: Instant | None = None, **action: Any
) -> Any:
    """Store an action and do it at a table that stays in memory, as the socket does."""
    asked = asked_at(table, action)
    answer = daily.record(play, asked, table.known)
    if answer.error is None:
        assert table.act(action, asked.id, asked.phase, at or now()).error is None
        table.known += 1
    return answer.error


def decisions(table: daily.DailyPractice, chance: Random) -> Iterator[dict[str, Any]]:
    while not table.state.is_finished:
        table.settle(now())
        if table.state.is_finished:
            return
        yield from GAME.bot.choose(table.view(PERSON), chance)


def play_out(play: DailyPlay, seed: str = "a person") -> daily.DailyPractice:
    table = daily.rebuilt(play, now())
    for action in decisions(table, Random(seed)):
        assert act_on(play, table, **action) is None
    play.refresh_from_db()
    return table


def test_daily_table_is_the_same_for_everybody_and_its_result_is_stored_once(play) -> None:
    other = daily.begin(new_user(), GAME)
    assert other.table == play.table
    table, two = play_out(play), play_out(other)
    kept = (play.net, play.marks, play.actions, play.ended_at)
    assert play.net is not None
    assert set(play.marks) <= set("WDL")
    assert (play.net, play.marks) == (other.net, other.marks)
    assert table.view()["game"]["result"] == two.view()["game"]["result"]
    assert daily.begin(play.user, GAME) == play
    late = Act("too-late", table.match.phase, {"kind": "leave"})
    assert isinstance(daily.record(play, late, play.action_count).error, NotInPhase)
    assert isinstance(act_on(play, table, kind="rematch"), daily.OutOfStep)
    play.refresh_from_db()
    assert (play.net, play.marks, play.actions, play.ended_at) == kept


def test_daily_table_is_the_same_whatever_the_pace(play: DailyPlay) -> None:
    """Bots that act by their timers decide as those that act just before the person."""
    table = daily.rebuilt(play, now())
    at = now()
    for _ in range(400):
        if table.state.is_finished:
            break
        at = Instant(at + 500)
        table.tick(at)
        if table.is_waiting and table.bot_at is None:
            for action in GAME.bot.choose(table.view(PERSON), Random("a person")):
                assert act_on(play, table, at, **action) is None
    assert table.state.is_finished
    play.refresh_from_db()
    assert play.net == table.chips - daily.CHIPS
    assert daily.rebuilt(play, now()).view()["game"] == table.view()["game"]


def test_daily_play_goes_on_after_a_restart_from_its_stored_actions(play: DailyPlay) -> None:
    table = daily.rebuilt(play, now())
    for number, action in enumerate(islice(decisions(table, Random(1)), 6), 1):
        act_on(play, table, **action)
        play.refresh_from_db()
        again = daily.rebuilt(play, now())
        table.settle(now())
        again.settle(now())
        assert again.view()["game"] == table.view()["game"]
        assert (again.known, again.match.public_id) == (number, table.match.public_id)


def test_daily_action_from_a_page_that_lags_behind_or_of_yesterday_is_refused(play) -> None:
    """Two processes with the same table: only one of two different choices is stored."""
    first, second = daily.rebuilt(play, now()), daily.rebuilt(play, now())
    first.settle(now())
    (action, *_) = GAME.bot.choose(first.view(PERSON), Random(3))
    asked = asked_at(first, action)
    assert daily.record(play, asked, 0).error is None
    assert daily.record(play, asked, 1).repeated, "it was sent again"
    kept = DailyPlay.objects.get(pk=play.pk)
    assert kept.action_count == 1
    with pytest.raises(daily.OutOfStep):
        act_on(play, second, kind="leave")
    assert DailyPlay.objects.get(pk=play.pk).actions == kept.actions
    table = daily.rebuilt(kept, now())
    DailyTable.objects.update(day=daily.yesterday())
    with pytest.raises(daily.OutOfStep):
        act_on(DailyPlay.objects.get(pk=play.pk), table, kind="leave")
    assert daily.begin(play.user, GAME).table.seed != play.table.seed


def test_daily_seed_is_in_no_page_and_no_view_before_its_day_is_over(play: DailyPlay) -> None:
    client, guest = browser(play.user), browser()
    seed = play.table.seed
    assert commitment(seed, "daily", play.table.day.isoformat()) == play.table.seed_commitment
    pages = [("daily", client), ("daily_board", client), ("home", client), ("daily", guest)]
    for finished in (False, True):
        if finished:
            assert seed not in json.dumps(play_out(play).view())
        for name, visitor in pages:
            assert seed not in visitor.get(reverse(name)).content.decode()
    assert seed not in repr(play) + repr(play.table)
    DailyTable.objects.update(day=daily.yesterday())
    assert seed in guest.get(reverse("daily")).content.decode()


def test_daily_board_needs_a_begun_play_and_no_guest_has_one(play: DailyPlay) -> None:
    guest, other = browser(), browser(new_user())
    assert reverse("account_login") in guest.get(reverse("daily_board"))["Location"]
    assert reverse("account_login") in guest.post(reverse("daily_start"))["Location"]
    assert other.get(reverse("daily_board"))["Location"] == reverse("daily")
    assert (DailyPlay.objects.count(), other.get(reverse("daily_start")).status_code) == (1, 405)
    other.post(reverse("daily_start"))
    assert other.get(reverse("daily_board")).status_code == 200


def test_daily_streak_counts_days_in_a_row(play: DailyPlay) -> None:
    today = daily.today()
    for last, streak, expected in (
        (None, 0, 1),
        (today - timedelta(days=1), 4, 5),
        (today - timedelta(days=2), 4, 1),
    ):
        DailyPlay.objects.update(actions="", action_count=0, net=None, ended_at=None)
        User.objects.filter(pk=play.user_id).update(daily_on=last, daily_streak=streak)
        play.refresh_from_db()
        play_out(play)
        user = User.objects.get(pk=play.user_id)
        assert (user.daily_on, user.streak(today)) == (today, expected)
        assert user.streak(today + timedelta(days=1)) == expected
        assert user.streak(today + timedelta(days=2)) == 0


def test_daily_results_are_in_order_and_shared_as_text(play: DailyPlay) -> None:
    ended = datetime(2026, 1, 1, tzinfo=UTC)
    others = [new_user() for _ in range(3)]
    for no, (user, net) in enumerate(zip(others, (9, 12, 9), strict=True)):
        times = dict.fromkeys(("started_at", "ended_at"), ended + timedelta(minutes=no))
        DailyPlay.objects.create(table=play.table, user=user, net=net, marks="WDL", **times)
    rows = [(row.place, row.name) for row in daily.results(play.table.day)]
    assert rows == [(place, others[no].username) for place, no in enumerate((1, 0, 2), 1)]
    mine = DailyPlay.objects.get(user=others[2])
    assert daily.place_of(mine) == (3, 3)
    told = daily.shared(mine, "https://x/").splitlines()[1:]
    assert told == ["+9 chips ■◧□", "Place 3 of 3", "https://x/"]


def test_daily_lists_of_results_are_of_people_only() -> None:
    ann, machine = new_user("ann"), make_program(owner_id=new_user("ada").pk, name="ada_bot")
    for user in (machine, ann):
        play_out(daily.begin(User.objects.get(pk=user.pk), GAME))
    assert [row.name for row in daily.results(daily.today())] == [ann.username]
    plays = {play.user: play for play in DailyPlay.objects.all()}
    assert (daily.place_of(plays[ann]), daily.place_of(plays[machine])) == ((1, 1), None)
    assert "Place" not in daily.shared(plays[machine], "https://x/")
    own, other = (browser(user).get(reverse("daily")).content.decode() for user in (ann, machine))
    assert "/@ada_bot/" not in own
    assert 'Place <b class="num">1</b> of <b class="num">1</b>' in own
    assert "play, without a place" in other
