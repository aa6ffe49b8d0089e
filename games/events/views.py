"""The pages of events, and the actions of their forms."""

import hashlib
from collections.abc import Callable
from typing import Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import User
from economy.texts import WrittenField
from games.engine.errors import IllegalAction
from games.events import queries, services
from games.events.models import LONGEST_NAME, Event
from games.matches.views import user_of
from games.proofs.commitments import sequence
from games.replays.card_image import CardText, card_answer
from games.text.telling import sentence

#: Finished events of a page.
A_PAGE: Final = 50


class EventForm(forms.Form):
    """An unlisted event for friends."""

    name = WrittenField(max_length=LONGEST_NAME, min_length=3, label="Name", initial="Our Train")
    minutes = forms.IntegerField(
        min_value=1, max_value=10_080, initial=10, label="Minutes to the start"
    )
    fill = forms.IntegerField(
        min_value=0,
        max_value=16,
        initial=8,
        label="Bots fill it up to",
        help_text="0: no bots.",
    )


@require_GET
@never_cache
def events(request: HttpRequest) -> HttpResponse:
    """Show the events that run, that come, and that are over."""
    user = request.user if isinstance(request.user, User) else None
    mine = list(queries.entered_by(user)) if user else []
    context = {**queries.listed(timezone.now(), request.user.pk), "mine": mine, "form": EventForm()}
    return render(request, "games/events/list.html", context)


@require_GET
@never_cache
def events_finished(request: HttpRequest) -> HttpResponse:
    """Show the events that have ended, a page of them."""
    page = Paginator(queries.finished(request.user.pk), A_PAGE).get_page(request.GET.get("page"))
    return render(request, "games/events/finished.html", {"page": page})


@require_http_methods(["GET", "POST"])
@login_required
def event_new(request: HttpRequest) -> HttpResponse:
    """Show the form of an event for friends; make it, with its founder aboard."""
    form = EventForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            row = services.found(user=user_of(request), **form.cleaned_data)
            # At once, so that friends need not wait for the log to register.
            sequence()
        except IllegalAction as problem:
            form.add_error(None, sentence(str(problem)))
        else:
            return redirect("event", public_id=row.public_id)
    return render(request, "games/events/new.html", {"form": form})


@require_GET
@never_cache
def event(request: HttpRequest, public_id: str) -> HttpResponse:
    row, user = _found(public_id), request.user if isinstance(request.user, User) else None
    # Read first: a later change then makes the page load again.
    etag, now = queries.etag(row, request.user.pk), timezone.now()
    context = {"etag": etag, "now": now, **queries.shown(row, user, now)}
    # A page of a large event is dear, and the bell tells players what matters to them.
    context |= {"every": 2000 + 8 * context["people"], "spread": 4 * context["people"]}
    if context["winner"]:
        words = f"{context['winner']['name']} won {row.name}"
        context["card"] = {"url": reverse("event_card", args=[public_id]), "words": words}
    return render(request, "games/events/event.html", context)


@require_GET
@never_cache
def event_etag(request: HttpRequest, public_id: str) -> JsonResponse:
    return JsonResponse({"etag": queries.etag(_found(public_id), request.user.pk)})


@require_GET
@never_cache
def event_proof(request: HttpRequest, public_id: str) -> JsonResponse:
    """Return the proof of an event that is over."""
    proof = queries.proof_of(_found(public_id))
    if proof is None:
        raise Http404
    return JsonResponse(proof)


@require_GET
def event_card(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the preview card of an event with a winner; 429 for too many."""
    row = _found(public_id)
    names = list(row.entrants.filter(place__gt=0).order_by("place").values_list("user__username"))
    if not names:
        raise Http404
    (winner,), players = names[0], f"{len(names)} players"
    text = CardText(f"{winner} won {row.name}", players, f"{row.starts_at:%-d %B %Y}")
    return card_answer(public_id, hashlib.sha256(repr(text).encode()).hexdigest()[:16], text)


def _simple(service: Callable[..., None]) -> Callable[..., HttpResponse]:
    """Return the view of an action that needs only the event and the user."""

    @require_POST
    @login_required
    def view(request: HttpRequest, public_id: str) -> HttpResponse:
        row = _found(public_id)
        try:
            service(event_id=row.pk, user=user_of(request))
        except IllegalAction as problem:
            messages.error(request, sentence(str(problem)))
        return redirect("event", public_id=row.public_id)

    return view


enter, withdraw = _simple(services.enter), _simple(services.withdraw)


def _found(public_id: str) -> Event:
    row = queries.find(public_id)
    if row is None:
        raise Http404
    return row
