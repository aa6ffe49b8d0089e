"""Mail to users who may object to a proposal: once each, queued in the proposal's transaction.

It goes to users who want mail about games and have confirmed an address; beat sends it.

Source: docs/contests.md "An amendment".
"""

from typing import Final

from django.urls import reverse
from post_office.models import PRIORITY, STATUS, Email

from accounts import reminders
from accounts.reminders import Reachable, public_address
from games.contests import models, words
from games.contests.rules.state import Proposal, Settings
from games.contract import TableGame
from games.engine.facts import as_datetime

SUBJECT: Final = "A change of your contest is proposed"


def write_of_proposal(
    row: models.Contest, game: TableGame, proposal: Proposal, before: Settings
) -> None:
    """Queue a mail for each user who may object and can be reached."""
    context = {
        "contest": row.name,
        "lines": words.changes(game, proposal.changes, before),
        "needed": proposal.needed,
        "effect_at": as_datetime(proposal.effect_at),
        "contest_address": public_address(reverse("contest", args=[row.public_id])),
        "settings_address": public_address(reverse("reminders")),
    }
    Email.objects.bulk_create(
        _mail(person, context) for person in reminders.reachable(sorted(proposal.voters))
    )


def _mail(person: Reachable, context: dict[str, object]) -> Email:
    mail = reminders.letter(person, SUBJECT, "games/contests/proposal_message.txt", context)
    mail.priority, mail.status = PRIORITY.medium, STATUS.queued
    return mail
