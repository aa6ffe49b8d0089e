"""Notices of contests at the bell: a proposal that a party has not answered.
Source: docs/explanation/contests.md "An amendment".
"""

from collections.abc import Collection
from typing import Final

import msgspec
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from games import registry
from games.contests import models
from games.notices.attention import Need

WHAT: Final = "An amendment is proposed: object, or let it pass"


def proposals_for(user_ids: Collection[int]) -> list[tuple[int, Need]]:
    """Return (user, need) for each open proposal that a user has not answered. One query if no
    proposal waits for these users, else two.
    """
    asked = models.Party.objects.filter(
        user__in=user_ids,
        user__is_frozen=False,
        contest__game__in=registry.slugs(),
        contest__amendments__decided_at=None,
        contest__amendments__effect_at__gt=timezone.now(),
        contest__amendments__no__gt=F("passed_no"),
    )
    rows = asked.order_by("contest__amendments__effect_at", "contest").values_list(
        "user",
        "contest__amendments",
        "contest__amendments__voters",
        "contest__name",
        "contest__public_id",
    )
    waiting = [row for row in rows if row[0] in msgspec.json.decode(row[2])]
    if not waiting:
        return []
    objected = models.Objection.objects.filter(proposal__in={row[1] for row in waiting})
    answered = set(objected.values_list("user", "proposal"))
    return [
        (user, {"title": name, "url": reverse("contest", args=[public_id]), "what": WHAT})
        for user, proposal, _, name, public_id in waiting
        if (user, proposal) not in answered
    ]
