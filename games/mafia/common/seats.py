"""The page for open seats of a Mafia match without spectators: its board is for players only.

Source: docs/agora.md "Substitutes".
"""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from economy.errors import LedgerError
from games.engine.errors import IllegalAction
from games.engine.structs import kind_of
from games.engine.table.actions import TakeOver
from games.matches.processing import writing
from games.matches.processing.submissions import Submission
from games.matches.queries import selectors
from games.matches.queries.addresses import match_url
from games.matches.views.board import user_of
from games.realtime.announce import tell_match
from games.text.telling import sentence


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def open_seat(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a button for each open seat of a match; a user who may watch is sent to the board."""
    match, user = selectors.find_match(public_id), user_of(request)
    if match is None:
        raise Http404
    if selectors.may_watch(match, user.pk):
        return redirect(match_url(match))
    snapshot = selectors.snapshots([match.pk]).get(match.pk)
    if snapshot is None or not snapshot.open_seats:
        raise Http404
    seat = request.POST.get("seat", "")
    if request.method == "POST" and seat in {str(no) for no in snapshot.open_seats}:
        # A repeated request has the same action id: it takes the seat once.
        action_id = f"seat-{snapshot.match.phase}-{seat}-{user.pk}"
        action = {"kind": kind_of(TakeOver), "seat": int(seat)}
        try:
            writing.submit(Submission(match.pk, action, action_id, user.pk))
        except (IllegalAction, LedgerError) as problem:
            messages.error(request, sentence(str(problem)))
        else:
            tell_match(match)
            return redirect(match_url(match))
    seats = [(no, snapshot.sitters[no].name) for no in snapshot.open_seats]
    return render(request, "games/mafia/seat.html", {"match": match, "seats": seats})
