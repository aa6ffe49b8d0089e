"""A player's finished matches: searched, counted, compared, and what was thrown in them."""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from django import forms
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum
from django.utils.module_loading import import_string

from accounts.models import User
from economy.paging import FilterField, FilterForm, searched
from games import registry
from games.contract import Fought
from games.matches.journal.entries import read_facts
from games.matches.journal.reading import Sought, find_entries
from games.matches.journal.replay import table_of
from games.matches.models import Match, Seat, of_match
from games.matches.models.matches import AWARDED
from games.matches.queries.addresses import match_url, story_url
from games.matches.queries.ratings import Scales
from games.matches.queries.selectors import read_summary
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
class Record:
    """A player's number of matches won, drawn and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost


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


def finished(player: User, viewer: User | None, game: str, filters: RecordFilters) -> Listing:
    """Return a page of a player's finished matches of a game (empty: all) as the viewer may see
    them: unlisted ones are shown to their players alone. At most five queries.
    """
    seats, wanted = seats_of(player, game), filters.values
    if viewer != player:
        own = Seat.objects.filter(user=viewer) if viewer else Seat.objects.none()
        seats = seats.filter(Q(match__listed=True) | Q(match__in=own.values("match")))
    if search := wanted["search"]:
        named = Seat.objects.filter(match=OuterRef("match"), user__username__icontains=search)
        seats = seats.filter(Exists(named.exclude(user=player)) | Q(match__title__icontains=search))
    if wanted["result"]:
        seats = seats.filter(result=wanted["result"])
    if wanted["kind"]:
        seats = seats.filter(KINDS[wanted["kind"]][1])
    page = min(wanted["page"] or 1, LAST_PAGE)
    first = PAGE * (page - 1)
    listed = seats.select_related("match", "user").defer(
        "match__state", "match__recent", "match__origin"
    )
    shown = list(listed.order_by("-match__ended_at", "-pk")[first : first + PAGE + 1])
    others: dict[int, list[User]] = {}
    for seat in (
        Seat.objects.filter(match__in=[seat.match_id for seat in shown[:PAGE]])
        .order_by("no")
        .select_related("user")
    ):
        if seat.user_id != player.pk:
            others.setdefault(seat.match_id, []).append(seat.user)
    around = _Around(viewer, _fates([seat.match for seat in shown[:PAGE]]), Scales())
    return Listing(
        [_row(seat, others.get(seat.match_id, []), around) for seat in shown[:PAGE]],
        record_of(seats),
        page,
        filters.query(page + 1) if len(shown) > PAGE and page < LAST_PAGE else "",
    )


def is_open_to(match: Match, viewer: User | None) -> bool:
    """Whether a viewer without a seat may open a finished match."""
    return match.spectators and (match.listed or viewer is not None)


def together(player: User, viewer: User, game: str) -> Together | None:
    """Return the record of two players with each other; None before their first match."""
    common = seats_of(viewer, game).filter(match__in=seats_of(player).values("match"))
    sums = common.aggregate(games=Count("pk"), mine=_WON, net=Sum("net"))
    if not sums["games"]:
        return None
    theirs = seats_of(player, game).filter(match__in=common.values("match")).aggregate(won=_WON)
    return Together(sums["games"], sums["mine"], theirs["won"], sums["net"] or 0)


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


class _Around(NamedTuple):
    """The viewer, the fates and the scales that the rows of a page have in common."""

    viewer: User | None
    fates: Mapping[int, Mapping[int, str]]
    scales: Scales


def _row(seat: Seat, others: list[User], around: _Around) -> FinishedMatch:
    match = seat.match
    game = registry.table(match.game)
    is_open = is_open_to(match, around.viewer) or around.viewer in (seat.user, *others)
    return FinishedMatch(
        match.title,
        game.title,
        match_url(match) if is_open else "",
        tuple((user.username, user.is_bot) for user in others),
        _score(seat, game.lists.row),
        seat.result,
        seat.rating_change,
        seat.rating_change is not None and around.scales.is_old(match),
        seat.net or 0,
        match.ended_at or match.opened_at,
        around.fates.get(match.pk, {}).get(seat.no, ""),
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
    told = Sought(tells=tuple(f'"{kind}"' for kind in readers))
    for entry in find_entries(match_ids, told):
        for fact in read_facts(entry.facts):
            if fact.kind in readers and fact.audience is None:
                yield from ((entry.match_id, each) for each in readers[fact.kind](fact.data))


def throws_of(game: str, seats: Collection[Seat]) -> Counter[str]:
    """Count the weapons that a player threw in these seats of a game."""
    numbers = {seat.match_id: seat.no for seat in seats}
    return Counter(
        weapon
        for match_id, battle in battles_of(game, numbers)
        for no, weapon in zip(battle.seats, battle.weapons, strict=True)
        if no == numbers[match_id] and weapon
    )


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
