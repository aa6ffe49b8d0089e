"""What a player's page shows.  Nothing here writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q

from accounts.models import User
from economy.charts import Plot, plot
from games.models import Match, Seat
from games.reading import ratings

#: So many of the last duels are listed.
SHOWN = 15
#: So much room below the lowest and so many rated duels in the plot.
MARGIN, PLOTTED = 20, 100


def profile_of(
    player: User, viewer: User | None, games: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return all that a player's page shows to a viewer (None: a guest).

    Args:
        games: slug -> what templates say of the game.
    """
    duels = ratings.recent_matches(player, limit=SHOWN)
    return {
        "player": player,
        "is_own": viewer is not None and viewer.pk == player.pk,
        "may_challenge": viewer is not None and viewer.pk != player.pk and not player.is_bot,
        "profiles": [
            {
                "game": games["duel"],
                "rating": ratings.rating_of(player),
                "plot": rating_plot(player),
                "records": ratings.record_of(player),
                "recent": duels,
                "watchable": watchable(duels, viewer),
            }
        ],
    }


def rating_plot(player: User) -> Plot | None:
    """Draw a player's rating after each of the last rated duels; None before the first."""
    history = ratings.rating_history(player, limit=PLOTTED)
    if not history:
        return None
    days = [history[0].at.date(), *(point.at.date() for point in history)]
    values = [history[0].before, *(point.after for point in history)]
    return plot("Rating", "rating", days, values, max(0, min(values) - MARGIN))


def watchable(duels: Sequence[ratings.RecentMatch], viewer: User | None) -> set[str]:
    """Return the public names of those duels that the viewer may look at."""
    names = [duel.match_public_id for duel in duels]
    found = Match.objects.filter(public_id__in=names)
    if viewer is None:
        open_to = Q(listed=True, spectators=True)
    else:
        open_to = Q(spectators=True) | Q(pk__in=Seat.objects.filter(user=viewer).values("match"))
    return set(found.filter(open_to).values_list("public_id", flat=True))
