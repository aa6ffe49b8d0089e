"""The fault tests' settings for sites in a browser, at which nobody waits for bots.

Other tests show how long a bot thinks; clocks and countdowns are unchanged.
"""

from games.duel import bot as duel
from games.showdown import bot as showdown
from games.showdown import lesson
from tests.faults.settings import *  # noqa: F403 - settings build on each other

#: Milliseconds.
for game in (duel, showdown):
    game.LEAST_THINKING, game.USUAL_THINKING, game.MOST_THINKING = 200, 300, 500
lesson.THINKING = 300
DEAL_AFTER_LOG = True
