"""Awards: in rated games alone, up to a day's limit, once.  Source: docs/rules/agora.md."""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from economy.audit import find_recent_violations, find_violations
from economy.ledger import Plan, mint, post, wallet
from economy.models import Setting, Transfer
from economy.selectors import balance_of
from economy.transfers import TransferCode
from economy.units import Unit
from games.engine.facts import Told
from games.mafia.agora.rules.roles import Role
from games.mafia.common.rules.facts import AwardEarned
from games.matches.journal.replay import replay_match
from games.matches.journal.snapshots import seating_of
from games.matches.models import Match, Seat
from games.matches.models.archives import JOURNAL_GUARDS
from games.matches.processing import writing
from games.matches.processing.bots import ensure_bots
from games.standings import awards
from tests.at_once import all_at_once
from tests.economy.kit import move
from tests.forms import form
from tests.games.journal_kit import facts_of
from tests.games.mafia.agora.kit import TownKit
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db

#: A Wednesday.
NOON = datetime(2027, 3, 3, 12, tzinfo=UTC)
DAY = timedelta(days=1)
AWARD = TransferCode.GAME_AWARD
#: The shortest phase of a rated game, in seconds.
RATED = 600


def set_number(name: str, value: int) -> None:
    Setting.objects.update_or_create(name=name, defaults={"value": value})


def people(count: int = 5) -> list[Any]:
    return [new_user(f"a{no}x") for no in range(count)]


def begun(
    who: list[Any], bots: int = 0, at: Any = None, is_night: bool = False, **options: Any
) -> TownKit:
    """Return a town, opened at a time, on its first day, nobody killed in the night."""
    options = {"seats": len(who) + bots, "phase_seconds": RATED, **options}
    age = 0.0 if at is None else (timezone.now() - at).total_seconds()
    kit = TownKit(*who, age=age, **options)
    kit.seat_everybody(0)
    for _ in range(bots):
        kit.act(who[0], kind="add_bot")
    for user in who:
        kit.act(user, kind="ready", configuration=kit.row_revision)
    kit.pass_time(5)
    if not is_night:
        kit.run_out()
    assert kit.view()["game"]["stage"] == ("night" if is_night else "day")
    return kit


def mafioso_of(kit: TownKit) -> int:
    return next(citizen.no for citizen in kit.play.citizens if citizen.role == Role.MAFIOSO)


def won(who: list[Any], **how: Any) -> TownKit:
    """Return a town that the town has won on its first day; of five, each earns 15 + 15i."""
    kit = begun(who, **how)
    kit.lynch_the_mafioso()
    assert kit.row.status == Match.Status.OVER
    return kit


def awarded() -> Counter[tuple[str, str]]:
    """Return (owner, unit) -> what the ledger says was awarded."""
    found: Counter[tuple[str, str]] = Counter()
    rows = Transfer.objects.filter(code="GAME_AWARD")
    for owner, unit, amount in rows.values_list("credit__owner", "unit", "amount"):
        found[owner, unit] += amount
    return found


def points_of(user: Any) -> tuple[int, int]:
    owner, found = f"user:{user.pk}", awarded()
    return found[owner, "POINT"], found[owner, "Y_POINT"]


@pytest.fixture
def winners() -> list[Any]:
    return people(4)


def told(kit: TownKit, kind: str) -> list[Any]:
    return [dict(fact.data) for fact in facts_of(kit.row, kind)]


def last_line(kit: TownKit) -> str:
    return str(kit.view()["log"][-1]["text"])


def paid_in(kit: TownKit) -> list[list[int]]:
    """Return the awards that were paid: seat, x, y, and what was kept of either."""
    return [row for fact in told(kit, "awards_paid") for row in fact["awards"]]


@pytest.mark.both_databases
def test_award_winners_of_a_rated_game_are_paid_both_axes_as_it_ends() -> None:
    kit = won(people())
    loser = kit.people[mafioso_of(kit)]
    for user in kit.people:
        expected = (0, 0) if user is loser else (15, 15)
        assert (points_of(user), balance_of(user.pk)) == (expected, 100 + expected[0])
        assert balance_of(user.pk, Unit.Y_POINT) == expected[1]
    assert kit.row.is_rated
    assert {tuple(seat["award"]) for seat in kit.view()["seats"]} == {(0, 0), (15, 15)}
    (paid,) = told(kit, "awards_paid")
    winners = [no for no, user in enumerate(kit.people) if user is not loser]
    awards = [[no, 15, 15, 0, 0] for no in winners]
    assert paid == {"awards": awards, "daily_limit": 60, "is_halved": False}
    assert told(kit, "awards_withheld") == []
    assert "Awarded 15 + 15i: " in last_line(kit)
    assert Transfer.objects.filter(code="GAME_AWARD").values("at").distinct().count() == 1
    assert replay_match(kit.row).is_same


@pytest.mark.parametrize(
    ("humans", "bots", "seconds"), [(5, 0, RATED - 1), (4, 1, RATED), (4, 2, 86_400)], ids=str
)
def test_award_an_unrated_game_pays_nothing(humans: int, bots: int, seconds: int) -> None:
    ensure_bots()
    kit = begun(people(humans), bots=bots, phase_seconds=seconds)
    # With two bots at most one side is gone before all people are.
    all_leave(kit, range(humans))
    assert not kit.row.is_rated
    assert (awarded(), told(kit, "awards_paid")) == (Counter(), [])
    (withheld,) = told(kit, "awards_withheld")
    assert withheld["reason"] == "unrated"
    assert withheld["seats"] == [fact["seat"] for fact in told(kit, "award_earned")]
    assert "not rated" in last_line(kit)
    assert {tuple(seat["award"]) for seat in kit.view()["seats"]} == {(0, 0)}


def all_leave(kit: TownKit, seats: Iterable[int]) -> None:
    """End a game: all who live on these seats leave until it is over."""
    for user in (kit.people[no] for no in seats):
        if kit.row.status != Match.Status.OVER and user in kit.alive:
            kit.act(user, kind="leave")
    assert kit.row.status == Match.Status.OVER


def test_award_bots_of_a_rated_game_are_paid_nothing() -> None:
    ensure_bots()
    kit = begun(people(5), bots=1)
    assert kit.row.is_rated
    mafia = [citizen.no for citizen in kit.play.mafia]
    bot = next(seat.no for seat in kit.row.seats.all() if seat.user.is_bot)
    # All members of the mafia leave, or all others do: one side is gone.
    all_leave(kit, [no for no in range(5) if (no in mafia) == (bot not in mafia)])
    assert bot in [fact["seat"] for fact in told(kit, "award_earned")]
    assert told(kit, "awards_withheld") == [{"seats": [bot], "reason": "bot"}]
    paid = {no for no, *_ in paid_in(kit)}
    assert paid == {fact["seat"] for fact in told(kit, "award_earned")} - {bot}


def test_award_whoever_left_town_gets_nothing_and_counts_in_the_divisor() -> None:
    kit = begun(people(6), phase_seconds=RATED)
    mafia = {citizen.no for citizen in kit.play.mafia}
    leaver = next(no for no in range(6) if no not in mafia)
    kit.act(kit.people[leaver], kind="leave")
    all_leave(kit, mafia)
    # Four of the town, one of whom has left: each of the others gets a quarter.
    assert points_of(kit.people[leaver]) == (0, 0)
    others = set(range(6)) - mafia - {leaver}
    assert [points_of(kit.people[no]) for no in others] == [(15, 15)] * 3
    assert kit.row.seats.get(no=leaver).result == Seat.Result.LOST


def test_award_the_numbers_at_the_start_decide_whether_a_game_is_rated() -> None:
    rated, unrated = begun(people()), begun(people(), phase_seconds=RATED - 60)
    set_number("awards.people", 6)
    set_number("awards.minutes", 9)
    rated.lynch_the_mafioso()
    unrated.lynch_the_mafioso()
    assert (rated.row.is_rated, unrated.row.is_rated) == (True, False)
    assert len(awarded()) == 8
    assert rated.view()["match"]["rated"]
    assert not unrated.view()["match"]["rated"]
    set_number("awards.people", 5)
    begun(people()).void("a test")
    assert len(awarded()) == 8, "a voided game pays nothing"


@pytest.mark.both_databases
def test_award_the_same_company_is_paid_in_full_then_by_half_then_nothing() -> None:
    who = people()
    games = [won(who, at=NOON + timedelta(hours=hour)) for hour in range(3)]
    games.append(won(who, at=NOON + timedelta(hours=12)))  # tomorrow
    paid = [[row[1:] for row in paid_in(kit)] for kit in games]
    full = [[15, 15, 0, 0]] * 4
    assert paid == [full, [[7, 7, 0, 0]] * 4, [], full]
    assert "Awards are halved" in last_line(games[1])
    (withheld,) = told(games[2], "awards_withheld")
    assert withheld["reason"] == "company"
    assert "paid for two games today" in last_line(games[2])


def test_award_four_fifths_of_the_people_are_the_same_company() -> None:
    who = people()
    won(who, at=NOON)
    for new, share in ((2, 15), (1, 7)):
        again = won(who[new:] + people(new), at=NOON + timedelta(hours=1))
        assert {row[1] for row in paid_in(again)} == {share}
    larger = begun(who + people(2), at=NOON + timedelta(hours=2))
    all_leave(larger, [citizen.no for citizen in larger.play.mafia])
    assert not told(larger, "awards_paid")[0]["is_halved"], "more around the same five"


def test_award_a_game_of_less_than_ten_minutes_pays_nothing() -> None:
    """A quick night, then the mafioso leaves: five accounts of one person need that long."""
    set_number("awards.lasting", 20)
    short = won(people(), phase_seconds=RATED)
    assert short.row.is_rated
    assert awarded() == Counter()
    (withheld,) = told(short, "awards_withheld")
    assert withheld["reason"] == "short"
    assert "too short for an award" in last_line(short)
    assert short.row.seats.filter(result=Seat.Result.WON).count() == 4
    set_number("awards.lasting", 10)
    assert told(won(people()), "awards_paid")


@pytest.mark.both_databases
def test_award_hostile_60_five_accounts_of_one_person_earn_little() -> None:
    """They end a game as soon as it has begun, again and again; later they wait the ten minutes."""
    who = people()
    for hour in range(3):
        kit = begun(who, at=NOON + timedelta(hours=hour), is_night=True)
        assert kit.row.is_rated
        all_leave(kit, [mafioso_of(kit)])
    assert awarded() == Counter()
    for hour in range(3, 8):
        won(who, at=NOON + timedelta(hours=hour))
    assert sum(awarded().values()) == 2 * 4 * (15 + 7)


class Ended:
    """As much of a match that ends as paying looks at: each has a number of its own."""

    numbers = count(900_000)

    def __init__(self, users: list[Any]) -> None:
        self.match = Match(pk=next(self.numbers), is_rated=True, started_at=NOON - DAY)
        self.seats = {no: Seat(no=no, user=user) for no, user in enumerate(users)}
        self.seating = seating_of(self.seats)

    def change_seat(self, no: int, **changes: int) -> None:
        self.seats[no].__dict__.update(changes)


@pytest.mark.breaks_ledger
@settings(
    max_examples=form(20, in_all=40, in_long=60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    games=st.lists(
        st.tuples(
            st.integers(1, 60),  # points of either axis
            st.sampled_from((0, 7, 15, 40, 60)),  # the day's limit
            st.integers(0, 30),  # hours since the game before
            st.permutations(range(4)),  # who wins: the first three
            st.booleans(),  # in the same batch as the game before
        ),
        min_size=1,
        max_size=8,
    )
)
def test_award_any_sequence_of_games_holds_the_limit_of_each_day(games, winners) -> None:
    """A model: what each has been paid on each day, beside what the ledger says."""
    before = [points_of(user) for user in winners]
    at = NOON + 30 * DAY * (next(Ended.numbers) % 1_000)
    model: Counter[tuple[int, str]] = Counter()
    plan: Plan | None = None
    with transaction.atomic():
        for points, limit, hours, order, goes_on in games:
            set_number("awards.daily", limit)
            if plan is None or not goes_on:
                if plan is not None:
                    plan.write()
                at += timedelta(hours=hours)
                plan = Plan.over({f"user:{user.pk}" for user in winners}, at)
            locked = Ended([winners[no] for no in order[:3]])
            earned = [Told(AwardEarned(no, points, points)) for no in range(3)]
            action = awards.pay(plan, locked, earned)
            for no, x, y, kept_x, kept_y in action["paid"]:
                user, day = locked.seating.users[no], f"{at:%Y-%m-%d}"
                paid = max(0, min(points, limit - model[user, day]))
                assert (x, y, kept_x, kept_y) == (paid, paid, points - paid, points - paid)
                model[user, day] += x
                model[user, "x"] += x
                model[user, "y"] += y
        plan.write()
    for user, (x, y) in zip(winners, before, strict=True):
        assert points_of(user) == (x + model[user.pk, "x"], y + model[user.pk, "y"])


def two_that_end(*who: list[Any]) -> tuple[list[TownKit], datetime, list[Any]]:
    """Return two games with these people, a common time, and their last votes."""
    kits = [begun(each) for each in who]
    now = max(kit.now for kit in kits)
    for kit in kits:
        kit.now = now
        kit.beat()
    return kits, now, [_last_vote(kit) for kit in kits]


def test_award_two_games_of_one_batch_count_for_each_other() -> None:
    who = people()
    kits, now, lasts = two_that_end(who, who)
    writing.apply_batch(lasts, now)
    assert [told(kit, "awards_paid")[0]["is_halved"] for kit in kits] == [False, True]


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_round", range(3))
def test_award_two_games_of_one_person_that_end_at_once_hold_the_limit(_round: int) -> None:
    """In threads that commit for real; each game alone would be paid whole."""
    ann = people(1)
    set_number("awards.daily", 20)
    kits, now, lasts = two_that_end(ann + people(4), ann + people(4))
    all_at_once((lambda one=one: writing.submit(one, now)) for one in lasts)
    assert {kit.row.status for kit in kits} == {Match.Status.OVER}
    earned = sum(15 * (mafioso_of(kit) != 0) for kit in kits)
    assert points_of(ann[0]) == (min(20, earned), min(20, earned))


def _last_vote(kit: TownKit) -> Any:
    """Cast all but one of the needed votes for the mafioso; return the last vote."""
    vote = {"kind": "vote", "choice": mafioso_of(kit)}
    for user in kit.people[:2]:
        kit.act(user, **vote)
    return kit.submission(kit.people[2], **vote)


def test_award_a_crash_before_the_commit_pays_once(monkeypatch: pytest.MonkeyPatch) -> None:
    kit = begun(people())
    last, write, crashes = _last_vote(kit), Plan.write, [1]

    def write_and_crash(plan: Plan) -> None:
        write(plan)
        if crashes:
            crashes.pop()
            raise OperationalError("the connection is gone")

    monkeypatch.setattr(Plan, "write", write_and_crash)
    writing.submit(last, kit.now)
    assert not crashes
    assert writing.apply_batch([last], kit.now).answers[0].repeated
    assert sum(awarded().values()) == 4 * 30


def forge(kit: TownKit, seat: int, points: int, cause: str) -> list[str]:
    """Award points to a seat that has not earned them; return what the audit finds."""
    forged = move(mint(Unit.POINT), wallet(kit.people[seat].pk), points, code=AWARD)
    post([forged._replace(cause=cause)], kit.now)
    return _found(kit)


@pytest.mark.both_databases
@pytest.mark.breaks_ledger
def test_audit_l12_an_award_that_is_missing_or_that_nobody_earned_is_found() -> None:
    rated, unrated = won(people()), won(people(), phase_seconds=60)
    loser = mafioso_of(rated)
    assert _found(unrated) == []
    Match.objects.filter(pk=unrated.match.pk).update(is_rated=True)
    assert len(_found(unrated)) == 4
    assert all("to get (15, 15), was paid (0, 0)" in line for line in _found(unrated))
    Match.objects.filter(pk=unrated.match.pk).update(is_rated=False)
    (line,) = forge(rated, loser, 5, f"match:{rated.match.pk}")
    assert line.startswith(f"L12: seat {loser} of match {rated.match.pk} is awarded (5, 0)")
    winner = (mafioso_of(unrated) + 1) % 5
    for number, cause in enumerate((f"match:{unrated.match.pk}", "match:999999", "user:1")):
        assert len(forge(unrated, winner, 15, cause)) == number + 2


def change_facts(kit: TownKit, now: str, then: str) -> None:
    with JOURNAL_GUARDS.suspended(connection), connection.cursor() as cursor:
        query = "UPDATE games_entry SET facts = REPLACE(facts, %s, %s) WHERE match_id = %s"
        cursor.execute(query, [now, then, kit.match.pk])


@pytest.mark.plain
@pytest.mark.breaks_ledger
def test_audit_l12_more_than_the_days_limit_or_twice_for_a_company_is_found() -> None:
    who = people()
    first, second = (won(who, at=NOON + timedelta(hours=hour)) for hour in range(2))
    change_facts(second, '"is_halved":true', '"is_halved":false')
    lines = [line for line in find_violations() if line.startswith("L12")]
    assert f"L12: match {second.match.pk} pays its company as if it were not game 2" in lines
    assert not any(f"match {first.match.pk} " in line for line in lines)
    kit = won(people())
    change_facts(kit, '"daily_limit":60', '"daily_limit":14')
    assert len([line for line in _found(kit) if "the most is 14" in line]) == 2 * 4


def _found(kit: TownKit) -> list[str]:
    since = kit.now - timedelta(minutes=1)
    found = [line for line in find_violations() if line.startswith("L12")]
    assert found == [line for line in find_recent_violations(since) if line.startswith("L12")]
    return found
