"""JSON reads of a Mafia match besides its view: posts by page, and votes by day.

Source: docs/agora.md "The pages".
"""

from typing import Final

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_GET

from games.mafia.common.queries import posts_in, votes_of
from games.matches.models import Match
from games.matches.views.board import PRIVATE, watched

#: The largest number that an address may contain.
LARGEST: Final = 1_000_000_000


def posts(request: HttpRequest, public_id: str, room: str) -> JsonResponse:
    """Return a page of a room's posts: the newest, or those ``before`` or ``after`` a number."""
    match = watched(request, public_id)
    try:
        before, after = _number(request, "before"), _number(request, "after") or 0
    except ValueError as problem:
        return refusal("bad_field", str(problem), 400)
    try:
        page = posts_in(match, _seat(request, match), room, before=before, after=after)
    except LookupError as problem:
        return refusal("not_found", str(problem), 404)
    said = [post._asdict() for post in page.posts]
    return answer({"room": room, "last": page.last, "posts": said, "hidden": page.hidden})


@require_GET
def votes(request: HttpRequest, public_id: str) -> JsonResponse:
    """Return all votes of a match, by day."""
    return answer({"days": votes_of(watched(request, public_id))})


def answer(body: object, status: int = 200) -> JsonResponse:
    """Return a JSON response that must not be cached."""
    return JsonResponse(body, status=status, headers={"Cache-Control": PRIVATE})


def refusal(code: str, message: str, status: int, **more: object) -> JsonResponse:
    """Return a refusal in the error format of the sockets."""
    return answer({"error": {"code": code, "message": message, **more}}, status)


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
