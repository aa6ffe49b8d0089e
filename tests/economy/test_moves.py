import pytest
from django.db import IntegrityError, connection, transaction

from economy import errors
from economy.ledger import TREASURY, AccountRef, mint, post, reverse, sink, stock, wallet
from economy.models import Account, Transfer
from economy.transfers import FLOWS, TransferCode
from economy.units import MOST_BALANCE, AccountKind, Unit
from tests.economy.kit import NOON, box, give, held, move, rich, total
from tests.refusals import refuses

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
ANN = wallet(900001)


@pytest.mark.parametrize("amount", [0, -1, True, 1.0, 1.9, "5", None, 10**9 + 1, 2**63, 10**30])
def test_l2_amounts_are_whole_numbers_from_1_to_a_milliard(amount):
    with refuses("ledger/amount_out_of_range") as refusal:
        give(ANN, amount)
    assert refusal.value.code == "ledger/amount_out_of_range"
    assert not Transfer.objects.filter(key__startswith="test:").exists()
    give(ANN, 1), give(ANN, 10**9)
    assert held(ANN) == 10**9 + 1, "the bounds themselves are allowed"


@pytest.mark.plain
@pytest.mark.parametrize(
    ("debit", "credit", "refused"),
    [
        (ANN, ANN, "ledger/same_account"),
        (mint(Unit.ROCK), ANN, "ledger/unit_mismatch"),
        (AccountRef("user:900001", AccountKind.MINT, Unit.POINT), ANN, "ledger/wrong_flow"),
        (AccountRef("house", AccountKind.WALLET, Unit.POINT), ANN, "ledger/wrong_flow"),
    ],
)
def test_l2_a_move_goes_between_two_accounts_of_one_unit(debit, credit, refused):
    with refuses(refused):
        post([move(debit, credit, 1)], NOON)


@pytest.mark.parametrize("code", FLOWS)
def test_l12_a_code_goes_only_between_its_kinds_of_accounts(code):
    with refuses("ledger/wrong_flow"):
        post([move(TREASURY(), sink(Unit.POINT), 1, code=code)], NOON)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("ref", "refused", "detail"),
    [
        (ANN, "ledger/insufficient_points", {"missing": 3}),
        (box(1), "ledger/insufficient_points", {"missing": 3}),
        (stock(900001, Unit.ROCK), "ledger/insufficient_stock", {"unit": "ROCK", "missing": 3}),
    ],
)
def test_l3_no_account_of_a_player_falls_below_0(ref, refused, detail):
    give(ref, 7)
    with refuses(refused) as refusal:
        post([move(ref, sink(ref.unit), 10)], NOON)
    assert refusal.value.detail == detail
    assert held(ref) == 7


@pytest.mark.parametrize(("debit", "credit"), [(mint(Unit.POINT), ANN), (ANN, TREASURY())])
def test_hostile_70_l15_neither_a_user_nor_the_treasury_holds_more_than_a_billion(debit, credit):
    rich(900001, 5)
    assert MOST_BALANCE == 10**12
    row = Account.objects.filter(owner=credit.owner, kind=credit.kind, unit=credit.unit)
    before = held(credit)
    row.update(balance=MOST_BALANCE - 1)
    with refuses("limit") as refusal:
        post([move(debit, credit, 2)], NOON)
    assert (refusal.value.code, held(credit)) == ("limit", MOST_BALANCE - 1)
    row.update(balance=before)
    assert held(ANN) == 5


@pytest.mark.plain
def test_l6_l7_a_group_is_posted_whole_and_once_or_not_at_all():
    rich(900001, 5)
    moves = [move(ANN, box(1), 5), move(ANN, box(2), 1)]
    with pytest.raises(errors.InsufficientPoints):
        post(moves, NOON)
    assert held(ANN) == 5
    assert not Transfer.objects.filter(key__in=[each.key for each in moves]).exists()
    one, two = move(ANN, box(1), 1), move(ANN, box(1), 2)
    assert post([one], NOON) == post([one], NOON)
    with refuses("conflict"):
        post([one, two], NOON)
    assert held(ANN) == 4


@pytest.mark.parametrize("change", [{"amount": 2}, {"cause": "x"}, {"credit": box(2)}])
def test_l6_the_same_key_with_another_body_is_a_conflict(change):
    rich(900001, 5)
    once = move(ANN, box(1), 3)
    post([once], NOON)
    with refuses("conflict") as refusal:
        post([once._replace(**change)], NOON)
    assert refusal.value.code == "conflict"
    assert held(ANN) == 2


@pytest.mark.plain
def test_l1_l3_the_sum_stays_what_was_issued_and_the_treasury_pays_only_what_it_has():
    rich(900001, 50)
    before, kept = total(), held(TREASURY())
    post([move(ANN, box(1), 20), move(box(1), TREASURY(), 1)], NOON)
    assert total() == before
    give(wallet(900002), 30)
    assert total() == before + 30
    with pytest.raises(errors.InsufficientPoints):
        post([move(TREASURY(), ANN, kept + 2)], NOON)
    post([move(TREASURY(), ANN, kept + 1)], NOON)
    assert (held(TREASURY()), held(ANN)) == (0, 30 + kept + 1)


@pytest.mark.plain
def test_l5_a_reversal_mirrors_happens_once_and_takes_nothing_back_that_was_spent():
    rich(900001, 5)
    transfer = post([move(ANN, box(1), 3)], NOON)[0]
    reversal = reverse(transfer, "undo", "a mistake", NOON)
    assert (reversal.reverses, reversal.code) == (transfer, TransferCode.REVERSAL)
    assert (held(ANN), held(box(1))) == (5, 0)
    assert reverse(transfer, "undo", "a mistake", NOON) == reversal
    for undone, key in ((transfer, "again"), (reversal, "undo the undoing")):
        with refuses("ledger/already_reversed"):
            reverse(undone, key, "a mistake", NOON)
    transfer = post([move(ANN, wallet(900002), 5)], NOON)[0]
    post([move(wallet(900002), box(1), 1)], NOON)
    with pytest.raises(errors.InsufficientPoints):
        reverse(transfer, "undo a spent one", "a mistake", NOON)
    assert (held(ANN), held(wallet(900002))) == (0, 4)


@pytest.mark.parametrize("text", ["", "k" * 161])
def test_keys_that_no_database_could_keep_are_a_bug(text):
    with pytest.raises(ValueError, match="characters"):
        post([move(mint(Unit.POINT), ANN, 1)._replace(key=text)], NOON)


@pytest.mark.parametrize(
    "wrong", ["amount 0", "amount -5", "amount 1000000001", "unit GOLD", "code GIFT", "credit mint"]
)
def test_l2_the_database_refuses_it_too(wrong):
    name, value = wrong.split()
    ends = {end: Account.objects.get(kind=end, unit="POINT") for end in ("mint", "sink")}
    row = {"amount": 1, "unit": "POINT", "code": "ADMIN_ADJUST", "credit": ends["sink"]}
    row |= {"key": "k", "group": "k", "debit": ends["mint"], "cause": "t", "at": NOON}
    with pytest.raises(IntegrityError), transaction.atomic():
        Transfer.objects.create(**row | {name: ends.get(value, value)})


@pytest.mark.parametrize(
    ("kind", "balance"),
    [("wallet", -1), ("wallet", None), ("treasury", 10**12 + 1), ("mint", 0), ("purse", 0)],
)
def test_l3_l15_the_database_bounds_balances_too(kind, balance):
    with pytest.raises(IntegrityError), transaction.atomic():
        Account.objects.create(owner="user:900009", kind=kind, unit="POINT", balance=balance)


@pytest.mark.sqlite
@pytest.mark.parametrize("amount", ["1.5", "'5 points'", "x'05'"])
def test_l2_sqlite_keeps_no_fraction_and_no_text_as_an_amount(amount):
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            'INSERT INTO economy_transfer ("key", "group", debit_id, credit_id, unit, amount,'
            f" code, cause, at) SELECT 'k', 'k', MIN(id), MAX(id), 'POINT', {amount},"
            " 'ADMIN_ADJUST', 't', '2026-11-21' FROM economy_account"
        )
