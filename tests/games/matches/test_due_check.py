"""The check beside the batch writer: few statements that say what many of Django's do."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

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
    """Return the statements of some work, without what begins and ends a transaction."""
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


def nothing(kit: TableKit) -> None:
    kit.start()


def a_process_without_a_word(kit: TableKit) -> None:
    kit.now += outage.LOST


def a_clock_that_has_passed(kit: TableKit) -> None:
    kit.start()
    kit.now = kit.row.wake_at or kit.now
    kit.beat()


def a_slow_clock_that_has_passed(kit: TableKit) -> None:
    a_clock_that_has_passed(kit)
    Match.objects.update(is_slow=True)
    # The worker's.
    assert selectors.due_matches(kit.now) == [kit.match.pk]


def a_slow_clock_of_which_no_worker_knows(kit: TableKit) -> None:
    a_slow_clock_that_has_passed(kit)
    kit.now += selectors.HEAD_START
    kit.beat()


def a_clock_that_stands_still(kit: TableKit) -> None:
    a_clock_that_has_passed(kit)
    Match.objects.update(stalled_at=kit.now)


def nobody_back(kit: TableKit, **changes: Any) -> None:
    kit.start()
    Match.objects.update(stalled_at=kit.now, wake_at=None, **changes)
    kit.now += selectors.PATIENCE
    kit.beat()


def nobody_back_to_a_slow_match(kit: TableKit) -> None:
    nobody_back(kit, is_slow=True)


def nobody_back_because_no_process_is_old_enough(kit: TableKit) -> None:
    nobody_back(kit)
    WebProcess.objects.update(started_at=kit.now - timedelta(seconds=60))


def a_seat_without_a_socket(kit: TableKit) -> None:
    kit.seat_everybody()
    Match.objects.update(wake_at=None)
    kit.now += repair.ABSENCE
    kit.beat()


def a_seat_without_a_socket_while_no_process_is_alive(kit: TableKit) -> None:
    a_seat_without_a_socket(kit)
    kit.now += selectors.FRESH


def only_a_bot_without_a_socket(kit: TableKit) -> None:
    a_seat_without_a_socket(kit)
    Seat.objects.update(seen_at=kit.now)
    for user in kit.people:
        user.is_bot = True
        user.save()
    Seat.objects.update(seen_at=kit.now - repair.ABSENCE)


def a_game_that_sleeps(kit: TableKit) -> None:
    a_clock_that_has_passed(kit)
    Match.objects.update(game="forgotten")


CASES: dict[Callable[[TableKit], None], list[str]] = {
    nothing: [],
    a_process_without_a_word: ["outage"],
    a_clock_that_has_passed: ["due"],
    a_slow_clock_that_has_passed: [],
    a_slow_clock_of_which_no_worker_knows: ["due"],
    a_clock_that_stands_still: [],
    nobody_back: ["forgotten"],
    nobody_back_to_a_slow_match: [],
    nobody_back_because_no_process_is_old_enough: [],
    a_seat_without_a_socket: ["absent"],
    a_seat_without_a_socket_while_no_process_is_alive: [],
    only_a_bot_without_a_socket: [],
    a_game_that_sleeps: [],
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_one_statement_says_whether_a_sweep_would_find_something(case) -> None:
    kit = TableKit(new_user(), new_user())
    case(kit)
    assert parts_due(kit.now) == CASES[case]
    assert repair.due_check(kit.now).is_anything_due is bool(CASES[case])
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
    """Return who looks at a match."""
    return {"seats": list(seats), "there": [], "watching": watching}


def rows() -> set[tuple[int, str, int]]:
    """Return what is stored of who is where."""
    return set(Presence.objects.values_list("match", "seats", "spectators"))


@pytest.mark.plain
def test_presence_is_written_when_it_changes_and_costs_three_statements_else() -> None:
    one, two, three = (TableKit(new_user(), new_user()).match.pk for _ in range(3))
    outage._own.process_id = None
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
    assert rows() == set()
    assert len(statements(lambda: keep_presence({}))) == 1


@pytest.mark.plain
def test_presence_elsewhere_is_that_of_other_processes_which_have_not_ended() -> None:
    one, two = (TableKit(new_user(), new_user()).match.pk for _ in range(2))
    now = timezone.now()
    others = [WebProcess.objects.create(name=f"w{n}", started_at=now, beat_at=now) for n in "abc"]
    WebProcess.objects.filter(pk=others[2].pk).update(closed_at=now)
    for process, seats in zip(others, ("[0]", "[0, 2]", "[1]"), strict=True):
        Presence.objects.create(process=process, match_id=one, seats=seats, spectators=2)
    outage._own.process_id = None
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
    outage._own.process_id = None
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
