"""Every way to a table names its ante, and the shop tells for which one its prices are made."""

import json
import re

import pytest
from django.urls import reverse

from economy.models import Setting
from games.matches.models import Match
from games.showdown.rules.state import Options
from games.showdown.views import QUICK_ANTES
from rpsite.env import ROOT
from tests.accounts.kit import browser
from tests.games.matches.test_views import table_form
from tests.games.table_kit import TableKit, new_user

pytestmark = pytest.mark.django_db
NUMBERS = ("ante", "target", "betting_clock", "round_clock", "largest_purse")


def on_the_form() -> dict[str, dict[str, int]]:
    page = browser(new_user()).get(reverse("table_new")).content.decode()
    found = re.findall(r'class="preset"([^>]*)><b>([^<]*)</b><span>([^<]*)', page)
    presets = {}
    for given, name, words in found:
        numbers = {key: int(value) for key, value in re.findall(r'data-(\w+)="(\d+)"', given)}
        assert f"ante {numbers['ante']} " in words
        presets[name] = numbers
    return presets


def test_presets_name_the_antes_of_the_quick_seats_and_the_usual_one_is_the_rule_book() -> None:
    presets = on_the_form()
    assert {numbers["ante"] for numbers in presets.values()} == set(QUICK_ANTES) == {1, 5, 20}
    usual = Options()
    wanted = {name: getattr(usual, name) for name in ("seats", *NUMBERS)}
    assert presets["The usual"] == wanted


def test_presets_of_the_board_are_those_of_the_page() -> None:
    script = (ROOT / "static" / "js" / "showdown" / "options.js").read_text()
    rows = re.findall(r'\["([^"]+)", \{ (ante: [^}]*) \}\]', script)
    board = {
        name: {key: int(value) for key, value in re.findall(r"(\w+): (\d+)", numbers)}
        for name, numbers in rows
    }
    page = {name: {key: numbers[key] for key in NUMBERS} for name, numbers in on_the_form().items()}
    assert board == page


@pytest.mark.parametrize("ante", QUICK_ANTES)
def test_a_quick_seat_has_the_ante_that_its_button_names(ante: int) -> None:
    ann = new_user()
    page = browser(ann).get(reverse("tables")).content.decode()
    assert f'name="ante" value="{ante}"' in page
    browser(ann).post(reverse("table_with_bot"), {"ante": str(ante)})
    (match,) = Match.objects.filter(opened_by=ann)
    assert json.loads(match.table)["options"]["ante"] == ante


@pytest.mark.plain
def test_the_front_page_names_the_ante_that_it_opens_and_the_shop_that_nothing_pays_at_1() -> None:
    page = browser(new_user()).get(reverse("home")).content.decode()
    *quick, bot = re.findall(r'name="ante" value="(\d+)"', page)
    assert tuple(map(int, quick)) == QUICK_ANTES
    for ante in quick:
        assert re.search(rf'(?s)value="{ante}">.{{,400}}?(Ante {ante},|<b>{ante}<)', page)
    assert f"A table for two, ante {bot}<" in page
    shop = browser().get(reverse("shop")).content.decode()
    for text in (shop, (ROOT / "docs" / "rules" / "showdown.md").read_text()):
        assert "at ante 1 nothing" in text


@pytest.mark.plain
@pytest.mark.parametrize("page", ["table_new", "table_with_bot"])
def test_no_table_is_opened_at_which_its_opener_cannot_sit(page: str) -> None:
    ann = new_user()
    Setting.objects.filter(pk="tables.live_seats").update(value=1)
    TableKit(new_user(), ann).act(ann, kind="sit", seat=0, purse=5)
    response = browser(ann).post(reverse(page), table_form(), follow=True)
    assert "You may sit at 1 tables at once" in response.content.decode()
    assert not Match.objects.filter(opened_by=ann).exists()
