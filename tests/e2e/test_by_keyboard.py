"""Whole games by keys alone, by somebody who gets nothing but the accessibility tree."""

import re

import pytest

from tests.boot import PATIENCE
from tests.e2e.conftest import MakePlayer
from tests.e2e.ears import Ears
from tests.e2e.player import Player

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


PHASE = r"^(Night|Day) \d"
END = "wins$|draw$"


def spend_a_day(player: Player, ears: Ears, phase: str) -> None:
    """Vote and post; bots may end the day at any moment."""
    ears.try_to_press("^Vote for (?!Nobody|You)")
    if ears.find("dialog", "^The deciding vote"):
        ears.try_to_press("^Vote$")
    if ears.find("button", "^Post to the town"):
        player.page.keyboard.press("w")
        ears.wait_for_focus("textbox", "^Your post")
        player.page.keyboard.type(f"{phase}: I have nothing to hide.")
        ears.try_to_press("^Post to the town")
        ears.wait_for_focus("textbox|heading|Root", "")


@pytest.mark.timeout(900)
def test_a_town_by_keyboard_and_ear(new_player: MakePlayer) -> None:
    player = new_player("Ann")
    ears = Ears(player)
    player.page.goto("/mafia/")
    ears.press("^Mafia with bots")
    ears.press("^To the town")
    ears.wait_for_focus("heading", ".")
    ears.hear("Night 1 falls")
    told = ears.said()
    for _ in range(20):
        phase = ears.wait("heading", f"{PHASE}|{END}").words
        if not re.match(PHASE, phase):
            break
        ears.hear(f"{phase} (falls|breaks)")
        if ears.find("heading", "^You are dead"):
            ears.try_to_press("^See how it ends")
        elif phase.startswith("Day"):
            spend_a_day(player, ears, phase)
        else:
            ears.try_to_press("^Choose: (?!Nobody|You)")
        ears.try_to_press("^Done for")
        if ears.find("dialog", "nobody chosen"):
            ears.press("^Done$")
        ears.wait("heading", rf"^(?!{phase})(Night|Day) \d|{END}", LONG)
        told += ears.said()
    assert re.search("was killed in the night|Nobody died|is lynched", told)
    assert re.search("says: ", told)
    ears.hear("The town wins|The mafia wins|draw")
    ears.press("^The whole story", "link")
    ears.wait("heading", "^Who was what")
