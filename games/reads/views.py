"""The requests of sealed reads, and the page of the best readers."""

from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from games.engine.errors import IllegalAction
from games.engine.structs import Reader
from games.matches.views import PRIVATE, user_of
from games.reads import boards, sealing

GUESS: Final[Reader[sealing.Guess]] = Reader(sealing.Guess)


@require_http_methods(["GET", "POST"])
def sealed_read(request: HttpRequest, public_id: str) -> JsonResponse:
    """Return what the user is asked now, with the user's own read; a POST seals one first."""
    status, body = HTTPStatus.OK, dict[str, object]()
    try:
        asked = sealing.asked_of(public_id, request.user)
        if request.method == "POST":
            sealing.seal(user_of(request), asked, GUESS.given(request.body))
        body.update(sealing.own_read(user_of(request), asked))
    except IllegalAction as problem:
        # A page that asks has done nothing wrong: no error in its browser.
        status = HTTPStatus.CONFLICT if request.method == "POST" else HTTPStatus.OK
        body["error"] = {"code": problem.code, "message": problem.message}
    return JsonResponse(body, status=status, headers={"Cache-Control": PRIVATE})


@require_GET
@never_cache
def best_readers(request: HttpRequest) -> HttpResponse:
    shown = boards.shown_readers.seen_by(request.user.pk)
    towns = shown["towns"].get(request.user.pk, 0)
    context = {"rows": shown["rows"], "towns": towns, "least_towns": boards.LEAST_TOWNS}
    return render(request, "games/reads/best_readers.html", context)
