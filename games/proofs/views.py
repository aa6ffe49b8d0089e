"""Proofs: the log of commitments, and what shows that a match's chance was fair."""

import zlib
from collections.abc import Iterable, Iterator
from datetime import date

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from games.matches.models import LogDay
from games.proofs.queries import counts, lines_of_day, seeds_of


@require_GET
@never_cache
def proof(request: HttpRequest) -> HttpResponse:
    """Explain the proofs, show the log's last days, and check a match in the browser."""
    context = {"days": counts(timezone.now().date()), "public_id": request.GET.get("match", "")}
    return render(request, "games/proofs/proof.html", context)


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


def _compressed(lines: Iterable[str]) -> Iterator[bytes]:
    packer = zlib.compressobj(wbits=31)
    for line in lines:
        if packed := packer.compress(f"{line}\n".encode()):
            yield packed
    yield packer.flush()


@require_GET
def seeds(request: HttpRequest, day: str, part: int) -> HttpResponse:
    """Return the seed commitments of a day, 1000 a part, with the status of each match."""
    try:
        return JsonResponse(seeds_of(date.fromisoformat(day), part))
    except (ValueError, OverflowError):
        raise Http404 from None
