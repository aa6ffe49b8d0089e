"""The page that a guest with the address of a private table sees instead of its board."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from games.matches.models import Match
from games.matches.processing import repair
from games.matches.queries import selectors
from games.matches.queries.addresses import match_url, rules_url
from games.matches.queries.invitations import invitation_to, is_open_to_accounts
from games.matches.views.board import PRIVATE

Given = ParamSpec("Given")
MatchView = Callable[Concatenate[HttpRequest, str, Given], HttpResponse]


def inviting(view: MatchView[Given]) -> MatchView[Given]:
    """Let a match's page tell a guest who may not watch who invites, or that an account may look.

    Of a game that runs or is over it tells nothing.
    """

    @wraps(view)
    def shown(
        request: HttpRequest, public_id: str, *args: Given.args, **given: Given.kwargs
    ) -> HttpResponse:
        try:
            return view(request, public_id, *args, **given)
        except Http404:
            page = None if request.user.is_authenticated else _for_guest(request, public_id)
            if page is None:
                raise
            return page

    return shown


def _for_guest(request: HttpRequest, public_id: str) -> HttpResponse | None:
    match = selectors.find_match(public_id)
    if match is None:
        return None
    context: dict[str, Any] = {"public_id": public_id, "next": request.path}
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
    response = render(request, "games/invitation.html", context)
    response["Cache-Control"] = PRIVATE
    return response
