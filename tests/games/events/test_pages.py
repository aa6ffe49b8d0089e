"""Source: docs/explanation/events.md."""

import html
import importlib.util
import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.events import queries, services, views
from games.events.models import Event
from games.proofs.commitments import sequence
from games.realtime import runtime
from tests.accounts.kit import browser
from tests.architecture.code import ROOT
from tests.games.events.kit import EventKit, cups_of
from tests.games.match_kit import new_user
from tests.js.test_verifiers import said_of

pytestmark = pytest.mark.django_db


def told(path: str, user: User | None = None) -> str:
    response = (browser(user) if user else Client()).get(path)
    assert response.status_code == 200, path
    main = response.content.decode().split("<main", 1)[1].split("</main>", 1)[0]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main)).split())


def page(kit: EventKit, user: User | None = None) -> str:
    return told(f"/events/{kit.event.public_id}/", user)


def verify(proof: dict[str, Any]) -> list[str]:
    """Check a proof by the program that visitors download."""
    spec = importlib.util.spec_from_file_location("verify", ROOT / "static/proof/verify.py")
    assert spec is not None
    assert spec.loader is not None
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    try:
        return list(program.verify(proof))
    except program.Wrong as wrong:
        return [f"WRONG {wrong}"]


@pytest.mark.plain
@pytest.mark.both_databases
def test_an_event_is_registered_for_followed_and_over_on_its_page() -> None:
    kit = EventKit(4)
    ann, guest = kit.people[0], new_user("late")
    path = f"/events/{kit.event.public_id}/"
    Event.objects.update(starts_at=timezone.now() + timedelta(minutes=5))
    assert "Test Train" in told("/events/")
    assert "Sign up to play" in page(kit)
    assert "You are aboard" in page(kit, ann)
    late = browser(guest)
    assert "Register" in page(kit, guest)
    late.post(f"{path}enter/")
    assert "5 aboard" in page(kit, guest)
    late.post(f"{path}withdraw/")
    assert "4 aboard" in page(kit, guest)
    kit.now = kit.row.starts_at - timedelta(seconds=1)
    kit.start()
    first = kit.meetings[0]
    assert first.first is not None
    assert first.second is not None
    one, two = first.first.user, first.second.user
    assert f"You meet {two.username} in a few seconds" in page(kit, one)
    kit.pass_time(6)
    first = kit.meetings[0]
    assert first.match is not None
    shown = browser(one).get(path).content.decode()
    assert f'data-enter="/duels/{first.match.public_id}/"' in shown
    assert "Go to your table" in page(kit, one)
    kit.win(first.match, 0)
    kit.step()
    assert "You go on" in page(kit, one)
    assert f"You ride in the train of {one.username} , with 1 aboard" in page(kit, two)
    kit.play()
    over = page(kit, two)
    assert "Winner" in over
    assert "Places" in over
    home = browser(one).get(f"/duels/{first.match.public_id}/").context["table_config"]["home"]
    assert (home["title"], home["url"]) == ("Test Train", path)
    assert (home["won"], home["lost"]) == queries.ON_THE_WAY
    card = Client().get(f"{path}card.jpg")
    assert (card.status_code, card["Content-Type"]) == (200, "image/jpeg")
    assert f"won {kit.event.name}" in Client().get(path).content.decode()


def test_a_page_that_is_read_while_the_next_station_is_drawn_shows_those_that_it_knows() -> None:
    kit = EventKit(4)
    kit.start()
    kit.pass_time(6)
    before = kit.row
    for meeting in kit.meetings:
        assert meeting.match is not None
        kit.win(meeting.match, 0)
    kit.step()
    assert (before.station, kit.row.station) == (1, 2)
    shown = queries.shown(before, kit.people[0], kit.now)
    assert [station["no"] for station in shown["stations"]] == [1]


def test_who_rides_sees_who_plays_now_and_the_etag_changes_with_what_the_page_shows() -> None:
    kit = EventKit(4)
    kit.start()
    kit.pass_time(6)
    etags = {queries.etag(kit.row, None)}
    for meeting in kit.meetings:
        assert meeting.match is not None
        kit.win(meeting.match, 0)
        kit.step()
        etags.add(queries.etag(kit.row, None))
    kit.pass_time(6)
    etags.add(queries.etag(kit.row, None))
    assert len(etags) >= 4
    (final,) = kit.meetings
    assert final.first is not None
    loser = kit.row.entrants.get(is_in=False, pk__in=[
        m.second_id for m in kit.row.meetings.filter(station=1, winner=final.first)
    ])  # fmt: skip
    assert f"{final.first.user.username} plays now: watch" in page(kit, loser.user)


def test_the_proof_is_shown_after_the_end_and_verifiers_find_what_was_changed(
    tmp_path: Path,
) -> None:
    kit = EventKit(7)
    sequence(kit.now, is_whole=True)
    path = f"/events/{kit.event.public_id}/proof.json"
    kit.start()
    assert Client().get(path).status_code == 404
    kit.pass_time(6)
    lost, drawn = kit.meetings[:2]
    assert drawn.match is not None
    for seat in (0, 1):
        kit.throw(drawn.match, seat, "rock")
    kit.pass_time(95)
    kit.play(lambda meeting: meeting.no % 2)
    proof = json.loads(Client().get(path).content)
    assert {pair["how"] for pair in proof["stations"][0]} == {"absent", "draw", "free"}
    assert lost.match is not None
    assert len(verify(proof)) == 2
    assert not any(said.startswith("WRONG") for said in verify(proof))
    offered = f"/proof/?match=/events/{kit.event.public_id}/"
    assert offered in Client().get(f"/events/{kit.event.public_id}/").content.decode()
    station, (first, second, *_) = proof["stations"][0], proof["names"]
    drawn_no = next(no for no, pair in enumerate(station) if pair["how"] == "draw")
    other_one = {station[drawn_no][side] for side in ("first", "second")} - {
        station[drawn_no]["winner"]
    }
    others = [
        {**proof, "seed": "00" * 32},
        {**proof, "names": [first, [99, "somebody"], *proof["names"][2:]]},
        {**proof, "starts_at": 0},
        {**proof, "stations": [station[::-1], *proof["stations"][1:]]},
        {**proof, "stations": [[{**pair, "winner": None} for pair in station]]},
        {**proof, "stations": [[*station[:-1], {**station[-1], "winner": None}]]},
        {**proof, "stations": [[
            {**pair, "winner": min(other_one)} if pair["how"] == "draw" else pair
            for pair in station
        ]]},
        {**proof, "format": 2},
        {**proof, "public_id": "x" * 22},
    ]  # fmt: skip
    assert second[0] == 2
    assert [verify(other)[-1][:5] for other in others] == ["WRONG"] * len(others)
    assert said_of("browser_verifier", [proof], tmp_path) == [None]
    assert None not in said_of("browser_verifier", others, tmp_path)


def test_finished_events_are_found_page_by_page_and_friends_find_theirs() -> None:
    kits = [EventKit(2), EventKit(2), EventKit(2, listed=False)]
    for no, kit in enumerate(kits):
        Event.objects.filter(pk=kit.event.pk).update(name=f"Train {no}")
        kit.start()
        kit.play()
    guest, friend = Client(), kits[2].people[0]
    with mock.patch.object(views, "A_PAGE", 1):
        first, second = (told(f"/events/finished/?page={page}") for page in (1, 2))
        assert ("Train 1" in first, "Older events" in first) == (True, True)
        assert ("Train 0" in second, "Newer events" in second) == (True, True)
        assert "Train 0" in told("/events/finished/?page=99")
    assert "Train 2" not in told("/events/finished/")
    assert "Train 2" in told("/events/finished/", friend)
    assert "Finished" in told("/events/")
    assert guest.get("/events/finished/?page=x").status_code == 200


def test_an_event_for_friends_is_in_no_list_and_bad_numbers_are_told(settings: Any) -> None:
    user = new_user()
    client = browser(user)
    for wrong in ({"minutes": "0"}, {"fill": "17"}, {"name": "x"}, {"minutes": "many"}):
        given = {"name": "Our Train", "minutes": "5", "fill": "4", **wrong}
        assert client.post("/events/new/", given).status_code == 200
    assert not Event.objects.filter(founder=user).exists()
    response = client.post("/events/new/", {"name": "Our Train", "minutes": "5", "fill": "4"})
    event = Event.objects.get(founder=user)
    assert response["Location"] == f"/events/{event.public_id}/"
    settings.DEAL_AFTER_LOG = True
    assert event.entrants.get().user == user, "its founder is aboard"
    browser(new_user()).post(f"/events/{event.public_id}/enter/")
    assert event.entrants.count() == 2, "its commitment is in the log at once"
    client.post(f"/events/{event.public_id}/withdraw/")
    client.post(f"/events/{event.public_id}/enter/")
    assert event.entrants.count() == 2
    assert "Our Train" not in told("/events/")
    assert "Our Train" in told("/events/", user), "who is aboard finds it"
    again = client.post("/events/new/", {"name": "Another", "minutes": "5", "fill": "4"})
    assert "still to come" in again.content.decode()
    assert Client().get("/events/none/").status_code == 404


def test_cups_count_trains_with_two_people_or_more() -> None:
    kit = EventKit(2, fill=4)
    kit.start()
    kit.play()
    alone = EventKit(fill=2)
    winner = kit.row.entrants.get(place=1).user
    if not winner.is_bot:
        alone.people = [alone.enter(winner)]
        alone.start()
        alone.play()
    assert dict(cups_of(winner.pk))["Trains won"] == "1"
    assert runtime.current() is None
    services.forget_empty(kit.now + timedelta(days=30))
    assert kit.row.status == "over", "what people played stays"
