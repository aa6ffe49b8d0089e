"""The data of a player's page.  Read-only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Any, Final, NamedTuple

from django.db.models import BigIntegerField, CharField, Exists, F, OuterRef, QuerySet, Value
from django.utils import timezone

from accounts.models import User
from accounts.shared import Shared
from economy.charts import Plot, plot
from economy.sql import Compiled, Given, GivenMany
from economy.units import complex_points
from games import registry
from games.contract import Figure, Game, Rated, TableGame
from games.goals.reaching import goals_of
from games.matches.models import Match, RatingChange, Replaced, Seat, of_match
from games.matches.queries import ratings
from games.people import records
from games.people.records import Finished
from games.people.standing import Standing, standing_of

#: The name of the tab of all games.
ALL: Final = "all"
#: The number of last games in the form, and of those whose throws are counted.
FORM, COUNTED = 10, 20
#: The plot's margin below the lowest rating, and its number of rated games.
MARGIN, PLOTTED = 20, 100
#: Fewer games are too few for a statement on reliability.
LEAST_GAMES = 3


def profile_of(player: User, viewer: User | None, query: Mapping[str, str]) -> dict[str, Any]:
    """Return the data of a player's page for a viewer (None: a guest); ``query``: the tab and the
    filters.
    """
    is_own = viewer is not None and viewer.pk == player.pk
    viewer_id = viewer.pk if viewer else None
    standing = standing_of.seen_by(viewer_id, player.pk)
    played, others = standing.tallies, standing.others
    tabs = [game for game in registry.games() if game.slug in played or others.get(game.slug)]
    wanted = query.get("game", "")
    game = next((game for game in tabs if game.slug == wanted), None)
    if game is None and wanted != ALL and tabs:
        game = tabs[0]
    slug = game.slug if game else ""
    filters, today = records.RecordFilters(query), timezone.now().date()
    course = _course.seen_by(viewer_id, player.pk, slug)
    is_away = player.away_until is not None and player.away_until >= today
    return {
        "profiles": [{"game": game} for game in registry.tables() if _is_rated(game)],
        "away_until": player.away_until if is_away else None,
        "tabs": tabs,
        "game": game,
        "figures": others.get(slug)
        or (_figures(player, viewer, game, standing) if game else _reliability(player)),
        "cups": others.get("cups"),
        "form": _form(course.seats),
        "goals": goals_of(player, standing.goals, is_own=is_own),
        "plots": _plots(course, standing.runs),
        "together": None
        if is_own or viewer in (None, _STRANGER)
        else records.together(player, viewer, slug),
        "filters": filters,
        "listing": records.finished(player, viewer, slug, filters, standing)
        if not slug or slug in played
        else None,
    }


#: The viewer of shared profiles: an account that has not met the player.
_STRANGER: Final = User(pk=0)


#: From the player, whether a guest looks, and the query.
shown_profile: Final = Shared(
    lambda player, is_guest, query: profile_of(player, None if is_guest else _STRANGER, dict(query))
)


def public_figures(player: User) -> list[tuple[Game, list[Figure]]]:
    """Return the figures that everybody may see of a player, for each game with any."""
    standing = standing_of.seen_by(None, player.pk)
    found = dict(standing.others)
    for slug in standing.tallies:
        found.setdefault(slug, _figures(player, None, registry.get(slug), standing))
    return [(game, found[game.slug]) for game in registry.games() if found.get(game.slug)]


class Course(NamedTuple):
    """A player's last finished matches of a game (empty: of all), and the last changes of rating
    in it: instant, before, after and pool; both the newest first.
    """

    seats: list[Finished]
    changes: list[tuple[datetime, int, int, str]]


def _both() -> QuerySet[Any, Any]:
    user, games = Given("user", BigIntegerField()), GivenMany("games", CharField())
    mine = Seat.objects.filter(of_match(game__in=games, status=Match.Status.OVER), user=user)
    last = mine.order_by("-match__ended_at", "-pk")[:COUNTED]
    seats = Seat.objects.filter(pk__in=last.values("pk"))
    rated = RatingChange.objects.filter(user=user, match__game=Given("game", CharField()))
    plotted = rated.order_by("-at", "-pk")[:PLOTTED]
    changes = RatingChange.objects.filter(pk__in=plotted.values("pk")).annotate(
        mark=F("match__mark"), kind=Value("change"), yes=Value(value=True), also=Value(value=True)
    )
    return seats.values_list(
        "match__ended_at", "pk", "match", "no", "match__public_id", "result", "match__listed",
        "match__spectators",
    ).union(
        changes.values_list("at", "pk", "before", "after", "mark", "kind", "yes", "also"),
        all=True,
    )  # fmt: skip


_BOTH: Final = Compiled(_both)


def _read_course(user_id: int, game: str) -> Course:
    slugs = [game] if game else registry.slugs()
    rows = sorted(_BOTH.rows(user=user_id, games=slugs, game=game), key=_newest, reverse=True)
    return Course(
        [Finished(*row[2:]) for row in rows if row[5] != "change"],
        [(row[0], *row[2:4], ratings.pool_of(game, row[4])) for row in rows if row[5] == "change"],
    )


def _newest(row: Sequence[Any]) -> tuple[datetime, int]:
    return row[0], row[1]


_course: Final = Shared(_read_course)


def _is_rated(game: Game) -> bool:
    return game.counts.rated is not Rated.NOBODY


def _figures(player: User, viewer: User | None, game: Game, standing: Standing) -> list[Figure]:
    tally = standing.tallies[game.slug]
    found = [
        Figure("Games", str(tally.games)),
        Figure("Won", str(tally.won), f"{tally.won / tally.games:.0%} of games"),
    ]
    of_game = [(name, title) for name, (title, of, _) in ratings.pools().items() if of is game]
    for place, (name, title) in enumerate(of_game):
        rating = standing.ratings.get(name, ratings.shown_of(None))
        note = f"{'provisional: ' if rating.is_provisional else ''}{rating.games} rated"
        if rating.games or name == game.slug:
            label = "Rating" if name == game.slug else f"{title} rating"
            found.insert(place, Figure(label, str(rating.rating), note))
    if tally.staked:
        found.append(Figure("Net", f"{tally.net:+d}".replace("+0", "0"), "points"))
    if tally.pot:
        found.append(Figure("Best pot", str(tally.pot), "points, won"))
    viewer_id = viewer.pk if viewer else None
    seats = _course.seen_by(viewer_id, player.pk, game.slug).seats
    throws = records.throws_of(game.slug, _open_seats(seats, player, viewer))
    if throws:
        weapon, count = throws.most_common(1)[0]
        note = f"{count} of the last {throws.total()} throws"
        found.append(Figure("Favourite weapon", weapon, note))
    if standing.thumbs and isinstance(game, TableGame) and game.town_config:
        found.append(Figure("Thumbs", str(standing.thumbs), "for playing well"))
    return [*found, *_standing_figures(player, game)]


def _open_seats(seats: Sequence[Finished], player: User, viewer: User | None) -> list[Finished]:
    """Return those of these seats in matches that the viewer may open: one query at most."""
    if viewer == player:
        return list(seats)
    shut = {seat.match_id for seat in seats if not records.is_open_to(seat, viewer)}
    here = Seat.objects.filter(user=viewer, match__in=shut) if viewer and shut else None
    own = set(here.values_list("match", flat=True)) if here is not None else set()
    return [seat for seat in seats if seat.match_id not in shut - own]


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


def _form(seats: Sequence[Finished]) -> dict[str, Any]:
    """Return the last results, the oldest first, and the length of the current run of wins."""
    results = [seat.result for seat in seats if seat.result][:FORM]
    run = len(list(takewhile(lambda result: result == Seat.Result.WON, results)))
    return {"results": results[::-1], "run": run if run > 1 else 0}


def _plots(course: Course, runs: Mapping[str, datetime | None]) -> list[Plot]:
    """Plot each rating of a game after the last matches rated on the present scale."""
    found = []
    for pool, (title, game, _) in ratings.pools().items():
        since = runs.get(pool)
        last = [row for row in course.changes if row[3] == pool and (not since or row[0] >= since)]
        if history := last[::-1]:
            days = [history[0][0].date(), *(row[0].date() for row in history)]
            values = [history[0][1], *(row[2] for row in history)]
            heading = "Rating" if pool == game.slug else f"{title} rating"
            found.append(plot(heading, "rating", days, values, max(0, min(values) - MARGIN)))
    return found


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
    left or was replaced has not played to the end. Voided games and those without another person
    count for nobody.
    """
    games = [game for game in registry.tables() if game.counts.to_the_end]
    slugs = [game.slug for game in games]
    over = of_match(game__in=slugs, status=Match.Status.OVER)
    others = Seat.objects.filter(match=OuterRef("match"), user__is_bot=False).exclude(user=user)
    held = Seat.objects.filter(over, Exists(others), user=user)
    has_left = list(held.values_list("has_left", flat=True))
    gone = Replaced.objects.filter(Exists(others), user=user, match__game__in=slugs)
    replaced = gone.exclude(match__status=Match.Status.VOID).count()
    stayed = has_left.count(False)
    return Reliability(len(has_left) + replaced, stayed, tuple(game.title for game in games))
