import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import begin_duel, say
from tests.e2e.inspection import take
from tests.e2e.player import PHONE
from tests.e2e.towns import open_town

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HEBREW = "אני חושב ש-Ann3 שיקרה 2 פעמים!"
PERSIAN = "می‌خواهم بازی کنم، Ann3 کجاست؟"
PICTURES = "👨‍👩‍👧 🏴󠁧󠁢󠁳󠁣󠁴󠁿 ❤️‍🔥"
LINES = {HEBREW: "rtl", PERSIAN: "rtl", PICTURES: "ltr", "plain, שלום": "ltr"}

#: What browsers' translators do: each text becomes elements with another text, also later ones.
TRANSLATOR = """() => {
  const mayTouch = (text) => {
    const holder = text.parentElement;
    const isCode = holder?.closest("font, script, style, textarea, svg");
    return holder?.translate && !isCode && text.data.trim();
  };
  const translate = (root) => {
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = root.nodeType === Node.TEXT_NODE ? [root] : [];
    while (walk.nextNode()) texts.push(walk.currentNode);
    for (const text of texts.filter(mayTouch)) {
      const outer = document.createElement("font");
      const inner = document.createElement("font");
      inner.textContent = `«${text.data}»`;
      outer.append(inner);
      text.replaceWith(outer);
    }
  };
  translate(document.body);
  new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    for (const node of added) if (node.isConnected) translate(node);
  }).observe(document.body, { childList: true, subtree: true });
}"""

#: The text of the page once the clock has gone on by some seconds.
TICK = """(clock) => {
  window.ticks = window.ticks ?? new Set();
  window.ticks.add(document.querySelector(clock)?.textContent);
  return window.ticks.size > 4;
}"""


def elements(page: Page) -> int:
    return page.locator("#board *").count()


def directions(page: Page, place: str) -> dict[str, str]:
    read = "found => found.map(one => [one.textContent, getComputedStyle(one).direction])"
    return dict(page.locator(place).evaluate_all(read))


def test_posts_and_a_translated_town_stay_readable(new_player: MakePlayer) -> None:
    ann = new_player("Ann")
    page = ann.page
    open_town(ann, "dynamite", minutes=10)
    ann.press(re.compile("^Fill 7 seats with bots"))
    ann.press("Ready")
    expect(page.get_by_role("heading", name="Day 1")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".own-card")).to_have_count(0)
    box = page.locator("#post-text")
    # With the two posts after them as many as one may write at once.
    posted = dict(list(LINES.items())[:3])
    for line, direction in posted.items():
        box.fill(line)
        assert box.evaluate("box => getComputedStyle(box).direction") == direction
        ann.press(re.compile("^Post"))
        expect(box).to_have_value("")
    expect(page.locator(".post.is-own")).to_have_count(len(posted))
    assert directions(page, ".post.is-own .post-text p") == posted
    for width, height in ((390, 844), (1366, 650)):
        page.set_viewport_size({"width": width, "height": height})
        page.locator(".post.is-own").last.scroll_into_view_if_needed()
        take(page, f"texts-town-{width}")
    page.evaluate(TRANSLATOR)
    before = elements(page)
    page.wait_for_function(TICK, arg=".phase-clock")
    box.fill("After the translator.")
    ann.press(re.compile("^Post"))
    expect(page.locator(".post.is-own .post-text").last).to_have_text("«After the translator.»")
    expect(page.locator(".phase-text h2")).to_have_text(re.compile(r"^(Day|Night) \d$"))
    expect(page.locator(".post.is-own .post-text").first).to_have_text(f"«{HEBREW}»")
    assert elements(page) < before + 150, "some posts and votes of bots"
    take(page, "texts-translated")
    box.fill("\u202eabc")
    ann.press(re.compile("^Post"))
    expect(page.locator(".toast")).to_contain_text("turns the order")
    expect(box).to_have_value("\u202eabc")


def test_chat_in_any_script_on_a_phone(new_player: MakePlayer) -> None:
    ann, bob = new_player("Ann"), new_player("Bob", look=PHONE)
    begin_duel(ann, bob)
    for line in LINES:
        say(bob, line)
    for player in (ann, bob):
        page = player.page
        page.get_by_role("tab", name=re.compile("^Chat")).click()
        expect(page.locator(".said-text")).to_have_count(len(LINES))
        assert directions(page, ".said-text") == LINES
        page.locator(".said-text").last.scroll_into_view_if_needed()
        take(page, f"texts-chat-{player.name}")
    box = bob.page.locator(".say input")
    box.fill("\u3164")
    box.press("Enter")
    expect(bob.page.locator(".toast")).to_contain_text("nothing to read")
    expect(box).to_have_value("\u3164")
