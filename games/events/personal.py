"""A user's events at the bell, by push, in the export, and when the account is deleted."""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from django.conf import settings
from django.db.models import (
    BigIntegerField,
    DateTimeField,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Value,
)
from django.urls import reverse
from django.utils import timezone

from accounts import push
from accounts.models import PushSubscription, User
from accounts.shared import site_facts
from economy.sql import USERS, Compiled, Given, GivenMany
from games.events.models import Entrant, Event, Meeting
from games.notices.attention import Need
from games.own_data.personal_data import OwnData, paged

#: Who is registered is told so long before the start.
CALLED: Final = timedelta(minutes=5)
STARTS: Final = "Starts in a few minutes"
GOES_ON: Final = "You go on: keep this page open"


def rows_of(user: User) -> Iterator[Mapping[str, Any]]:
    for event in paged(Event.objects.filter(founder=user)):
        yield {"kind": "founded", "event": event.name, "at": event.starts_at}
    for part in paged(Entrant.objects.filter(user=user).select_related("event")):
        yield {
            "kind": "entered",
            "event": part.event.name,
            "at": part.entered_at,
            "place": part.place,
        }


def reason_to_stay(user: User) -> str:
    """Return why a user who is in an event cannot be deleted, else ""."""
    entered = Entrant.objects.filter(user=user, is_in=True, event__status__in=Event.LIVE)
    part = entered.select_related("event").first()
    return f"You are registered for {part.event.name}. Withdraw first." if part else ""


def blank(user: User) -> None:
    """Do nothing: places stay, under the deleted account's new name."""


OWN_DATA: Final = OwnData("events", rows_of, reason_to_stay, blank)


def calling_events() -> QuerySet[Any, Any]:
    """Return the events that may call somebody who is aboard."""
    aboard = Entrant.objects.filter(event=OuterRef("pk"), is_in=True)
    soon = ExpressionWrapper(Given("now", DateTimeField()) + Value(CALLED), DateTimeField())
    events = Event.objects.filter(Exists(aboard), status__in=Event.LIVE, starts_at__lte=soon)
    return events.values_list(Value("event"), Value(""), "pk")


_ABOARD: Final = Compiled(
    lambda: Entrant.objects.filter(
        user__in=USERS, is_in=True, event__status__in=Event.LIVE
    ).values_list(
        "pk", "user", "event__name", "event__public_id", "event__status", "event__starts_at"
    )
)
_ENTRANTS: Final = GivenMany("entrants", BigIntegerField())
_MEETINGS: Final = Compiled(
    lambda: Meeting.objects.filter(
        Q(first__in=_ENTRANTS) | Q(second__in=_ENTRANTS), station=F("event__station"), how=""
    ).values_list(
        "first", "second", "first__user__username", "second__user__username", "match__status"
    )
)


def calls_for(user_ids: Collection[int], viewer_id: int | None = None) -> list[tuple[int, Need]]:
    """Return (user, need) for each event that calls a user: it is about to start, or the user waits
    for a match or the next station. No query without an event that calls anybody, for the viewer of
    a page.
    """
    if viewer_id is not None and not site_facts.seen_by(viewer_id).get("event"):
        return []
    now = timezone.now()
    rows = [row for row in _ABOARD.rows(users=user_ids) if row[-1] <= now + CALLED]
    if not rows:
        return []
    #: Entrant -> the opponent and the state of the match, None before it.
    meets = dict[int, tuple[str, str | None]]()
    for first, second, one, other, status in _MEETINGS.rows(entrants=[row[0] for row in rows]):
        meets |= {first: (other, status), second: (one, status)}
    return [
        (user, {"title": name, "url": reverse("event", args=[public_id]), "what": what})
        for pk, user, name, public_id, status, _ in rows
        if (what := STARTS if status == Event.Status.ANNOUNCED else _call(*meets.get(pk, ("", ""))))
    ]


def _call(opponent: str, match: str | None) -> str:
    if not opponent:
        return GOES_ON
    return f"You meet {opponent}" if match is None else ""


def call_by_push(now: datetime) -> int:
    """Send who is registered a notification shortly before the start, once; return how many."""
    if not settings.VAPID_PRIVATE_KEY:
        return 0
    soon = Q(event__starts_at__gt=now, event__starts_at__lte=now + CALLED)
    waiting = Entrant.objects.filter(
        soon, event__status=Event.Status.ANNOUNCED, is_in=True, is_called=False
    ).select_related("event")
    untold = {each.user_id: each.event for each in waiting}
    # Marked first: rather none than two.
    Entrant.objects.filter(pk__in=[each.pk for each in waiting]).update(is_called=True)
    choices = push.choices_of(untold)
    told = [pk for pk, each in choices.items() if each.start and not push.quiet_until(each, now)]
    messages = [
        push.Message(
            each,
            {"title": event.name, "body": STARTS, "url": reverse("event", args=[event.public_id])},
            sha256(event.public_id.encode()).hexdigest()[:32],
        )
        for each in PushSubscription.objects.filter(user__in=told)
        for event in [untold[each.user_id]]
    ]
    return push.Run().send(messages).count(push.Sent.TAKEN) if messages else 0
