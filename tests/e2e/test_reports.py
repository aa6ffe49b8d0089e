import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.inspection import THREE_SIZES, wrong_in_all_looks
from tests.e2e.site import Site
from tests.e2e.test_pages import PARTS, named
from tests.forms import some

pytestmark = pytest.mark.browser

PAGES = named("""
    /admin/ /admin/economy/setting/ /admin/accounts/user/ /admin/games/mute/ /admin/games/mute/add/
    /admin/games/flag/ /admin/games/match/ /admin/economy/adminrecord/ /admin/economy/transfer/
""")
SET_THEME = "(theme) => document.documentElement.classList.toggle('dark', theme === 'dark')"
#: The sizes of the admin's controls are its library's, and the searches Unfold's own.
ALLOWED = ("target-size", 'no label: "q"', 'no label: "s"')


def look(page: Page, name: str, *allowed: str) -> None:
    given = {"set_theme": SET_THEME, "allowed": ALLOWED + allowed}
    assert wrong_in_all_looks(page, f"admin-{name}", THREE_SIZES, **given) == []


#: The choices of a report that its bar of buttons covers, at some place of the page.
COVERED = """(place) => {
  scrollTo(0, place);
  const bar = document.querySelector(".report-buttons").getBoundingClientRect();
  return [...document.querySelectorAll(".report-chips span")]
    .filter((each) => each.getBoundingClientRect().bottom > bar.top)
    .map((each) => each.textContent);
}"""


@pytest.mark.slow
def test_reports_are_worked_with_keys(site: Site, new_player: MakePlayer) -> None:
    ann, moderator = new_player("Ann"), new_player("Mod")
    town = site.call("begin", idle=ann.name)
    who = {"moderator": moderator.name, "mafioso": town["mafioso"], "rude": ann.name}
    named = site.call("complain", public_id=town["public_id"], **who)["named"]
    page, press = moderator.page, moderator.page.keyboard.press
    page.goto("/admin/")
    page.get_by_role("link", name=re.compile("Open reports")).click()

    # A post of a room that spectators do not read: shown by a recorded look, and only once.
    case, queue = page.locator(".report-case"), page.get_by_role("navigation", name="Open reports")
    expect(queue.get_by_role("heading")).to_have_text("3 open")
    expect(case).to_contain_text("Spectators do not read this room.")
    for secret in ("a secret plan", town["mafioso"], "an insult"):
        expect(case).not_to_contain_text(secret)
    look(page, "report-secret")
    press("l")
    expect(case.locator(".reported")).to_contain_text("a secret plan")
    expect(case).to_contain_text(f"Author{town['mafioso']}")
    press("d")

    # A public post: a reason, then the mute; without a reason nothing happens.
    expect(page.get_by_text("Dismissed:")).to_be_visible()
    expect(case.locator(".reported")).to_contain_text("rude words")
    press("j")
    expect(case.locator(".report-name")).to_have_text(named)
    press("k")
    expect(case.locator(".reported")).to_contain_text("rude words")
    press("m")
    expect(case.get_by_role("alert")).to_contain_text("Choose a reason")
    press("3")
    expect(case.get_by_role("radio", name="Spam or advertising")).to_be_checked()
    look(page, "report-post")
    page.set_viewport_size({"width": 1280, "height": 800})
    assert [page.evaluate(COVERED, place) for place in (0, 200, 10_000)] == [[], [], []]
    press("m")

    # A name is claimed, and replaced; its player reads it on every page and chooses another.
    expect(page.get_by_text("Muted:")).to_be_visible()
    press("c")
    expect(case.get_by_text("Yours until")).to_be_visible()
    look(page, "report-claimed")

    # A name; keys that are typed into the note press no button.
    expect(case.locator(".report-name")).to_have_text(named)
    case.get_by_label("More, or another reason").fill("")
    page.keyboard.type("bad hmd")
    press("Escape")
    look(page, "report-name")
    press("5")
    press("b")
    expect(page.get_by_text("Banned:")).to_be_visible()
    expect(page.get_by_text("No open reports.")).to_be_visible()

    ann.go(f"/mafia/{town['public_id']}/")
    ann.page.locator("#post-text").fill("me again")
    ann.press(re.compile("^Post"))
    expect(ann.page.get_by_text("you are muted until")).to_be_visible()

    # Ann is warned and renamed, reads both, and takes another name.
    page.goto(f"/admin/accounts/user/?q={ann.name}")
    page.get_by_role("link", name=ann.name).first.click()
    person = page.url
    for verb in ("Warn", "New name"):
        page.goto(person)
        page.get_by_role("main").get_by_role("link", name=verb, exact=True).click()
        page.get_by_label("Reason").fill(f"A reason to {verb}")
        look(page, f"ask-{verb}")
        page.get_by_role("button", name=re.compile("Warn|Rename")).click()
    for path in ("/", f"/mafia/{town['public_id']}/"):
        ann.page.goto(path)
        expect(ann.page.get_by_role("alert").filter(has_text="A reason to Warn")).to_be_visible()
    ann.page.get_by_role("button", name="I have read it").click()
    ann.page.get_by_role("link", name="Choose a name or keep it").click()
    ann.page.get_by_label("Another name").fill("Courteous")
    ann.page.get_by_role("button", name="Take this name").click()
    expect(ann.page.get_by_role("alert")).to_have_count(0)
    page.goto(person)
    expect(page.get_by_text("A reason to New name").first).to_be_visible()
    look(page, "person", "link-in-text")
    page.goto(f"/admin/accounts/user/?q={named}")
    page.get_by_role("link", name=named).first.click()
    expect(page.get_by_text("Offensive name: bad hmd").first).to_be_visible()
    # Django's own sentence has the link to the page of the password.
    look(page, "player", "link-in-text")
    for name, path in some(PAGES, PARTS).items():
        page.goto(path)
        look(page, name)
