import time
from collections.abc import Iterable
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from economy import ledger
from economy.audit import find_violations
from economy.errors import LedgerError
from economy.models import Account, Transfer
from economy.selectors import balance_of, stock_of
from economy.transfers import TransferCode
from economy.units import AccountKind, Unit
from games.engine.errors import IllegalAction
from games.matches import services as matches
from games.matches.journal.replay import replay_match
from games.matches.models import Match, Seat
from games.matches.processing import repair, writing
from games.matches.processing.store import MatchPosition, SqlStore
from games.matches.processing.submissions import Submission
from games.matches.queries import selectors
from games.showdown.shopping import buy_weapon
from tests.games.duel.kit import DuelKit
from tests.games.journal_kit import facts_of
from tests.games.table_kit import TableKit, new_user, running_table
from tests.refusals import refuses

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def total_points() -> int:
    accounts = Account.objects.filter(unit=Unit.POINT).exclude(balance=None)
    return sum(accounts.values_list("balance", flat=True))


def test_play_whole_game_moves_every_point_through_the_ledger() -> None:
    ann, bob, cleo = new_user(), new_user(), new_user()
    kit = TableKit(ann, bob, cleo, seats=3, target=3)
    before = total_points()
    kit.start()
    assert balance_of(ann.pk) == 50
    snapshot = kit.play_to_the_end()
    assert snapshot.state.stage == "over"
    bonuses = sum(sitter.bonus for sitter in snapshot.sitters.values())
    assert total_points() == before + bonuses
    nets = dict(Seat.objects.filter(match=kit.match).values_list("user", "net"))
    for seat, user in enumerate((ann, bob, cleo)):
        bonus = snapshot.sitters[seat].bonus
        assert balance_of(user.pk) == 100 + nets[user.pk] + bonus
    assert not Account.objects.filter(kind=AccountKind.ESCROW, balance__gt=0).exists()
    assert find_violations() == []


def test_play_same_id_twice_in_one_batch_has_one_effect_and_another_on_another_match() -> None:
    ann = new_user()
    one, two = TableKit(ann, new_user()), TableKit(ann, new_user())
    sits = [kit.submission(ann, "the-same-id", kind="sit", seat=0, purse=5) for kit in (one, two)]
    answers = writing.apply_batch([sits[0], sits[0]], one.now).answers
    assert [answer.repeated for answer in answers] == [False, True]
    assert writing.apply_batch(sits[1:], two.now).answers[0].error is None
    assert Seat.objects.filter(user=ann).count() == 2


def test_play_one_short_wallet_costs_one_refusal_and_no_second_transaction() -> None:
    """255 of 256 are acknowledged, in one transaction."""
    people = [new_user() for _ in range(64)]
    kits = [TableKit(*people[n * 2 : n * 2 + 2], seats=3) for n in range(32)]
    poor = people[17]
    for kit in kits:
        kit.seat_everybody()
    sides = (ledger.wallet(poor.pk), ledger.TREASURY())
    move = ledger.Move("test:poor", "test:poor", *sides, 70, TransferCode.ADMIN_ADJUST, "test")
    ledger.post([move], kits[0].now)
    ready, unready = {"kind": "ready", "configuration": 1}, {"kind": "unready"}
    batch = [
        kit.submission(user, **(unready if user == poor and again else action))
        for again in (False, True)
        for action in (ready, unready)
        for kit in kits
        for user in kit.people
    ]
    assert len(batch) == 256
    with CaptureQueriesContext(connection) as queries:
        answers = writing.apply_batch(batch, kits[0].now).answers
    refused = [answer.error.code for answer in answers if answer.error is not None]
    assert refused == ["ledger/insufficient_points"]
    begun = [q for q in queries.captured_queries if q["sql"].startswith("SAVEPOINT")]
    assert len(begun) <= 5  # The batch's own, and one for each bulk statement: none an action.


def test_play_says_how_long_others_could_not_write_without_the_wait_for_its_turn(monkeypatch):
    lock = SqlStore.lock

    def wait_and_lock(store: SqlStore, match_ids: Iterable[int]) -> list[MatchPosition]:
        time.sleep(0.1)
        return lock(store, match_ids)

    monkeypatch.setattr(SqlStore, "lock", wait_and_lock)
    kit, begun = TableKit(new_user(), seats=2), time.monotonic()
    result = kit.act(kit.people[0], kind="sit", seat=0, purse=10)
    assert 0 < result.held <= time.monotonic() - begun - 0.1


def test_play_refusal_or_clock_that_comes_too_early_changes_nothing() -> None:
    kit = running_table()
    row, user = kit.row, kit.on_turn()
    before = (row.table, row.state, row.seq, row.phase)
    for actor, action in (
        (kit.people[0], {"kind": "attack", "weapon": "rock", "target": 1}),
        *((kit.people[0], {"kind": "raise_by", "amount": odd}) for odd in (-50, 10**30, True)),
        (kit.people[0], {"kind": "call", "seat": 1}),
        (kit.people[0], {"kind": "settle"}),
        (kit.people[0], {"kind": "stall", "due_at": 0}),
        (new_user(), {"kind": "call"}),
    ):
        assert isinstance(kit.answer(actor, **action).error, IllegalAction | LedgerError)
    late = Submission(kit.match.pk, {"kind": "call"}, "late-action", user.pk, row.phase - 1)
    assert writing.apply_batch([late], kit.now).answers[0].error.code == "stale"
    deadline = writing.house(kit.match.pk, "deadline", "too-early")
    writing.apply_batch([deadline], kit.now + timedelta(seconds=19.9))
    row = kit.row
    assert (row.table, row.state, row.seq, row.phase) == before


def test_play_deadline_fires_once_however_often_it_is_asked_for() -> None:
    kit = TableKit(new_user(), new_user(), new_user(), seats=3)
    kit.start()
    kit.now += timedelta(seconds=20)
    kit.beat()
    wakes = repair.wakes([kit.match.pk], kit.now)
    assert len(wakes) == 1
    for _ in range(3):
        writing.apply_batch(wakes * 5, kit.now)
    assert len(facts_of(kit.match, "folded")) == 1


@pytest.mark.parametrize("in_one_batch", [False, True])
def test_play_live_seats_are_limited(in_one_batch: bool) -> None:
    ann = new_user()
    kits = [TableKit(new_user(), ann) for _ in range(4)]
    sits = [kit.submission(ann, kind="sit", seat=0, purse=5) for kit in kits]
    batches = [sits] if in_one_batch else [[sit] for sit in sits]
    answers = [a for batch in batches for a in writing.apply_batch(batch, kits[0].now).answers]
    assert [answer.error is None for answer in answers] == [True, True, True, False]
    assert answers[3].error.code == "action/too_many_tables"


def next_games(ann: User, count: int) -> list[TableKit]:
    """Leave games in which the other one then asks for the next; return those next ones."""
    kits = [TableKit(ann, new_user()) for _ in range(count)]
    for kit in kits:
        kit.start()
        kit.act(ann, kind="leave")
        kit.act(kit.people[1], kind="rematch")
        kit.match = Match.objects.get(pk=kit.row.successor_id)
    return kits


def test_play_a_kept_seat_counts_for_nobody_and_to_be_ready_is_to_consent() -> None:
    """The limit of case 61: a rematch neither passes it nor bars those who did not ask for it."""
    ann, many = new_user(), "action/too_many_tables"
    nexts, sit = next_games(ann, 3), {"kind": "sit", "seat": 0, "purse": 5}
    others = [TableKit(new_user(), ann) for _ in range(3)]
    assert [other.code(ann, **sit) for other in others] == [None] * 3
    ready = {"kind": "ready", "configuration": 1}
    assert nexts[0].code(ann, **ready) == many
    others[0].act(ann, kind="stand")
    assert [each.code(ann, **ready) for each in nexts[:2]] == [None, many]
    assert others[0].code(ann, **sit) == many


def test_hostile_61_a_rematch_does_not_pass_the_limit_of_live_seats() -> None:
    ann = new_user()
    over = TableKit(new_user(), ann)
    over.start()
    over.act(over.people[0], kind="leave")
    for _ in range(3):
        TableKit(new_user(), ann).act(ann, kind="sit", seat=0, purse=5)
    assert over.code(ann, kind="rematch") == "action/too_many_tables"
    assert over.row.successor_id is None


def test_hostile_61_ready_at_two_kept_seats_in_one_batch_counts_both() -> None:
    ann = new_user()
    nexts = next_games(ann, 2)
    for _ in range(2):
        TableKit(new_user(), ann).act(ann, kind="sit", seat=0, purse=5)
    both = [kit.submission(ann, kind="ready", configuration=1) for kit in nexts]
    answers = writing.apply_batch(both, nexts[0].now).answers
    assert [answer.error is None for answer in answers] == [True, False]


@pytest.mark.plain
def test_play_opening_takes_no_option_of_admins_and_no_more_tables_than_may_wait() -> None:
    ask = partial(matches.open_match, opened_by=new_user(), game="showdown")
    with refuses("action/bad_option"):
        ask(options={"win_bonus": 1000})
    for _ in range(3):
        ask(options={})
    with refuses("action/too_many_open_tables"):
        ask(options={})


def test_play_purse_short_at_the_start_makes_unready_and_keeps_the_others() -> None:
    kit = TableKit(new_user(), new_user())
    kit.seat_everybody(purse=80)
    kit.make_ready()
    buy_weapon(user_id=kit.people[0].pk, unit=Unit.ROCK, quantity=10, action_id="shopping-01")
    kit.pass_time(5.0)
    view = kit.view()
    assert view["match"]["status"] == "open"
    assert [seat["ready"] for seat in view["seats"][:2]] == [False, True]
    assert [balance_of(user.pk) for user in kit.people] == [50, 100]
    assert any("30" in line["text"] for line in view["log"])


def test_play_added_weapons_come_from_the_stock_and_never_more_than_there_are() -> None:
    kit = TableKit(new_user(), new_user(), target=3)
    ann = kit.people[0]
    buy_weapon(user_id=ann.pk, unit=Unit.ROCK, quantity=1, action_id="shopping-01")
    buy_weapon(user_id=ann.pk, unit=Unit.LANDMINE, quantity=1, action_id="shopping-02")
    kit.start()
    kit.call_all()
    adds = [kit.submission(ann, kind="add", weapon="rock") for _ in range(8)]
    answers = writing.apply_batch(adds, kit.now).answers
    assert sum(answer.error is None for answer in answers) == 1
    assert {a.error.code for a in answers if a.error} == {"ledger/insufficient_stock"}
    kit.act(ann, kind="mine", target=1)
    assert stock_of(ann.pk)[Unit.LANDMINE] == 0
    kit.play_to_the_end()
    assert stock_of(ann.pk)[Unit.ROCK] == 0
    used = Transfer.objects.filter(code="ITEM_USED", cause=f"match:{kit.match.pk}")
    assert sorted(used.values_list("unit", flat=True)) == ["LANDMINE", "ROCK"]


def test_play_void_gives_points_and_weapons_back_once() -> None:
    kit = TableKit(new_user(), new_user())
    ann, bob = kit.people
    buy_weapon(user_id=ann.pk, unit=Unit.PAPER, quantity=2, action_id="shopping-01")
    kit.start()
    kit.act(kit.on_turn(), kind="raise_by", amount=7)
    kit.call_all()
    kit.act(ann, kind="add", weapon="paper")
    void = writing.house(kit.match.pk, "void", "void-by-admin", reason="a broken chair")
    answers = [writing.apply_batch([void], kit.now).answers[0] for _ in range(2)]
    assert [(answer.error, answer.repeated) for answer in answers] == [(None, False), (None, True)]
    assert (balance_of(ann.pk), balance_of(bob.pk), stock_of(ann.pk)[Unit.PAPER]) == (90, 100, 2)
    match = kit.view(bob)["match"]
    assert (match["status"], match["void_reason"]) == ("void", "a broken chair")
    assert match["seed"] is not None


@pytest.mark.plain
def test_play_rematch_opens_the_next_game_once_and_moves_the_deal() -> None:
    kit = running_table(target=3)
    dealer = kit.view()["game"]["dealer"]
    kit.act(kit.people[0], kind="leave")
    ann, bob = kit.people
    result = kit.act(bob, kind="rematch")
    following = Match.objects.get(public_id=result.snapshots[kit.match.pk].successor)
    kit.act(ann, kind="rematch")
    assert Match.objects.filter(pk__gt=kit.match.pk).count() == 1
    assert kit.view()["match"]["next"] == following.public_id
    view = selectors.match_view(selectors.snapshot_of(following), None)
    assert [seat["ready"] for seat in view["seats"][:2]] == [False, True]
    assert view["match"]["commitment"] != kit.row.seed_commitment
    kit.match = following
    kit.act(ann, kind="ready", configuration=1)
    if kit.row.status == "open":
        kit.pass_time(5)
    assert kit.view()["game"]["dealer"] == 1 - dealer
    assert replay_match(kit.row).is_same


def test_play_win_bonus_is_paid_once_a_day_for_the_same_opponents() -> None:
    ann, bob = new_user(), new_user()
    paid = 0
    for _ in range(3):
        kit = TableKit(ann, bob, target=3)
        kit.start(purse=10)
        paid += sum(sitter.bonus for sitter in kit.play_to_the_end().sitters.values())
        assert kit.row.status == "over"
    winners = Transfer.objects.filter(code="WIN_BONUS").values_list("credit__owner", flat=True)
    assert len(winners) == len(set(winners)) == paid


def test_play_open_table_closes_when_quiet_and_says_how_many_points_are_missing() -> None:
    kit = TableKit(new_user(), new_user(), largest_purse=500)
    error = kit.answer(kit.people[0], kind="sit", seat=0, purse=130).error
    assert (error.code, error.detail["missing"]) == ("ledger/insufficient_points", 30)
    kit.pass_time(15 * 60 - 1)
    assert kit.row.status == "open"
    kit.pass_time(1)
    assert kit.row.status == "closed"


@pytest.mark.plain
def test_play_next_games_at_a_table_are_no_tables_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "TABLES_AN_HOUR", 2)
    ann, bob = new_user(), new_user()
    kit = DuelKit(ann, bob, best_of=1)
    kit.start()
    kit.void("over")
    kit.act(ann, kind="rematch")
    assert Match.objects.filter(opened_by=ann).count() == 2
    matches.open_match(opened_by=ann, options={}, game="showdown")
    with refuses("action/too_many_tables_opened") as refused:
        matches.open_match(opened_by=ann, options={}, game="showdown")
    assert refused.value.detail == {"most": 2}
    later = timezone.now() + timedelta(hours=1, seconds=1)
    matches.open_match(opened_by=ann, options={}, game="showdown", at=later)
