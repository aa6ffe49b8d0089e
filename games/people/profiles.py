"""The data of a player's page.  Read-only."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final

from django.db.models import Count, IntegerField, JSONField, Max, Q, QuerySet, Sum
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.module_loading import import_string

from accounts.models import User
from accounts.people import away_among
from accounts.shared import Shared
from economy.charts import Plot, plot
from economy.units import complex_points
from games import registry
from games.contract import Figure, Game, Rated
from games.goals.reaching import goals_of
from games.matches.models import Match, RatingChange, Replaced, Seat, of_match
from games.matches.queries import ratings
from games.people import records

#: The name of the tab of all games.
ALL: Final = "all"
#: The number of last games in the form, and of those whose throws are counted.
FORM, COUNTED = 10, 20
#: The plot's margin below the lowest rating, and its number of rated games.
MARGIN, PLOTTED = 20, 100
#: Fewer games are too few for a statement on reliability.
LEAST_GAMES = 3
_POT: Final = Cast(
    KeyTextTransform("pot", Cast("match__summary", JSONField())), output_field=IntegerField()
)
_WON: Final = Q(result=Seat.Result.WON)


def profile_of(player: User, viewer: User | None, query: Mapping[str, str]) -> dict[str, Any]:
    """Return the data of a player's page for a viewer (None: a guest); ``query``: the tab and the
    filters.
    """
    is_own = viewer is not None and viewer.pk == player.pk
    played = _played(player)
    others = {g.slug: import_string(g.figures)(player.pk) for g in registry.games() if g.figures}
    tabs = [game for game in registry.games() if game.slug in played or others.get(game.slug)]
    wanted = query.get("game", "")
    game = next((game for game in tabs if game.slug == wanted), None)
    if game is None and wanted != ALL and tabs:
        game = tabs[0]
    slug = game.slug if game else ""
    filters = records.RecordFilters(query)
    return {
        "profiles": [{"game": game} for game in registry.tables() if _is_rated(game)],
        "away_until": away_among([player.pk], timezone.now().date()).get(player.pk),
        "tabs": tabs,
        "game": game,
        "figures": others.get(slug)
        or (_figures(player, viewer, game) if game else _reliability(player)),
        "form": _form(player, slug),
        "goals": goals_of(player, is_own=is_own),
        "plot": rating_plot(player, slug) if game and _is_rated(game) else None,
        "together": None if viewer is None or is_own else records.together(player, viewer, slug),
        "filters": filters,
        "listing": records.finished(player, viewer, slug, filters)
        if not slug or slug in played
        else None,
    }


#: The viewer of shared profiles: an account that has not met the player.
_STRANGER: Final = User(pk=0)


#: From the player's id, whether a guest looks, and the query.
shown_profile: Final = Shared(
    lambda player_id, is_guest, query: profile_of(
        User.objects.get(pk=player_id), None if is_guest else _STRANGER, dict(query)
    )
)


def public_figures(player: User) -> list[tuple[Game, list[Figure]]]:
    """Return the figures that everybody may see of a player, for each game with any."""
    played = _played(player)
    found = [
        (game, import_string(game.figures)(player.pk))
        if game.figures
        else (game, _figures(player, None, game) if game.slug in played else [])
        for game in registry.games()
    ]
    return [(game, figures) for game, figures in found if figures]


def _played(player: User) -> set[str]:
    # Without DISTINCT and with a column of the seat: otherwise SQLite reads all finished matches.
    rows = records.seats_of(player).order_by().values_list("match__game", "net")
    return {game for game, _ in rows}


def _is_rated(game: Game) -> bool:
    return game.counts.rated is not Rated.NOBODY


def _figures(player: User, viewer: User | None, game: Game) -> list[Figure]:
    seats = records.seats_of(player, game.slug)
    sums = seats.aggregate(
        games=Count("pk"),
        won=Count("pk", filter=_WON),
        net=Sum("net"),
        staked=Count("pk", filter=Q(match__is_staked=True)),
        pot=Max(_POT, filter=_WON),
    )
    found = [
        Figure("Games", str(sums["games"])),
        Figure("Won", str(sums["won"]), f"{sums['won'] / sums['games']:.0%} of games"),
    ]
    if _is_rated(game):
        rating = ratings.rating_of(player, game.slug)
        note = f"{'provisional: ' if rating.is_provisional else ''}{rating.games} rated"
        found.insert(0, Figure("Rating", str(rating.rating), note))
    if sums["staked"]:
        found.append(Figure("Net", f"{sums['net'] or 0:+d}".replace("+0", "0"), "points"))
    if sums["pot"]:
        found.append(Figure("Best pot", str(sums["pot"]), "points, won"))
    throws = records.throws_of(game.slug, _open_seats(seats, viewer))
    if throws:
        weapon, count = throws.most_common(1)[0]
        note = f"{count} of the last {throws.total()} throws"
        found.append(Figure("Favourite weapon", weapon, note))
    return [*found, *_standing_figures(player, game)]


def _open_seats(seats: QuerySet[Seat], viewer: User | None) -> list[Seat]:
    """Return the last of these seats in matches that the viewer may open."""
    last = seats.select_related("match").only("no", "user", "match__listed", "match__spectators")
    shown = list(last.order_by("-match__ended_at", "-pk")[:COUNTED])
    here = Seat.objects.filter(user=viewer, match__in=[seat.match_id for seat in shown])
    common = set(here.values_list("match", flat=True)) if viewer else set()
    return [
        seat for seat in shown if seat.match_id in common or records.is_open_to(seat.match, viewer)
    ]


def _standing_figures(player: User, game: Game) -> list[Figure]:
    found = []
    if game.counts.ratio:
        ratio = records.ratio_of(player)
        record, where = ratio.record, " and ".join(ratio.titles)
        drawn = f"; {record.drawn} drawn" if record.drawn else ""
        per_loss = "none" if ratio.per_loss is None else f"{ratio.per_loss:.2f}"
        why = "no rated game lost yet" if ratio.per_loss is None else "wins for each loss"
        found += [
            Figure("Wins and losses", f"{record.won} / {record.lost}", f"rated: {where}{drawn}"),
            Figure("Win/loss ratio", per_loss, why),
            Figure("Awards", complex_points(*ratio.awards), "received in all"),
        ]
    return [*found, *_reliability(player)] if game.counts.to_the_end else found


def _reliability(player: User) -> list[Figure]:
    """Return a person's reliability, also of one who was replaced in every game so far."""
    reliability = reliability_of(player)
    if player.is_bot or not reliability.started:
        return []
    where = " and ".join(reliability.titles)
    if reliability.is_new:
        return [Figure("Reliability", "new", f"too few games of {where} yet")]
    value = f"{reliability.finished} of {reliability.started}"
    return [Figure("Reliability", value, f"{where} to the end")]


def _form(player: User, game: str) -> dict[str, Any]:
    """Return the last results, the oldest first, and the length of the current run of wins."""
    seats = records.seats_of(player, game).exclude(result="").order_by("-match__ended_at", "-pk")
    results = list(seats.values_list("result", flat=True)[:FORM])
    run = len(list(takewhile(lambda result: result == Seat.Result.WON, results)))
    return {"results": results[::-1], "run": run if run > 1 else 0}


def rating_plot(player: User, game: str) -> Plot | None:
    """Plot a player's rating after each of the last matches rated on the present scale."""
    changes = RatingChange.objects.filter(user=player, match__game=game).order_by("-at", "-pk")
    if since := ratings.Scales().since(game):
        changes = changes.filter(at__gte=since)
    history = list(changes.values_list("at", "before", "after")[:PLOTTED])[::-1]
    if not history:
        return None
    days = [history[0][0].date(), *(at.date() for at, _, _ in history)]
    values = [history[0][1], *(after for _, _, after in history)]
    return plot("Rating", "rating", days, values, max(0, min(values) - MARGIN))


@dataclass(frozen=True, slots=True)
class Reliability:
    """The numbers of games begun and played to the end; ``titles`` are the games that count."""

    started: int
    finished: int
    titles: tuple[str, ...]

    @property
    def is_new(self) -> bool:
        return self.started < LEAST_GAMES


def reliability_of(user: User) -> Reliability:
    """Return a user's reliability. A finished game counts for who held the seat at its end; who
    left or was replaced has not played to the end. Voided games count for nobody.
    """
    games = [game for game in registry.tables() if game.counts.to_the_end]
    slugs = [game.slug for game in games]
    over = of_match(game__in=slugs, status=Match.Status.OVER)
    held = Seat.objects.filter(over, user=user)
    has_left = list(held.values_list("has_left", flat=True))
    gone = Replaced.objects.filter(user=user, match__game__in=slugs)
    replaced = gone.exclude(match__status=Match.Status.VOID).count()
    stayed = has_left.count(False)
    return Reliability(len(has_left) + replaced, stayed, tuple(game.title for game in games))
