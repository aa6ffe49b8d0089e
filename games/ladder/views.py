"""The pages of the ladder."""

from datetime import date

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from games.ladder import queries
from games.ladder.models import LadderDay
from games.ladder.results import rating_told


@require_GET
@never_cache
def ladder(request: HttpRequest) -> HttpResponse:
    """Show the board, who won against whom, live and last matches, and programs to begin with."""
    page = queries.shown_ladder.seen_by(request.user.pk)
    return render(request, "games/ladder/ladder.html", {**page, **queries.sources()})


@require_GET
@never_cache
def ladder_etag(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"etag": queries.shown_ladder.seen_by(request.user.pk)["etag"]})


@require_GET
@never_cache
def ladder_match(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show one match, with the figures that the worker has made of it."""
    match = get_object_or_404(queries.ended(), public_id=public_id)
    figures = msgspec.json.decode(match.figures) if match.figures else None
    told = queries.told(match)
    sides = [
        {
            "entrant": entrant,
            "won": told["won"][seat],
            "thinks": told["thought_ms"][seat] / max(1, match.throws),
            "rating": rating_told(told["ratings"], seat),
            "hands": figures and figures["hands"][seat],
            "read": figures and figures["read"][seat],
        }
        for seat, entrant in enumerate(match.entrants)
    ]
    ties = match.throws - match.won_first - match.won_second
    context = {"match": match, "sides": sides, "ties": ties, "figures": figures}
    return render(request, "games/ladder/match.html", context)


@require_GET
def ladder_day(request: HttpRequest, day: str) -> HttpResponse:
    """Return the file of an old day: a line of JSON for each match."""
    try:
        found = LadderDay.objects.filter(day=date.fromisoformat(day)).first()
    except ValueError:
        found = None
    if found is None:
        raise Http404
    name = {"Content-Disposition": f'attachment; filename="ladder-{day}.jsonl.gz"'}
    return HttpResponse(bytes(found.content), content_type="application/gzip", headers=name)
