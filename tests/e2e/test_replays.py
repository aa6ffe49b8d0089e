import re
import time

import pytest
from playwright.sync_api import Page, expect

from tests.boot import PATIENCE
from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import begin_duel, expect_end, play_throw
from tests.e2e.inspection import THREE_SIZES, barriers, clipped, wrong_in_all_looks
from tests.e2e.player import PHONE
from tests.e2e.site import Site
from tests.e2e.test_arena import begin_round, choose, end_round, enter

pytestmark = pytest.mark.browser

GAMES = ("duel", "showdown", "agora", "dynamite")


@pytest.fixture(scope="module")
def played(site: Site) -> dict[str, tuple[str, list[str]]]:
    return {slug: site.call("play_over", game=slug) for slug in GAMES}


def place(page: Page) -> tuple[int, int]:
    now, last = (page.locator(".replay-count").text_content() or "").split(" / ")
    return int(now), int(last)


def expect_place(page: Page, number: int, last: int) -> None:
    expect(page.locator(".replay-count")).to_have_text(f"{number} / {last}")


def look(page: Page, name: str) -> None:
    assert wrong_in_all_looks(page, name, THREE_SIZES) == []
    page.set_viewport_size({"width": 1280, "height": 800})


@pytest.mark.parametrize("slug", GAMES)
def test_replay_steps_by_keys_and_buttons_through_any_eyes_and_is_shared_by_the_result(
    slug: str, played: dict[str, tuple[str, list[str]]], new_player: MakePlayer
) -> None:
    address, names = played[slug]
    viewer = new_player()
    page = viewer.page
    viewer.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(address.removesuffix("replay/"))
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    assert page.evaluate("() => navigator.clipboard.readText()").endswith(address)
    page.get_by_role("link", name="Replay").click()
    expect(page.locator(".replay-count")).to_have_text(re.compile(r"^1 /"))
    expect(page.locator(".link-badge")).to_have_text("replay")
    number, last = place(page)
    assert number == 1
    expect(page.locator(".ending")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect_place(page, 2, last)
    page.keyboard.press("ArrowLeft")
    expect_place(page, 1, last)
    page.get_by_role("button", name="One on").click()
    expect_place(page, 2, last)
    page.keyboard.press("End")
    expect_place(page, last, last)
    expect(page.locator(".board-main .dock, .board-main .ending").first).to_be_visible()
    look(page, f"{slug}-end")
    page.keyboard.press("Home")
    expect_place(page, 1, last)
    for _ in range(last // 2):
        page.keyboard.press("ArrowRight")
    expect_place(page, 1 + last // 2, last)

    page.get_by_label("Seen by").select_option(label=names[1])
    expect(page).to_have_url(re.compile(r"\?at=\d+&as=1$"))
    look(page, f"{slug}-seat")
    seen = page.locator("#board").inner_text()
    page.reload()
    expect_place(page, 1 + last // 2, last)
    expect(page.get_by_label("Seen by")).to_have_value("1")
    assert page.locator(".replay-caption").text_content() in seen

    page.get_by_label("Seen by").select_option("all")
    expect(page.locator(".replay-open li").first).to_be_visible()
    look(page, f"{slug}-all")
    page.goto(f"{address}?at=999999&as=all")
    expect_place(page, last, last)
    # The board has no socket here, and nothing to say or to press.
    expect(page.locator("form.say, .phrases, .writer")).to_have_count(0)


def test_replay_plays_pauses_and_changes_speed(played, new_player) -> None:
    page = new_player(look=PHONE).page
    page.goto(played["dynamite"][0])
    page.get_by_label("Speed").select_option("4")
    page.get_by_role("button", name="Play", exact=True).tap()
    expect(page.locator(".replay-count")).to_have_text(re.compile(r"^([3-9]|\d\d) /"))
    page.get_by_role("button", name="Pause").tap()
    now, last = place(page)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.locator("h1").tap()
    expect_place(page, now, last)
    page.keyboard.press(" ")
    expect(page.locator(".replay-count")).not_to_have_text(f"{now} / {last}")
    page.keyboard.press("End")
    expect_place(page, last, last)
    # At the end it stops, and plays from the beginning.
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.get_by_label("Speed").select_option("0.5")
    page.get_by_role("button", name="Play", exact=True).tap()
    expect_place(page, 1, last)
    expect_place(page, 2, last)


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
    for player in (ann, bob):
        page = player.page
        page.goto(f"/proof/?match={public_id}")
        expect(page.locator(".proof-said .tag-good")).to_have_count(7)
        for text in ("Salts of 2 of the seats", "the commitment that you saw", "Your salt is in"):
            expect(page.locator(".proof-said")).to_contain_text(text)
        assert not clipped(page)
        assert not barriers(page)
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
