"""Sealing of a read, and a user's own one of the day. Source: docs/explanation/reads.md."""

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any, NamedTuple

from django.db import transaction
from django.utils import timezone
from msgspec import Meta

from accounts.devices import company_of
from accounts.models import User
from economy.selectors import setting
from games.engine.errors import StaleAction, refuse
from games.engine.structs import Record, Whole, canonical
from games.matches.journal.loading import standing
from games.matches.journal.snapshots import Snapshot
from games.matches.models import Match, SealedRead
from games.matches.queries import selectors
from games.matches.queries.match_view import game_part

Strength = Annotated[int, Meta(ge=0, le=3)]


class Guess(Record, frozen=True):
    """The suspicion of each seat, on the day for which the page asked."""

    day: Whole
    strengths: Annotated[dict[int, Strength], Meta(max_length=40)]


class Asked(NamedTuple):
    """The question of a match now: ``hidden`` of the ``seats`` are of the mafia."""

    match_id: int
    day: int
    seats: list[int]
    hidden: int


def asked_of(public_id: str, user: Any) -> Asked:
    """Return what a user may guess of a match now. Raises ``forbidden``, alike for every reason: it
    must not tell who shares what.
    """
    match = selectors.find_match(public_id)
    if match is None or not (found := _asked(match, user)):
        refuse("forbidden", "you may not seal a read of this game")
    return found


def _asked(match: Match, user: Any) -> Asked | None:
    if not isinstance(user, User) or user.is_machine or match.status != Match.Status.RUNNING:
        return None
    snapshot = standing([match.pk]).get(match.pk)
    if snapshot is None or snapshot.game.reads is None or snapshot.state.options.contest:
        return None
    if not selectors.may_watch(match, user.pk) or _has_company(snapshot, user):
        return None
    view, own = game_part(snapshot), snapshot.seat_of(user.pk)
    # From the public view alone: nothing here depends on a secret.
    if view is None or any(seat["no"] == own and seat["is_alive"] for seat in view["seats"]):
        return None
    seats, hidden = snapshot.game.reads.asked(view)
    return Asked(match.pk, view["round"], [no for no in seats if no != own], hidden)


def _has_company(snapshot: Snapshot, user: User) -> bool:
    """Whether a user has shared a device or an address lately with anybody who plays or played."""
    since = timezone.now() - timedelta(days=setting("fair.device_days"))
    found = company_of(user.pk, snapshot.people, since)
    return bool(found.by_device or found.by_address)


def own_read(user: User, asked: Asked) -> Mapping[str, Any]:
    """Return what a user is asked, with the read that the user has sealed for this day."""
    rows = SealedRead.objects.filter(match=asked.match_id, user=user, day=asked.day)
    text = rows.values_list("strengths", flat=True).first()
    return {"day": asked.day, "seats": asked.seats, "sealed": text and json.loads(text)}


def seal(user: User, asked: Asked, guess: Guess) -> None:
    """Store a read; it replaces the earlier one of the same day. Raises StaleAction, and
    ``forbidden`` where the match has ended meanwhile.
    """
    if guess.day != asked.day or guess.strengths.keys() != set(asked.seats):
        raise StaleAction("the town has changed: look again")
    with transaction.atomic():
        # Locked, so that none is stored after the end.
        match = Match.objects.select_for_update(no_key=True).get(pk=asked.match_id)
        if match.status != Match.Status.RUNNING:
            refuse("forbidden", "you may not seal a read of this game")
        row = SealedRead(
            match=match,
            user=user,
            day=asked.day,
            strengths=canonical({str(seat): step for seat, step in guess.strengths.items()}),
            hidden=asked.hidden,
            at=timezone.now(),
        )
        SealedRead.objects.bulk_create(
            [row],
            update_conflicts=True,
            unique_fields=["match", "user", "day"],
            update_fields=["strengths", "hidden", "at"],
        )
