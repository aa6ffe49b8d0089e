import csv
import io
import re
from datetime import date, timedelta
from itertools import pairwise, product
from typing import Any

import pytest
from django.core.cache import cache
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from economy import overview as overview_module
from economy.admin_pages import cell
from economy.charts import HEIGHT, WIDTH, plot
from economy.ledger import TREASURY, mint, post, stock, wallet
from economy.ledger import reverse as reverse_transfer
from economy.models import Account, Transfer
from economy.overview import last_audit, proofs
from economy.paging import portions_of
from economy.selectors import balance_of
from economy.statement import Filters, entries_of, statement_page
from economy.tasks import audit
from economy.transfers import FLOWS, WORDS, MovementKind, TransferCode, codes_of
from economy.units import MINUS, AccountKind, Unit, counted
from games.showdown.shopping import buy_weapon
from tests.accounts.kit import browser
from tests.architecture.code import PACKAGES, ROOT, imports, modules
from tests.economy.kit import NOON, give, move, total
from tests.games.table_kit import TableKit, new_user

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
DAYS = [date(2026, 11, day) for day in (23, 24, 25)]
#: Who filters a statement sees each movement; without a filter a game is one entry.
EACH = "?from=2000-01-01"
NOT_LISTED = [
    "order_by=at", "order_by=user__password", "filter[user__password__startswith]=a",
    "user__password__startswith=a", "kind=password", "kind=shop&kind=game", "kind=shop'--",
    "direction=sideways", "from=yesterday", "to=2026-13-01", "to=9999-12-31",
    "from=0001-01-01", "before=-1", "before=1e3", "before=99999999999999999999",
    "before=%D9%A3", "before=1%20OR%201=1", "user=1",
]  # fmt: skip


@pytest.fixture(autouse=True)
def fresh_numbers() -> None:
    """The public page is kept for some seconds; not from one test to the next."""
    cache.clear()


def text_of(client: Client, name: str, query: str = "") -> str:
    response = client.get(reverse(name) + query)
    assert response.status_code == 200
    return response.content.decode()


def lines_of(page: str) -> list[tuple[str, int, int]]:
    """Return (words, amount, balance) of the lines of a page, in their order."""
    found = []
    for row in page.split("<tbody>")[1].split("</tbody>", maxsplit=1)[0].split("<tr>")[1:]:
        words = re.sub(r"\s*<a .*", "", row.split('<th scope="row">')[1].split("</th>")[0])
        plain = row.replace(MINUS, "-")
        amount, balance = re.findall(r'class="num right[^"]*">\+?(-?\d+)<', plain)
        found.append((words.strip(), int(amount), int(balance)))
    return found


def rows_of(response: StreamingHttpResponse) -> list[list[str]]:
    return list(csv.reader(io.StringIO(b"".join(response).decode())))


def a_game(*, is_over: bool = True) -> tuple[User, User, TableKit]:
    """A game of two in which the first had bought and used a rock and a mine."""
    ann, bob = new_user(), new_user()
    buy_weapon(user_id=ann.pk, unit=Unit.ROCK, quantity=2, action_id="shopping-01")
    buy_weapon(user_id=ann.pk, unit=Unit.LANDMINE, quantity=1, action_id="shopping-02")
    kit = TableKit(ann, bob, seats=2, target=3)
    kit.start(purse=40)
    kit.call_all()
    kit.act(ann, kind="add", weapon="rock")
    kit.act(ann, kind="mine", target=1)
    if is_over:
        kit.play_to_the_end()
    return ann, bob, kit


@pytest.mark.plain
def test_every_code_has_words_and_a_kind_and_amounts_have_their_noun() -> None:
    assert set(WORDS) == set(TransferCode)
    assert sorted(code for kind in MovementKind for code in codes_of(kind)) == sorted(WORDS)
    assert set(FLOWS) <= set(WORDS)
    counts = ((1, Unit.POINT), (2, Unit.POINT), (3, Unit.LANDMINE), (1, Unit.ROCK))
    assert [counted(*each) for each in counts] == ["1 point", "2 points", "3 landmines", "1 rock"]


@pytest.mark.plain
def test_wallet_and_csv_tell_every_line_with_its_balance_and_its_cause() -> None:
    ann, bob, kit = a_game()
    client = browser(ann)
    page = text_of(client, "wallet", EACH)
    lines = lines_of(page)
    assert lines[-4:] == [
        ("Purse brought into a game", -40, 38),
        ("Bought 1 landmine", -12, 78),
        ("Bought 2 rocks", -10, 90),
        ("Part of the starting grant", 100, 100),
    ]
    assert lines[0][2] == balance_of(ann.pk)
    assert all(newer[2] == older[2] + newer[1] for newer, older in pairwise(lines))
    rows = page.split("<tbody>")[1].split("</tbody>")[0].split("<tr>")[1:]
    assert all("<a href=" in row for row in rows)
    table = reverse("table", args=[kit.match.public_id])
    assert page.count(f'<a href="{table}">') == len(lines) - 3
    assert f'<a href="{reverse("shop")}"><bdi>Shop</bdi></a>' in rows[-2]
    assert str(bob.pk) not in {line[0] for line in lines}
    response = client.get(reverse("wallet_csv"))
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert 'filename="statement.csv"' in response["Content-Disposition"]
    head, *told = rows_of(response)
    assert head[2:6] == ["what", "kind of transfer", "unit", "amount"]
    assert [(row[2], int(row[5]), int(row[6])) for row in told] == lines[::-1]
    assert told[-1][7] == kit.match.title
    shop = rows_of(client.get(reverse("wallet_csv") + "?kind=shop"))[1:]
    found = [(row[2], row[6]) for row in shop]
    assert found == [("Bought 2 rocks", "90"), ("Bought 1 landmine", "78")]


@pytest.mark.plain
def test_wallet_tells_a_game_in_one_line_on_one_page_with_its_movements_inside() -> None:
    ann, _, _ = a_game()
    client = browser(ann)
    shown = client.get(reverse("wallet"))
    game, mine, rocks, grant = shown.context["entries"]
    each = lines_of(text_of(client, "wallet", EACH))
    assert (game.words, game.net) == ("Game", (sum(line[1] for line in each[:-3]), 0))
    assert len(game.lines) == len(each) - 3 > 1
    assert game.newest.balance == balance_of(ann.pk)
    assert (mine.words, rocks.words, grant.net) == ("Bought 1 landmine", "Bought 2 rocks", (100, 0))
    page = shown.content.decode()
    assert page.count('<th scope="row">') == 4
    assert f"<summary>{len(game.lines)} movements</summary>" in page
    pages = [statement_page(ann.pk, Filters(), limit=1)]
    while before := pages[-1].before:
        pages.append(statement_page(ann.pk, Filters({"before": str(before)}), limit=1))
    found = [entries_of(page.lines) for page in pages]
    assert found == [[entry] for entry in entries_of(statement_page(ann.pk, Filters()).lines)]
    assert len(found) == 4


@pytest.mark.plain
def test_wallet_filters_by_kind_direction_and_day_to_the_last_second() -> None:
    ann, _, _ = a_game()
    client, a_day, today = browser(ann), timedelta(days=1), timezone.now().date()
    everything = lines_of(text_of(client, "wallet", EACH))
    shop = lines_of(text_of(client, "wallet", "?kind=shop"))
    assert [line[0] for line in shop] == ["Bought 1 landmine", "Bought 2 rocks"]
    assert shop == [line for line in everything if line[0].startswith("Bought")]
    came = lines_of(text_of(client, "wallet", "?direction=in"))
    went = lines_of(text_of(client, "wallet", "?direction=out&kind="))
    assert sorted(came + went) == sorted(everything)
    assert all(line[1] > 0 for line in came)
    same = text_of(client, "wallet", f"?from={today - a_day}&to={today + a_day}")
    assert lines_of(same) == everything
    assert "Nothing on the books" in text_of(client, "wallet", f"?from={today + a_day}")
    late = NOON.replace(hour=23, minute=59, second=59) - 30 * a_day
    post([move(mint(Unit.POINT), wallet(ann.pk), 7)], late)
    day = late.date()
    assert "+7<" in text_of(client, "wallet", f"?from={day}&to={day}")
    for query in (f"?from={day + a_day}", f"?to={day - a_day}"):
        assert "+7<" not in text_of(client, "wallet", query)


@pytest.mark.parametrize(
    ("name", "query"),
    [
        *product(("wallet", "wallet_csv"), NOT_LISTED),
        ("stock", "kind=shop"),
        ("economy_overview", "days=31"),
    ],
)
def test_hostile_52_pages_refuse_what_is_not_on_their_list(name: str, query: str) -> None:
    assert browser(new_user()).get(f"{reverse(name)}?{query}").status_code == 400


@pytest.mark.plain
def test_wallet_pages_and_chunks_of_the_csv_follow_each_other_without_gaps(
    django_assert_max_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("economy.statement.CHUNK", 16)
    ann = new_user()
    for number in range(60):
        give(wallet(ann.pk), number + 1)
    client = browser(ann)
    with django_assert_max_num_queries(21):
        first = text_of(client, "wallet")
    (older,) = re.findall(r'href="\?(before=\d+)"', first)
    second = text_of(client, "wallet", f"?{older}")
    lines = lines_of(first) + lines_of(second)
    assert [line[1] for line in lines] == [*range(60, 0, -1), 100]
    assert lines[0][2] == balance_of(ann.pk) == 100 + 60 * 61 // 2
    assert all(newer[2] == older[2] + newer[1] for newer, older in pairwise(lines))
    assert ("Older lines" in first, "Older lines" in second) == (True, False)
    kept = r'href="\?(kind=correction&amp;before=\d+)"'
    assert len(re.findall(kept, text_of(client, "wallet", "?kind=correction"))) == 1
    rows = rows_of(client.get(reverse("wallet_csv")))[1:]
    assert [int(row[6]) for row in rows] == [line[2] for line in lines[::-1]]


def test_portions_hold_all_rows_in_their_order_and_a_short_one_is_the_last(
    django_assert_num_queries: Any,
) -> None:
    ann = new_user()
    lines = Transfer.objects.filter(credit__owner=f"user:{ann.pk}")
    for count, sizes in ((1, [1]), (2, [2]), (3, [2, 1])):
        with django_assert_num_queries(count // 2 + 1):
            portions = list(portions_of(lines, 2))
        assert [len(portion) for portion in portions] == sizes
        assert [line for portion in portions for line in portion] == list(lines.order_by("pk"))
        give(wallet(ann.pk), 1)
    assert list(portions_of(Transfer.objects.none(), 2)) == []


@pytest.mark.plain
def test_wallet_shows_only_ones_own_and_a_reversal_as_a_line() -> None:
    ann, bob = new_user(), new_user()
    give(wallet(bob.pk), 777)
    (bonus,) = post([move(mint(Unit.POINT), wallet(ann.pk), 9)], NOON)
    reverse_transfer(bonus, "undo-1", "a slip", NOON)
    page = text_of(browser(ann), "wallet")
    assert "777" not in page
    lines = lines_of(page)
    assert [line[1:] for line in lines[:2]] == [(-9, 100), (9, 109)]
    assert lines[0][0] == "Reversal of an earlier line"


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", " @x", "|x", "\uff1d1",
     "\uff0b1", "\uff0d1", "\uff20x"],
)  # fmt: skip
def test_csv_no_cell_is_a_formula(text: str) -> None:
    assert cell(text) == f"'{text}"
    assert (cell(-1), cell("a=1"), cell("Shop")) == (-1, "a=1", "Shop")


def test_csv_is_written_by_one_module_which_escapes_formulas() -> None:
    writers = [path for path in modules(*PACKAGES) if "csv" in imports(path)]
    assert [path.relative_to(ROOT).as_posix() for path in writers] == ["economy/admin_pages.py"]
    said = [path for path in modules(*PACKAGES) if "text/csv" in path.read_text("utf-8")]
    for path in set(said) - set(writers):
        assert "economy.admin_pages.csv_file" in imports(path), path


@pytest.mark.plain
def test_wallet_and_stock_tell_what_is_set_aside_in_a_game_and_then_used_up() -> None:
    ann, bob, kit = a_game(is_over=False)
    client = browser(ann)
    assert '<b class="num">1 point</b> <span>at <a href=' in text_of(client, "wallet")
    page = text_of(client, "stock")
    held = page.split('id="held-heading"')[1].split("</section>")[0]
    assert '<b class="num">1 rock</b>' in held
    assert '<b class="num">1 landmine</b>' in held
    assert " ".join(map(" ".join, re.findall(r"stock-count.>(\d+)</b><small>(\w+)<", page))) == (
        "1 rock 0 papers 0 scissors 0 landmines"
    )
    assert lines_of(page)[:2] == [
        ("Landmines: brought into a game", -1, 0),
        ("Rocks: brought into a game", -1, 1),
    ]
    assert page.count(">in play<") == 2
    assert "held-heading" not in text_of(browser(bob), "stock")
    kit.play_to_the_end()
    page = text_of(client, "stock")
    assert page.count(">used up<") == 2
    assert "held-heading" not in page
    assert [line[1:] for line in lines_of(page)] == [(-1, 0), (-1, 1), (1, 1), (2, 2)]
    assert "No points are in a running game" in text_of(client, "wallet")


@pytest.mark.plain
def test_stock_tells_what_comes_back_and_csv_takes_no_title_for_a_formula() -> None:
    ann, _, kit = a_game(is_over=False)
    for title in ('=HYPERLINK("evil")', " =HYPERLINK(1)", "|evil", "\uff1d1"):
        type(kit.row).objects.filter(pk=kit.match.pk).update(title=title)
        assert rows_of(browser(ann).get(reverse("wallet_csv")))[-1][7] == f"'{title}"
    kit.void("a leak")
    page = text_of(browser(ann), "stock")
    assert page.count(">returned<") == 2
    assert {line[0] for line in lines_of(page)[:2]} == {
        "Rocks: returned from a game that was called off",
        "Landmines: returned from a game that was called off",
    }


@pytest.mark.plain
@pytest.mark.parametrize("name", ["wallet", "wallet_csv", "stock"])
def test_own_pages_need_a_login_and_are_not_kept(name: str) -> None:
    assert browser().get(reverse(name)).url == f"{reverse('account_login')}?next={reverse(name)}"
    assert browser(new_user()).get(reverse(name))["Cache-Control"] == "no-store, private"
    assert browser(new_user()).post(reverse(name)).status_code == 405


def test_proofs_and_overview_say_what_there_is_in_the_ledger() -> None:
    ann, _, kit = a_game(is_over=False)
    by_unit = {proof.unit: proof for proof in proofs()}
    assert {unit: (proof.total, proof.kept) for unit, proof in by_unit.items()} == {
        unit: (0, total(unit)) for unit in Unit
    }
    assert (by_unit[Unit.ROCK].made, by_unit[Unit.ROCK].used) == (2, 0)
    kit.play_to_the_end()
    rock = next(proof for proof in proofs() if proof.unit is Unit.ROCK)
    assert (rock.made, rock.used, rock.kept, rock.total) == (2, 1, 1, 0)
    whole = overview_module.overview(30)
    minted = Transfer.objects.filter(unit=Unit.POINT, debit__kind=AccountKind.MINT)
    assert sum(flow.amount for flow in whole.minted) == sum(minted.values_list("amount", flat=True))
    assert sum(whole.places.values()) == total(Unit.POINT)
    assert whole.places["escrow"] == 0
    assert sum(flow.amount for flow in whole.taken) == whole.places["treasury"]
    assert {flow.title for flow in whole.taken} >= {"Bought in the shop"}
    assert whole.days[-1].treasury == whole.places["treasury"]
    assert sum(day.minted for day in whole.days) == sum(flow.amount for flow in whole.minted)
    page = text_of(browser(), "economy_overview")
    assert f'<b class="num">{total(Unit.POINT)}</b>' in page
    assert balance_of(ann.pk) < total(Unit.POINT)


@pytest.mark.plain
@pytest.mark.breaks_ledger
def test_overview_tells_the_last_audit_and_a_wrong_balance() -> None:
    def page() -> str:
        cache.delete("economy:overview:30")
        return text_of(browser(), "economy_overview")

    assert "Not audited yet" in page()
    audit()
    found = last_audit()
    assert found is not None
    assert found.violations == 0
    assert timezone.now() - found.at < timedelta(seconds=10)
    shown = page()
    assert "everything holds" in shown
    assert found.at.strftime("%H:%M:%S") in shown
    ann = new_user()
    Account.objects.filter(owner=f"user:{ann.pk}", kind=AccountKind.WALLET).update(balance=103)
    assert next(proof for proof in proofs() if proof.unit is Unit.POINT).total == 3
    audit()
    shown = page()
    assert re.search(r"UTC: [1-9]\d* violation", shown)
    assert 'class="num right minus">3<' in shown


def test_overview_tells_nothing_of_running_games() -> None:
    """To add a weapon or plant a mine changes no byte of it, so it cannot be seen by watching."""
    ann, bob = new_user(), new_user()
    buy_weapon(user_id=ann.pk, unit=Unit.ROCK, quantity=2, action_id="shopping-01")
    buy_weapon(user_id=ann.pk, unit=Unit.LANDMINE, quantity=2, action_id="shopping-02")
    kit = TableKit(ann, bob, seats=2)
    kit.start()
    kit.call_all()

    def seen() -> str:
        cache.clear()
        page = text_of(browser(bob), "economy_overview")
        page = re.sub(r'csrfmiddlewaretoken" value="\w+"|nonce="[^"]+"', "", page)
        return re.sub(r"<time.*?</time>", "", page)

    before = seen()
    kit.act(ann, kind="add", weapon="rock")
    kit.act(ann, kind="mine", target=1)
    assert seen() == before
    assert "Rocks" in before


@pytest.mark.plain
def test_overview_days_add_up_and_are_drawn_without_styles_and_told_in_a_table() -> None:
    old, new = timezone.now() - timedelta(days=40), timezone.now() - timedelta(days=2)
    ann = new_user()
    post([move(wallet(ann.pk), TREASURY(), 10)], old)
    post([move(wallet(ann.pk), TREASURY(), 5)], new)
    post([move(mint(Unit.POINT), wallet(ann.pk), 33)], new)
    days = overview_module.overview(30).days
    assert [day.treasury for day in days] == [10] * 27 + [15] * 3
    assert [day.minted for day in days][-3] == 33
    assert len(overview_module.overview(90).days) == 90
    give(stock(ann.pk, Unit.ROCK), 4)
    page = text_of(browser(), "economy_overview", "?days=90")
    main = page.split("<main")[1].split("</main>")[0]
    assert "style=" not in main
    assert main.count("<svg viewBox") == main.count("As a table") == 3
    assert re.findall(r'<rect class="plot-bar" x="([\d.]+)" y="([\d.]+)"', main)
    assert re.search(r"<td class=\"num right\">[1-9]\d*</td>", main.split("As a table")[1])


@pytest.mark.plain
def test_plot_bars_stand_on_the_lower_edge_and_the_line_goes_from_edge_to_edge():
    drawn = plot("Games", "games", DAYS, [2, 0, 4])
    assert [bar.height for bar in drawn.bars] == [HEIGHT / 2, HEIGHT]
    assert all(bar.y + bar.height == HEIGHT for bar in drawn.bars)
    assert (drawn.most, drawn.total) == (4, 6)
    drawn = plot("Rating", "rating", DAYS, [1000, 1500, 2000], base=1000)
    dots = [tuple(map(float, dot.split(","))) for dot in drawn.line.split()]
    assert dots == [(0, HEIGHT), (WIDTH / 2, HEIGHT / 2), (WIDTH, 0)]
    for values in ([], [0, 0, 0]):
        assert plot("Games", "games", DAYS[: len(values)], values).bars == []
