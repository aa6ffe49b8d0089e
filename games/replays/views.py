"""Finished matches: the replay with its pages of views, the hand history, the export, the card."""

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET

from games.engine.structs import canonical
from games.matches.journal.entries import BrokenArchive
from games.matches.journal.replay import Differs
from games.matches.models import Match
from games.matches.queries import selectors
from games.matches.queries.addresses import match_url
from games.matches.views import PRIVATE, asleep, board_config, card_of, headline_of, watched
from games.replays.card_image import KEPT, CardText, card_answer
from games.replays.histories import history_of, log_of, written
from games.replays.queries import ALL, Eyes, digest_of, last_view, page_of, people_of
from games.replays.recording import Recording, recordings
from games.text.answers import names_of

log = logging.getLogger(__name__)

#: The largest number of an entry in an address.
LARGEST: Final = 1_000_000_000


def replay_page(
    request: HttpRequest, match: Match, template: str, config: Mapping[str, Any]
) -> HttpResponse:
    """Render a finished match's board with a timeline. Parameters ``at``, an entry, and ``as``, a
    seat or "all", are optional; ``config``: as for ``board_page``. Raises Http404.
    """
    recording = _recording(match)
    if recording is None:
        return asleep(request, match)
    people = people_of(recording)
    seats = sorted(people.seats)
    eyes = _eyes(request.GET.get("as", ""), seats)
    if "as" not in request.GET:
        mine = [no for no in seats if people.seats[no].user_id == request.user.pk]
        eyes = mine[0] if mine else None
    at = _stop(recording, request.GET.get("at", ""))
    first = page_of(recording, people, at, eyes)["views"][0]
    replay = {
        "pages_url": reverse("match_replay", args=[match.public_id]),
        "digest": digest_of(recording, people),
        "moments": recording.moments,
        "at": at,
        "as": eyes,
        "seats": [[no, people.users[people.seats[no].user_id].username] for no in seats],
        "board_url": match_url(match),
        "history_url": reverse("match_history", args=[match.public_id]),
        "export_url": reverse("match_export", args=[match.public_id]),
    }
    # Nobody acts here, so the board is that of a guest.
    guest = {"name": None, "balance": None, "notebook": None, "csrf": None}
    context = {
        "game": recording.game,
        "title": f"Replay: {match.title}",
        "card": card_of(recording.game, match, last_view(recording, people)),
        "initial_view": {"revision": 0, "now": first["at"], **first},
        "table_config": {**board_config(request, match), **config, **guest, "replay": replay},
    }
    response = render(request, template, context)
    response["Cache-Control"] = PRIVATE
    return response


# The match is over: nothing in a page is secret, so its size may show through compression.
@gzip_page
@require_GET
def replay_pages(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return up to 50 views of a finished match, from entry ``from`` on, through the eyes ``as``;
    503 if it cannot be played here.
    """
    match, is_public = _finished(request, public_id)
    recording = _recording(match)
    if recording is None:
        return JsonResponse({"error": "asleep"}, status=503, headers={"Cache-Control": PRIVATE})
    people = people_of(recording)
    first = _number(request.GET.get("from", "0"))
    eyes = _eyes(request.GET.get("as", ""), sorted(people.seats))
    digest = digest_of(recording, people)
    tag = f'"{digest}-{first}-{eyes}"'
    if request.headers.get("If-None-Match") in (tag, f"W/{tag}"):
        return _cached(HttpResponse(status=304), request, digest, tag, is_public=is_public)
    body = canonical({"digest": digest, **page_of(recording, people, first, eyes)})
    response = HttpResponse(body, content_type="application/json")
    return _cached(response, request, digest, tag, is_public=is_public)


@require_GET
def match_log(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return a match's log: the public facts while it runs, all of them once it is over."""
    log = log_of(watched(request, public_id))
    return JsonResponse(log, headers={"Cache-Control": PRIVATE})


@gzip_page
@require_GET
def history(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return a finished match's hand history as text."""
    return _download(request, public_id, written, "text/plain; charset=utf-8")


@gzip_page
@require_GET
def export(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return a finished match's history as JSON."""
    return _download(request, public_id, canonical, "application/json")


@require_GET
def card(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the preview card of a finished match that everybody may see; 429 for too many."""
    match, is_public = _finished(request, public_id)
    recording = _recording(match)
    if recording is None or not is_public:
        raise Http404
    people = people_of(recording)
    view, digest = last_view(recording, people), digest_of(recording, people)
    names = " · ".join(names_of(view).values())
    is_over, shown = view["match"]["status"] == Match.Status.OVER, recording.game.replay
    badge = shown.badge(view) if is_over and shown.badge is not None else None
    windows = shown.windows(view) if is_over else ()
    text = CardText(headline_of(recording.game, view), names, recording.game.title, badge, windows)
    return card_answer(public_id, digest, text)


def _download(
    request: HttpRequest, public_id: str, write: Callable[[Mapping[str, Any]], str], kind: str
) -> HttpResponse:
    match, is_public = _finished(request, public_id)
    try:
        found = history_of(match)
    except KeyError:
        return asleep(request, match)
    response = HttpResponse(write(found), content_type=kind)
    # Names and withheld posts may change, so it is asked for again each time.
    response["Cache-Control"] = "public, no-cache" if is_public else PRIVATE
    return response


def _cached(
    response: HttpResponse, request: HttpRequest, digest: str, tag: str, *, is_public: bool
) -> HttpResponse:
    """Set the caching of a page: long if everybody may read it and its address has its digest."""
    response["ETag"] = tag
    if not is_public:
        response["Cache-Control"] = "private, no-cache"
    elif request.GET.get("digest") == digest:
        response["Cache-Control"] = f"public, max-age={KEPT}, immutable"
    else:
        response["Cache-Control"] = "public, no-cache"
    return response


def _finished(request: HttpRequest, public_id: str) -> tuple[Match, bool]:
    """Return a match that is over, and whether everybody may read it; raises Http404."""
    match = selectors.find_match(public_id)
    if match is None or match.is_live:
        raise Http404
    if selectors.may_watch(match, None):
        # Without a look at the log-in the answer is the same for everybody.
        return match, True
    return watched(request, public_id), False


def _recording(match: Match) -> Recording | None:
    """Return the recording of a match, None where it cannot be played here; raises Http404 if it is
    not over or never began.
    """
    if match.is_live:
        raise Http404
    try:
        recording = recordings.of(match)
    except KeyError:
        return None
    except (Differs, BrokenArchive):
        log.critical("the journal of %r does not give what is stored", match, exc_info=True)
        return None
    if not recording.moments:
        raise Http404
    return recording


def _eyes(given: str, seats: list[int]) -> Eyes:
    """Return the seat that an address names, "all" for all of them, else None: a spectator."""
    if given == ALL:
        return ALL
    return next((no for no in seats if given == str(no)), None)


def _number(given: str) -> int:
    """Return the number of an entry in an address; 0 for anything else."""
    is_number = given.isascii() and given.isdigit() and len(given) < 12
    return min(int(given), LARGEST) if is_number else 0


def _stop(recording: Recording, given: str) -> int:
    """Return the last stop at or before an entry, the first one where there is none."""
    stops = [no for no, _ in recording.moments]
    wanted = _number(given)
    return max((no for no in stops if no <= wanted), default=stops[0])
