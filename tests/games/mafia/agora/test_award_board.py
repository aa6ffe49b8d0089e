import csv
import io
import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.services import freeze
from economy.ledger import TREASURY, mint, post, wallet
from economy.transfers import TransferCode
from economy.units import MINUS, Unit
from games.matches.models import Flag
from games.moderation import flags
from games.people.records import ratio_of
from games.standings import award_boards
from games.standings.award_boards import By, award_standings
from tests.accounts.kit import browser
from tests.economy.kit import move
from tests.games.mafia.agora.kit import TownKit
from tests.games.mafia.agora.test_awards import begun, mafioso_of, people, set_number, won

pytestmark = pytest.mark.django_db


def give_awards(kit: TownKit, *given: tuple[int, int]) -> None:
    """Store these awards for the first seats, and none for the others.

    The pages read seats; that these are what the ledger says is the audit's.
    """
    kit.row.seats.update(award=0, y_award=0)
    for no, (x, y) in enumerate(given):
        kit.row.seats.filter(no=no).update(award=x, y_award=y)


@pytest.fixture
def kit() -> TownKit:
    kit = won(people())
    give_awards(kit, (10, 0), (9, 9), (0, 11), (10, 2), (0, 0))
    return kit


def names_of(by: By, matches: Any = None) -> list[str]:
    return [row.name for row in award_standings(by, matches)]


def read(client: Client, name: str, *args: str, query: str = "") -> str:
    return client.get(reverse(name, args=args) + query).content.decode()


@pytest.mark.plain
@pytest.mark.breaks_ledger
def test_award_board_ranks_all_games_or_some_by_x_by_y_and_by_both(kit: TownKit) -> None:
    a, b, c, d, _ = (user.username for user in kit.people)
    # Equal ones: fewer games, then the older account.
    assert (names_of(By.X), names_of(By.Y)) == ([a, d, b], [c, b, d])
    assert names_of(By.MODULUS) == [b, c, d, a]
    first = award_standings(By.MODULUS)[0]
    assert (first.place, first.award, first.games) == (1, (9, 9), 1)
    assert first.modulus == pytest.approx(12.7279, abs=1e-4)
    other = won([*kit.people[:3], *people(2)])
    give_awards(other, (0, 5), (0, 0), (30, 30))
    assert (names_of(By.X)[0], award_standings(By.X)[0].award) == (c, (30, 41))
    assert award_standings(By.Y, [kit.match.pk])[0].award == (0, 11)
    assert (names_of(By.X, [other.match.pk]), names_of(By.X, [])) == ([c], [])
    freeze(user_id=kit.people[0].pk, reason="we are looking into it")
    User.objects.filter(pk=kit.people[1].pk).update(is_active=False)
    assert names_of(By.X, [kit.match.pk]) == [d], "neither who is frozen nor who is banned"


@pytest.mark.breaks_ledger
@pytest.mark.parametrize("kind", [Flag.Kind.ADDRESS, Flag.Kind.DEVICE])
def test_award_board_waits_for_a_flag_about_two_of_a_game(kit: TownKit, kind: Flag.Kind) -> None:
    a, b, chief, d, _ = kit.people
    before = names_of(By.X)
    flags.open_flag(flags.company(kind, (a.pk, b.pk), timezone.now()))
    assert names_of(By.X) == [d.username]
    # Also while another game of the two is awarded.
    both = won([a, b, *people(3)])
    both.row.seats.update(award=0, y_award=0)

    def award_after(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        found = execute(sql, params, many, context)
        if "y_award" in sql and sql.startswith("SELECT"):
            give_awards(both, (5, 5), (5, 5))
        return found

    with connection.execute_wrapper(award_after):
        assert names_of(By.X)[0] == d.username
    assert names_of(By.X) == [d.username]
    both.row.seats.update(award=0, y_award=0)
    # With somebody else it counts.
    give_awards(won([a, *people(4)]), (3, 3))
    counted = [(row.name, row.award, row.games) for row in award_standings(By.X)]
    assert counted == [(d.username, (10, 2), 1), (a.username, (3, 3), 1)]
    flags.close_flags(flags=Flag.objects.all(), by=chief, note="a family")
    assert set(before) <= set(names_of(By.X))
    assert award_standings(By.X)[0].award == (13, 3)
    # Nor do reports and later flags hold anything back.
    shown, now = names_of(By.X), timezone.now()
    flags.open_flag(flags.reported(a.pk, b.pk, "rude", now))
    flags.open_flag(flags.company(kind, (a.pk, b.pk), now + timedelta(days=2)))
    assert names_of(By.X) == shown


@pytest.mark.plain
@pytest.mark.breaks_ledger
def test_award_board_as_a_page(kit: TownKit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(award_boards, "SHOWN", 1)
    page = read(browser(kit.people[1]), "award_board")
    assert page.count('id="me"') == 1
    assert page.index(kit.people[0].username) < page.index('id="me"')
    assert "9 + 9i" in page
    assert "12.7" in page
    page = read(browser(), "award_board", query="?by=y")
    # Without the tokens of forms and the nonce, which are random letters and digits.
    assert "2i" not in re.sub(r'"[\w+/-]{22,}=*"', '""', page)
    assert browser().get(reverse("award_board") + "?by=z").status_code == 404
    give_awards(kit)
    assert "No town has paid yet" in read(browser(), "award_board")


def test_ratio_is_of_rated_games_that_count_alone_and_stands_on_a_players_page() -> None:
    who = people()
    games = [won(who, phase_seconds=60), won(who)]
    loser = mafioso_of(games[1])
    page = read(browser(), "profile", who[loser - 1].username)
    assert "15 + 15i" in page
    assert "no rated game lost yet" in page
    assert "0.00" in read(browser(), "profile", who[loser].username)
    games.append(won(who))
    for no, user in enumerate(who):
        lost = sum(mafioso_of(kit) == no for kit in games[1:])
        ratio = ratio_of(user)
        assert (ratio.record.won, ratio.record.lost, ratio.record.drawn) == (2 - lost, lost, 0)
        assert ratio.per_loss == (None if not lost else (2 - lost) / lost)
        # The same people are paid by half for their second game.
        paid = sum(15 // part for part, kit in enumerate(games[1:], 1) if mafioso_of(kit) != no)
        assert ratio.awards == (paid, paid)


@pytest.mark.plain
@pytest.mark.breaks_ledger
def test_wallet_writes_an_award_as_one_number_of_one_game() -> None:
    kit, other = won(people()), begun(people())
    winner = kit.people[(mafioso_of(kit) + 1) % 5]
    shown = browser(winner).get(reverse("wallet"))
    award, grant = shown.context["entries"]
    assert (award.net, award.net_words, award.balance_words) == ((15, 15), "+15 + 15i", "115 + 15i")
    assert [one.net_words for one in award.movements] == ["+15i", "+15"]
    assert grant.net_words == "+100"
    page = shown.content.decode()
    assert "115</span> + 15i" in page
    assert kit.match.public_id in page
    # What is spent afterwards leaves the other axis as it was.
    post([move(wallet(winner.pk), TREASURY(), 40)], timezone.now())
    newest = browser(winner).get(reverse("wallet")).context["entries"][0]
    assert (newest.net_words, newest.balance_words) == (f"{MINUS}40", "75")
    # An award that is all of the other axis: the day's limit of one axis, as Dynamite pays it.
    winner = other.people[(mafioso_of(other) + 1) % 5]
    post([move(mint(Unit.POINT), wallet(winner.pk), 60, code=TransferCode.GAME_AWARD)], other.now)
    other.lynch_the_mafioso()
    award, *_ = browser(winner).get(reverse("wallet")).context["entries"]
    assert (award.net_words, award.balance_words, award.sign) == ("+15i", "15i", 1)
    response = browser(winner).get(reverse("wallet_csv"))
    rows = list(csv.reader(io.StringIO(b"".join(response).decode())))  # type: ignore[arg-type]
    assert rows[-1][4:7] == ["y-axis points", "15", "15"]
    assert rows[-2][4:7] == ["points", "60", "160"]


def test_story_tells_what_was_earned_and_paid_and_the_board_what_makes_a_game_rated() -> None:
    set_number("awards.daily", 5)
    rated, unrated = won(people()), won(people(), phase_seconds=60)
    page = read(browser(), "mafia_story", rated.match.public_id)
    assert page.count("of 15 + 15i<") == page.count(">5 + 5i<") == 4
    assert "10 + 10i more would be over the limit of 5 a day" in page
    page = read(browser(), "mafia_story", unrated.match.public_id)
    assert page.count('class="is-winner"') == 4
    assert ">Paid<" not in page
    assert "15 + 15i" not in page
    assert "Not rated." in page
    set_number("awards.people", 7)
    kit = begun(people())
    page = browser(kit.people[0]).get(reverse("mafia_game", args=[kit.match.public_id]))
    numbers = {"people": 7, "minutes": 10, "lasting": 10, "daily": 5}
    assert page.context["table_config"]["awards"] == numbers
    assert not page.context["initial_view"]["view"]["match"]["rated"]
    kit.lynch_the_mafioso()
    assert not kit.row.seats.filter(award__gt=0).exists()
