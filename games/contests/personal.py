"""The contests' part of a user's data: the export, and the deletion of the account."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import Q

from accounts.models import User
from games.contests.models import Contest, Objection, Party, Proposal
from games.own_data.personal_data import paged


def rows_of(user: User) -> Iterator[Mapping[str, Any]]:
    """Yield the contests a user founded or is a party to, with their amendments and objections."""
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
    """Return why a user of a contest that goes on cannot be deleted, else ""."""
    here = Contest.objects.filter(Q(parties__user=user) | Q(master=user), closed_at=None).first()
    return f"You are part of the contest {here.name}. Leave it first." if here else ""


def blank(user: User) -> None:
    """Forget why games began without a user; names in contests follow the account's."""
    Party.objects.filter(user=user).update(note="")
