"""Limits of a user at once; of points: ``test_stakes.py``, of referrals: ``test_rewards.py``."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from accounts import people, push, tokens
from accounts.models import PushChoice, PushSubscription, Relation, User
from economy import shop
from economy.models import Setting, Transfer
from economy.payouts import pay_stipend
from economy.units import Unit
from games.contests import services as contests
from games.duel.challenges import challenge
from games.matches import services as matches
from games.matches.models import DailyPlay, Match
from games.matches.processing import writing
from games.matches.processing.submissions import Submission
from games.moderation import reports
from games.posts import notebooks
from games.practice import daily
from games.realtime.limits import ChatLimits
from tests.accounts.kit import browser
from tests.accounts.push_service import PushBrowser
from tests.at_once import all_at_once
from tests.games.match_kit import new_user
from tests.games.table_kit import TableKit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

MANY = 30
Call = Callable[[], Any]


def opening(user: User) -> list[Call]:
    return [partial(matches.open_match, opened_by=user, options={}, game="showdown")] * MANY


def opened_lately(user: User, count: int, minutes: int) -> None:
    """Leave closed tables of a user, opened so long ago."""
    at = timezone.now() - timedelta(minutes=minutes)
    made = matches.open_match(opened_by=new_user(), options={}, game="showdown")
    for no in range(count):
        made.pk, made.public_id, made.opened_by = None, f"old{user.pk}-{minutes}-{no}", user
        made.status, made.opened_at, made.ended_at = Match.Status.CLOSED, at, at
        made.save(force_insert=True)


def opening_the_last_in_an_hour(user: User) -> list[Call]:
    opened_lately(user, 10, minutes=61)
    opened_lately(user, matches.TABLES_AN_HOUR - 1, minutes=59)
    return opening(user)


def strangers() -> list[User]:
    return [new_user() for _ in range(MANY)]


def challenging(user: User) -> list[Call]:
    return [
        partial(challenge, challenger=user, name=other.username, options={})
        for other in strangers()
    ]


def sitting(user: User) -> list[Call]:
    tables = [
        matches.open_match(opened_by=other, options={}, game="showdown") for other in strangers()
    ]
    return [
        partial(writing.submit, Submission(table.pk, {"kind": "sit"}, "sits-down", user.pk))
        for table in tables
    ]


def founding(user: User) -> list[Call]:
    charters = [contests.Charter(f"Bridge {no}", "agora", {}) for no in range(MANY)]
    return [partial(contests.found, user=user, charter=charter) for charter in charters]


def reporting(user: User) -> list[Call]:
    return [
        partial(reports.report_player, user=user, name=other.username, reason="rude")
        for other in strangers()
    ]


def relating(kind: Relation.Kind, user: User) -> list[Call]:
    return [
        refusing(partial(people.relate, user_id=user.pk, other_id=other.pk, kind=kind))
        for other in strangers()
    ]


def making_tokens(user: User) -> list[Call]:
    return [refusing(partial(tokens.make_token, user=user, name=str(no))) for no in range(MANY)]


def buying(user: User) -> list[Call]:
    Setting.objects.filter(name="shop.purchases_a_minute").update(value=4)
    order = shop.Order(Unit.ROCK, 1)
    return [partial(shop.buy, user_id=user.pk, order=order, key=f"k{no}") for no in range(MANY)]


def writing_notes(user: User) -> list[Call]:
    table = matches.open_and_sit(opened_by=user, options={}, game="showdown")
    return [partial(notebooks.write_notebook, table, user, 1, "notes", {})] * MANY


def winning(user: User) -> list[Call]:
    """Three games end at once, each with a bonus for the user."""
    kits = [TableKit(user, new_user(), target=15) for _ in range(3)]
    for kit in kits:
        kit.start(purse=20)
        while kit.view()["game"]["round"] < 5:
            kit.play_like_bots(kit.snapshot)
            kit.pass_time(1.0)
    return [partial(kit.act, kit.people[1], kind="leave") for kit in kits]


def talking(user: User) -> list[Call]:
    return [partial(ChatLimits(lambda: 7.0).take, user.pk, "an address")] * MANY


def refusing(call: Call) -> Call:

    def run() -> Any:
        try:
            return call()
        except ValidationError as refusal:
            return refusal

    return run


@pytest.mark.parametrize(
    ("asking", "code", "allowed"),
    [
        (opening, "action/too_many_open_tables", matches.OPEN_TABLES),
        (opening_the_last_in_an_hour, "action/too_many_tables_opened", 1),
        (challenging, "action/too_many_open_tables", matches.OPEN_TABLES),
        (sitting, "action/too_many_tables", 3),
        (founding, "contest/too_many", 3),
        (reporting, "limit", reports.MOST_A_DAY),
        (partial(relating, Relation.Kind.FOLLOW), "limit", 7),
        (partial(relating, Relation.Kind.MUTE), "limit", 7),
        (partial(relating, Relation.Kind.BLOCK), "limit", 7),
        (making_tokens, "too_many_tokens", tokens.MOST_TOKENS),
        (buying, "shop/too_fast", 4),
        (writing_notes, "stale", 1),
        (talking, "rate_limited", 5),
    ],
)
def test_of_thirty_at_once_as_many_pass_as_are_allowed(asking, code, allowed, monkeypatch) -> None:
    monkeypatch.setattr(people, "MOST", 7)
    Setting.objects.filter(name="grant.signup").update(value=1_000)
    answers = all_at_once(asking(new_user()))
    refused = [answer.code for answer in answers if isinstance(answer, Exception)]
    assert refused == [code] * (MANY - allowed)


def test_of_thirty_browsers_at_once_the_newest_are_kept() -> None:
    user, browser = new_user(), PushBrowser()
    subscribe = partial(push.subscribe, user_id=user.pk, session_key="s", **browser.keys)
    all_at_once(partial(subscribe, endpoint=f"https://push.example.org/{no}") for no in range(MANY))
    assert PushSubscription.objects.filter(user=user).count() == push.MOST_BROWSERS


@pytest.mark.usefixtures("stipend_without_games")
def test_of_thirty_at_once_one_stipend_is_paid_and_one_daily_play_begins() -> None:
    Setting.objects.filter(name="grant.signup").update(value=0)
    user, game = new_user(), daily.daily_game()
    assert game is not None
    paying, playing = (
        partial(pay_stipend, user.pk, timezone.now()),
        partial(daily.begin, user, game),
    )
    all_at_once([paying] * MANY + [playing] * MANY)
    assert (Transfer.objects.filter(code="STIPEND").count(), DailyPlay.objects.count()) == (1, 1)


def test_of_three_games_won_at_once_one_pays_the_last_bonus_of_the_day() -> None:
    Setting.objects.filter(name="showdown.win_bonus_daily").update(value=1)
    all_at_once(winning(new_user()))
    assert Match.objects.filter(status=Match.Status.OVER).count() == 3
    assert Transfer.objects.filter(code="WIN_BONUS").count() == 1


@pytest.mark.parametrize("data", [{"do": "asked"}, {"time_zone": "UTC"}], ids=["asked", "chosen"])
def test_limit_the_first_choice_of_notifications_at_once_is_stored_once(data: dict[str, str]):
    user = new_user()
    address = reverse("push_browser" if "do" in data else "notifications")
    answers = all_at_once([partial(browser(user).post, address, data) for _ in range(MANY)])
    assert {answer.status_code for answer in answers} == {204 if "do" in data else 302}
    assert PushChoice.objects.count() == 1
