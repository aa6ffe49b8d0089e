from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.matches.models import Match, Presence, Seat, WebProcess
from games.matches.processing import outage, repair
from games.matches.queries import selectors
from games.realtime import presence
from games.realtime.presence import keep_presence
from tests.games.table_kit import TableKit, new_user

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture(autouse=True)
def _is_not_a_web_process() -> Iterator[None]:
    outage._own.process_id, presence._Written.last = None, (0, {})
    yield
    outage._own.process_id, presence._Written.last = None, (0, {})


def statements(work: Callable[[], object]) -> list[str]:
    with CaptureQueriesContext(connection) as queries:
        work()
    frame = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
    return [q["sql"] for q in queries.captured_queries if not q["sql"].startswith(frame)]


def parts_due(now: Any) -> list[str]:
    """Return which parts of a sweep would find something, in Django's words."""
    found = {
        "outage": outage.lost_processes(now),
        "due": selectors.due_matches(now, limit=1, slow_until=now - selectors.HEAD_START),
        "absent": repair.absent_sitters(now),
        "forgotten": selectors.forgotten_matches(now, limit=1),
    }
    return [name for name, there in found.items() if there]


def pass_by(kit: TableKit, span: timedelta, *, beats: bool = True) -> None:
    kit.now += span
    if beats:
        kit.beat()


STEPS: dict[str, Callable[[TableKit], object]] = {
    "runs": TableKit.start,
    "sits": TableKit.seat_everybody,
    "is silent": lambda kit: pass_by(kit, outage.LOST, beats=False),
    "is due": lambda kit: pass_by(kit, kit.row.wake_at - kit.now),
    "is slow": lambda kit: Match.objects.update(is_slow=True),
    "is late": lambda kit: pass_by(kit, selectors.HEAD_START),
    "stands still": lambda kit: Match.objects.update(stalled_at=kit.now),
    "has no clock": lambda kit: Match.objects.update(wake_at=None),
    "is left": lambda kit: pass_by(kit, selectors.PATIENCE),
    "has a new process": lambda kit: WebProcess.objects.update(
        started_at=kit.now - timedelta(seconds=60)
    ),
    "has no socket": lambda kit: pass_by(kit, repair.ABSENCE),
    "has no process": lambda kit: pass_by(kit, selectors.FRESH, beats=False),
    "is of bots": lambda kit: User.objects.update(is_bot=True),
    "sleeps": lambda kit: Match.objects.update(game="forgotten"),
}
CASES: dict[str, list[str]] = {
    "runs": [],
    "is silent": ["outage"],
    "runs, is due": ["due"],
    "runs, is due, is slow": [],
    "runs, is due, is slow, is late": ["due"],
    "runs, is due, stands still": [],
    "runs, stands still, has no clock, is left": ["forgotten"],
    "runs, stands still, has no clock, is slow, is left": [],
    "runs, stands still, has no clock, is left, has a new process": [],
    "sits, has no clock, has no socket": ["absent"],
    "sits, has no clock, has no socket, has no process": [],
    "sits, has no clock, has no socket, is of bots": [],
    "runs, is due, sleeps": [],
}


@pytest.mark.parametrize("case", CASES)
def test_one_statement_says_whether_a_sweep_would_find_something(case: str) -> None:
    kit = TableKit(new_user(), new_user())
    for step in case.split(", "):
        STEPS[step](kit)
    if case == "runs, is due, is slow":
        assert selectors.due_matches(kit.now) == [kit.match.pk], "the worker's"
    assert parts_due(kit.now) == CASES[case]
    is_untidy = bool({"absent", "forgotten"}.intersection(CASES[case]))
    assert repair.due_check(kit.now)[:2] == (bool(CASES[case]) and not is_untidy, is_untidy)
    assert len(statements(lambda: repair.due_check(kit.now))) == 1


def test_due_matches_are_asked_for_in_one_statement_the_longest_waiting_first() -> None:
    kits = [TableKit(new_user(), new_user()) for _ in range(3)]
    for seconds, kit in zip((2, 1, 3), kits, strict=True):
        at = timezone.now() - timedelta(seconds=seconds)
        Match.objects.filter(pk=kit.match.pk).update(wake_at=at)
    now = timezone.now()
    in_order = [kits[n].match.pk for n in (2, 0, 1)]
    assert selectors.due_matches(now) == in_order
    assert selectors.due_matches(now, limit=2) == in_order[:2]
    assert selectors.due_matches(now - timedelta(seconds=2.5)) == in_order[:1]
    Match.objects.filter(pk=in_order[0]).update(stalled_at=now)
    Match.objects.filter(pk=in_order[1]).update(game="forgotten")
    assert selectors.due_matches(now) == in_order[2:]
    assert len(statements(lambda: selectors.due_matches(now))) == 1


def presence_of(*seats: int, watching: int = 0) -> dict[str, Any]:
    return {"seats": list(seats), "there": [], "watching": watching}


def rows() -> set[tuple[int, str, int]]:
    return set(Presence.objects.values_list("match", "seats", "spectators"))


@pytest.mark.plain
def test_presence_is_written_when_it_changes_and_costs_three_statements_else() -> None:
    one, two, three = (TableKit(new_user(), new_user()).match.pk for _ in range(3))
    outage.open_process()
    keep_presence({one: presence_of(0), two: presence_of(0, 1, watching=4)})
    assert rows() == {(one, "[0]", 0), (two, "[0, 1]", 4)}
    keys = dict(Presence.objects.values_list("match", "pk"))
    here = {two: presence_of(1, watching=4), three: presence_of()}
    keep_presence(here)
    assert rows() == {(two, "[1]", 4), (three, "[]", 0)}
    assert Presence.objects.get(match=two).pk == keys[two]
    calm = statements(lambda: keep_presence(here))
    assert [sql.split()[0] for sql in calm] == ["UPDATE", "SELECT", "SELECT"], calm
    keep_presence({})
    assert (rows(), len(statements(lambda: keep_presence({})))) == (set(), 1)


@pytest.mark.plain
def test_presence_elsewhere_is_that_of_other_processes_which_have_not_ended() -> None:
    one, two = (TableKit(new_user(), new_user()).match.pk for _ in range(2))
    now = timezone.now()
    others = [WebProcess.objects.create(name=f"w{n}", started_at=now, beat_at=now) for n in "abc"]
    WebProcess.objects.filter(pk=others[2].pk).update(closed_at=now)
    for process, seats in zip(others, ("[0]", "[0, 2]", "[1]"), strict=True):
        Presence.objects.create(process=process, match_id=one, seats=seats, spectators=2)
    outage.open_process()
    here = {one: presence_of(3, watching=1), two: presence_of()}
    elsewhere = keep_presence(here)
    assert elsewhere == {one: {"seats": [0, 2], "watching": 4}}
    everywhere = selectors.presences([one, two])
    assert everywhere[one] == {"seats": [0, 2, 3], "watching": 5}


def test_presence_marks_seats_before_the_start_every_ten_seconds_and_then_daily() -> None:
    open_kit, running = (TableKit(new_user(), new_user()) for _ in range(2))
    open_kit.seat_everybody()
    running.start()
    here = {kit.match.pk: presence_of(0) for kit in (open_kit, running)}
    outage.open_process()

    def seen_after(age: timedelta) -> set[tuple[int, int]]:
        before = timezone.now() - age
        Seat.objects.update(seen_at=before)
        keep_presence(here)
        marked = Seat.objects.exclude(seen_at=before).values_list("match", "no")
        return set(marked)

    assert seen_after(timedelta(seconds=9)) == set()
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    if timezone.now() - midnight > timedelta(seconds=60):
        assert seen_after(timedelta(seconds=11)) == {(open_kit.match.pk, 0)}
    assert seen_after(timedelta(days=1)) == {(kit.match.pk, 0) for kit in (open_kit, running)}
