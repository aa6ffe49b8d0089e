"""Invitations: what the address of a match tells a guest who may not watch it.
Source: docs/explanation/fair-play.md "Invitations".
"""

import json
from dataclasses import dataclass

from games import registry
from games.contract import TableGame
from games.matches.models import Match
from games.matches.queries import selectors
from games.matches.queries.selectors import read_summary


@dataclass(frozen=True, slots=True)
class Invitation:
    """The host, the game and the terms; a challenge is for one person."""

    host: str
    game: TableGame
    terms: str
    is_challenge: bool


def invitation_to(match: Match) -> Invitation | None:
    """Return the invitation to a free seat before the start, None where there is none. The host is
    who opened the table, else the person who has sat there longest.
    """
    game = registry.find(match.game)
    if match.status != Match.Status.OPEN or not isinstance(game, TableGame):
        return None
    sitters = match.seats.filter(user__is_bot=False).order_by("pk")
    people = dict(sitters.values_list("user", "user__username"))
    options, summary = json.loads(match.table)["options"], read_summary(match.summary)
    if not people or len(summary.get("players", [])) >= options["seats"]:
        return None
    host = people.get(match.opened_by_id or 0, next(iter(people.values())))
    terms = game.lists.row(options, summary).get("terms", "")
    return Invitation(host, game, terms, match.invited_id is not None)


def is_open_to_accounts(match: Match) -> bool:
    """Whether users who know the address may look at a match which guests may not."""
    has_begun = match.started_at is not None
    return has_begun and not match.listed and selectors.allows_spectators(match)
