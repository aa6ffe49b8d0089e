"""Two people play; their browsers add salts; the page of proofs checks the game."""

import time

import pytest
from playwright.sync_api import expect

from tests.boot import PATIENCE
from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import begin_duel, expect_end, play_throw
from tests.e2e.inspection import barriers, clipped, take
from tests.e2e.player import PHONE
from tests.e2e.site import Site
from tests.e2e.test_arena import begin_round, choose, end_round, enter

pytestmark = pytest.mark.browser


def test_browsers_add_salts_and_the_page_checks_it(site: Site, new_player: MakePlayer) -> None:
    ann, bob = new_player("Ann"), new_player("Bob", look=PHONE)
    path = begin_duel(ann, bob, best_of=5)
    for number in (1, 2, 3):
        play_throw(number, (bob, "paper"), (ann, "rock"))
    expect_end("You win 3 : 0", bob)
    public_id = path.rstrip("/").rpartition("/")[2]
    proof = f"/matches/{public_id}/proof.json"
    until = time.monotonic() + PATIENCE
    while not ann.context.request.get(proof).ok:
        assert time.monotonic() < until
        time.sleep(0.5)
    told = ann.context.request.get(proof).json()
    assert [seat for seat, _ in told["salts"]] == [0, 1]
    for player, look in ((ann, "laptop"), (bob, "phone")):
        page = player.page
        page.goto(f"/proof/?match={public_id}")
        expect(page.locator(".proof-said .tag-good")).to_have_count(7)
        for text in ("Salts of 2 of the seats", "the commitment that you saw", "Your salt is in"):
            expect(page.locator(".proof-said")).to_contain_text(text)
        assert not clipped(page)
        assert not barriers(page)
        take(page, f"proof-{look}", is_whole=True)
    # What people have at hand is the address of the board or of the replay.
    page = ann.page
    for typed in (f"https://play.example{path}replay/?at=3&as=1", f"{path}", public_id):
        page.get_by_label("Address of a finished match").fill(typed)
        page.get_by_role("button", name="Check").click()
        expect(page.locator(".proof-said .tag-good")).to_have_count(7)
    # Another seed than the one of that day is found out here.
    page.evaluate(
        "(seen) => { localStorage['rr.salts'] = localStorage['rr.salts'].replaceAll(seen, 'x'); }",
        told["commitment"],
    )
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".proof-said .tag-bad")).to_have_count(1)
    expect(page.locator(".proof-said")).to_contain_text("You saw another commitment")
    enter(ann)
    number = begin_round(site, ann)
    choose(ann, "rock")
    end_round(site, number, (ann, "rock"))
    page.goto("/proof/")
    page.get_by_label("Address of a finished match").fill(f"/arena/rounds/{number}/?as={ann.name}")
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".proof-said .tag-good")).to_have_count(4)
