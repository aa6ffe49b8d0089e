import json
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocket, expect

from tests.boot import PATIENCE
from tests.e2e.duelist import create_duel
from tests.e2e.player import Player
from tests.e2e.test_arena import begin_round, enter, round_on
from tests.e2e.test_mafia import live_in_town, live_with_dynamite
from tests.e2e.test_swallowed_lines import wait_for
from tests.e2e.towns import open_town, see_the_end
from tests.forms import form, some

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(3_600)]

GAMES = form(1, in_long=10)
#: With a purse or without.
ANY_READY = re.compile("^Ready( with|$)")
#: Milliseconds within which a page must be live after the last trouble.
LIVE = 45_000
#: Milliseconds between two troubles: long enough to come back.
CALM = (2_000, 12_000)


class Traffic:
    """The actions that a page has sent, and how each was answered, on all of its sockets."""

    def __init__(self, page: Page) -> None:
        self.sent: dict[str, dict[str, Any]] = {}
        self.acked: set[str] = set()
        self.refused: dict[str, str] = {}
        page.on("websocket", self._opened)

    def _opened(self, line: WebSocket) -> None:
        line.on("framesent", self._passed)
        line.on("framereceived", self._passed)

    def _passed(self, text: str | bytes) -> None:
        frame = json.loads(text)
        if frame["type"] == "act":
            self.sent[frame["id"]] = frame
        elif frame.get("id") in self.sent and frame["type"] == "ack":
            self.acked.add(frame["id"])
        elif frame.get("id") in self.sent and frame["type"] == "error" and frame["code"] != "busy":
            self.refused[frame["id"]] = frame["code"]

    def is_settled(self, phase: int) -> bool:
        answered = self.acked | self.refused.keys()
        return all(name in answered for name, act in self.sent.items() if act["phase"] == phase)


def play_duel(player: Player, chance: Random) -> None:
    cards = player.page.locator(".throw-card:not([disabled])")
    if cards.count() == 3:
        player._try(cards.nth(chance.randrange(3)))


def play_agora(player: Player, chance: Random) -> None:
    live_in_town(player)
    see_the_end(player)


def play_dynamite(player: Player, chance: Random) -> None:
    live_with_dynamite(player)
    see_the_end(player)


def open_showdown(player: Player) -> str:
    player.sit_with_bots(1, clock=60)
    return player.path


def open_duel(player: Player) -> str:
    path = create_duel(player, best_of=5)
    player.press("Add a bot")
    return path


def open_mafia(player: Player, setup: str) -> str:
    path = open_town(player, setup)
    player.press(re.compile(r"^Fill \d seats with bots"))
    return path


Play = Callable[[Player, Random], None]
KINDS: dict[str, tuple[Callable[[Player], str], Play]] = {
    "showdown": (open_showdown, Player.play_a_bit),
    "duel": (open_duel, play_duel),
    "agora": (partial(open_mafia, setup="agora"), play_agora),
    "dynamite": (partial(open_mafia, setup="dynamite"), play_dynamite),
}


@pytest.mark.parametrize("kind", some(KINDS, 4))
def test_games_over_a_rough_line_lose_repeat_and_delay_nothing(site, new_player, proxy, kind):
    ann = new_player("Ann")
    ann.is_outage_expected = True
    begin, play = KINDS[kind]
    for number in range(GAMES):
        chance = Random(f"{kind} {number}")
        path = begin(ann)
        ann.page.goto("/rules/")
        traffic = Traffic(ann.page)
        ann.go(proxy.url + path)
        troubles, next_at = 0, 0.0
        for _ in range(int(20 * PATIENCE / 0.2)):
            if ann.page.locator(".ending").count():
                break
            if ann.button(ANY_READY).count():
                ann._try(ann.button(ANY_READY))
            play(ann, chance)
            ann.page.wait_for_timeout(200)
            now = ann.page.evaluate("performance.timeOrigin + performance.now()")
            if now >= next_at:
                proxy.trouble(chance)
                troubles += 1
                next_at = now + chance.uniform(*CALM)
        expect(ann.page.locator(".ending")).to_be_visible()
        expect(ann.page.locator(".link-badge")).to_have_text("live", timeout=LIVE)
        assert traffic.acked
        assert troubles
        # What the page was answered is what the journal has.
        entries, sent = site.call("journal", public_id=path.split("/")[2]), traffic.sent
        times = Counter(name for name, _, _ in entries)
        assert traffic.acked <= times.keys(), "an acknowledged action is lost"
        assert [name for name in sent if times[name] > 1] == []
        assert traffic.refused.keys() & times.keys() == set(), "refused, and done nevertheless"
        assert [n for n, was, _ in entries if n in sent and sent[n].get("phase", was) != was] == []


def test_choices_in_the_arena_over_a_rough_line_hold_for_their_round(site, new_player, proxy):
    site.call("empty_arena")
    ann, bob = new_player("Ann"), new_player("Bob")
    ann.is_outage_expected = True
    enter(bob)
    traffic = Traffic(ann.page)
    ann.go(f"{proxy.url}/arena/")
    ann.press("Enter the arena")
    begin_round(site, bob)
    chance = Random(1)
    for _ in range(form(2, in_long=10)):
        card = ann.page.locator(".move-cards button:not([aria-pressed=true])").first
        expect(card).to_be_enabled(timeout=LIVE)
        proxy.trouble(chance)
        number = round_on(bob.page)
        card.click()
        # A choice that comes back after its round is dropped by the page, without an answer.
        wait_for(ann.page, lambda no=number: traffic.is_settled(no) or round_on(bob.page) != no)
        expect(ann.page.locator(".link-badge")).to_have_text("live", timeout=LIVE)
        # What was acknowledged is stored for this round.
        acts = [act for name, act in traffic.sent.items() if name in traffic.acked]
        moves = [act["action"]["move"] for act in acts if act["phase"] == number]
        if moves:
            assert site.call("choices", round_no=number)[str(ann.name)] == moves[-1]
        begin_round(site, bob)
    assert traffic.acked
