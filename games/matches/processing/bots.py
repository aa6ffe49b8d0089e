"""Bots at the table: they see the view of their seat and submit actions as people do."""

import random
from collections.abc import Mapping
from typing import Any

from games import registry
from games.engine.draws import MOST as MOST_DRAWN
from games.engine.draws import draw_below
from games.engine.facts import Instant, SeatNo, as_datetime
from games.engine.table import RUNNING
from games.matches.models import Match
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.submissions import Submission
from games.matches.queries import selectors

_chance = random.SystemRandom()


def bot_actions(match: Match) -> list[Submission]:
    """Return the actions of every bot that has a decision at this match.

    The ids contain the number of the last entry, so that two processes that play the same turn act
    once, and a second action in the same phase is not a repeat of the first.
    """
    snapshot = selectors.snapshot_of(match)
    pending = snapshot.table.rules.pending_seats(snapshot.state.play)
    bots = [seat for seat in pending if snapshot.sitters[seat].bot]
    return [
        Submission(
            match_id=match.pk,
            action=action,
            action_id=f"bot-{snapshot.match.action_count}-{seat}-{number}",
            actor_id=snapshot.sitters[seat].user_id,
            phase=snapshot.match.phase,
        )
        for seat in bots
        for number, action in enumerate(choose(selectors.match_view(snapshot, seat)))
    ]


def choose(view: Mapping[str, Any], chance: random.Random = _chance) -> list[dict[str, Any]]:
    """Return a bot's actions in their wire form, in the order in which to send them.

    Every action is legal at its turn unless another player moves the game on in between; the list
    is empty when there is nothing to do.

    ``view`` is the whole table view of the bot (docs/reference/protocol.md, "The view").
    """
    if "ready" in view["you"]["may"]:
        return [{"kind": "ready", "configuration": view["match"]["options_revision"]}]
    if view["game"] is None or view["game"]["you"] is None:
        return []
    return registry.table(view["match"]["game"]).bot.choose(view, chance)


def wake(locked: LockedMatch) -> None:
    """Schedule the next bot that has a decision, after its thinking time."""
    match, play = locked.match, locked.state.play
    if locked.state.stage != RUNNING or not any(seat.bot for seat in locked.state.seats):
        match.bot_at = None
        return
    bot = locked.game.bot
    pending = (s for s in locked.table.rules.pending_seats(play) if locked.state.seats[s].bot)
    deciding = next((seat for seat in pending if bot.has_decision(play, seat)), None)
    if deciding is None:
        match.bot_at = None
    elif match.bot_at is None or match.bot_at <= locked.now:
        drawn = draw_below(match.seed, f"think/{match.action_count}", MOST_DRAWN)
        thinking = bot.think_milliseconds(play, SeatNo(deciding), random.Random(drawn))
        match.bot_at = as_datetime(Instant(locked.at + thinking))
