"""Thumbs: a player of a finished match says that another one played well."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db import transaction
from django.utils import timezone

from accounts.devices import company_of
from accounts.models import User
from games.engine.errors import refuse
from games.matches.models import Match, Seat, Thumb
from games.moderation.fair_play import require_not_frozen

#: The most thumbs that one gives in a match, and how long after its end.
MOST: Final = 3
OPEN_FOR: Final = timedelta(days=7)

REFUSALS: Final = {
    "thumb/not_over": "Thumbs are for a game that was played to its end",
    "thumb/too_late": "The game is over for too long",
    "thumb/not_a_player": "Only people who played the game give thumbs",
    "thumb/bad_target": "The thumb is for nobody, a bot, a program or the giver",
    "thumb/same_device": "The two play from the same device",
    "thumb/limit": "The giver has given all thumbs of the game; detail: most",
}


class Thumbs(NamedTuple):
    """A seat's thumbs; ``is_given``: by the viewer, who may give or take one back now."""

    number: int
    is_given: bool
    may_change: bool


def thumbs_in(match: Match, viewer_id: int | None, at: datetime) -> dict[int, Thumbs]:
    """Return the thumbs of each seat that a person holds, in a finished match: two queries."""
    people = _people_at(match)
    pairs = list(Thumb.objects.filter(match=match).values_list("giver", "receiver"))
    given = {receiver for giver, receiver in pairs if giver == viewer_id}
    may_give = _is_open(match, at) and viewer_id in people.values()
    return {
        no: Thumbs(
            [receiver for _, receiver in pairs].count(user_id),
            user_id in given,
            may_give and user_id != viewer_id and (user_id in given or len(given) < MOST),
        )
        for no, user_id in people.items()
    }


def set_thumb(
    *, match: Match, giver: User, seat: int, is_given: bool, at: datetime | None = None
) -> None:
    """Give a seat a thumb, or take it back; a second time do nothing. Raises a refusal of
    REFUSALS, ``forbidden`` for a frozen account.
    """
    at = at or timezone.now()
    if match.status != Match.Status.OVER:
        refuse("thumb/not_over", "the game is not over")
    if not _is_open(match, at):
        refuse("thumb/too_late", f"thumbs are given for {OPEN_FOR.days} days after the end")
    require_not_frozen(giver)
    people = _people_at(match)
    if giver.pk not in people.values():
        refuse("thumb/not_a_player", "only its players give thumbs")
    receiver = people.get(seat)
    if receiver in (None, giver.pk):
        refuse("thumb/bad_target", "thumbs are for the other people")
    with transaction.atomic():
        # Lock the giver's row, so that thumbs at once count each other.
        User.objects.select_for_update(no_key=True).get(pk=giver.pk)
        mine = Thumb.objects.filter(match=match, giver=giver)
        if not is_given:
            mine.filter(receiver=receiver).delete()
            return
        if receiver in company_of(giver.pk, [receiver]).by_device:
            refuse("thumb/same_device", "the two of you play from the same device")
        if mine.exclude(receiver=receiver).count() >= MOST:
            refuse("thumb/limit", f"you have given {MOST} thumbs already", most=MOST)
        Thumb.objects.get_or_create(
            match=match, giver=giver, receiver_id=receiver, defaults={"at": at}
        )


def _is_open(match: Match, at: datetime) -> bool:
    return match.ended_at is not None and at < match.ended_at + OPEN_FOR


def _people_at(match: Match) -> Mapping[int, int]:
    """Return seat -> user, without bots, programs and deleted accounts."""
    people = {"user__is_bot": False, "user__is_program": False, "user__deleted_at": None}
    return dict(Seat.objects.filter(match=match, **people).values_list("no", "user"))
