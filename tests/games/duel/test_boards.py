"""The boards of long duels: who stands on them, with what figures, and in what order."""

from collections.abc import Mapping
from itertools import count, permutations
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Device, User
from games.duel import boards
from games.duel.boards import Against, counted
from games.duel.dossier import choose
from games.duel.reading import VERSION, edge
from games.duel.rules.state import LONG
from games.duel.tasks import keep_boards
from games.engine.structs import canonical
from games.matches.models import DuelFigures, Match, Seat
from tests.games.duel.kit import DuelKit
from tests.games.match_kit import new_user
from tests.games.matches.test_views import browser

_no = count(1)


def against(**throws: int) -> Mapping[int, Against]:
    return {no: Against(throws=each) for no, each in enumerate(throws.values())}


def test_nobody_gives_more_than_a_fifth_of_what_counts() -> None:
    assert counted({}) is None
    assert counted(against(a=90, b=90, c=90, d=90)) is None  # four are too few
    assert counted(against(a=60, b=60, c=60, d=60, e=59)) is None
    even = counted(against(a=60, b=60, c=60, d=60, e=60))
    assert even is not None
    assert even.throws == 300
    # A thousand of one count as a fifth: 5 L = L + 500.
    much = counted(against(a=1_000, b=100, c=100, d=100, e=100, f=100))
    assert much is not None
    assert much.throws == pytest.approx(625)
    found = counted({no: Against(100, 10 * no, 5, 40, 20) for no in range(5)})
    assert found == Against(500, 100, 25, 200, 100)


def played(first: User, second: User, wins: tuple[int, int], read: Any, mark: str = "long") -> None:
    """Store a finished duel; ``read`` are (throws, won, lost) of the reader against each."""
    match = Match.objects.create(
        game="duel", rules_version=2, title="A long one", status="over", origin="{}", table="",
        summary=canonical({"wins": wins}), seed="5a" * 32, seed_commitment=f"{next(_no):064x}",
        at_ms=0, opened_at=timezone.now(), ended_at=timezone.now(), mark=mark,
    )  # fmt: skip
    month = timezone.now().date().replace(day=1)
    for no, (user, figures) in enumerate(zip((first, second), read, strict=True)):
        Seat.objects.create(match=match, no=no, user=user, seen_at=timezone.now())
        throws, won, lost = figures
        DuelFigures.objects.create(
            match=match, user=user, month=month, throws=throws, won=won, lost=lost, version=VERSION
        )


def company(people: list[User], throws: int = 40, **more: Any) -> None:
    """Store two duels of each pair; the first is read least and wins most."""
    for first, second in permutations(people, 2):
        order = people.index(first), people.index(second)
        read = [(throws, 10 + 2 * no, 12) for no in order]
        played(first, second, (11, 5) if order[0] < order[1] else (5, 11), read, **more)


def told() -> dict[str, list[str]]:
    found = kept()
    return {key: [row["name"] for row in found[key]] for key in ("hardest", "best")}


def kept() -> dict[str, list[dict[str, Any]]]:
    keep_boards()
    return boards._shown()


def showing(number: int) -> list[User]:
    people = [new_user() for _ in range(number)]
    for each in people:
        choose(each.pk, shows=True)
    return people


@pytest.mark.breaks_ledger  # the stored duels have no journals
@pytest.mark.django_db
@pytest.mark.both_databases
@pytest.mark.plain
def test_boards_have_those_with_enough_throws_against_enough_people() -> None:
    people = showing(6)
    company(people)
    names = [each.username for each in people]
    assert told() == {"hardest": names, "best": names}
    first = kept()["hardest"][0]
    # Five others, two duels each, 40 throws a duel.
    figures = {"user_id": people[0].pk, "name": names[0], "place": 1, "throws": 400, "people": 5}
    read, own = edge(400, 100, 120), edge(400, 110, 50)
    assert read
    assert own
    assert first == {**figures, "edge": read._asdict()}
    assert kept()["best"][0] == {**figures, "edge": own._asdict()}


@pytest.mark.breaks_ledger  # the stored duels have no journals
@pytest.mark.django_db
def test_a_farm_of_five_accounts_gets_nobody_onto_a_board() -> None:
    farm = showing(5)
    for _ in range(30):
        company(farm[:2])
    assert told() == {"hardest": [], "best": []}, "two who feed each other"
    for _ in range(3):
        company(farm)
    assert told() == {"hardest": [], "best": []}
    # Nor with a sixth from the same device.
    sixth = showing(1)
    company([*sixth, *farm])
    assert len(told()["best"]) == 6
    for each in (farm[0], *sixth):
        now = timezone.now()
        Device.objects.create(user=each, hash="ab" * 32, first_seen=now, last_seen=now)
    assert sixth[0].username not in told()["best"]


@pytest.mark.breaks_ledger  # the stored duels have no journals
@pytest.mark.django_db
def test_boards_leave_out_the_shy_the_banned_quick_duels_and_stale_figures() -> None:
    people = showing(7)
    company(people[:6])
    choose(people[0].pk, shows=False)
    User.objects.filter(pk=people[1].pk).update(is_active=False)
    company(people[1:7], mark="quick")
    names = [each.username for each in people]
    assert told()["hardest"] == names[2:6]
    # At once, not when the worker comes by.
    choose(people[3].pk, shows=False)
    User.objects.filter(pk=people[4].pk).update(is_active=False)
    shown = boards._shown()["hardest"]
    assert [(row["name"], row["place"]) for row in shown] == [(names[2], 1), (names[5], 2)]
    DuelFigures.objects.filter(user=people[2].pk).update(version=0)
    assert people[2].username not in told()["hardest"]


@pytest.mark.django_db
def test_a_real_long_duel_counts_and_the_page_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "FEWEST_THROWS", 10)
    monkeypatch.setattr(boards, "FEWEST_PEOPLE", 1)
    ann, bob = showing(2)
    for _ in range(3):
        kit = DuelKit(ann, bob, **LONG)
        kit.start()
        while kit.row.status == Match.Status.RUNNING:
            kit.throw("rock", "scissors")
    found = kept()["best"]
    assert [(row["name"], row["throws"], row["edge"]["value"]) for row in found] == [
        (ann.username, 33, 100),
        (bob.username, 33, -100),
    ]
    page = browser(None).get("/duels/boards/").content.decode()
    assert ann.username in page
    assert "Hardest to read" in page
