"""The page that a guest with the address of a private table sees instead of its board."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.matches.models import Match
from games.matches.processing import repair
from games.matches.queries.addresses import match_url, rules_url
from games.matches.views.board import PRIVATE
from games.people.invitations import invitation_to, is_open_to_accounts


def invitation_page(request: HttpRequest, match: Match) -> HttpResponse | None:
    """Tell a guest who may not watch who invites to a free seat, or that an account may look.

    None where there is neither: the answer is then that of an unknown address.
    """
    if request.user.is_authenticated:
        return None
    context: dict[str, Any] = {"public_id": match.public_id, "next": request.path}
    if match.status == Match.Status.OPEN:
        repair.bring_up_to_date(match)
        match.refresh_from_db()
        invitation = invitation_to(match)
        if invitation is None:
            return None
        context |= {"invitation": invitation, "next": match_url(match)}
        context["rules_url"] = rules_url(invitation.game)
    elif not is_open_to_accounts(match):
        return None
    response = render(request, "games/people/invitation.html", context)
    response["Cache-Control"] = PRIVATE
    return response
