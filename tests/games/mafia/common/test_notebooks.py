"""Notes and marks of reading: kept with the account, for one match, read by nobody else.

Source: docs/explanation/agora.md "The pages".
"""

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


def on_the_page(kit: AnyTownKit, user: Any) -> Any:
    page = browser(user).get(reverse("mafia_game", args=[kit.match.public_id]))
    return page.context["table_config"]["notebook"]


def test_notebook_is_there_again_on_another_device_and_for_nobody_else(kit: AnyTownKit) -> None:
    ann, bob = kit.people[:2]
    assert on_the_page(kit, ann) == {"notes": "", "read_to": {}, "no": 0}
    assert keep(kit, ann, no=1, notes="bob looked away").json() == {"no": 1, "is_kept": True}
    assert keep(kit, ann, no=2, read_to={"town": 7}).json()["is_kept"]
    kept = {"notes": "bob looked away", "read_to": {"town": 7}, "no": 2}
    assert on_the_page(kit, ann) == kept
    assert on_the_page(kit, bob) == {"notes": "", "read_to": {}, "no": 0}
    assert on_the_page(kit, None) is None
    other = browser(bob).get(reverse("mafia_game", args=[kit.match.public_id])).content.decode()
    assert "looked away" not in other
    assert on_the_page(town_of(kit.game, 5, phase_seconds=600), new_user()) == {
        "notes": "", "read_to": {}, "no": 0,
    }  # fmt: skip


@pytest.mark.plain
def test_notebook_the_last_change_wins_and_an_older_one_is_none(kit: AnyTownKit) -> None:
    ann = kit.people[0]
    keep(kit, ann, no=3, notes="later")
    late = keep(kit, ann, no=3, notes="earlier")
    assert late.json() == {"no": 3, "is_kept": False}
    assert notebook_of(kit.match, ann)["notes"] == "later"
    assert keep(kit, ann, no=4, notes="").json()["is_kept"]
    assert notebook_of(kit.match, ann)["notes"] == ""


@pytest.mark.plain
def test_notebook_a_mark_never_goes_back(kit: AnyTownKit) -> None:
    ann = kit.people[0]
    keep(kit, ann, no=1, read_to={"town": 7, "mafia": 1})
    keep(kit, ann, no=2, read_to={"town": 5, "dead": 2})
    assert notebook_of(kit.match, ann)["read_to"] == {"town": 7, "mafia": 1, "dead": 2}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"no": 1, "notes": "🂡" * 10_000}, 200),
        ({"no": 1, "notes": "x" * 10_001}, 409),
        ({"no": 0, "notes": "x"}, 409),
        ({"no": True, "notes": "x"}, 409),
        ({"notes": "x"}, 409),
        ({"no": 1, "read_to": {"town": -1}}, 409),
        ({"no": 1, "read_to": {"town": 1.5}}, 409),
        ({"no": 1, "read_to": {str(no): 1 for no in range(9)}}, 409),
        ({"no": 1, "read_to": {"x" * 21: 1}}, 409),
        ({"no": 1, "seat": 7}, 409),
        ({"no": 1, "notes": "x" * 70_000}, 413),
    ],
    ids=lambda value: value if isinstance(value, int) else "",
)
def test_notebook_takes_what_is_well_formed(kit: AnyTownKit, body: Any, status: int) -> None:
    assert keep(kit, kit.people[0], **body).status_code == status
    assert Notebook.objects.count() == (status == 200)


def test_notebook_needs_a_log_in_and_a_match_that_one_may_watch(kit: AnyTownKit) -> None:
    assert keep(kit, None, no=1, notes="x").status_code == 401
    closed = town_of(kit.game, 5, phase_seconds=600, spectators=False)
    assert keep(closed, new_user(), no=1, notes="x").status_code == 404


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
    pages = [
        browser(user).get(reverse("mafia_game", args=[kit.match.public_id])).context["table_config"]
        for user in (spectator, left, kit.people[0], None)
    ]
    assert [page["keeps_notes"] for page in pages] == [False, True, True, False]


@pytest.mark.plain
def test_notebook_goes_with_its_owner(kit: AnyTownKit) -> None:
    ann = kit.people[0]
    keep(kit, ann, no=1, notes="x")
    assert Notebook.objects.get().user == ann
    assert Notebook._meta.get_field("user").remote_field.on_delete.__name__ == "CASCADE"
    assert "x" not in repr(Notebook.objects.get()).replace("Notebook", "")


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
