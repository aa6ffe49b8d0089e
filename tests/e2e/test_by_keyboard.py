"""Whole games by keys alone, by somebody who gets nothing but the accessibility tree."""

import re

import pytest

from tests.boot import PATIENCE
from tests.e2e.conftest import MakePlayer
from tests.e2e.ears import Ears
from tests.e2e.player import Player
from tests.e2e.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LONG = 5 * PATIENCE


def test_a_duel_by_keyboard_and_ear(new_player: MakePlayer) -> None:
    player = new_player("Ann")
    ears = Ears(player)
    player.page.goto("/duels/")
    ears.press("^Quick duel")
    ears.hear("A bot comes in 20 seconds")
    ears.press("^Play a bot now")
    ears.hear("Everyone is ready")
    for throw in range(1, 40):
        ears.wait_for_focus("heading", rf"^Throw {throw}: choose|^You (win|lose)|wins", LONG)
        if not ears.find("heading", f"^Throw {throw}"):
            break
        player.page.keyboard.press("rps"[throw % 3])
        ears.hear(rf"Throw {throw}: Ann\d+ with", LONG)
    assert ears.focused().words.split()[-3:][1] == ":"
    ears.press("^Rematch")
    ears.wait_for_focus("heading", "^Throw 1: choose", LONG)


def test_a_showdown_by_keyboard_and_ear(new_player: MakePlayer) -> None:
    player = new_player("Ann")
    ears = Ears(player)
    player.page.goto("/tables/")
    ears.press("^Play now|^Quick")
    ears.press("^Add a bot")
    ears.press("^Ready with")
    ears.hear("Everyone is ready")
    is_over = False
    while not is_over:
        # A bot may raise what was called.
        asked = ears.wait("heading", "^(Your turn|Attack)|wins?$", LONG).words
        if asked.startswith("Your turn"):
            player.page.keyboard.press("c")
            ears.hear(rf"{player.name} (checks|calls)", LONG)
        elif asked.startswith("Attack"):
            round_no = max(int(no) for no in re.findall(r"Round (\d+): choose", ears.said()))
            ears.press("^(Rock|Paper|Scissors) , [1-9]")
            ears.hear("All attacks chosen")
            player.page.keyboard.press("l")
            ears.hear(rf"Round {round_no}: (?!choose)", LONG)
        else:
            is_over = True
    ears.wait_for_focus("heading", "wins?$")
    ears.press("^Play again")
    ears.hear("Everyone is ready", LONG)


END = "The town wins|The mafia wins|draw"


def spend_a_night(ears: Ears) -> None:
    """Choose somebody if the role may, also where that is asked about, and be done."""
    ears.try_to_press("^Choose: (?!Nobody|You)")
    if ears.find("dialog", "^(Forge|Kill)"):
        ears.press("^(Forge it|Kill)$")
    ears.press("^Done for")
    if ears.find("dialog", "nobody chosen"):
        ears.press("^Done$")


def spend_a_day(site: Site, player: Player, ears: Ears) -> str:
    """Post, hear others, and vote: bots decide nothing before. Return what was heard."""
    player.page.keyboard.press("w")
    ears.wait_for_focus("textbox", "^Your post")
    player.page.keyboard.type("I have nothing to hide.")
    ears.press("^Post to the town")
    ears.hear("I have nothing to hide")
    ears.hear("says: ", LONG)
    told = ears.said()
    # The rest of its words are votes, which change.
    name = ears.find("button", "^Vote for (?!Nobody|You)")[0].words.split()[2]
    ears.press(rf"^Vote for {re.escape(name)}\b")
    if ears.find("dialog", "^The deciding vote"):
        ears.press("^Vote$")
    ears.hear(f"{player.name} votes for {name}|You vote for {name}|{name} is lynched")
    site.call("lynch", public_id=player.path.split("/")[2], choice=name)
    ears.hear("is lynched")
    return told + ears.said()


@pytest.mark.timeout(900)
def test_a_town_by_keyboard_and_ear(site: Site, new_player: MakePlayer) -> None:
    player = new_player("Ann")
    ears = Ears(player)
    player.page.goto("/mafia/")
    ears.press("^Mafia with bots")
    ears.press("^To the town")
    ears.wait_for_focus("heading", ".")
    ears.hear("Night 1 falls")
    spend_a_night(ears)
    ears.hear("Day 1 breaks", LONG)
    told = ears.said()
    ears.wait("heading", "^Day 1")
    # In a night or two of a hundred she is killed.
    if not ears.find("heading", "^You are dead"):
        told += spend_a_day(site, player, ears)
        assert re.search("says: ", told)
        ears.press("^Leave")
        ears.press("^Leave town")
    assert re.search("was killed in the night|Nobody died", told)
    ears.wait("heading|button", f"^See how it ends|{END}")
    ears.try_to_press("^See how it ends")
    ears.hear(END, LONG)
    ears.press("^The whole story", "link")
    ears.wait("heading", "^Who was what")
