"""A user's contests at the bell, in the export, and when the account is deleted."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

import msgspec
from django.db.models import CharField, DateTimeField, F, Q, QuerySet, Value
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.shared import site_facts
from economy.sql import USERS, Compiled, Given, GivenMany
from games import registry
from games.contests import models
from games.contests.models import Contest, Objection, Party, Proposal
from games.notices.attention import Need
from games.own_data.personal_data import OwnData, paged


def rows_of(user: User) -> Iterator[Mapping[str, Any]]:
    for contest in paged(Contest.objects.filter(founder=user)):
        yield {"kind": "founded", "contest": contest.name, "at": contest.founded_at}
    for party in paged(Party.objects.filter(user=user).select_related("contest")):
        yield {"kind": "party", "contest": party.contest.name, "at": party.joined_at}
    for proposal in paged(Proposal.objects.filter(by=user).select_related("contest")):
        yield {
            "kind": "amendment",
            "contest": proposal.contest.name,
            "at": proposal.proposed_at,
            "changes": proposal.changes,
        }
    for objection in paged(Objection.objects.filter(user=user)):
        yield {"kind": "objection", "at": objection.at}


def reason_to_stay(user: User) -> str:
    """Return why a user of an open contest cannot be deleted, else ""."""
    here = Contest.objects.filter(Q(parties__user=user) | Q(master=user), closed_at=None).first()
    return f"You are part of the contest {here.name}. Leave it first." if here else ""


def blank(user: User) -> None:
    """Forget why games began without a user."""
    Party.objects.filter(user=user).update(note="")


OWN_DATA: Final = OwnData("contests", rows_of, reason_to_stay, blank)
WHAT: Final = "An amendment is proposed: object, or let it pass"


_ASKED: Final = Compiled(
    lambda: (
        models.Party.objects.filter(
            user__in=USERS,
            user__is_frozen=False,
            contest__game__in=GivenMany("games", CharField()),
            contest__amendments__decided_at=None,
            contest__amendments__effect_at__gt=Given("now", DateTimeField()),
            contest__amendments__no__gt=F("passed_no"),
        )
        .order_by("contest__amendments__effect_at", "contest")
        .values_list(
            "user",
            "contest__amendments",
            "contest__amendments__voters",
            "contest__name",
            "contest__public_id",
        )
    )
)


def open_proposals() -> QuerySet[Any, Any]:
    proposals = Proposal.objects.filter(
        decided_at=None, effect_at__gt=Given("now", DateTimeField())
    )
    return proposals.values_list(Value("proposal"), Value(""), "pk")


def proposals_for(
    user_ids: Collection[int], viewer_id: int | None = None
) -> list[tuple[int, Need]]:
    """Return (user, need) for each open proposal that a user has not answered. One query if no
    proposal waits for these users, else two; mostly none for the viewer of a page.
    """
    if viewer_id is not None and not site_facts.seen_by(viewer_id).get("proposal"):
        return []
    rows = _ASKED.rows(users=user_ids, games=registry.slugs(), now=timezone.now())
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
