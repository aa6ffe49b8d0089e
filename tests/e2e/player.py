"""A person with a browser, who uses the site's pages and buttons."""

import itertools
import re
from random import Random
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, expect

from tests.boot import PATIENCE

DESKTOP: dict[str, object] = {
    "viewport": {"width": 1360, "height": 900}, "color_scheme": "dark", "reduced_motion": "reduce",
}  # fmt: skip
PHONE: dict[str, object] = {
    "viewport": {"width": 390, "height": 844}, "color_scheme": "light", "reduced_motion": "reduce",
    "has_touch": True, "is_mobile": True,
}  # fmt: skip
#: As most browsers are: what moves on a page costs more processor time than the rest of it.
MOVING: dict[str, object] = {"reduced_motion": "no-preference"}
PASSWORD = "a longer word for doors"
CALL = re.compile("^(Call|Check)")
#: The dock's button; not the question whether bare hands will do.
LOCK_IN = re.compile(r"^Lock in(?! anyway)")
#: The button of a Showdown table with the purse that it takes.
READY = re.compile(r"^Ready with \d+$")
#: The pot and what the own bet would be, as one text.
SUMS = "() => [...document.querySelectorAll('.pot, .bet-call')].map(one => one.textContent).join()"

_numbers = itertools.count(1)


class Player:
    """One person with one browser; ``page`` is the tab in front."""

    #: Points of a new account.
    grant = 100

    def __init__(self, context: BrowserContext, name: str | None) -> None:
        self.context = context
        self.name = f"{name}{next(_numbers)}" if name else None
        self.problems: list[str] = []
        self.is_outage_expected = False
        context.set_default_timeout(PATIENCE * 1000)
        self.page = self.new_tab()

    def new_tab(self, path: str | None = None) -> Page:
        page = self.context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.problems.append(f"{self.name}: {error}"))
        if path is not None:
            page.goto(path)
        return page

    def _heard(self, message: ConsoleMessage) -> None:
        # Of the service worker, as the browsers of most tests are told to.
        expected = ["registration blocked by Playwright"]
        if self.is_outage_expected:
            # The test cut the line, and the page asked why it is not answered.
            expected += ["WebSocket", "net::ERR_CONNECTION_REFUSED"]
        is_expected = any(words in message.text for words in expected)
        if message.type in ("error", "warning") and not is_expected:
            self.problems.append(f"{self.name} at {self.page.url}: {message.text}")

    def sign_up(self) -> None:
        """Make an account by what the form sends."""
        path, words = "/accounts/signup/", {"username": str(self.name)}
        form = self.context.request.get(path)
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', form.text())
        assert token
        words |= {"csrfmiddlewaretoken": token[1], "password1": PASSWORD}
        answer = self.context.request.post(path, form=words, headers={"Referer": form.url})
        assert answer.ok
        assert "Log out" in answer.text(), "nobody is logged in now"
        assert self.balance() == self.grant

    def fill(self, **fields: object) -> None:
        """Fill in fields of a form by their names; a switch takes True or False."""
        for name, value in fields.items():
            field = self.page.locator(f"main [name={name}]")
            if isinstance(value, bool):
                field.set_checked(value)
            else:
                field.fill(str(value))

    def open(self, path: str, button: str, **fields: object) -> str:
        """Open a table of any game with its form; return its path."""
        self.page.goto(path)
        self.fill(**fields)
        self.page.get_by_role("button", name=button).click()
        self.expect_live()
        return self.path

    def open_table(self, **options: object) -> str:
        return self.open("/tables/new/", "Open table", **options)

    def log_in(self, password: str = PASSWORD) -> None:
        self.page.goto("/accounts/login/")
        self.fill(login=self.name, password=password)
        self.page.locator("main").get_by_role("button", name="Log in", exact=True).click()

    def go(self, path: str) -> None:
        """Open a table in the tab in front and wait for its line."""
        self.page.goto(path)
        self.expect_live()

    @property
    def path(self) -> str:
        return "/" + self.page.url.split("/", 3)[3]

    def balance(self) -> int:
        """The points on a page that the site makes just now."""
        page = self.context.request.get("/credits/").text()
        return int(re.findall(r"data-balance>(\d+)<", page)[0])

    def log(self, path: str) -> list[dict[str, Any]]:
        answer = self.context.request.get(f"{path}log.json")
        assert answer.ok
        return list(answer.json()["events"])

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """A button of the board by its words; by a string they are the whole of them."""
        return self.page.locator("#board").get_by_role("button", name=name, exact=True)

    def press(self, name: str | re.Pattern[str]) -> None:
        self.button(name).click()

    def expect_live(self) -> None:
        expect(self.page.locator(".link-badge")).to_have_text("live")

    def sit_with_bots(self, bots: int, clock: int) -> None:
        """Open a table that waits for a while, in seconds, and sit down there with bots."""
        self.open_table(seats=bots + 1, target=15, betting_clock=clock, round_clock=clock)
        self.sit_and(ready=False)
        for count in range(1, bots + 1):
            self.press("Add a bot")
            expect(self.page.locator(".seat .bot-face")).to_have_count(count)

    def sit_and(self, *, ready: bool) -> None:
        """Take a seat with the purse on offer, unless one sits, and get ready."""
        own = self.page.locator(".seats .name", has_text="You")
        sit = self.button(re.compile("^Sit down with"))
        expect(own.or_(sit)).to_be_visible()
        if not own.count():
            sit.click()
        expect(own).to_be_visible()
        if ready:
            self.press(READY)
            is_ready = self.button("Cancel ready").or_(self.page.locator(".centre .pot"))
            expect(is_ready).to_be_visible()

    def round_no(self) -> int:
        """The round that is being chosen for; 0 while none is."""
        found = re.search(r"Round (\d+)", self.page.locator(".centre").inner_text())
        return int(found[1]) if found else 0

    def play_a_bit(self, chance: Random, before_round: int = 1_000) -> None:
        """Do with the mouse what can be done now, if anything, before that round begins."""
        anyway = self.button("Lock in anyway")
        if anyway.count():
            # A card that was pressed came too late for the round before; bare hands will do.
            self._try(anyway)
        elif self.button(CALL).count():
            self._try(self.button(CALL))
        elif self.button(LOCK_IN).count() and self.round_no() < before_round:
            # The round is read after the button: another's call may just have begun it.
            # Each opponent is attacked with some basic weapon.
            targets = self.page.locator(".target")
            for place in range(targets.count() or 1):
                if targets.count() > 1:
                    self._try(targets.nth(place))
                cards = self.page.locator(".cards-basic .card:not([disabled])")
                # Counted once: a moment later the round may be over and the cards gone.
                if count := cards.count():
                    self._try(cards.nth(chance.randrange(count)))
            self._try(self.button(LOCK_IN))

    def _try(self, wanted: Locator) -> None:
        """Press a button that may be gone by now: the clock does not wait for a test."""
        try:
            wanted.click(timeout=1500)
        except Exception as problem:
            if "Timeout" not in type(problem).__name__:
                raise


def bet_until_the_round(player: Player) -> None:
    """Call every bet until weapons are chosen: a bot may raise what others have called."""
    call, lock = player.button(CALL), player.button(LOCK_IN)
    for _ in range(9):
        expect(call.or_(lock)).to_be_visible()
        if lock.count():
            return
        # A bot may raise at once: the button is never seen to go, but a sum changes.
        sums = player.page.evaluate(SUMS)
        call.click()
        player.page.wait_for_function(f"sums => ({SUMS})() !== sums", arg=sums)


def play_to_the_end(*players: Player, seed: int = 7, before_round: int = 1_000) -> None:
    """Play with clicks until all see the end, or that this round has begun."""
    chance = Random(seed)
    for _ in range(int(50 * PATIENCE)):
        playing = [one for one in players if not one.page.locator(".ending").count()]
        playing = [one for one in playing if one.round_no() < before_round]
        if not playing:
            return
        for player in playing:
            player.play_a_bit(chance, before_round)
        players[0].page.wait_for_timeout(100)
    raise AssertionError("the game does not go on")


def play_until_round(number: int, *players: Player) -> None:
    play_to_the_end(*players, before_round=number)
