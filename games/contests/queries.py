"""Queries of the contest pages: lists, etags, standings, a contest for one viewer."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from math import hypot
from typing import Any, Final, NamedTuple

import msgspec
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from accounts.models import User
from accounts.people import away_among
from economy.selectors import setting
from economy.units import complex_points
from games.contests import models, rows, terms
from games.contests.locked_contest import users_of
from games.contests.rules import games, parties
from games.contests.rules.state import OBJECTIONS, WANTED, Allowed, Contest
from games.contract import TableGame
from games.engine.errors import IllegalAction
from games.engine.facts import Instant, as_datetime, instant
from games.matches.journal.loading import standing
from games.matches.models import Match, Replaced, Seat
from games.matches.queries.addresses import match_url
from games.standings.award_boards import AwardStanding, By, award_standings

#: The most decided amendments, and lines of a history, that are shown.
DECIDED: Final = 10
LINES: Final = 40
#: The most contests in a list, and in the list of closed ones.
LISTED: Final = 100
#: The most last games of a player whose ends are shown, and their letters.
FORM: Final = 5
LETTERS: Final[Mapping[str, str]] = {
    Seat.Result.WON: "W",
    Seat.Result.LOST: "L",
    Seat.Result.DRAWN: "D",
}
CLOSED: Final = 20


def find(public_id: str) -> models.Contest | None:
    found = models.Contest.objects.filter(public_id=public_id)
    return found.select_related("founder", "master").first()


def listed(user: User | None) -> dict[str, list[dict[str, Any]]]:
    """Return the contests that run a game, that wait, and that are closed; the user's first."""
    here = {game.slug: game for game in terms.games()}
    live = models.ContestGame.objects.filter(
        contest=OuterRef("pk"), ended_at=None, match__status__in=Match.LIVE
    )
    every = (
        models.Contest.objects.filter(game__in=here)
        .annotate(is_running=Exists(live), people=Count("parties"))
        .annotate(ready=Count("parties", filter=Q(parties__ready_no__gt=0)))
        .select_related("master", "founder")
    )
    mine = set(user.contests.values_list("contest", flat=True)) if user else set()
    own = [row.pk for row in every.filter(founder=user)] if user else []
    mine |= set(own)

    def rows_of(found: Iterable[Any]) -> list[dict[str, Any]]:
        shown = [_listed(row, here[row.game], row.pk in mine) for row in found]
        return sorted(shown, key=lambda row: not row["is_mine"])

    awake = every.filter(closed_at=None).order_by("-idle_since", "-pk")
    return {
        "running": rows_of(awake.filter(is_running=True)[:LISTED]),
        "open": rows_of(awake.filter(is_running=False)[:LISTED]),
        "closed": rows_of(every.exclude(closed_at=None).order_by("-closed_at")[:CLOSED]),
    }


def _listed(row: Any, game: TableGame, is_mine: bool) -> dict[str, Any]:
    return {
        "public_id": row.public_id,
        "name": row.name,
        "game": game.title,
        "master": row.master.username if row.master else None,
        "people": row.people,
        "ready": row.ready,
        "games": row.games,
        "closed_at": row.closed_at,
        "is_mine": is_mine,
    }


def standings(row: models.Contest | None, by: By) -> list[AwardStanding]:
    """Return the standings by awards in the games of a contest, None: of all contests."""
    played = models.ContestGame.objects.all() if row is None else row.played
    return award_standings(by, list(played.values_list("match", flat=True)))


@dataclass(slots=True)
class PlayedStanding:
    """A player's games in a contest; ``form``: the last ends, the newest first; ``award``: the
    points of both axes, None without any.
    """

    user_id: int
    name: str
    avatar: str
    played: int = 0
    won: int = 0
    survived: int = 0
    form: str = ""
    award: tuple[int, int] | None = None
    measure: float = 0

    @property
    def modulus(self) -> float:
        return hypot(*self.award) if self.award else 0.0


def played_standings(row: models.Contest, by: By) -> list[PlayedStanding]:
    """Return all who played a game to its end: by awards, then by games won."""
    found: dict[int, PlayedStanding] = {}
    ended = row.played.filter(how__in=("won", "drawn")).order_by("-no")
    seats = Seat.objects.filter(match__contest_game__in=ended, user__is_active=True)
    by_match: dict[int, list[Seat]] = {}
    for seat in seats.select_related("user"):
        by_match.setdefault(seat.match_id, []).append(seat)
    for game in ended:
        survivors = set(msgspec.json.decode(game.survivors))
        for seat in by_match.get(game.match_id, []):
            user = seat.user
            one = found.setdefault(user.pk, PlayedStanding(user.pk, user.username, user.avatar))
            one.played += 1
            one.won += seat.result == Seat.Result.WON
            one.survived += user.pk in survivors
            if len(one.form) < FORM:
                one.form += LETTERS.get(seat.result, "?")
    for awarded in standings(row, by):
        if (ranked := found.get(awarded.user_id)) is not None:
            ranked.award = awarded.award
            ranked.measure = {By.X: awarded.x, By.Y: awarded.y, By.MODULUS: awarded.modulus}[by]
    return sorted(
        found.values(),
        key=lambda one: (-one.measure, -one.won, -one.survived, one.played, one.user_id),
    )


def town_of(row: models.Contest, user: User) -> str | None:
    """Return the address of the running game in which the user has a seat."""
    running = _running(row)
    if running is None or not running["match"].seats.filter(user=user).exists():
        return None
    url: str = running["url"]
    return url


def ended_contests() -> int:
    """Return the number of closed contests with a game won or drawn."""
    ended = models.Contest.objects.exclude(closed_at=None)
    return ended.filter(played__how__in=("won", "drawn")).distinct().count()


def etag(row: models.Contest) -> str:
    """Return the etag of a contest: it changes with its history and with what lists show of its
    running game. A count of actions would reveal who is awake.
    """
    lines = models.Contest.objects.values_list("lines", flat=True).get(pk=row.pk)
    running = row.played.filter(ended_at=None).values_list("match__status", "match__summary")
    return _short(f"{lines} {running.first()}")


def list_etag() -> str:
    found = models.Contest.objects.aggregate(contests=Count("pk"), lines=Sum("lines"))
    return _short(f"{found['contests']} {found['lines']}")


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Sight(NamedTuple):
    row: models.Contest
    game: TableGame
    state: Contest
    allowed: Allowed
    living: frozenset[int]
    names: Mapping[int, str]
    at: Instant


def shown(row: models.Contest, game: TableGame, user: User | None, now: datetime) -> dict[str, Any]:
    """Return the context of a contest's page, with the viewer's rights."""
    state, allowed = rows.load(row), terms.allowed(game)
    running = _running(row)
    cached = standing([running["match"].pk]) if running else {}
    playing = next(iter(cached.values()), None)
    living = users_of(playing, terms.terms_of(game).living) if playing else frozenset[int]()
    sight = Sight(row, game, state, allowed, living, _names(row), instant(now))
    labels, last = terms.labels(game), state.last_change
    parties = _parties(sight)
    seats = allowed.least if row.master_id else int(state.settings[WANTED])
    return {
        "contest": row,
        "game": game,
        "is_open": state.is_open,
        "running": running,
        "living": len(living),
        "playing": 0 if state.game is None else len(state.game.players),
        "settings": [
            (term.label, terms.value_of(term, state.settings[name]), term.about)
            for name, term in labels.items()
        ],
        "parties": parties,
        # The next game: a chair each who is ready, and the empty ones.
        "chairs": [party for party in parties if party["place"]],
        "empty": range(max(0, seats - len(state.ready))),
        "others": [party for party in parties if not party["place"]],
        "ready": len(state.ready),
        "wanted": state.settings[WANTED],
        "least": allowed.least,
        "anybody_at": as_datetime(games.anybody_at(state, allowed)),
        "master_days": setting("contests.master_days"),
        "is_late": sight.at >= games.anybody_at(state, allowed),
        "played": _played(sight),
        "proposal": _proposal(sight),
        # What was changed last, and may be proposed back at once.
        "back": last and {"no": last.no, "lines": terms.changes(game, last.before, state.settings)},
        "needed": min(OBJECTIONS, len(state.parties) - 1),
        "rated": terms.rated_from(),
        "effect_days": allowed.effect // terms.DAY,
        "proposal_days": allowed.between // terms.DAY,
        "decided": _decided(sight),
        "history": _history(sight),
        "you": {"is_guest": True} if user is None else _you(sight, user),
    }


def _running(row: models.Contest) -> dict[str, Any] | None:
    found = row.played.filter(ended_at=None).select_related("match").first()
    if found is None:
        return None
    match = found.match
    return {"no": found.no, "match": match, "url": match_url(match), "began_at": found.began_at}


def _names(row: models.Contest) -> dict[int, str]:
    """Return the names of all users in a contest's history or games, by id."""
    met = Q(pk__in=row.history.exclude(user=None).values("user"))
    met |= Q(seats__match__contest_game__contest=row)
    return dict(User.objects.filter(met).values_list("pk", "username"))


def _parties(sight: Sight) -> list[dict[str, Any]]:
    """Return the parties: the ready ones in their order, then the others by joining."""
    state = sight.state
    places = {user: place for place, user in enumerate(state.ready, 1)}
    players = frozenset(() if state.game is None else state.game.players)
    everybody = [party.user for party in state.parties]
    order = sorted(everybody, key=lambda user: places.get(user, len(everybody) + 1))
    return [
        {
            "name": sight.names.get(user, ""),
            "place": places.get(user),
            "plays": user in players,
            "lives": user in sight.living,
            "user_id": user,
        }
        for user in order
    ]


def _played(sight: Sight) -> list[dict[str, Any]]:
    row = sight.row
    every = row.played.exclude(ended_at=None).select_related("match").order_by("-no")
    every = every.prefetch_related("match__seats")
    won = {
        line["no"]: line["winners"]
        for line in map(
            msgspec.json.decode,
            row.history.filter(kind="game_ended").values_list("data", flat=True),
        )
    }
    return [
        {
            "no": played.no,
            "url": match_url(played.match),
            "began_at": played.began_at,
            "ended_at": played.ended_at,
            "how": played.how,
            "words": terms.ending(played.how, won.get(played.no, []), sight.names),
            "award": _award(played.match),
        }
        for played in every
    ]


def _award(match: Match) -> str:
    """Write the award of each winner of a game, "" if there is none."""
    paid = {(seat.award, seat.y_award) for seat in match.seats.all() if seat.award or seat.y_award}
    if not paid:
        return ""
    each = "each" if len(paid) == 1 else "at most"
    return f"{complex_points(*max(paid))} {each}"


def _proposal(sight: Sight) -> dict[str, Any] | None:
    state, names = sight.state, sight.names
    found = state.proposal
    if found is None:
        return None
    return {
        "no": found.no,
        "by": names.get(found.by, ""),
        "lines": terms.changes(sight.game, found.changes, state.settings),
        "effect_at": as_datetime(found.effect_at),
        "objected": [names.get(user, "") for user in found.objected],
        "voters": len(found.voters),
        "needed": found.needed,
        "is_back": found.is_back,
        "reason": sight.row.amendments.values_list("reason", flat=True).get(no=found.no),
    }


def _decided(sight: Sight) -> list[dict[str, Any]]:
    row, game, names = sight.row, sight.game, sight.names
    found = row.amendments.exclude(decided_at=None).order_by("-no").prefetch_related("objections")
    return [
        {
            "no": each.no,
            "by": names.get(each.by_id, ""),
            "lines": terms.changes(game, msgspec.json.decode(each.changes)),
            "outcome": terms.OUTCOMES.get(each.outcome, each.outcome),
            "reason": each.reason,
            "passed": each.outcome == "passed",
            "decided_at": each.decided_at,
            "objected": [names.get(one.user_id, "") for one in each.objections.all()],
        }
        for each in found[:DECIDED]
    ]


def _history(sight: Sight) -> list[dict[str, Any]]:
    """Return the last lines, the newest first, without those of readiness."""
    row, game, names = sight.row, sight.game, sight.names
    found: QuerySet[models.Line] = row.history.exclude(kind="became_ready").order_by("-no")
    return [
        {
            "no": line.no,
            "at": line.at,
            "text": terms.tell(
                game, line.kind, names.get(line.user_id or 0), msgspec.json.decode(line.data), names
            ),
        }
        for line in found[:LINES]
    ]


def _you(sight: Sight, user: User) -> dict[str, Any]:
    row, state, allowed, living, at = sight.row, sight.state, sight.allowed, sight.living, sight.at
    mine = state.party(user.pk)
    proposal = state.proposal
    own = row.parties.filter(user=user).values_list("note", "passed_no").first()
    note, passed = own or ("", 0)
    may_start = _may(lambda: games.require_may_start(state, allowed, user.pk, at))
    again = parties.may_propose_at(state, allowed, user.pk)
    is_late = again is not None and at < again
    players = frozenset(() if state.game is None else state.game.players)
    running = row.played.filter(ended_at=None).values("match")
    return {
        "is_guest": False,
        "is_party": mine is not None,
        "is_master": user.pk == state.master,
        "is_ready": mine is not None and mine.ready_no > 0,
        "plays": user.pk in players,
        "lives": user.pk in living,
        "was_replaced": Replaced.objects.filter(match__in=running, user=user).exists(),
        "away_until": away_among([user.pk], as_datetime(at).date()).get(user.pk),
        "note": note,
        "may_join": state.is_open and mine is None,
        "may_leave": state.is_open and mine is not None and user.pk not in living,
        "may_start": may_start,
        "may_propose": state.is_open and mine is not None and proposal is None and not is_late,
        "may_propose_back": state.is_open
        and mine is not None
        and proposal is None
        and state.last_change is not None
        and user.pk not in state.last_change.asked,
        "propose_at": as_datetime(again) if again is not None and is_late else None,
        "may_object": proposal is not None
        and user.pk in proposal.voters
        and user.pk not in proposal.objected,
        "may_withdraw": proposal is not None and user.pk == proposal.by,
        "has_passed": proposal is not None and passed == proposal.no,
        "has_objected": proposal is not None and user.pk in proposal.objected,
        "may_close": state.is_open
        and user.pk == state.closer
        and (state.game is None or players <= living),
        "is_closer": state.is_open and user.pk == state.closer,
    }


def _may(require: Any) -> bool:
    try:
        require()
    except IllegalAction:
        return False
    return True
