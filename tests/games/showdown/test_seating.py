"""Quick seats: the best open table with an ante, else a new one that a bot may join."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import Relation, User
from accounts.people import relate
from accounts.services import freeze
from economy.errors import InsufficientPoints
from economy.models import Setting
from games.matches import services as matches
from games.matches.models import Match, Seat
from games.matches.processing import outage, writing
from games.matches.processing.bots import ensure_bots
from games.matches.processing.submissions import Submission
from games.matches.queries import selectors
from games.showdown.seating import MARK, seat_quickly
from games.showdown.views import QUICK_ANTES
from tests.accounts.kit import browser
from tests.at_once import all_at_once
from tests.games.match_kit import new_user
from tests.games.table_kit import TableKit
from tests.refusals import refuses

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture(autouse=True)
def _heartbeat(db: None) -> None:
    outage.open_process()


def opened(user: User | None = None, ante: int = 5, **options: Any) -> Match:
    options = {"ante": ante, **options}
    return matches.open_and_sit(opened_by=user or new_user(), options=options, game="showdown")


def act(user: User, match: Match, **action: Any) -> None:
    number = match.entries.count()
    writing.submit(Submission(match.pk, action, f"seating-{number:04d}", user.pk))


def seat(user: User | None = None) -> Match:
    return seat_quickly(user=user or new_user(), ante=5)


def sitters(match: Match) -> list[int]:
    return list(Seat.objects.filter(match=match).order_by("no").values_list("user", flat=True))


@pytest.mark.plain
@pytest.mark.parametrize("ante", QUICK_ANTES)
def test_quick_seat_opens_a_table_with_the_ante_and_the_next_one_sits_there(ante: int) -> None:
    ann, bob = new_user(), new_user()
    match = seat_quickly(user=ann, ante=ante)
    state = selectors.snapshot_of(match).state
    assert (state.options.ante, len(state.seats), match.mark) == (ante, 4, MARK)
    assert seat_quickly(user=bob, ante=ante).pk == match.pk
    assert sitters(match) == [ann.pk, bob.pk]
    # No stake meets an opponent whom its owner has not seen: both have to press Ready.
    assert not any(seat.ready for seat in selectors.snapshot_of(match).state.taken)


def test_quick_seat_pressed_again_leads_to_the_same_table_but_to_no_private_one() -> None:
    ann = new_user()
    match = seat(ann)
    assert seat(ann).pk == match.pk
    act(ann, match, kind="stand")
    assert (seat(ann).pk, sitters(match), Match.objects.count()) == (match.pk, [ann.pk], 1)
    bob = new_user()
    assert opened(bob, listed=False).pk != seat(bob).pk


def test_quick_seat_is_at_the_table_with_most_people_then_with_the_longest_wait() -> None:
    tables = [opened() for _ in range(3)]
    assert seat().pk == tables[0].pk
    for _ in range(2):
        act(new_user(), tables[2], kind="sit", purse=20)
    assert [seat().pk, seat().pk] == [tables[2].pk, tables[0].pk]


def test_quick_seat_passes_over_tables_that_are_full_private_left_or_of_people_kept_apart() -> None:
    ann, blocked = new_user(), new_user()
    act(new_user(), opened(seats=2), kind="sit", purse=20)
    opened(listed=False)
    opened(ante=6)
    Seat.objects.filter(match=opened()).update(seen_at=timezone.now() - timedelta(seconds=40))
    opened(blocked)
    relate(user_id=blocked.pk, other_id=ann.pk, kind=Relation.Kind.BLOCK)
    TableKit(new_user(), new_user(), ante=5).start()
    assert sitters(seat(ann)) == [ann.pk]


def test_quick_seat_has_a_purse_with_which_a_bot_may_come() -> None:
    ensure_bots()
    Setting.objects.filter(name="bots.daily_win_limit").update(value=7)
    ann = new_user()
    match = seat(ann)
    assert selectors.snapshot_of(match).state.seats[0].purse == 7
    act(ann, match, kind="add_bot")
    assert len(sitters(match)) == 2


def test_quick_seat_is_refused_to_whom_no_seat_is_and_opens_nothing() -> None:
    ann, bob = new_user(), new_user()
    Setting.objects.filter(name="grant.signup").update(value=4)
    with pytest.raises(InsufficientPoints):
        seat(new_user())
    freeze(user_id=ann.pk, reason="we are looking into it")
    ann.refresh_from_db()
    with refuses("forbidden", match="frozen"):
        seat_quickly(user=ann, ante=1)
    assert not Match.objects.exists()
    for _ in range(3):
        opened(bob, listed=False)
    with refuses("action/too_many_open_tables"):
        seat_quickly(user=bob, ante=1)


@pytest.mark.django_db(transaction=True)
def test_thirty_quick_seats_at_once_of_two_users_are_one_table() -> None:
    ann, bob = new_user(), new_user()
    found = all_at_once(partial(seat_quickly, user=user, ante=5) for user in [ann, bob] * 15)
    assert {match.pk for match in found} == {Match.objects.get().pk}
    assert set(sitters(Match.objects.get())) == {ann.pk, bob.pk}


@pytest.mark.plain
def test_page_quick_seat_leads_to_the_table_and_says_why_there_is_none() -> None:
    ann = new_user()
    answer = browser(ann).post(reverse("table_quick"), {"ante": "20"})
    match = Match.objects.get()
    assert answer.url == reverse("table", args=[match.public_id])
    assert selectors.snapshot_of(match).state.options.ante == 20
    browser(ann).post(reverse("table_quick"), {"ante": "3"})
    assert selectors.snapshot_of(Match.objects.last()).state.options.ante == QUICK_ANTES[0]
    freeze(user_id=ann.pk, reason="we are looking into it")
    refused = browser(ann).post(reverse("table_quick"), {"ante": "20"}, follow=True)
    assert refused.redirect_chain[-1][0] == reverse("tables")
    assert [message.level_tag for message in refused.context["messages"]] == ["error"]
    assert reverse("account_login") in browser().post(reverse("table_quick")).url


def test_page_of_no_tables_says_what_to_do_with_a_button() -> None:
    users, guests = (
        browser(user).get(reverse("tables")).content.decode().partition("data-lobby-empty")[2]
        for user in (new_user(), None)
    )
    assert f'action="{reverse("table_quick")}"' in users
    assert reverse("table_quick") not in guests
    for way in (reverse("practice", args=["showdown"]), reverse("account_signup")):
        assert f'href="{way}' in guests
