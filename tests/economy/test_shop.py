import pytest
import time_machine
from django.utils import timezone

from economy import errors, selectors
from economy.ledger import TREASURY, open_account, stock, wallet
from economy.models import Item, Setting, Transfer
from economy.selectors import balance_of, balances_of, has_wallet, stock_of
from economy.shop import PACE, Order, buy, price_list
from economy.transfers import TransferCode
from economy.tunables import TUNABLES
from economy.units import Unit
from tests.economy.kit import NOON, all_codes, held
from tests.refusals import refuses

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
ANN = 900001


@pytest.fixture
def ann():
    open_account(ANN, NOON)
    return ANN


def purchase(**changes):
    order = {"unit": Unit.ROCK, "quantity": 3, "expected_price": None}
    order |= {name: changes.pop(name) for name in list(changes) if name in order}
    return buy(**{"user_id": ANN, "key": "purchase-1", "order": Order(**order)} | changes)


@pytest.mark.plain
def test_points_go_to_the_treasury_and_weapons_come_from_the_mint_at_the_price_of_a_piece(ann):
    Item.objects.filter(unit=Unit.ROCK).update(price=7)
    (rock,) = [offer for offer in price_list() if offer.unit == Unit.ROCK]
    assert (rock.price, rock.cost(1), rock.cost(3)) == (7, 7, 21)
    before = held(TREASURY())
    bought = purchase(quantity=3, expected_price=7)
    assert (bought.cost, bought.balance, bought.stock, bought.is_repeated) == (21, 79, 3, False)
    assert (balance_of(ann), stock_of(ann)[Unit.ROCK]) == (79, 3)
    assert held(TREASURY()) == before + 21
    codes = Transfer.objects.filter(group=f"buy:{ann}:purchase-1").values_list("code", flat=True)
    assert sorted(codes) == [TransferCode.ITEM_ISSUE, TransferCode.PURCHASE]
    open_account(ANN + 1, NOON)
    assert not purchase(user_id=ANN + 1).is_repeated, "two users may use the same key"


@pytest.mark.plain
def test_l6_the_same_key_buys_once_even_after_the_price_has_changed(ann):
    first = purchase()
    for change in ({"quantity": 2}, {"unit": Unit.PAPER}):
        with refuses("conflict"):
            purchase(**change)
    Item.objects.filter(unit=Unit.ROCK).update(price=9, on_sale=False)
    again = purchase(guard=pytest.fail)
    assert again.is_repeated
    assert (again.cost, again.balance, again.stock) == (first.cost, 85, 3)
    assert balance_of(ann) == 85


@pytest.mark.plain
def test_1_to_99_pieces_at_once(ann):
    for quantity in (0, -1, 100, True, 1.0, "3", None):
        with refuses("shop/bad_quantity") as refusal:
            purchase(quantity=quantity)
        assert refusal.value.detail == {"least": 1, "most": 99}
    Item.objects.filter(unit=Unit.ROCK).update(price=1)
    assert [purchase(quantity=n, key=f"purchase-{n}").stock for n in (1, 99)] == [1, 100]
    assert balance_of(ann) == 0


@pytest.mark.plain
def test_what_is_refused_costs_nothing(ann):
    """Too few points; another price than was seen, or none; a guard, after the lock."""
    with pytest.raises(errors.InsufficientPoints) as refusal:
        purchase(unit=Unit.LANDMINE, quantity=9)
    assert refusal.value.detail == {"missing": 8}
    assert (balance_of(ann), stock_of(ann)[Unit.LANDMINE]) == (100, 0)
    assert purchase(expected_price=5, key="purchase-2").cost == 15
    rock = Item.objects.filter(unit=Unit.ROCK)
    rock.update(price=6)
    with pytest.raises(errors.PriceChanged) as refusal:
        purchase(expected_price=5)
    assert refusal.value.detail == {"price": 6}
    with pytest.raises(errors.ShopError, match="running game"):
        purchase(expected_price=5, guard=in_a_game)
    rock.update(on_sale=False)
    with refuses("shop/not_on_sale"):
        purchase()
    with refuses("shop/unknown_item"):
        purchase(unit=Unit.POINT)
    assert balance_of(ann) == 85


def in_a_game():
    raise errors.ShopError("not in a running game")


@pytest.mark.plain
def test_d15_so_many_purchases_a_minute_and_no_more(ann):
    Setting.objects.filter(name="shop.purchases_a_minute").update(value=3)
    for number in range(3):
        purchase(key=f"purchase-{number}", quantity=1)
    with refuses("shop/too_fast") as refused:
        purchase(key="purchase-3", quantity=1)
    assert refused.value.detail == {"most": 3}
    assert purchase(key="purchase-2", quantity=1).is_repeated, "a retry is no purchase"
    assert (balance_of(ann), stock_of(ann)[Unit.ROCK]) == (85, 3)
    with time_machine.travel(timezone.now() + PACE, tick=False):
        assert purchase(key="purchase-3", quantity=1).stock == 4


@pytest.mark.plain
def test_l12_the_grant_is_paid_once_as_it_is_set_and_who_has_no_wallet_has_nothing(ann):
    users = (ANN, ANN + 1, ANN + 2)
    assert [has_wallet(user) for user in users] == [True, False, False]
    assert balances_of(users) == {ANN: 100, ANN + 1: 0, ANN + 2: 0}
    assert set(stock_of(ANN + 1).values()) == {0}
    for user, grant in zip(users, (500, 300, 0), strict=True):
        Setting.objects.filter(name="grant.signup").update(value=grant)
        open_account(user, NOON)
        assert has_wallet(user)
    assert [balance_of(user) for user in users] == [100, 300, 0]
    assert (held(wallet(ANN + 2)), held(stock(ANN + 2, Unit.ROCK))) == (0, 0)


@pytest.mark.plain
def test_settings_have_defaults_limits_and_names_and_codes_their_part(django_assert_num_queries):
    Setting.objects.filter(name="showdown.target").delete()
    assert selectors.setting("showdown.target") == 5
    with django_assert_num_queries(1):
        assert selectors.settings_starting("showdown.")["showdown.tax_bp"] == 500
    with pytest.raises(KeyError):
        selectors.setting("showdown.luck")
    for tunable in TUNABLES.values():
        assert tunable.least <= tunable.default <= tunable.most
    parts = {code.split("/")[0] for code in all_codes()}
    assert parts == {"ledger", "shop", "limit", "conflict"}
