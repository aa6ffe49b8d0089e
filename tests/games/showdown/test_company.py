"""Purses, bots.  Source: docs/explanation/decisions/tables.md "The purse on offer"."""

from typing import Any

import pytest

from accounts.models import User
from economy.selectors import balance_of
from economy.units import Unit
from games import registry
from games.matches.models import Match, Seat
from games.matches.processing.bots import BOT_NAMES, ensure_bots
from games.matches.queries import commands, selectors
from games.showdown.shopping import buy_weapon, tell_stock
from games.text.typed import SideCommand
from tests.games.table_kit import TableKit, new_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _bots() -> None:
    ensure_bots()


def test_who_sits_down_without_a_word_brings_the_purse_on_offer_which_may_be_changed() -> None:
    ann = new_user()
    kit = seated(ann, largest_purse=500)
    assert kit.view(ann)["you"]["default_purse"] == kit.view()["seats"][0]["purse"] == 20
    assert '"purse":20' in kit.row.entries.get(seat=None, actor=ann).action
    assert kit.view()["you"]["default_purse"] is None
    kit.act(ann, kind="bring", purse=100)
    assert kit.view()["seats"][0]["purse"] == 100
    refusal = kit.answer(ann, kind="bring", purse=101).error
    assert refusal.code == "ledger/insufficient_points"
    assert refusal.detail == {"missing": 1, "balance": 100}


def seated(ann: User, *bots: dict[str, str], **options: int) -> TableKit:
    """Return a table at which somebody sits with the purse on offer, and bots."""
    kit = TableKit(ann, **{"seats": 2, **options})
    kit.act(ann, kind="sit", seat=0)
    for bot in bots:
        kit.act(ann, kind="add_bot", **bot)
    return kit


def lost(kit: TableKit, purse: int) -> TableKit:
    kit.start(purse)
    first = kit.on_turn()
    kit.act(first, kind="raise_by", amount=kit.view(first)["game"]["you"]["raise_max"])
    kit.act(kit.on_turn(), kind="call")
    kit.act(kit.people[0], kind="leave")
    kit.pass_time(31)
    assert kit.row.status == Match.Status.OVER
    return kit


def again(kit: TableKit) -> dict[str, Any]:
    """Play again as the loser; return the view of that table."""
    kit.act(kit.people[0], kind="rematch")
    kit.match = kit.row.successor
    return kit.view(kit.people[0])


def test_play_again_after_a_loss_brings_what_is_left_and_says_so() -> None:
    ann, bob = new_user(), new_user()
    kit = lost(TableKit(ann, bob, seats=2), 60)
    assert balance_of(ann.pk) == 40
    mine = again(kit)
    assert (mine["seats"][0]["purse"], mine["seats"][0]["ready"]) == (40, True)
    assert mine["you"]["purse_cut"] == 20
    kit.act(bob, kind="ready", configuration=1)
    assert kit.row.status == Match.Status.RUNNING
    assert kit.view(ann)["seats"][0]["purse"] == 40


def test_play_again_without_the_ante_is_not_ready_and_may_bring_more_later() -> None:
    ann, bob = new_user(), new_user()
    buy_weapon(user_id=ann.pk, unit=Unit.ROCK, quantity=8, action_id="company-rock")
    kit = lost(TableKit(ann, bob, seats=2, ante=10), 60)
    assert balance_of(ann.pk) == 0
    assert not again(kit)["seats"][0]["ready"]
    refusal = kit.answer(ann, kind="ready", configuration=1).error
    assert refusal.code == "ledger/insufficient_points"


@pytest.mark.plain
def test_the_shop_tells_spectators_what_they_own_and_players_what_it_takes() -> None:
    ann, bob = new_user(), new_user()
    buy_weapon(user_id=bob.pk, unit=Unit.ROCK, quantity=2, action_id="company-two-rocks")
    kit = TableKit(ann, new_user(), seats=2)
    asked = commands.parse("!stock", kit.view(bob))
    assert isinstance(asked, SideCommand)
    assert tell_stock(bob.pk, asked.given, "x") == "You have 90 points. Your stash: 2 Rock."
    kit.start()
    kit.call_all()
    refusal = kit.answer(ann, kind="mine", target=1).error
    assert str(refusal) == "you own no landmine; the shop has one for 12 points"


def test_the_first_bot_is_an_easy_one_and_later_ones_are_not() -> None:
    cast = registry.table("showdown").bot.cast
    ann = new_user()

    def strength() -> str:
        kit = seated(ann, {})
        found = cast[kit.view()["seats"][1]["player"]["name"]].strength
        kit.act(ann, kind="stand")
        kit.pass_time(15 * 60 + 1)
        return found

    assert strength() == "easy"
    kit = lost(TableKit(ann, new_user(), seats=2), 5)
    assert strength() == "easy"
    Seat.objects.filter(match=kit.match, user=ann).update(result="won")
    assert strength() == "normal"
    # The cast has names of the site, with the mildest first.
    assert set(cast) <= set(BOT_NAMES)
    strengths = [who.strength for who in cast.values()]
    assert strengths == sorted(strengths, key=["easy", "normal", "hard"].index)
    assert {who.manner for who in cast.values()} == {"cautious", "steady", "gambler", "brawler"}


def test_a_bot_is_chosen_by_name() -> None:
    ann = new_user()
    kit = seated(ann, {"bot": "Nickels_Novak"}, seats=3)
    assert kit.view()["seats"][1]["player"]["name"] == "Nickels_Novak"
    for name in ("Nickels_Novak", "Nobody_Here", 7):
        assert kit.answer(ann, kind="add_bot", bot=name).error.code == "action/no_bot_willing"


def test_people_at_a_bots_table_have_a_long_clock_and_no_minute_to_get_ready() -> None:
    ann = new_user()
    kit = seated(ann, {})
    assert kit.view()["ready_by"] is None
    kit.pass_time(120)
    assert kit.view(ann)["you"]["seat"] == 0
    kit.act(ann, kind="ready", configuration=1)
    assert kit.view()["game"]["clock_limit"] == 60_000
    assert selectors.snapshot_of(kit.row).state.options.clock_times == 3
