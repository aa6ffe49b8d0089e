import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import create_duel, expect_end, expect_throw, join, play_throw, throw
from tests.e2e.inspection import (
    barriers,
    clipped,
    nameless,
    small_fields,
    take,
    torn,
    translated,
)
from tests.e2e.player import (
    MOVING,
    PASSWORD,
    PHONE,
    READY,
    Player,
    play_to_the_end,
    play_until_round,
)
from tests.forms import some

pytestmark = pytest.mark.browser

WIDE = {"width": 1360, "height": 900}
LOW = {"width": 1360, "height": 720}
NARROW = {"width": 390, "height": 844}

#: Theme and window: each once, because in another theme only the colours differ.
LOOKS = [("dark", WIDE), ("light", NARROW)]
#: Each commit looks at a third of the pages, ``./run test --long pages`` at all.
PARTS = 3


def named(paths: str) -> dict[str, str]:
    """Return pages by the names of their pictures."""
    return {path.strip("/").replace("/", "-") or "home": path for path in paths.split()}


ANYBODYS = named("""
    / /tables/ /duels/ /duels/api/ /rules/ /rules/showdown/ /rules/duel/ /rules/agora/ /mafia/
    /mafia/archive/ /leaderboard/ /leaderboard/awards/ /credits/ /daily/ /fair-play/ /privacy/
    /about/ /status/ /shop/ /economy/ /api/ /proof/ /mafia/absence/ /readers/ /ladder/
""")
GUESTS = ANYBODYS | named("""
    /accounts/login/ /accounts/signup/ /accounts/password/reset/ /accounts/password/reset/done/
    /admin/
""")
USERS = ANYBODYS | named("""
    /tables/new/ /duels/new/ /mafia/new/ /accounts/tokens/ /settings/programs/ /turns/
    /accounts/mail/ /wallet/ /stock/ /accounts/email/ /accounts/sessions/ /accounts/2fa/
    /accounts/password/change/ /accounts/logout/
""")


def look_at(page: Page, name: str) -> None:
    """Look at what is on the screen from all sides: nothing is wrong with it."""
    assert nameless(page) == [], name
    for theme, window in LOOKS:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.set_viewport_size(window)
        look = f"{name}-{theme}-{window['width']}"
        take(page, look)
        assert (clipped(page), barriers(page)) == ([], []), look
        assert (small_fields(page) if window is NARROW else translated(page)) == [], look
    page.set_viewport_size(WIDE)


def look_at_all(player: Player, who: str, paths: dict[str, str]) -> None:
    for name, path in paths.items():
        answer = player.page.goto(path)
        assert answer is not None
        assert answer.status == 200, path
        look_at(player.page, f"{who}-{name}")


@pytest.mark.slow
def test_the_pages_of_guests_and_users(new_player: MakePlayer):
    look_at_all(new_player(), "guest", some(GUESTS, PARTS))
    ann = new_player("Ann")
    ann.open_table(seats=4)
    ann.sit_and(ready=False)
    look_at_all(ann, "user", some(USERS | {"profile": f"/@{ann.name}/"}, PARTS))


#: Tablets upright and sideways, a phone sideways, a desktop at 150 %.
BETWEEN = ((768, 1024), (1024, 768), (844, 390), (853, 533), (640, 900))
#: Whether the middle of an element is on the screen and nothing lies over it.
IS_FREE = """(el) => {
  const { left, top, width, height } = el.getBoundingClientRect();
  return el.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


def test_between_phone_and_desktop_words_are_whole_and_menus_end(new_player: MakePlayer):
    ann = new_player("Ann")
    page = ann.page
    paths = ("/", "/tables/", "/duels/", "/mafia/", "/arena/", "/shop/", f"/@{ann.name}/")
    for path in paths:
        page.goto(path)
        for width, height in BETWEEN:
            page.set_viewport_size({"width": width, "height": height})
            assert (torn(page), clipped(page)) == ([], []), (path, width)
    table = ann.open_table(seats=4)
    for path in ("/", table):
        page.goto(path)
        for width, height in BETWEEN:
            page.set_viewport_size({"width": width, "height": height})
            page.locator(".top details summary[aria-label^=Account]").click()
            last = page.locator(".top .menu-list").get_by_text("Log out")
            last.scroll_into_view_if_needed()
            assert last.evaluate(IS_FREE), (path, width, height)
            page.keyboard.press("Escape")


#: Sums up layout shifts, as Lighthouse does.
WATCH_SHIFTS = """
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
"""

#: The sum once all that has come is drawn, and was reported.
SHIFTED = """async () => {
  await document.fonts.ready;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  for (let count = 0; count < 3; count += 1) await frame();
  return window.shifted;
}"""


def test_lists_and_boards_do_not_move_while_they_load_on_a_phone(new_player: MakePlayer):
    guest = new_player(look=PHONE | MOVING)
    guest.page.add_init_script(WATCH_SHIFTS)
    for path in ("/", "/duels/", "/tables/"):
        shifts = []
        # A table of an earlier test may close while the page loads, and its row goes.
        while len(shifts) < 4 and all(shift >= 0.1 for shift in shifts):
            guest.page.goto(path)
            for state in guest.page.locator("[data-lobby-state]").all():
                expect(state).to_have_text("live")
            shifts.append(guest.page.evaluate(SHIFTED))
        assert shifts[-1] < 0.1, (path, shifts)
    for path, button in (("/learn/", "Check"), ("/practice/duel/", "Rock")):
        guest.page.goto(path)
        expect(guest.button(re.compile(f"^{button}"))).to_be_enabled()
        assert guest.page.evaluate(SHIFTED) < 0.1, path


def test_forms_that_were_refused_and_dead_ends(new_player: MakePlayer):
    guest = new_player()
    page, submit = guest.page, guest.page.locator("main .form-card [type=submit]")
    page.goto("/accounts/signup/")
    guest.fill(username="admin", password1="short")
    submit.click()
    expect(page.locator(".error").first).to_be_visible()
    look_at(page, "guest-sign-up-refused")
    page.goto("/accounts/login/")
    for is_stale in (False, True):
        guest.fill(login="nobody-at-all", password=PASSWORD)
        submit.click()
        # A form of the site that became stale is shown again.
        expired = page.get_by_text("That form had expired.")
        expect(expired if is_stale else page.locator(".form-error")).to_be_visible()
        look_at(page, f"guest-{'stale-form' if is_stale else 'log-in-refused'}")
        page.goto("/accounts/login/")
        guest.context.clear_cookies()
    page.goto("/no-such-page/")
    expect(page.get_by_role("link", name="Back to the lobby")).to_be_visible()
    look_at(page, "guest-404")
    # The browser notes the answer to a refused form, and to the others, as an error of its own.
    guest.problems = [p for p in guest.problems if not re.search("status of 4(22|0[34])", p)]


def test_a_table_in_all_its_states(new_player: MakePlayer):
    ann, guest = new_player("Ann"), new_player()
    path = ann.open_table(seats=2, target=3, betting_clock=60, round_clock=60)
    guest.go(path)
    look_at(guest.page, "table-guest-open")
    look_at(ann.page, "table-free-seat")
    ann.sit_and(ready=False)
    ann.press("Add a bot")
    expect(ann.page.locator(".seats .bot-face")).to_be_visible()
    ann.page.get_by_text("Change settings").click()
    look_at(ann.page, "table-before")
    ann.page.get_by_label("Ante").fill("4")
    ann.press("Change for everyone")
    for player in (ann, guest):
        expect(player.page.locator(".centre-line")).to_contain_text("Ante 4")
        expect(player.page.locator(".feed")).to_contain_text("The settings have changed")
    ann.press(READY)
    expect(ann.button(re.compile("^(Call|Check)"))).to_be_visible()
    look_at(ann.page, "table-betting")
    play_until_round(1, ann)
    ann.page.locator(".cards-basic .card").first.click()
    look_at(ann.page, "table-round")
    look_at(guest.page, "table-guest-round")
    ann.button(re.compile("^Lock in")).click()
    expect(ann.page.locator(".reveal")).to_be_visible()
    look_at(ann.page, "table-reveal")
    play_to_the_end(ann)
    expect(ann.page.locator(".reveal")).to_have_count(0)
    look_at(ann.page, "table-over")


@pytest.mark.slow
def test_a_duel_in_all_its_states(new_player: MakePlayer):
    ann, bob, guest = new_player("Ann"), new_player("Bob"), new_player()
    path = create_duel(ann, best_of=3, stake=10, clock_seconds=300)
    guest.go(path)
    look_at(ann.page, "duel-waiting")
    look_at(guest.page, "duel-guest-open")
    bob.go(path)
    look_at(bob.page, "duel-offered")
    join(bob, ann)
    expect_throw(1, ann, bob)
    look_at(ann.page, "duel-throw")
    expect_cards_in_sight(ann.page)
    throw(ann, "rock")
    expect(bob.page.locator(".hand-card.is-down")).to_have_count(1)
    look_at(ann.page, "duel-in")
    look_at(bob.page, "duel-other-in")
    throw(bob, "scissors")
    expect(bob.page.locator(".verdict")).to_contain_text("Rock breaks Scissors")
    look_at(bob.page, "duel-shown")
    bob.press("Offer a break")
    expect(ann.button("Take a break")).to_be_visible()
    look_at(ann.page, "duel-asked")
    ann.press("Take a break")
    expect(ann.button("I am ready")).to_be_visible()
    look_at(ann.page, "duel-suspended")
    for player in (ann, bob):
        player.press("I am ready")
    play_throw(2, (ann, "rock"), (bob, "scissors"))
    expect_end("You win", ann)
    look_at(ann.page, "duel-won")
    look_at(bob.page, "duel-lost")
    look_at(guest.page, "duel-guest-over")
    look_at_all(guest, "guest", {"profile": f"/@{ann.name}/"})


def expect_cards_in_sight(page: Page) -> None:
    """On a phone and in a low window all cards to throw can be pressed without scrolling."""
    for window in (NARROW, LOW):
        page.set_viewport_size(window)
        page.evaluate("() => window.scrollTo(0, 0)")
        bottoms = """() => [...document.querySelectorAll(".throw-card")]
          .map((card) => card.getBoundingClientRect().bottom - innerHeight)"""
        assert max(page.evaluate(bottoms)) <= 0, window
    page.set_viewport_size(WIDE)
