"""The fault tests' settings for sites in a browser, at which nobody waits for bots."""

from games.duel import game as duel
from games.mafia.common import bot as town
from games.mafia.common.rules import phases
from games.showdown import bot as showdown
from games.showdown import game as lesson
from tests.faults.settings import *  # noqa: F403 - settings build on each other

#: Milliseconds.
for game in (duel, showdown):
    game.LEAST_THINKING, game.USUAL_THINKING, game.MOST_THINKING = 40, 80, 160
lesson.THINKING = 80
#: Bots of a town vote in the first seconds of a day, as far apart as they are on a long one.
town.PARTS = ((0.02, 0.08), (0.09, 0.12), (0.13, 0.15))
town.BY_NIGHT = (500, 1_000)
phases.LONGEST_GRID = 1_000
DEAL_AFTER_LOG = True
