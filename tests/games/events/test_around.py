"""Events at the bell, by push, in the lobby, on profiles, in the admin and for programs."""

import json
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.test import Client
from django.utils import timezone

from accounts import push
from accounts.models import PushChoice, PushSubscription, User
from accounts.shared import forget
from economy.models import AdminRecord
from games.events import personal
from games.events.models import Entrant, Event, Schedule
from games.own_data.deletion import StillNeeded, delete_account
from games.people import activity
from tests.accounts.admin_kit import administrator
from tests.accounts.kit import browser
from tests.games.events.kit import EventKit, cups_of
from tests.games.match_kit import bell_of, new_user

pytestmark = pytest.mark.django_db


def soon(kit: EventKit) -> None:
    """Set the start of an event to three minutes from now, by the real clock."""
    Event.objects.filter(pk=kit.event.pk).update(starts_at=timezone.now() + timedelta(minutes=3))
    kit.now = timezone.now()


def test_the_bell_calls_before_the_start_and_between_stations_but_not_at_a_table() -> None:
    kit = EventKit(2)
    ann, bob = kit.people
    Event.objects.update(starts_at=timezone.now() + timedelta(minutes=20))
    assert bell_of(ann.pk) == []
    soon(kit)
    path = f"/events/{kit.event.public_id}/"
    called = {"title": "Test Train", "url": path, "what": personal.STARTS}
    assert bell_of(ann.pk) == [called]
    kit.start()
    Event.objects.update(starts_at=timezone.now())
    assert bell_of(bob.pk) == [{**called, "what": f"You meet {ann.username}"}]
    kit.pass_time(6)
    assert [need["what"] for need in bell_of(bob.pk)] == ["Throw"]
    kit.play()
    assert bell_of(ann.pk) == []


def test_push_calls_once_and_keeps_quiet_hours(settings: Any) -> None:
    settings.VAPID_PRIVATE_KEY = "a key"
    kit = EventKit(3)
    soon(kit)
    for no, user in enumerate(kit.people):
        PushSubscription.objects.create(
            user=user, endpoint=f"https://push.example/{no}", p256dh="p", auth="a",
            created_at=kit.now,
        )  # fmt: skip
        PushChoice.objects.create(user=user, start=no > 0)
    hour = kit.now.hour
    PushChoice.objects.filter(user=kit.people[2]).update(
        quiet_from=hour, quiet_until=(hour + 2) % 24, time_zone="UTC"
    )
    sent = list[push.Message]()

    def send(_: push.Run, messages: Any) -> list[push.Sent]:
        sent.extend(messages)
        return [push.Sent.TAKEN for _ in messages]

    with mock.patch.object(push.Run, "send", send):
        assert [personal.call_by_push(kit.now) for _ in range(2)] == [1, 0]
    assert [message.browser.user for message in sent] == [kit.people[1]]
    assert sent[0].shown["url"] == f"/events/{kit.event.public_id}/"


def test_the_lobby_names_the_next_event_and_who_is_aboard() -> None:
    assert "event-line" not in Client().get("/").content.decode()
    kit = EventKit(3)
    soon(kit)
    forget()
    activity.forget()
    for client in (Client(), browser(kit.people[0])):
        page = client.get("/").content.decode()
        assert "Test Train" in page
        assert "3 aboard" in page
    Event.objects.update(listed=False)
    forget()
    activity.forget()
    assert "event-line" not in Client().get("/").content.decode()


def test_profiles_show_cups_and_the_export_events() -> None:
    kit = EventKit(4)
    kit.start()
    kit.play()
    winner = kit.row.entrants.get(place=1).user
    assert cups_of(winner.pk) == [("Trains won", "1")]
    assert "Trains won" in Client().get(f"/@{winner.username}/").content.decode()
    assert [row["place"] for row in personal.rows_of(winner)] == [1]
    longest = kit.row.entrants.get(rode_longest=True)
    assert longest.place == 3
    assert cups_of(longest.user_id) == [("Longest rides", "1")]


def test_an_account_in_an_event_is_not_deleted() -> None:
    kit = EventKit(1)
    with pytest.raises(StillNeeded):
        delete_account(user_id=kit.people[0].pk)
    kit.people[0].events.update(is_in=False)
    delete_account(user_id=kit.people[0].pk)
    assert Entrant.objects.count() == 1, "places stay"


def test_the_admin_makes_schedules_and_events_and_calls_off() -> None:
    staff = browser(administrator("boss", "events.add_schedule", "events.change_schedule",
                                  "events.view_schedule", "events.add_event",
                                  "events.change_event", "events.view_event"))  # fmt: skip
    given = {"name": "Sunday", "every": "week", "weekday": 6, "hour": 20, "minute": 0,
             "zone": "Europe/Berlin", "lead": 60, "fill": 0, "is_on": "on"}  # fmt: skip
    for wrong in ({"zone": "Berlin"}, {"hour": 24}, {"weekday": 7}, {"fill": 99}, {"name": ""}):
        assert staff.post("/admin/events/schedule/add/", {**given, **wrong}).status_code == 200
    before = Schedule.objects.count()
    assert staff.post("/admin/events/schedule/add/", given).status_code == 302
    assert Schedule.objects.count() == before + 1
    at = timezone.now() + timedelta(hours=1)
    when = {f"{name}_{part}": text for name in ("starts_at", "opens_at")
            for part, text in ((0, f"{at:%Y-%m-%d}"), (1, f"{at:%H:%M:%S}"))}  # fmt: skip
    event = {"name": "By hand", "fill": 4, "listed": "on", **when}
    assert staff.post("/admin/events/event/add/", event).status_code == 302
    made = Event.objects.get(name="By hand")
    assert made.pledge.game == "event"
    page = staff.get(f"/admin/events/event/{made.pk}/change/").content.decode()
    assert made.pledge.seed not in page
    off = f"/admin/events/event/{made.pk}/call_off"
    staff.post(staff.get(off, follow=True).request["PATH_INFO"], {"reason": "Not enough of us."})
    made.refresh_from_db()
    assert (made.status, made.reason) == ("void", "Not enough of us.")
    assert AdminRecord.objects.filter(action="event_called_off").exists()


def call(client: Client, method: str, **params: Any) -> Any:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer = client.post("/rpc/duel/", json.dumps(body), content_type="application/json")
    return json.loads(answer.content)


def test_programs_list_enter_leave_and_find_their_match() -> None:
    kit = EventKit(for_programs=True)
    programs = [new_user("program") for _ in range(2)]
    User.objects.update(is_program=True)
    Event.objects.update(starts_at=timezone.now() + timedelta(minutes=3))
    clients = [browser(user) for user in programs]
    public_id = kit.event.public_id
    listed = call(clients[0], "list_events")["result"]
    assert [(row["public_id"], row["status"], row["players"]) for row in listed] == [
        (public_id, "announced", 0)
    ]
    for client in clients:
        assert call(client, "enter_event", event_id=public_id)["result"] == {"repeated": False}
    assert call(clients[0], "enter_event", event_id=public_id)["result"] == {"repeated": True}
    assert call(clients[1], "leave_event", event_id=public_id)["result"] == {"repeated": False}
    assert (
        call(clients[1], "leave_event", event_id=public_id)["error"]["data"]["token"] == "not_found"
    )
    call(clients[1], "enter_event", event_id=public_id)
    assert call(clients[0], "my_event_match")["result"] is None
    kit.start()
    kit.pass_time(6)
    place = call(clients[0], "my_event_match")["result"]
    assert kit.meetings[0].match is not None
    assert place["public_id"] == kit.meetings[0].match.public_id
    shown = json.loads(Client().get(f"/api/v1/events/{public_id}").content)
    assert shown["stations"][0][0]["match"] == place["public_id"]
    assert [row["public_id"] for row in json.loads(Client().get("/api/v1/events").content)] == [
        public_id
    ]
    assert Client().get("/api/v1/events/none").status_code == 404
