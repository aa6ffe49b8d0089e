"""People and a bot play for points, from the sign-up to the next game."""

import json
import os
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.boot import ROOT
from tests.e2e.conftest import MakePlayer
from tests.e2e.inspection import clipped
from tests.e2e.player import PHONE, play_to_the_end
from tests.platform.site import Site, environment

pytestmark = pytest.mark.browser

#: Prints the treasury and the wallets as the ledger has them.
WALLETS = """
import json
from economy.ledger import TREASURY, wallet
from economy.models import Account
from accounts.models import User
def held(ref):
    found = Account.objects.filter(owner=ref.owner, kind=ref.kind, unit=ref.unit).first()
    return found.balance if found else 0
print("HELD", json.dumps({"": held(TREASURY())} | {u.username: held(wallet(u.pk)) for u in User.objects.all()}))
"""


def manage(site: Site, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment(site.var, DJANGO_SETTINGS_MODULE="rpsite.settings.site"),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def held(site: Site) -> Counter[str]:
    """Return what everybody has, the treasury under an empty name."""
    said = manage(site, "shell", "-c", WALLETS)
    (line,) = [line for line in said.splitlines() if line.startswith("HELD ")]
    return Counter(json.loads(line.removeprefix("HELD ")))


def moved_by(events: list[dict[str, Any]]) -> tuple[Counter[int], int]:
    """Return what a game's facts say that each seat has won or lost, and the treasury got."""
    back = {"uncalled_returned", "purse_returned", "pot_awarded", "bonus_paid"}
    seats: Counter[int] = Counter()
    purses: dict[int, int] = {}
    tax = 0
    for event in events:
        data = event["data"]
        if event["kind"] == "sat":
            purses[data["seat"]] = data["purse"]
        elif event["kind"] in back:
            seats[data["seat"]] += data["amount"]
        elif event["kind"] == "tax_taken":
            tax += data["amount"]
    seats.subtract(purses)
    return seats, tax


def test_two_people_and_a_bot_play_for_points_and_go_on(site: Site, new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob", look=PHONE)
    path = ann.open_table(seats=3, target=3, betting_clock=10, round_clock=10, largest_purse=60)
    bob.go(path)
    ann.sit_and(ready=False)
    bob.sit_and(ready=False)
    ann.press("Add a bot")
    bot = ann.page.locator(".seat", has=ann.page.locator("use[href$='#robot']")).locator(".name")
    expect(bot).to_be_visible()
    robot = bot.inner_text()
    before = held(site)
    assert (before[str(ann.name)], before[str(bob.name)]) == (100, 100)
    ann.press("Ready")
    bob.press("Ready")
    play_to_the_end(ann, bob)

    events = ann.log(path)
    seats, tax = moved_by(events)
    paid = sum(e["data"]["amount"] for e in events if e["kind"] == "bonus_paid")
    assert sum(seats.values()) + tax - paid == 0, "what one loses another wins, but for tax and bonus"
    names = [chair.inner_text() for chair in ann.page.locator(".ending th[scope=row]").all()]
    assert len(names) == 3
    after = held(site)
    people = {0: str(ann.name), 1: str(bob.name), 2: robot}
    assert {name: after[name] - before[name] for name in people.values()} == {
        name: seats[no] for no, name in people.items()
    }
    assert after[""] - before[""] == tax
    assert ann.balance() == after[str(ann.name)]
    assert bob.balance() == after[str(bob.name)]
    assert "0 violations" in manage(site, "audit_ledger", "--whole")
    assert clipped(bob.page) == []

    go_on(ann, bob, path)


def go_on(ann, bob, path: str) -> None:
    """The next game at the same table, without loading the page anew."""
    for player in (ann, bob):
        player.page.evaluate("() => { window.isSamePage = true; }")
    ann.press("Play again")
    bob.press("Go to the next game")
    for player in (ann, bob):
        expect(player.page.locator(".seats .name", has_text="You")).to_be_visible()
        assert player.path != path
        player.expect_live()
    assert ann.path == bob.path
    bob.press("Ready")
    play_to_the_end(ann, bob, seed=8)
    for player in (ann, bob):
        assert player.page.evaluate("() => window.isSamePage") is True
    seats, tax = moved_by(ann.log(ann.path))
    assert os.fspath(ann.path)
    assert sum(seats.values()) + tax >= 0
