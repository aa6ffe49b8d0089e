"""The reads of a Mafia match beside its view: posts in pages, and votes by day.

Source: docs/agora.md "The pages".
"""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_GET

from games.mafia.reading import posts_in, votes_of
from games.models import Match
from games.pages.board import PRIVATE, watched

#: The largest number that an address may name.
LARGEST: Final = 1_000_000_000


@require_GET
def posts(request: HttpRequest, public_id: str, room: str) -> JsonResponse:
    """Return a page of a room's posts: the newest, those ``before`` or those ``after`` a number."""
    match = watched(request, public_id)
    try:
        before, after = _number(request, "before"), _number(request, "after") or 0
    except ValueError as problem:
        return _answer({"error": {"code": "bad_field", "message": str(problem)}}, 400)
    try:
        page = posts_in(match, _seat(request, match), room, before=before, after=after)
    except LookupError as problem:
        return _answer({"error": {"code": "not_found", "message": str(problem)}}, 404)
    said = [post._asdict() for post in page.posts]
    return _answer({"room": room, "last": page.last, "posts": said})


@require_GET
def votes(request: HttpRequest, public_id: str) -> JsonResponse:
    """Return all votes of a match, by day."""
    return _answer({"days": votes_of(watched(request, public_id))})


def _seat(request: HttpRequest, match: Match) -> int | None:
    if request.user.pk is None:
        return None
    return match.seats.filter(user_id=request.user.pk).values_list("no", flat=True).first()


def _number(request: HttpRequest, name: str) -> int | None:
    given = request.GET.get(name)
    if given is None:
        return None
    if not (given.isascii() and given.isdigit() and 0 < int(given[:12]) <= LARGEST):
        raise ValueError(f"{name} is a number from 1")
    return int(given)


def _answer(body: object, status: int = 200) -> JsonResponse:
    return JsonResponse(body, status=status, headers={"Cache-Control": PRIVATE})
