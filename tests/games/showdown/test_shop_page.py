import re

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from economy.ledger import TREASURY
from economy.models import Item, Transfer
from economy.selectors import balance_of, stock_of
from economy.shop import LEAST_QUANTITY, MOST_QUANTITY
from economy.units import Unit
from games.matches.queries.commands import answer, parse
from games.realtime import socket_queries
from games.showdown import shopping
from games.showdown.words import beats_of
from games.text.typed import SideCommand
from tests.accounts.kit import browser
from tests.economy.kit import held
from tests.games.table_kit import TableKit, new_user

pytestmark = pytest.mark.django_db


def order(**changed: object) -> dict[str, object]:
    form = {"unit": "ROCK", "quantity": 3, "expected_price": 5, "key": "a-key-of-the-page"}
    return {**form, **changed}


def buy(client: Client, form: dict[str, object]) -> str:
    """Send a card's form; return what the answer says on the next page."""
    response = client.post(reverse("shop_buy"), form)
    assert (response.status_code, response.url) == (302, reverse("shop"))
    return " ".join(str(message) for message in get_messages(response.wsgi_request))


def shop(client: Client) -> str:
    return client.get(reverse("shop")).content.decode()


def form_of(client: Client, unit: str) -> dict[str, str]:
    (form,) = [part for part in shop(client).split("<form")[1:] if f'value="{unit}"' in part]
    return dict(re.findall(r'name="(\w+)" value="([^"]*)"', form.split("</form>")[0]))


def test_shop_shows_guests_prices_and_asks_them_to_log_in() -> None:
    assert browser().get(reverse("shop"))["Cache-Control"] == "no-store, private"
    page = shop(browser())
    login = f"{reverse('account_login')}?next={reverse('shop')}"
    for words in (">5</b> points each", ">12</b> points each", "Log in to buy", login):
        assert words in page
    assert "data-buy" not in page


@pytest.mark.plain
def test_shop_shows_what_beats_what_from_the_rules() -> None:
    rock = {what: [other["name"] for other in each] for what, each in beats_of("rock").items()}
    assert rock == {
        "beats": ["Scissors", "Twin Blades", "Shuriken"],
        "loses_to": ["Paper", "Boulder", "Wall", "Scary Mask"],
    }
    assert beats_of("landmine") == {"beats": [], "loses_to": []}
    page = shop(browser(new_user()))
    assert "#twin_blades" in page
    assert "Plant it in secret" in page


@pytest.mark.both_databases
def test_shop_page_says_what_each_quantity_costs_and_that_is_what_is_paid() -> None:
    ann = new_user()
    client = browser(ann)
    Item.objects.filter(unit=Unit.ROCK).update(price=7)
    costs = re.findall(r'data-costs="([^"]*)"', shop(client))[0].split(" ")
    assert (len(costs), costs[0], costs[-1]) == (MOST_QUANTITY, "7", "693")
    buy(client, {**form_of(client, "ROCK"), "quantity": "4"})
    assert balance_of(ann.pk) == 100 - int(costs[4 - LEAST_QUANTITY])


@pytest.mark.both_databases
def test_shop_form_of_the_page_buys_what_it_says() -> None:
    ann = new_user()
    client = browser(ann)
    treasury = held(TREASURY())
    form = form_of(client, "LANDMINE")
    assert form["quantity"] == "1"
    client.post(reverse("shop_buy"), {**form, "quantity": "2"})
    assert (balance_of(ann.pk), stock_of(ann.pk)[Unit.LANDMINE]) == (76, 2)
    assert held(TREASURY()) == treasury + 24
    page = shop(client)
    assert "You bought 2 landmines for 24 points." in page
    assert f'<a href="{reverse("wallet")}">See it on your statement</a>' in page
    assert "You bought" not in shop(client)
    keys = [form_of(client, unit)["key"] for unit in ("ROCK", "PAPER", "ROCK")]
    assert len(set(keys)) == 3, "every form has a key of its own"


@pytest.mark.both_databases
def test_hostile_08_buying_needs_a_log_in_a_post_and_a_token() -> None:
    ann, page = new_user(), reverse("shop_buy")
    assert browser().post(page, order()).url.startswith(reverse("account_login"))
    for client in (browser(ann), browser()):
        assert client.get(page).status_code == 405
    strict = browser(ann, enforce_csrf_checks=True)
    for sent in (order(), order(csrfmiddlewaretoken="x" * 64)):
        assert strict.post(page, sent).status_code == 403
    assert balance_of(ann.pk) == 100


@pytest.mark.plain
@pytest.mark.both_databases
def test_shop_a_repeated_press_buys_once_and_a_used_form_nothing_else() -> None:
    ann = new_user()
    client = browser(ann)
    said = [buy(client, order()) for _ in range(3)]
    assert said[0] == "You bought 3 rocks for 15 points."
    assert (balance_of(ann.pk), stock_of(ann.pk)[Unit.ROCK]) == (85, 3)
    assert Transfer.objects.filter(group=f"buy:{ann.pk}:a-key-of-the-page").count() == 2
    assert "Nothing was bought" in buy(client, order(quantity=4))
    assert balance_of(ann.pk) == 85


NOT_SENT = [
    *({"unit": unit} for unit in ("POINT", "Y_POINT")),
    *({"key": key} for key in ("", "short", "with a space or <")),
    {"expected_price": ""},
]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"unit": "LANDMINE", "expected_price": 12, "quantity": 9}, "8 points short"),
        ({"expected_price": 4}, "One of the rocks now costs 5 points, not 4. Nothing was bought."),
        *(({"quantity": quantity}, "from 1 to 99") for quantity in (0, 100, "1.5", "")),
        *((changed, "not sent by the shop") for changed in NOT_SENT),
    ],
)
def test_shop_says_why_nothing_was_bought(changed: dict[str, object], words: str) -> None:
    ann = new_user()
    before = Transfer.objects.count()
    assert words in buy(browser(ann), order(**changed))
    assert (balance_of(ann.pk), Transfer.objects.count()) == (100, before)


@pytest.mark.plain
def test_shop_off_sale_is_said_and_refused_and_what_one_cannot_pay_is_disabled() -> None:
    ann = new_user()
    client = browser(ann)
    form = form_of(client, "PAPER")
    Item.objects.filter(unit=Unit.PAPER).update(on_sale=False)
    Item.objects.filter(unit=Unit.LANDMINE).update(price=107)
    assert "not on sale" in buy(client, form)
    page = shop(client)
    assert "Not for sale" in page
    assert 'value="PAPER"' not in page
    assert "Paper" not in shopping.tell_prices(None, {}, "a")
    assert balance_of(ann.pk) == 100
    assert "7 points short" in page
    assert page.count("data-buy disabled") == 1


@pytest.mark.both_databases
def test_shop_is_closed_in_a_running_game_and_links_to_it() -> None:
    ann, bob = new_user(), new_user()
    kit = TableKit(ann, bob, seats=2)
    kit.seat_everybody()
    client = browser(ann)
    assert "closed while" not in shop(client)
    for user in kit.people:
        kit.act(user, kind="ready", configuration=1)
    kit.pass_time(5)
    page = shop(client)
    assert f'<a href="{reverse("table", args=[kit.match.public_id])}">Back to' in page
    assert len(re.findall(r"data-buy disabled data-closed", page)) == 4
    assert "closed while you sit in a running game" in buy(client, order())
    assert stock_of(ann.pk)[Unit.ROCK] == 0


@pytest.mark.plain
def test_shop_and_table_say_the_same() -> None:
    """``!buy`` and ``!stock`` at a table, and the pages, tell the same prices and numbers."""
    ann = new_user()
    client = browser(ann)
    buy(client, order(quantity=2))
    kit = TableKit(ann, new_user(), seats=2)
    kit.seat_everybody()
    view = kit.view(ann)
    assert answer(parse("!stock", view), view) == "You have 90 points. Your stash: 2 Rock."
    asked = parse("!buy", view)
    assert isinstance(asked, SideCommand)
    prices = "For sale, in points: Rock 5, Paper 5, Scissors 5, Landmine 12."
    assert socket_queries.run_side_command(None, asked, "asked-001") == prices
    assert shopping.tell_prices(ann.pk, {}, "asked-002") == f"{prices} You have 90 points."
    page = shop(client)
    assert 'You own <b class="num">2</b>' in page
    assert 'data-points="90"' in page
