"""What the pages of all games share: who may look, and what the board is given."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import astuple
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from accounts.away import away_among
from accounts.models import User
from economy.selectors import balance_of, settings_starting
from games import registry
from games.contract import TableGame
from games.engine.facts import instant, iso
from games.matches.models import Match
from games.matches.processing import repair, roster
from games.matches.queries import selectors
from games.matches.queries.addresses import match_url
from games.matches.queries.match_view import filled
from games.matches.queries.snapshots import Snapshot

PRIVATE = "no-store, private"


def watched(request: HttpRequest, public_id: str) -> Match:
    """Return the match of this public name, if the viewer may look at it.

    Raises:
        Http404: there is none, or not for this viewer; the two look alike.
    """
    match = selectors.find_match(public_id)
    if match is None or not selectors.may_watch(match, request.user.pk):
        raise Http404
    return match


def board_page(
    request: HttpRequest, match: Match, template: str, config: Mapping[str, Any]
) -> HttpResponse:
    """Show a board as the viewer may see it; the socket carries on from there.

    Args:
        config: what this game's board must know besides: addresses, by name.
    """
    repair.bring_up_to_date(match)
    snapshot = selectors.snapshots([match.pk]).get(match.pk)
    if snapshot is None:
        return asleep(request, match)
    here = selectors.presences([match.pk]).get(match.pk)
    view = _written(selectors.match_view(snapshot, snapshot.seat_of(request.user.pk), here))
    game = registry.table(match.game)
    context = {
        "game": game,
        "title": match.title,
        "initial_view": {"revision": 0, "now": iso(instant(timezone.now())), "view": view},
        "table_config": {
            **_config(request, match),
            **_awards_of(game),
            "away": _away(snapshot),
            **game.board,
            **config,
        },
    }
    response = render(request, template, context)
    response["Cache-Control"] = PRIVATE
    return response


def _written(view: dict[str, Any]) -> dict[str, Any]:
    """Fill a seat's own part up for the page, whose JSON has spaces that a frame's has not."""
    own = view["game"] and view["game"]["you"]
    if not own or "fill" not in own:
        return view
    return {**view, "game": {**view["game"], "you": filled(own, json.dumps)}}


def asleep(request: HttpRequest, match: Match) -> HttpResponse:
    """Show a match that cannot be played here at the moment."""
    return render(request, "games/asleep.html", {"match": match}, status=503)


def lobby() -> dict[str, Any]:
    """Return the lists of a page that the lobby socket carries on, by game."""
    return selectors.lobby()


def user_of(request: HttpRequest) -> User:
    """Return who is logged in; only for views that require it."""
    assert isinstance(request.user, User)
    return request.user


def award_numbers() -> dict[str, int]:
    """Return what it takes for awards to be paid: people, minutes of a phase, a day's most.

    Source: docs/rules/agora.md "Winning and points".
    """
    numbers = settings_starting("awards.")
    return {name.removeprefix("awards."): value for name, value in numbers.items()}


def _awards_of(game: TableGame) -> dict[str, Any]:
    return {"awards": award_numbers()} if game.counts.ratio else {}


def _away(snapshot: Snapshot) -> dict[str, str]:
    """Return who of those at a match is away, by name, and until when."""
    names = {sitter.user_id: sitter.name for sitter in snapshot.sitters.values()}
    until = away_among(names, timezone.now().date())
    return {names[pk]: day.isoformat() for pk, day in until.items()}


def _config(request: HttpRequest, match: Match) -> dict[str, Any]:
    address = match_url(match)
    user = request.user if isinstance(request.user, User) else None
    return {
        "socket": f"/ws/match/{match.public_id}/",
        "public_id": match.public_id,
        "name": user.username if user else None,
        "balance": balance_of(user.pk) if user else None,
        "bots": [[name, *astuple(who)] for name, who in roster.cast_of(match.game).items()],
        "table_url": address,
        "login_url": f"{reverse('account_login')}?next={address}",
    }
