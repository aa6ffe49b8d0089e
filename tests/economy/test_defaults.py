"""The defaults of the site are those of the rule books, and a new site begins with them."""

import re

import pytest

from economy.apps import FIRST_PRICES, prepare_database
from economy.models import Item, Setting
from economy.tunables import TUNABLES
from economy.units import Unit
from games.engine.table.state import offered_purse
from games.showdown.rules.state import Options
from rpsite.env import ROOT
from tests.numbers import NUMBERS, PRICES

RULES = (ROOT / "docs" / "rules" / "showdown.md").read_text()


@pytest.mark.plain
def test_prices_and_ante_are_those_of_the_rule_book() -> None:
    (line,) = [line for line in RULES.splitlines() if line.startswith("- `!buy` / the shop page:")]
    told = re.findall(r"(Rock|Paper|Scissors|Landmine) (\d+)", line)
    assert {Unit[name.upper()]: int(price) for name, price in told} == FIRST_PRICES
    found = re.search(r"ante \((\d+) \*\*A\*\*:", RULES)
    assert found
    assert Options().ante == TUNABLES["showdown.ante_default"].default == int(found.group(1)) == 1


def test_a_new_account_keeps_points_when_it_sits_down() -> None:
    site = Options()
    grant = TUNABLES["grant.signup"].default
    assert offered_purse((site.ante, site.largest_purse), grant) < grant
    assert TUNABLES["stipend.amount"].default >= site.ante
    assert TUNABLES["bots.daily_win_limit"].default >= site.largest_purse


@pytest.mark.plain
@pytest.mark.django_db
def test_new_site_begins_with_the_defaults_and_an_upgraded_one_keeps_its_numbers() -> None:
    assert NUMBERS.keys() <= TUNABLES.keys(), "tests count with numbers that exist"
    assert Setting.objects.get(pk="grant.signup").value == NUMBERS["grant.signup"]
    assert PRICES.keys() == FIRST_PRICES.keys()
    assert dict(Item.objects.values_list("unit", "price")) == PRICES
    Setting.objects.all().delete()
    Item.objects.all().delete()
    stored = {name: tunable.default for name, tunable in TUNABLES.items()}
    prices = dict(FIRST_PRICES)
    for _ in range(2):
        prepare_database(using="default")
        assert dict(Setting.objects.values_list("name", "value")) == stored
        assert dict(Item.objects.values_list("unit", "price")) == prices
        stored["showdown.ante_default"], prices[Unit.LANDMINE] = 5, 12
        Setting.objects.filter(pk="showdown.ante_default").update(value=5)
        Item.objects.filter(unit=Unit.LANDMINE).update(price=12)
