"""Notifications of a town: once a phase, by kind, in quiet hours later, the same for every role."""

import base64
import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import people, push
from accounts.models import PushChoice, PushSubscription, Relation, TaskLock
from accounts.tasks import LOCKED_FOR, only_run
from games.matches.models import Match, Notification, ReminderDue
from games.notices import reminders
from games.notices.reminders import Due, send_notifications
from tests.accounts.kit import browser
from tests.accounts.push_service import PushBrowser, PushService, push_service
from tests.at_once import all_at_once
from tests.games.duel.kit import DuelKit
from tests.games.mafia.agora.kit import TownKit, slow_town
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db

KEY = base64.urlsafe_b64encode(bytes(range(1, 33))).decode().rstrip("=")


class Reader:
    """The browsers of people, and what their push service got for each."""

    def __init__(self, service: PushService) -> None:
        self.service = service
        self.browsers: dict[str, PushBrowser] = {}

    def subscribe(self, user: Any, **choice: Any) -> None:
        browser = self.browsers[f"/{user.username}"] = PushBrowser()
        endpoint = f"{self.service.address}{user.username}"
        push.subscribe(user_id=user.pk, session_key="s", endpoint=endpoint, **browser.keys)
        PushChoice.objects.update_or_create(user=user, defaults=choice)

    def told(self, kit: Any, seconds: float = 0) -> dict[str, str]:
        """Return name -> text of what is sent once so much time has passed."""
        kit.pass_time(seconds)
        self.service.got.clear()
        send_notifications(kit.now)
        return {path[1:]: self.read(path, body)["body"] for path, _, body in self.service.got}

    def read(self, path: str, body: bytes) -> dict[str, str]:
        return dict(json.loads(self.browsers[path].read(body)))


@pytest.fixture
def reader(settings) -> Iterator[Reader]:
    settings.VAPID_PRIVATE_KEY = KEY
    with push_service() as service:
        settings.PUSH_TRUSTED = service.address
        yield Reader(service)


@pytest.fixture
def kit() -> TownKit:
    return slow_town()


def names(*users: Any) -> set[str]:
    return {user.username for user in users}


def test_a_phase_is_told_once_to_those_with_a_browser_by_kind(reader: Reader, kit: TownKit) -> None:
    ann, bob, cat, dan, eve = kit.people
    reader.subscribe(ann)
    reader.subscribe(bob, start=False)
    reader.subscribe(cat, start=False, turn=False)
    # Who has nothing to do is told only if that is wanted.
    reader.subscribe(dan, start=False, phase=True)
    reader.subscribe(eve, start=False, phase=False)
    for user in (dan, eve):
        kit.act(user, kind="done")
    night = "Night has fallen in your town."
    told = {ann: "Your game begins.", bob: f"{night} It is your turn.", dan: night}
    assert reader.told(kit) == {user.username: text for user, text in told.items()}
    assert reader.told(kit) == reader.told(kit, 3600) == {}
    kit.run_out()
    day = "A new day in your town. It is your turn."
    assert reader.told(kit) == dict.fromkeys(names(ann, bob, dan, eve), day)


@pytest.mark.plain
def test_quiet_hours_hold_a_notification_back_until_they_end(reader: Reader, kit: TownKit) -> None:
    ann, bob, cat, *_ = kit.people
    hour = kit.now.hour
    quiet = {"quiet_from": hour, "quiet_until": (hour + 2) % 24, "time_zone": "UTC"}
    reader.subscribe(ann, **quiet)
    reader.subscribe(bob)
    reader.subscribe(cat, **quiet)
    assert (set(reader.told(kit)), reader.told(kit, 600)) == (names(bob), {})
    kit.act(cat, kind="done")
    assert set(reader.told(kit, 2 * 3600)) == names(ann), "nothing waits for the other any more"
    assert reader.told(kit, 600) == {}
    # Those that outlast a phase hold nothing back.
    kit = slow_town(phase_seconds=3600)
    reader.subscribe(kit.people[0], quiet_from=kit.now.hour, quiet_until=(kit.now.hour + 3) % 24)
    ReminderDue.objects.exclude(match=kit.match).delete()
    assert reader.told(kit) == {}
    assert not ReminderDue.objects.filter(push_at__isnull=False).exists()


@pytest.mark.plain
@pytest.mark.django_db(transaction=True)
def test_two_workers_send_one_notification(reader: Reader, kit: TownKit) -> None:
    reader.subscribe(kit.people[0])
    reader.service.got.clear()
    all_at_once([lambda: send_notifications(kit.now)] * 2)
    assert (len(reader.service.got), Notification.objects.count()) == (1, 1)


@pytest.mark.plain
def test_hostile_83_a_silent_push_service_holds_up_nobody_else(reader, kit, monkeypatch) -> None:
    """It answers once the others have their messages, and is answered in time by that."""
    monkeypatch.setattr(push, "BUDGET", 20)
    mallory, *others = kit.people
    for user in others:
        reader.subscribe(user)
    for no in range(push.MOST_BROWSERS):
        endpoint = f"{reader.service.address}silent/{no}"
        push.subscribe(user_id=mallory.pk, session_key="s", endpoint=endpoint, **PushBrowser().keys)
    PushChoice.objects.create(user=mallory)
    reader.service.silent, reader.service.waits = "/silent", threading.Event()
    reader.service.freed_by = frozenset(f"/{name}" for name in names(*others))
    assert send_notifications(kit.now) == len(others) + push.MOST_BROWSERS


@pytest.mark.plain
def test_a_run_that_was_killed_keeps_others_away_for_a_minute(reader: Reader, kit: TownKit) -> None:
    reader.subscribe(kit.people[0])
    with only_run("notify") as is_only:
        assert is_only
        assert reader.told(kit) == {}
    TaskLock.objects.update(held_until=timezone.now() + LOCKED_FOR)
    assert reader.told(kit) == {}
    TaskLock.objects.update(held_until=timezone.now())
    assert set(reader.told(kit)) == names(kit.people[0])
    TaskLock.objects.update(held_until=timezone.now() + timedelta(hours=1))
    kit.run_out()
    assert set(reader.told(kit)) == names(kit.people[0]), "the clock was set back"


@pytest.mark.plain
def test_a_message_tells_no_role(reader: Reader, kit: TownKit, monkeypatch: Any) -> None:
    for user in kit.people:
        reader.subscribe(user)
    kit.run_out()
    monkeypatch.setattr(reminders, "LONGEST_RUN", -1)
    assert reader.told(kit) == {}, "what does not fit into a run is sent by the next"
    monkeypatch.setattr(reminders, "LONGEST_RUN", 10)
    assert set(reader.told(kit)) == names(*kit.people)
    messages = [reader.read(path, body) for path, _, body in reader.service.got]
    assert len(messages) == len(kit.people)
    assert all(message == messages[0] for message in messages)
    sizes = {len(body) for _, _, body in reader.service.got}
    assert len(sizes) == 1, "sizes show through encryption, too"
    assert set(messages[0]) == {"title", "body", "url"}
    assert not any(name in json.dumps(messages[0]) for name in names(*kit.people))


@pytest.mark.plain
def test_no_key_or_a_ban_is_no_message(reader: Reader, kit: TownKit, settings: Any) -> None:
    ann, bob, *_ = kit.people
    reader.subscribe(ann)
    reader.subscribe(bob)
    ann.is_active = False
    ann.save(update_fields=["is_active"])
    assert PushSubscription.objects.count() == 2, "the signal comes after the commit"
    settings.VAPID_PRIVATE_KEY = ""
    assert reader.told(kit) == {}
    assert not Notification.objects.exists()
    settings.VAPID_PRIVATE_KEY = KEY
    assert set(reader.told(kit)) == names(bob)
    assert Notification.objects.exists()
    while kit.row.is_live:
        kit.run_out()
    assert not Notification.objects.exists()
    assert reader.told(kit) == {}


@pytest.mark.plain
def test_a_challenge_is_told_once_while_it_is_fresh_and_open(reader: Reader) -> None:
    ann, bob = new_user("ann"), new_user("bob")
    reader.subscribe(bob)
    kit = DuelKit(ann, best_of=3)
    kit.match.invited = bob
    kit.match.save(update_fields=["invited"])
    assert reader.told(kit) == {}, "the challenger is not seated yet"
    kit.act(ann, kind="sit", seat=0)
    PushChoice.objects.update(challenge=False)
    assert reader.told(kit) == {}
    PushChoice.objects.update(challenge=True)
    assert reader.told(kit) == {bob.username: "You have a challenge."}
    assert reader.told(kit) == {}
    Notification.objects.all().delete()
    kit.now += timedelta(minutes=6)
    assert reader.told(kit) == {}


def waiting_town(opener: Any, seats: int = 5, **options: Any) -> TownKit:
    kit = TownKit(opener, seats=seats, **options)
    kit.act(opener, kind="sit", seat=0)
    return kit


@pytest.mark.plain
@pytest.mark.both_databases
def test_a_town_of_people_is_told_to_those_who_asked_once_an_hour(reader: Reader) -> None:
    opener, ann, bob, cat, dan, eve = (new_user() for _ in range(6))
    for user in (opener, ann, cat, dan, eve):
        reader.subscribe(user, town=True)
    reader.subscribe(bob)
    people.relate(user_id=cat.pk, other_id=opener.pk, kind=Relation.Kind.BLOCK)
    people.relate(user_id=opener.pk, other_id=dan.pk, kind=Relation.Kind.BLOCK)
    busy = DuelKit(eve, best_of=3)
    busy.act(eve, kind="sit", seat=0)
    kit = waiting_town(opener)
    assert reader.told(kit) == {}, "it may be about to begin with bots"
    assert reader.told(kit, 30) == {ann.username: "A town waits for people."}
    assert reader.told(kit) == {}
    other = waiting_town(new_user())
    assert set(reader.told(other, 30)) == names(cat, dan), "others get one an hour"
    PushChoice.objects.filter(user=ann).update(town_at=kit.now - reminders.TOWN_PAUSE)
    assert set(reader.told(other)) == {ann.username}


@pytest.mark.plain
def test_no_town_of_bots_by_link_or_of_long_ago_is_told(reader: Reader) -> None:
    ann = new_user()
    reader.subscribe(ann, town=True)
    for options in ({"listed": False}, {"seats": 5}):
        kit = waiting_town(new_user(), **options)
        if "seats" in options:
            Match.objects.filter(pk=kit.match.pk).update(opened_at=kit.now - reminders.FRESH)
        assert reader.told(kit, 30) == {}
    unseated = TownKit(new_user(), seats=5)
    assert reader.told(unseated, 30) == {}
    full = waiting_town(new_user())
    for seat in range(1, 5):
        full.act(new_user(), kind="sit", seat=seat)
    assert reader.told(full, 30) == {}
    young = waiting_town(new_user())
    assert reader.told(young, 10) == {}
    assert set(reader.told(young, 20)) == {ann.username}
    rude = waiting_town(new_user())
    hour = rude.now.hour
    PushChoice.objects.update(town_at=None, quiet_from=hour, quiet_until=(hour + 2) % 24)
    assert reader.told(rude, 30) == {}


@pytest.mark.plain
@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_two_workers_tell_a_town_once(reader: Reader) -> None:
    ann = new_user()
    reader.subscribe(ann, town=True)
    kit = waiting_town(new_user())
    due = Due(kit.row, ann.pk, 0, "town", "")
    told = all_at_once([lambda: reminders._is_first(due, kit.now)] * 8)
    assert told.count(True) == 1


def test_the_lobby_shows_the_switch_and_asks_nothing_for_it() -> None:
    user = new_user()
    for asked in ("town", "no_town"):
        browser(user).post(reverse("push_browser"), {"do": asked})
        assert browser(user).get(reverse("push_browser")).json()["town"] == (asked == "town")
    with CaptureQueriesContext(connection) as read:
        page = browser(user).get(reverse("mafia")).content.decode()
    assert "data-town-bell" in page
    assert not [query for query in read.captured_queries if "pushchoice" in query["sql"]]
    assert "data-town-bell" not in browser().get(reverse("mafia")).content.decode()
