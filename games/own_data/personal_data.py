"""Everything that the site stores about a user, as one JSON text. Other people appear by name where
the user dealt with them. Of a running game only the seat is told.
"""

import json
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from datetime import date, datetime
from itertools import chain, islice
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from asgiref.sync import sync_to_async
from django.db.models import Model, Q, QuerySet

from accounts.models import ApiToken, Device, PushChoice, PushSubscription, Relation, User
from accounts.push import KINDS
from accounts.settings_pages import FIELDS
from economy.paging import portions_of
from economy.parts import given
from economy.selectors import stock_of
from economy.statement import Filters, Line, statement_chunks, stock_page
from games import registry
from games.matches.journal.reading import Sought, find_entries
from games.matches.models import (
    DailyPlay,
    Match,
    Mute,
    Notebook,
    Post,
    PostReport,
    Rating,
    RatingChange,
    ReachedGoal,
    Replaced,
    SealedRead,
    Seat,
    Thumb,
)
from games.matches.models.matches import cause_of
from games.matches.queries.ratings import Scales, pools

Row = Mapping[str, Any]
Section = Callable[[User], Iterable[Row]]
_Row = TypeVar("_Row", bound=Model)
#: Rows per query and per piece of the download.
CHUNK: Final = 200


class OwnData(NamedTuple):
    """Data of users in another application: its section of the export, which may only read; the
    reason against a deletion, "" for none; the blanking.
    """

    name: str
    rows: Section
    reason: Callable[[User], str]
    blank: Callable[[User], None]


async def export_of(user: User) -> AsyncIterator[str]:
    """Yield the export of a user in pieces, one query or two per piece."""
    yield '{"format": "rock-and-racket 1"'
    others = {each.name: each.rows for each in given("own_data")}
    for name, section in {**SECTIONS, **others}.items():
        yield f',\n"{name}": ['
        rows, lead = iter(section(user)), "\n"
        while chunk := await sync_to_async(_some)(rows):
            yield lead + ",\n".join(json.dumps(row, default=_written) for row in chunk)
            lead = ",\n"
        yield "]"
    async for program in user.programs.filter(deleted_at=None):
        yield f',\n"{program.username}": '
        async for piece in export_of(program):
            yield piece
    yield "}\n"


def _some(rows: Iterator[Row]) -> list[Row]:
    return list(islice(rows, CHUNK))


def _written(value: Any) -> str:
    if isinstance(value, datetime | date):
        return value.isoformat()
    raise TypeError(type(value))


def paged(rows: QuerySet[_Row]) -> Iterator[_Row]:
    return chain.from_iterable(portions_of(rows, CHUNK))


def _profile(user: User) -> Iterator[Row]:
    yield {
        "name": user.username,
        "joined": user.date_joined,
        "last_log_in": user.last_login,
        "picture": user.avatar,
        "away_until": user.away_until,
        "frozen": user.frozen_reason if user.is_frozen else None,
        "daily_table": {"last_day": user.daily_on, "days_in_a_row": user.daily_streak},
        "invited_players": user.invited.count(),
        "is_program": user.is_program,
    }


def _settings(user: User) -> Iterator[Row]:
    yield {"theme": user.theme, **{name: getattr(user, name) for name in FIELDS}}


def _consents(user: User) -> Iterator[Row]:
    yield {"what": "mail about games", "choice": user.reminders}
    yield {"what": "shown online", "choice": user.shows_presence}
    yield {"what": "rated games with programs", "choice": user.rates_programs}
    for choice in PushChoice.objects.filter(user=user):
        yield {
            "what": "notifications",
            "choice": {kind: getattr(choice, kind) for kind in KINDS},
            "quiet_hours": [choice.quiet_from, choice.quiet_until],
            "time_zone": choice.time_zone,
        }
    for browser in PushSubscription.objects.filter(user=user):
        service = urlsplit(browser.endpoint).hostname
        yield {"what": "browser for notifications", "service": service, "at": browser.created_at}


def _addresses(user: User) -> Iterator[Row]:
    for address in EmailAddress.objects.filter(user=user):
        yield {"address": address.email, "confirmed": address.verified, "primary": address.primary}


def _log_ins(user: User) -> Iterator[Row]:
    for session in UserSession.objects.filter(user=user):
        yield {
            "kind": "log-in",
            "at": session.created_at,
            "network_address": session.ip,
            "browser": session.user_agent,
        }
    for device in Device.objects.filter(user=user):
        yield {"kind": "device, as a keyed hash", "last_seen": device.last_seen}
    for factor in Authenticator.objects.filter(user=user):
        yield {"kind": f"second step: {factor.type}", "at": factor.created_at}
    for token in ApiToken.objects.filter(user=user):
        yield {
            "kind": "token",
            "name": token.name,
            "begins_with": token.prefix,
            "at": token.created_at,
            "last_used": token.last_used_at,
            "revoked": token.revoked_at,
        }


def _people(user: User) -> Iterator[Row]:
    for relation in Relation.objects.filter(user=user).select_related("other"):
        yield {"kind": relation.kind, "name": relation.other.username, "at": relation.at}


def _points(user: User) -> Iterator[Row]:
    for lines in statement_chunks(user.pk, Filters()):
        yield from map(_movement, lines)


def _movement(line: Line) -> Row:
    named = {name: getattr(line, name) for name in ("unit", "amount", "balance")}
    return {"at": line.at, "what": line.words, **named}


def _stock(user: User) -> Iterator[Row]:
    """Yield the stock; its movements in running games could tell who stands on a mine."""
    yield {"held": {unit.value: count for unit, count in stock_of(user.pk).items()}}
    seats = Seat.objects.filter(user=user, match__status__in=Match.LIVE)
    live = {cause_of(pk) for pk in seats.values_list("match", flat=True)}
    before = 0
    while True:
        page = stock_page(user.pk, before=before, limit=CHUNK)
        yield from (_movement(line) for line in page.lines if line.cause not in live)
        before = page.before
        if not before:
            return


def _games(user: User) -> Iterator[Row]:
    for seat in paged(Seat.objects.filter(user=user).select_related("match")):
        yield {
            **_game(seat.match),
            "seat": seat.no,
            "result": seat.result,
            "net": seat.net,
            "rating": seat.rating,
            "rating_change": seat.rating_change,
            "actions": _actions(user, seat.match),
        }
    for left in paged(Replaced.objects.filter(user=user).select_related("match")):
        yield {
            **_game(left.match),
            "seat": left.no,
            "replaced": left.at,
            "actions": _actions(user, left.match),
        }


def _game(match: Match) -> Row:
    return {
        "game": match.game,
        "id": match.public_id,
        "title": match.title,
        "status": match.status,
        "started": match.started_at,
        "ended": match.ended_at,
    }


def _actions(user: User, match: Match) -> list[Row] | None:
    if match.is_live:
        return None
    return [
        json.loads(entry.action) for entry in find_entries([match.pk], Sought(actor_id=user.pk))
    ]


def _chat(user: User) -> Iterator[Row]:
    over = Post.objects.filter(user=user).exclude(match__status__in=Match.LIVE)
    for post in paged(over.select_related("match")):
        yield {"game": post.match.public_id, "room": post.room, "at": post.at, "text": post.text}


def _notes(user: User) -> Iterator[Row]:
    over = Notebook.objects.filter(user=user).exclude(match__status__in=Match.LIVE)
    for book in paged(over.select_related("match")):
        yield {"game": book.match.public_id, "notes": book.notes}


def _ratings(user: User) -> Iterator[Row]:
    scales = Scales()
    for rating in Rating.objects.filter(user=user, game__in=[*pools(), *registry.POOLS]):
        yield {"game": rating.game, "mu": rating.mu, "sigma": rating.sigma, "games": rating.games}
    for change in paged(RatingChange.objects.filter(user=user).select_related("match")):
        yield {
            "game": change.match.public_id,
            "at": change.at,
            "before": change.before,
            "after": change.after,
            "old_scale": scales.is_old(change.match),
        }


def _daily(user: User) -> Iterator[Row]:
    for play in paged(DailyPlay.objects.filter(user=user).select_related("table")):
        yield {
            "day": play.table.day,
            "started": play.started_at,
            "ended": play.ended_at,
            "net": play.net,
            "actions": play.actions if play.ended_at else None,
        }


def _goals(user: User) -> Iterator[Row]:
    for reached in ReachedGoal.objects.filter(user=user).order_by("at"):
        yield {"goal": reached.goal, "at": reached.at}


def _reads(user: User) -> Iterator[Row]:
    over = SealedRead.objects.filter(user=user).exclude(match__status__in=Match.LIVE)
    for read in paged(over.select_related("match")):
        yield {
            "game": read.match.public_id,
            "day": read.day,
            "at": read.at,
            "suspicion_by_seat": json.loads(read.strengths),
            "score": read.score,
            "knew_roles": read.knew,
        }


def _thumbs(user: User) -> Iterator[Row]:
    own = Thumb.objects.filter(Q(giver=user) | Q(receiver=user))
    for thumb in paged(own.select_related("match", "receiver")):
        yield {"game": thumb.match.public_id, "to": thumb.receiver.username, "at": thumb.at}


def _moderation(user: User) -> Iterator[Row]:
    for mute in Mute.objects.filter(user=user):
        yield {"kind": "muted by an administrator", "at": mute.at, "until": mute.until}
    for told in user.staff_messages.all():
        yield {"kind": told.kind, "text": told.text, "at": told.at, "read": told.read_at}
    made = PostReport.objects.filter(by=user).exclude(match__status__in=Match.LIVE)
    for report in paged(made.select_related("match")):
        yield {
            "kind": "report of a post",
            "game": report.match.public_id,
            "reason": report.reason,
            "at": report.at,
        }


SECTIONS: Final[Mapping[str, Section]] = {
    "profile": _profile,
    "settings": _settings,
    "consents": _consents,
    "email": _addresses,
    "log_ins": _log_ins,
    "people": _people,
    "points": _points,
    "stock": _stock,
    "games": _games,
    "chat": _chat,
    "notes": _notes,
    "ratings": _ratings,
    "daily_tables": _daily,
    "goals": _goals,
    "sealed_reads": _reads,
    "thumbs": _thumbs,
    "moderation": _moderation,
}
