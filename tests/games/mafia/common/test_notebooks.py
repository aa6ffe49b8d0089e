import json
from typing import Any

import pytest
from django.urls import reverse

from games.matches.models import Notebook, Replaced
from games.posts.notebooks import notebook_of, write_notebook
from tests.accounts.kit import browser
from tests.at_once import all_at_once
from tests.games.mafia.common.kit import GAMES, AnyTownKit, town_of
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db


@pytest.fixture(params=GAMES)
def kit(request: pytest.FixtureRequest) -> AnyTownKit:
    kit: AnyTownKit = town_of(request.param, 5, phase_seconds=600)
    return kit


def keep(kit: AnyTownKit, user: Any, **body: Any) -> Any:
    url = reverse("mafia_notebook", args=[kit.match.public_id])
    text = json.dumps(body, ensure_ascii=False).encode()
    return browser(user).post(url, text, content_type="application/json")


def page_of(kit: AnyTownKit, user: Any) -> Any:
    return browser(user).get(reverse("mafia_game", args=[kit.match.public_id]))


def on_the_page(kit: AnyTownKit, user: Any) -> Any:
    return page_of(kit, user).context["table_config"]["notebook"]


def test_notebook_is_there_again_on_another_device_and_for_nobody_else(kit: AnyTownKit) -> None:
    ann, bob = kit.people[:2]
    empty = {"notes": "", "read_to": {}, "no": 0}
    assert on_the_page(kit, ann) == empty
    assert keep(kit, ann, no=1, notes="bob looked away").json() == {"no": 1, "is_kept": True}
    assert keep(kit, ann, no=2, read_to={"town": 7}).json()["is_kept"]
    kept = {"notes": "bob looked away", "read_to": {"town": 7}, "no": 2}
    assert (on_the_page(kit, ann), on_the_page(kit, bob)) == (kept, empty)
    assert on_the_page(kit, None) is None
    assert "looked away" not in page_of(kit, bob).content.decode()
    assert on_the_page(town_of(kit.game, 5, phase_seconds=600), new_user()) == empty


@pytest.mark.plain
def test_notebook_the_last_change_wins_and_a_mark_never_goes_back(kit: AnyTownKit) -> None:
    ann = kit.people[0]
    keep(kit, ann, no=3, notes="later", read_to={"town": 7, "mafia": 1})
    assert keep(kit, ann, no=3, notes="earlier").json() == {"no": 3, "is_kept": False}
    assert notebook_of(kit.match, ann)["notes"] == "later"
    assert Notebook.objects.get().user == ann
    assert Notebook._meta.get_field("user").remote_field.on_delete.__name__ == "CASCADE"
    assert "later" not in repr(Notebook.objects.get())
    assert keep(kit, ann, no=4, notes="").json()["is_kept"]
    assert notebook_of(kit.match, ann)["notes"] == ""
    keep(kit, ann, no=5, read_to={"town": 5, "dead": 2})
    assert notebook_of(kit.match, ann)["read_to"] == {"town": 7, "mafia": 1, "dead": 2}


def test_notebook_takes_what_is_well_formed_of_who_may_watch(kit: AnyTownKit) -> None:
    ann = kit.people[0]
    for status, body in (
        (409, {"no": 1, "notes": "x" * 10_001}),
        (409, {"no": 0, "notes": "x"}),
        (409, {"no": True, "notes": "x"}),
        (409, {"notes": "x"}),
        (409, {"no": 1, "read_to": {"town": -1}}),
        (409, {"no": 1, "read_to": {"town": 1.5}}),
        (409, {"no": 1, "read_to": {str(no): 1 for no in range(9)}}),
        (409, {"no": 1, "read_to": {"x" * 21: 1}}),
        (409, {"no": 1, "seat": 7}),
        (413, {"no": 1, "notes": "x" * 70_000}),
    ):
        assert keep(kit, ann, **body).status_code == status, str(body)[:80]
    assert keep(kit, None, no=1, notes="x").status_code == 401
    closed = town_of(kit.game, 5, phase_seconds=600, spectators=False)
    assert keep(closed, new_user(), no=1, notes="x").status_code == 404
    assert not Notebook.objects.exists()
    assert keep(kit, ann, no=1, notes="🂡" * 10_000).status_code == 200
    assert Notebook.objects.count() == 1


@pytest.mark.breaks_ledger
def test_hostile_82_notes_are_for_players_and_read_marks_for_everybody(kit: AnyTownKit) -> None:
    spectator, left = new_user(), new_user()
    Replaced.objects.create(match=kit.match, user=left, no=0, entry_no=1, at=kit.now)
    refused = keep(kit, spectator, no=1, notes="x" * 10_000)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "action/not_seated")
    assert keep(kit, spectator, no=1, notes="").status_code == 409
    assert not Notebook.objects.exists()
    assert keep(kit, spectator, no=1, read_to={"town": 3}).json()["is_kept"]
    assert keep(kit, left, no=1, notes="it was bob").json()["is_kept"]
    pages = [page_of(kit, user) for user in (spectator, left, kit.people[0], None)]
    keeps = [page.context["table_config"]["keeps_notes"] for page in pages]
    assert keeps == [False, True, True, False]


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_notebook_of_two_windows_at_once_is_one(kit: AnyTownKit) -> None:
    ann = kit.people[0]
    writes = [
        lambda no=no: write_notebook(kit.match, ann, no, f"window {no}", {"town": no})
        for no in (1, 2, 3, 4)
    ]
    all_at_once(writes)
    book = Notebook.objects.get()
    assert (book.no, book.notes) == (4, "window 4")
