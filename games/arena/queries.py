"""Queries of the arena for pages and sockets."""

import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
from django.db.models import Case, Count, DateTimeField, F, QuerySet, Subquery, Value, When
from django.utils import timezone

from accounts.models import User, named
from accounts.shared import Shared, site_facts, site_numbers
from economy.paging import rows_after
from economy.selectors import settings_starting
from economy.sql import Compiled, Given, is_any
from games.arena import SLUG, words
from games.arena.game import REACHED
from games.arena.inside import Inside, read_inside
from games.arena.models import Chain, DayFigures, Fight, Grant, Player, Round, SeasonFigures
from games.arena.presenters import (
    OF_PLAYER,
    Fought,
    OwnStats,
    Rivals,
    Standing,
    own,
    public,
    replayed,
    standing_of,
)
from games.arena.rounds import chain_of, is_fighting
from games.arena.rules.moves import MOVES
from games.arena.rules.options import CARRIED, OPTIONS
from games.arena.rules.scores import MOST_NAMES, Verdict
from games.arena.rules.seasons import Season, season_at
from games.arena.statements import rows_of
from games.contract import Figure, OnProfile
from games.engine.facts import instant, iso
from games.goals.reaching import lines_after
from games.matches.models import LogLeaf
from games.proofs.queries import inclusion_of

#: The periods of a leaderboard, and the figures that rank it.
PERIODS: Final = ("today", "all")
FIGURES: Final = ("score", "best_streak", "round_wins")
#: The most rows of a leaderboard, and of a user's rounds.
PLACES: Final = 50
ROUNDS: Final = 100

#: The most leaders of a season that are shown.
MOST_LEADERS: Final = 3

_OF_FIGHT: Final = Fought.__struct_fields__


# Live views ------------------------------------------------------------------------------


def read_standing(
    known: Rivals | None = None, numbers: Mapping[str, int] | None = None
) -> Standing:
    """Return the public state of the arena. ``known``: the rivals as read before; they change with
    the end of a round. ``numbers``: of the site, where they are known.
    """
    numbers = numbers or settings_starting("arena.")
    rounds = list(Round.objects.select_related("drawn").order_by("-no")[:2])
    resolved = [each for each in rounds if each.state == Round.State.RESOLVED]
    if len(rounds) == 2 and not resolved:
        resolved += Round.objects.filter(state=Round.State.RESOLVED).order_by("-no")[:1]
    last = resolved[0] if resolved else None
    found = standing_of(rounds[0] if rounds else None, last)
    if known is not None and known.is_still(found.last_no):
        rows, found.rivals = read_inside(found.options, numbers["arena.names_shown"], None), known
    else:
        broken = msgspec.json.decode(last.broken, type=list[tuple[int, int, int]]) if last else []
        told = {user for of, _, by in broken for user in (of, by)}
        rows = read_inside(found.options, numbers["arena.names_shown"], told)
        found.rivals = _rivals(found.last_no, rows, broken, numbers)
    found.names = tuple((row.name, bool(row.is_machine)) for row in rows["first"])
    found.bots = sum(row.number for row in rows["all"] if row.is_machine)
    found.people = sum(row.number for row in rows["all"]) - found.bots
    return found


def read_own_stats(standing: Standing, users: Iterable[int]) -> dict[int, OwnStats]:
    """Return the stats of these users, omitting those who have never been in: one query, and
    another if somebody may have reached a goal.
    """
    is_one, given = is_any("p.user_id", users, "bigint")
    columns = [
        "p.user_id", *(f'p."{name}"' for name in OF_PLAYER), "coalesce(c.move, '')",
        *(f'f."{name}"' for name in _OF_FIGHT),
    ]  # fmt: skip
    rows = rows_of(
        columns,
        'FROM "arena_player" p'
        ' LEFT JOIN "arena_choice" c ON c.user_id = p.user_id AND c.round_no = %s'
        ' LEFT JOIN "arena_fight" f ON f.user_id = p.user_id AND f.round_no = %s'
        f" WHERE {is_one}",
        [standing.round_no, standing.last_no, given],
    )
    first = len(OF_PLAYER) + 2
    found = {row[0]: _mine(row[1:first], row[first:]) for row in rows}
    if likely := [user for user, mine in found.items() if _may_have_reached(mine)]:
        at = Subquery(Round.objects.filter(no=standing.last_no).values("ends_at"))
        for user, line in lines_after(likely, goal__startswith=f"{SLUG}/", at=at).items():
            found[user].goal = line
    return found


def _may_have_reached(mine: OwnStats) -> bool:
    """Whether the last round has brought a figure to where a goal is reached."""
    figures = {"round_wins": mine.round_wins, "best_streak": mine.streak}
    has_won = mine.fought is not None and mine.fought.result == Verdict.WON
    return has_won and any(figures[figure] == least for figure, least in REACHED.values())


def past_goals() -> list[tuple[int, str]]:
    """Return the goals that all players have reached by their figures."""
    found = list[tuple[int, str]]()
    for name, (figure, least) in REACHED.items():
        players = Player.objects.filter(**{f"{figure}__gte": least})
        found += [(user, name) for user in players.values_list("user", flat=True)]
    return found


def _mine(player: list[Any], fight: list[Any]) -> OwnStats:
    is_in, watching, leaves, resets, *rest = player
    fought = None if fight[0] is None else Fought(*fight)
    return OwnStats(bool(is_in), watching, bool(leaves), bool(resets), *rest, fought)  # type: ignore[call-arg]


def read_live(round_no: int, granted: Iterable[int]) -> dict[str, Any]:
    """Return the live choices of a round, after recording the grants of the ``granted`` users who
    will see them.
    """
    Grant.objects.bulk_create(
        [Grant(round_no=round_no, user_id=user) for user in granted], ignore_conflicts=True
    )
    moves = ("rock", "paper", "scissors")
    fights, in_round = is_fighting(round_no)
    those = "FROM arena_choice c JOIN arena_player p ON p.user_id = c.user_id"
    those += f" WHERE c.round_no = %s AND c.move <> '' AND {fights}"
    chosen = rows_of(
        ["c.move", "c.number"],
        f"FROM (SELECT c.move, count(*) AS number {those} GROUP BY c.move) c",
        [round_no, *in_round],
    )
    counts = dict.fromkeys(moves, 0) | dict(chosen)
    named = rows_of(
        ["n.move", "u.username"],
        f"FROM (SELECT c.move, c.user_id {those} ORDER BY c.at, c.user_id LIMIT %s) n"
        " JOIN accounts_user u ON u.id = n.user_id",
        [round_no, *in_round, MOST_NAMES],
    )
    names: dict[str, list[str]] = {move: [] for move in moves}
    for move, name in sorted(named):
        names[move].append(name)
    return {"counts": counts, "names": names}


def _rivals(
    last_no: int,
    rows: Mapping[str, list[Inside]],
    broken: Iterable[tuple[int, int, int]],
    numbers: Mapping[str, int],
) -> Rivals:
    """Return the rivals after the last resolved round; machines are none."""
    places, before = dict[int, int](), 0
    for row in rows["places"]:
        places[row.streak] = before + 1
        before += row.number
    names = {row.user: row.name for row in rows["told"]}
    return Rivals(
        last_no=last_no,
        read_at=time.monotonic(),
        streaks=[{"streak": row.streak, "name": row.name} for row in rows["streaks"]],
        places=places,
        broken=[{"of": names[of], "streak": number, "by": names[by]} for of, number, by in broken],
        season=season_shown(numbers=numbers),
    )


def season_of(at: datetime, numbers: Mapping[str, int]) -> Season | None:
    """Return the season that runs at an instant, else the next one, by the site's numbers."""
    return season_at(at, numbers["arena.season_begins"], numbers["arena.season_minutes"])


def season_shown(
    at: datetime | None = None, numbers: Mapping[str, int] | None = None
) -> dict[str, Any] | None:
    """Return the season that runs or comes next, with leaders and the last winner; None: none."""
    at = at or timezone.now()
    season = season_of(at, numbers or settings_starting("arena.season_"))
    if season is None:
        return None
    rows = sorted(_RANKED.rows(began_at=season.begins_at), key=_rank)
    leaders = [row for row in rows if row[0] == season.begins_at]
    won = next((row for row in rows if row[0] < season.begins_at), None)
    return {
        "is_running": season.is_at(at),
        "begins_at": iso(instant(season.begins_at)),
        "ends_at": iso(instant(season.ends_at)),
        "leaders": [{"score": row[1], "name": row[4]} for row in leaders],
        "last": won and {"score": won[1], "began_at": iso(instant(won[0])), "name": won[4]},
    }


def _ranked() -> QuerySet[Any, Any]:
    began_at = Given("began_at", DateTimeField())
    ranked = SeasonFigures.objects.filter(
        score__gt=0, user__is_active=True, user__is_program=False
    ).order_by("-began_at", "-score", "-round_wins", "user")
    now = ranked.filter(began_at=began_at)[:MOST_LEADERS]
    last = ranked.filter(began_at__lt=began_at)[:1]
    columns = ("began_at", "score", "round_wins", "user", "user__username")
    leaders, winner = (
        SeasonFigures.objects.filter(pk__in=rows.values("pk")).values_list(*columns)
        for rows in (now, last)
    )
    return leaders.union(winner, all=True)


#: The leaders of a season, and the winner of the one before.
_RANKED: Final = Compiled(_ranked)


def _rank(row: Sequence[Any]) -> tuple[float, int, int, int]:
    began_at, score, round_wins, user, _ = row
    return -began_at.timestamp(), -score, -round_wins, user


def those_in() -> QuerySet[Any, Any]:
    who = Case(When(is_bot=True, then=Value("bots")), default=Value("people"))
    inside = Player.objects.filter(is_in=True).annotate(fact=Value(SLUG), who=who)
    return inside.values_list("fact", "who").annotate(number=Count("pk"))


def crowd(viewer_id: int | None = None) -> dict[str, int]:
    return {"people": 0, "bots": 0, **site_facts.seen_by(viewer_id).get(SLUG, {})}


#: For pages; their sockets send what is newer.
shown_standing: Final = Shared(lambda: read_standing(numbers=site_numbers()))


def public_view(viewer_id: int | None = None) -> dict[str, Any]:
    return _plain(public(shown_standing.seen_by(viewer_id)))


def own_view(user: Any) -> dict[str, Any]:
    """Return a user's own part of the view; only the socket sends the live choices."""
    standing = shown_standing.seen_by(user.pk)
    mine = read_own_stats(standing, [user.pk]).get(user.pk)
    return _plain(own(standing, mine, None))


def _plain(view: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(view))
    return found


# Pages -----------------------------------------------------------------------------------


def board(period: str, by: str) -> list[dict[str, Any]]:
    """Return the first places of a leaderboard; equal values share a place. Only rounds with enough
    people count, and only people are listed; ``today`` is UTC's.
    """
    places: list[dict[str, Any]] = []
    kept: QuerySet[Any] = DayFigures.objects.filter(day=timezone.now().date())
    prefix = ""
    if period != "today":
        kept, prefix = Player.objects.filter(is_bot=False, board_rounds__gt=0), "board_"
    best = kept.filter(user__is_active=True, user__is_program=False).order_by(
        f"-{prefix}{by}", "user"
    )
    columns = [prefix + figure for figure in FIGURES]
    for number, row in enumerate(best.values(*columns, name=F("user__username"))[:PLACES], 1):
        figures = {figure: row[prefix + figure] for figure in FIGURES}
        is_equal = bool(places) and places[-1]["value"] == figures[by]
        place = places[-1]["place"] if is_equal else number
        places.append({"place": place, "value": figures[by], "name": row["name"], **figures})
    return places


def _figures(score: int, streak: int, *numbers: int) -> list[Figure]:
    """Return the figures of a profile."""
    wins, losses, ties, *rounds = numbers
    return [
        Figure("Score", str(score), f"{wins} won, {losses} lost, {ties} tied"),
        Figure("Rounds", str(sum(rounds)), f"{rounds[0]} won"),
        Figure("Best streak", str(streak), "rounds"),
    ]


ON_PROFILE: Final = OnProfile(
    lambda: Player.objects.filter(round_no__gt=0),
    ("score", "best_streak", "wins", "losses", "ties", "round_wins", "round_losses", "round_ties"),
    _figures,
)


def history(user: Any, before: int = 0, limit: int = ROUNDS) -> list[dict[str, Any]]:
    """Return a user's stored parts of the last rounds, the newest first, each with its round.
    ``before``: only of rounds before this one; 0 takes all.
    """
    # A part is stored before its round is resolved.
    resolved = Round.objects.filter(state=Round.State.RESOLVED)
    mine = Fight.objects.filter(user=user, round_no__in=resolved.values("no"))
    if before:
        mine = mine.filter(round_no__lt=before)
    fights = list(mine.order_by("-round_no")[:limit])
    rounds = resolved.in_bulk([fight.round_no for fight in fights])
    return [_told(fight, rounds[fight.round_no]) for fight in fights]


def _told(fight: Fight, fought: Round) -> dict[str, Any]:
    result = msgspec.json.decode(fought.result)
    return {
        "round": fight.round_no,
        "at": fought.resolved_at,
        "move": fight.move or None,
        "how": fight.how,
        "why": words.why(fight.how, fight.move, fight.wins, fight.losses),
        "reason": words.reason(result, fight.move, fight.team),
        "team": fight.team,
        "wins": fight.wins,
        "losses": fight.losses,
        "ties": fight.ties,
        "result": fight.result,
        "score_delta": fight.score_delta,
        "streak": fight.streak,
        "score": fight.score,
        "options": result["options"],
        "counts": result["counts"],
        "players": result["players"],
    }


def fight_shown(no: int, name: str) -> dict[str, Any] | None:
    """Return a player's part of a resolved round; None where the player had none, and for rounds
    older than ``arena.days_kept``.
    """
    fights = Fight.objects.filter(round_no=no, user__in=User.objects.filter(named(name)))
    shown = fights.values(*_OF_FIGHT, "streak", "score", name=F("user__username"))
    return shown.first() if name else None


def floor_shown(no: int, fight: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the frame of a resolved round's floor, through the eyes of who had this part of it."""
    fought = Fought(*(fight[name] for name in _OF_FIGHT)) if fight else None
    return replayed(Round.objects.select_related("drawn").get(no=no), fought)


def rounds_before(no: int, limit: int) -> tuple[list[Round], bool]:
    """Return resolved rounds before ``no`` (0: all), the newest first, and whether older ones
    follow.
    """
    resolved = Round.objects.filter(state=Round.State.RESOLVED)
    return rows_after(resolved, "-no", no, limit)


def round_shown(no: int) -> dict[str, Any] | None:
    """Return all public data of a resolved round; None for any other."""
    rounds = Round.objects.select_related("drawn").filter(state=Round.State.RESOLVED)
    found = rounds.filter(no=no).first()
    if found is None:
        return None
    return {
        **msgspec.json.decode(found.result),
        "drawn": found.drawn.username if found.drawn else None,
        "began_at": found.began_at,
        "ends_at": found.ends_at,
        "resolved_at": found.resolved_at,
        "people": found.people,
        "survivor_round": found.survivor_round,
        # The other number tells of wishes.
        "carried": {name: msgspec.json.decode(found.carried).get(name, 0) for name in CARRIED},
        "is_full": found.is_full,
        **_proof(found, chain_of(no)),
    }


def neighbours(no: int) -> dict[str, int | None]:
    """Return the numbers of the resolved rounds next to one; dropped rounds are passed over."""
    numbers = Round.objects.filter(state=Round.State.RESOLVED).values_list("no", flat=True)
    return {
        "previous": numbers.filter(no__lt=no).order_by("-no").first(),
        "following": numbers.filter(no__gt=no).order_by("no").first(),
    }


def proof_of(no: int) -> dict[str, Any] | None:
    """Return the proof of a resolved round, with letters for players; None where there is none, or
    its anchor has no leaf. Once the fights are deleted, the parts of players are empty.
    """
    over = Round.objects.filter(no=no, state=Round.State.RESOLVED).first()
    chain = chain_of(no)
    leaves = inclusion_of(chain.pledge.seed_commitment) if chain else {}
    if over is None or chain is None or LogLeaf.Kind.OPENED not in leaves:
        return None
    told, shown = msgspec.json.decode(over.result), _proof(over, chain)
    fights = Fight.objects.filter(round_no=no).order_by("user").select_related("user")
    kept = list(fights) if over.is_full else []
    each = [(fight.how[0], fight.move[:1] or "-", fight.team) for fight in kept]
    lottery: dict[str, Any] = {}
    named: tuple[str, ...] = ("count", "inverted", "team")
    if over.parts is not None:
        named = OPTIONS
        lottery = {
            "at": instant(over.ends_at),
            "bots": "".join("-b"[fight.user.is_bot] for fight in kept),
            "candidates": over.candidates,
            "chooser": msgspec.json.decode(over.chooser or "null"),
            "parts": over.parts,
        }
    return {
        "format": 1 if over.parts is None else 2,
        "game": SLUG,
        "round": no,
        "options": {name: told["options"][name] for name in named},
        **lottery,
        "link": over.link,
        "commitment": over.commitment,
        "anchor": {"first": chain.first_no, "inclusion": leaves[LogLeaf.Kind.OPENED]},
        "digest_before": shown["digest_before"],
        "seed": over.seed,
        "choices": over.choices,
        "digest": over.digest,
        "how": "".join(how if move != "-" else "-" for how, move, _ in each),
        "moves": "".join(move for _, move, _ in each),
        "teams": "".join("-" if team is None else str(team) for _, _, team in each),
        "counts": [told["counts"][move.value] for move in MOVES],
        "table": [[told["table"][one.value][other.value] for other in MOVES] for one in MOVES],
    }


def _proof(over: Round, chain: Chain | None) -> dict[str, Any]:
    """Return what shows that the seed of a round that is over was not chosen."""
    before = Round.objects.filter(no=over.no - 1).first()
    return {
        "link": over.link,
        "choices": over.choices,
        "digest": over.digest,
        "digest_before": before.digest if before else "",
        "anchor": chain.pledge.seed_commitment if chain else "",
        "anchor_at": chain.pledge.pledged_at if chain else None,
        "first": chain.first_no if chain else None,
    }
