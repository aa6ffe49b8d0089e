"""Proofs: the log of commitments, and what shows that a match's chance was fair."""

import zlib
from collections.abc import Iterable, Iterator
from datetime import date

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from games.matches.models import LogDay, Match
from games.matches.queries.commitments import counts, lines_of_day
from games.matches.queries.proofs import proof_of
from games.matches.views.board import PRIVATE, watched


@require_GET
@never_cache
def proof(request: HttpRequest) -> HttpResponse:
    """Explain the proofs, show the log's last days, and check a match in the browser."""
    context = {"days": counts(timezone.now().date()), "public_id": request.GET.get("match", "")}
    return render(request, "pages/proof.html", context)


@require_GET
def match_proof(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the proof of a finished match; of an unlisted one only to its players."""
    match = watched(request, public_id)
    if match.is_live or not (match.listed or _has_played(match, request.user.pk)):
        raise Http404
    try:
        found = proof_of(match)
    except KeyError:
        # Its game, or that version of it, is not installed here.
        found = None
    if found is None:
        raise Http404
    return JsonResponse(found, headers={"Cache-Control": PRIVATE})


@require_GET
def log_day(request: HttpRequest, day: str) -> StreamingHttpResponse:
    """Return a finished day of the log: a line for the day, for each leaf, for each public seed."""
    try:
        found = LogDay.objects.filter(day=date.fromisoformat(day)).exists()
    except ValueError:
        found = False
    if not found:
        raise Http404
    return StreamingHttpResponse(
        _compressed(lines_of_day(date.fromisoformat(day))),
        content_type="application/gzip",
        headers={"Content-Disposition": f'attachment; filename="{day}.jsonl.gz"'},
    )


def _has_played(match: Match, user_id: int | None) -> bool:
    return match.seats.filter(user=user_id).exists() or match.replaced.filter(user=user_id).exists()


def _compressed(lines: Iterable[str]) -> Iterator[bytes]:
    packer = zlib.compressobj(wbits=31)
    for line in lines:
        if packed := packer.compress(f"{line}\n".encode()):
            yield packed
    yield packer.flush()
