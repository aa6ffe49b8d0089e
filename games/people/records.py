"""A player's finished matches: searched, counted, compared, and what was thrown in them."""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any, Final, NamedTuple

from django import forms
from django.db.models import (
    BigIntegerField,
    CharField,
    Count,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
)
from django.db.models.functions import Coalesce
from django.utils.module_loading import import_string

from accounts.models import User
from accounts.shared import Shared
from economy.paging import FilterField, FilterForm, searched
from economy.sql import Compiled, Given, GivenMany
from games import registry
from games.contract import Fought
from games.matches.journal.reading import find_facts
from games.matches.journal.replay import table_of
from games.matches.models import Match, Seat, of_match
from games.matches.models.matches import AWARDED
from games.matches.queries.addresses import match_url, story_url
from games.matches.queries.ratings import Scales
from games.matches.queries.selectors import read_summary
from games.people.standing import Record, Standing
from games.standings.award_boards import games_of_the_ratio, titles

#: The number of matches on a page, and the last page that can be asked for.
PAGE: Final = 20
LAST_PAGE: Final = 500
#: Kind of match in the URL -> its label and its condition.
KINDS: Final[Mapping[str, tuple[str, Q]]] = {
    "rated": ("Rated", Q(match__is_rated=True)),
    "unrated": ("Unrated", Q(match__is_rated=False)),
    "points": ("For points", Q(match__is_staked=True)),
}
_WON: Final = Count("pk", filter=Q(result=Seat.Result.WON))
#: Fewer throws than this in a situation are no habit.
LEAST: Final = 2
SITUATIONS: Final = ("win", "loss", "tie")


@dataclass(frozen=True, slots=True)
class Ratio:
    """An account's wins and losses in rated games, and its awards on both axes; ``titles`` of the
    games that count.
    """

    record: Record
    awards: tuple[int, int]
    titles: tuple[str, ...]

    @property
    def per_loss(self) -> float | None:
        """Wins for each loss, drawn games left out; None before the first loss."""
        return self.record.won / self.record.lost if self.record.lost else None


class RecordFilters(FilterForm):
    """The wanted matches."""

    place = "page"
    search = FilterField(searched)
    result = forms.ChoiceField(choices=Seat.Result)
    kind = forms.ChoiceField(choices=[(name, label) for name, (label, _) in KINDS.items()])
    page = FilterField(int, r"\d{1,4}")


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """One finished match from one player's side; ``url`` is empty if the viewer may not watch.
    ``others`` are names with whether it is a bot; ``change`` is in rating points.
    """

    title: str
    game: str
    url: str
    others: tuple[tuple[str, bool], ...]
    score: str
    result: str
    change: int | None
    is_old_scale: bool
    net: int
    ended_at: datetime
    #: The card and the fate of the player, and the path of the story, if the game has them.
    fate: str = ""
    story: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of finished matches, the newest first; ``record`` counts the matches of all pages,
    ``older`` is the next one's query.
    """

    matches: list[FinishedMatch]
    record: Record
    page: int
    older: str


@dataclass(frozen=True, slots=True)
class Together:
    """The matches of two players with each other: won by the viewer and by the other player."""

    games: int
    mine: int
    theirs: int
    net: int


class Finished(NamedTuple):
    """A player's seat in a finished match, and who may open it."""

    match_id: int
    no: int
    public_id: str
    result: str
    listed: bool
    spectators: bool


def seats_of(player: User, game: str = "") -> QuerySet[Seat]:
    """Return a player's seats in finished matches of a game (empty: of all installed games)."""
    slugs = [game] if game else registry.slugs()
    over = of_match(game__in=slugs, status=Match.Status.OVER)
    return Seat.objects.filter(over, user=player)


def record_of(seats: QuerySet[Seat]) -> Record:
    """Count results; matches without one (abandoned, void) are left out."""
    rows = seats.exclude(result="").values_list(F("result")).annotate(games=Count("pk"))
    return Record(**{str(result): games for result, games in rows.order_by()})


def ratio_of(user: User) -> Ratio:
    """Return a player's wins and losses in rated games, and the sum of all awards."""
    over = of_match(status=Match.Status.OVER, is_rated=True, game__in=games_of_the_ratio())
    mine = Seat.objects.filter(over, user=user)
    rows = mine.exclude(result="").values_list("result").annotate(games=Count("pk"))
    sums = Seat.objects.filter(AWARDED, user=user).aggregate(x=Sum("award"), y=Sum("y_award"))
    record = Record(**dict(rows.order_by()))
    return Ratio(record, (sums["x"] or 0, sums["y"] or 0), titles())


def finished(
    player: User, viewer: User | None, game: str, filters: RecordFilters, standing: Standing
) -> Listing:
    """Return a page of a player's finished matches of a game (empty: all) as the viewer may see
    them: unlisted ones are shown to their players alone. At most four queries.
    """
    viewer_id = viewer.pk if viewer else None
    is_own, is_same = viewer == player, viewer is None or standing.are_all_listed
    eye = EVERYBODY if is_same and not is_own else viewer_id
    asked = (player, eye, game, tuple(filters.values.items()))
    page, record = _page.seen_by(viewer_id, *asked), None
    is_filtered = any(filters.values[name] for name in ("search", "result", "kind"))
    if not is_filtered and (is_own or standing.are_all_listed):
        record = standing.record(game)
    scales = Scales(standing.runs)
    return Listing(
        [_row(each, viewer, scales) for each in page.rows],
        record or _record.seen_by(viewer_id, *asked),
        page.no,
        filters.query(page.no + 1) if page.has_older else "",
    )


#: Sees the listed matches of a player.
EVERYBODY: Final = 0


class _Row(NamedTuple):
    seat: Seat
    others: list[User]
    fate: str


class _Page(NamedTuple):
    rows: list[_Row]
    no: int
    has_older: bool


def _selected(
    player: User, eye: int | None, game: str, wanted: Mapping[str, Any]
) -> QuerySet[Seat]:
    seats = seats_of(player, game)
    if eye != player.pk:
        own = Seat.objects.filter(user=eye) if eye else Seat.objects.none()
        seats = seats.filter(Q(match__listed=True) | Q(match__in=own.values("match")))
    if search := wanted["search"]:
        named = Seat.objects.filter(match=OuterRef("match"), user__username__icontains=search)
        seats = seats.filter(Exists(named.exclude(user=player)) | Q(match__title__icontains=search))
    if wanted["result"]:
        seats = seats.filter(result=wanted["result"])
    if wanted["kind"]:
        seats = seats.filter(KINDS[wanted["kind"]][1])
    return seats


#: The record, and a page, of a player's matches: from the player, whose matches are seen, the game
#: and the filters.
_record: Final = Shared(
    lambda player, eye, game, wanted: record_of(_selected(player, eye, game, dict(wanted)))
)


def _read_page(
    player: User, eye: int | None, game: str, given: tuple[tuple[str, Any], ...]
) -> _Page:
    wanted = dict(given)
    page = min(wanted["page"] or 1, LAST_PAGE)
    first = PAGE * (page - 1)
    newest = ("-match__ended_at", "-pk")
    listed = _selected(player, eye, game, wanted).order_by(*newest)[first : first + PAGE + 1]
    seats = Seat.objects.filter(match__in=listed.values("match")).select_related("match", "user")
    shown, others = list[Seat](), defaultdict[int, list[Seat]](list)
    for seat in seats.defer("match__state", "match__recent", "match__origin").order_by(*newest):
        (shown if seat.user_id == player.pk else others[seat.match_id]).append(seat)
    fates = _fates([seat.match for seat in shown[:PAGE]])
    rows = [
        _Row(
            seat,
            [other.user for other in sorted(others[seat.match_id], key=attrgetter("no"))],
            fates.get(seat.match_id, {}).get(seat.no, ""),
        )
        for seat in shown[:PAGE]
    ]
    return _Page(rows, page, len(shown) > PAGE and page < LAST_PAGE)


_page: Final = Shared(_read_page)


def is_open_to(match: Match | Finished, viewer: User | None) -> bool:
    """Whether a viewer without a seat may open a finished match."""
    return match.spectators and (match.listed or viewer is not None)


def together(player: User, viewer: User, game: str) -> Together | None:
    """Return the record of two players with each other; None before their first match."""
    slugs = [game] if game else registry.slugs()
    found = _TOGETHER.rows(player=player.pk, viewer=viewer.pk, games=slugs)
    return Together(*found[0]) if found and found[0][0] else None


_THEIR_SEATS: Final = Seat.objects.filter(
    match=OuterRef("match"), user=Given("player", BigIntegerField())
)
_TOGETHER: Final = Compiled(
    lambda: (
        Seat.objects.filter(
            of_match(game__in=GivenMany("games", CharField()), status=Match.Status.OVER),
            Exists(_THEIR_SEATS),
            user=Given("viewer", BigIntegerField()),
        )
        .order_by()
        .annotate(every=Value(1), theirs=Subquery(_THEIR_SEATS.values("result")[:1]))
        .values("every")
        .annotate(
            all_games=Count("pk"),
            mine=_WON,
            their_won=Count("pk", filter=Q(theirs="won")),
            sum=Coalesce(Sum("net"), 0),
        )
        .values_list("all_games", "mine", "their_won", "sum")
    )
)


def _fates(matches: Sequence[Match]) -> dict[int, Mapping[int, str]]:
    telling = {match.pk: match for match in matches if registry.table(match.game).fates}
    if not telling:
        return {}
    found = {}
    for pk, play in Match.objects.filter(pk__in=telling).values_list("pk", "state"):
        match = telling[pk]
        game, table = registry.table(match.game), table_of(match)
        state = table.decode(match.table, play)
        found[pk] = import_string(game.fates)(table.rules.public_view(state.play))
    return found


def _row(row: _Row, viewer: User | None, scales: Scales) -> FinishedMatch:
    seat, match, others = row.seat, row.seat.match, row.others
    game = registry.table(match.game)
    is_open = is_open_to(match, viewer) or viewer in (seat.user, *others)
    return FinishedMatch(
        match.title,
        game.title,
        match_url(match) if is_open else "",
        tuple((user.username, user.is_bot) for user in others),
        _score(seat, game.lists.row),
        seat.result,
        seat.rating_change,
        seat.rating_change is not None and scales.is_old(match),
        seat.net or 0,
        match.ended_at or match.opened_at,
        row.fate,
        story_url(match) if is_open else "",
    )


def _score(seat: Seat, row: Any) -> str:
    """Return the score of a game for two, the seat's first; else how the game stood at its end."""
    summary = read_summary(seat.match.summary)
    if wins := summary.get("wins"):
        return f"{wins[seat.no]} : {wins[1 - seat.no]}"
    return str(row(json.loads(seat.match.table)["options"], summary).get("news", ""))


def battles_of(game: str, match_ids: Collection[int]) -> Iterator[tuple[int, Fought]]:
    """Yield the battles of some matches of a game, in their order: two queries."""
    readers = registry.table(game).battles
    if not readers or not match_ids:
        return
    for entry, fact in find_facts(match_ids, readers):
        if fact.audience is None:
            yield from ((entry.match_id, each) for each in readers[fact.kind](fact.data))


def throws_of(game: str, seats: Collection[Finished]) -> Counter[str]:
    """Count the weapons that a player threw in these seats of a game."""
    known = {seat.public_id: _thrown.get(seat.public_id) for seat in seats}
    missing = {s.match_id: s.public_id for s in seats if known[s.public_id] is None}
    found: dict[str, list[tuple[int, str | None]]] = {
        public_id: [] for public_id in missing.values()
    }
    for match_id, battle in battles_of(game, missing):
        found[missing[match_id]] += zip(battle.seats, battle.weapons, strict=True)
    if len(_thrown) > MOST_THROWN:
        _thrown.clear()
    _thrown.update(found)
    known.update(found)
    return Counter(
        weapon
        for seat in sorted(seats)
        for no, weapon in known[seat.public_id] or ()
        if no == seat.no and weapon
    )


#: Finished match -> the seats and weapons of its throws, which never change.
_thrown: Final[dict[str, list[tuple[int, str | None]]]] = {}
MOST_THROWN: Final = 5_000


def insight(match: Match, user_id: int | None) -> list[str]:
    """Return sentences on what a player of a finished match threw after a win, a loss and a tie
    against the same opponent, and what beat it.
    """
    names = dict(match.seats.values_list("no", "user__username"))
    mine = match.seats.filter(user=user_id).first()
    if match.status != Match.Status.OVER or mine is None:
        return []
    before: dict[int, str] = {}
    threw: dict[str, Counter[str]] = {situation: Counter() for situation in SITUATIONS}
    punished: Counter[tuple[str, str, int]] = Counter()
    for _, battle in battles_of(match.game, [match.pk]):
        if mine.no not in battle.seats:
            continue
        place = battle.seats.index(mine.no)
        other, weapon = battle.seats[1 - place], battle.weapons[place]
        if weapon and other in before:
            threw[before[other]][weapon] += 1
            punished[before[other], weapon, other] += battle.winner == other
        decided = "win" if battle.winner == mine.no else "loss"
        before[other] = "tie" if battle.winner is None else decided
    return [
        line
        for situation in SITUATIONS
        if (line := _sentence(situation, threw[situation], punished, names))
    ]


def _sentence(
    situation: str,
    threw: Counter[str],
    punished: Counter[tuple[str, str, int]],
    names: dict[int, str],
) -> str:
    if not threw or max(threw.values()) < LEAST:
        return ""
    weapon, count = threw.most_common(1)[0]
    times = _times(count) if count == threw.total() else f"{count} of {threw.total()} times"
    beaten = [
        f"{name} beat it {_times(lost)}."
        for seat, name in sorted(names.items())
        if (lost := punished[situation, weapon, seat])
    ]
    return " ".join([f"After a {situation} you threw {weapon} {times}.", *beaten])


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
