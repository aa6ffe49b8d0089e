"""A user's contests at the bell, in the export, and when the account is deleted."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

import msgspec
from django.db import connection
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from economy.sql import is_any
from games import registry
from games.contests import models
from games.contests.models import Contest, Objection, Party, Proposal
from games.notices.attention import Need
from games.own_data.personal_data import paged


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


WHAT: Final = "An amendment is proposed: object, or let it pass"


def proposals_for(user_ids: Collection[int]) -> list[tuple[int, Need]]:
    """Return (user, need) for each open proposal that a user has not answered. One query if no
    proposal waits for these users, else two.
    """
    is_one, users = is_any("p.user_id", user_ids, "bigint")
    is_here, games = is_any("c.game", registry.slugs(), "text")
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        # Plain SQL for speed: every page of every user asks it.
        cursor.execute(
            "SELECT p.user_id, a.id, a.voters, c.name, c.public_id FROM contests_party p"  # noqa: S608
            " JOIN accounts_user u ON u.id = p.user_id"
            " JOIN contests_contest c ON c.id = p.contest_id"
            " JOIN contests_proposal a ON a.contest_id = c.id"
            f" WHERE {is_one} AND NOT u.is_frozen AND {is_here} AND a.decided_at IS NULL"
            " AND a.effect_at > %s AND a.no > p.passed_no ORDER BY a.effect_at, c.id",
            [users, games, now],
        )
        rows = cursor.fetchall()
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
