"""Pages of matches and lists, texts about the site, and what views of all games share."""

import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import astuple
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from accounts.models import User, named
from accounts.people import away_among
from accounts.shared import site_numbers
from economy.parts import given
from economy.selectors import grant_after
from economy.tunables import TUNABLES
from games import registry
from games.contract import TableGame
from games.engine.choices import bounds_of, chosen_options
from games.engine.errors import IllegalAction
from games.engine.facts import instant, iso
from games.engine.structs import plain
from games.matches import services as opening
from games.matches.models import Match
from games.matches.processing import repair
from games.matches.processing.bots import BOT_NAMES
from games.matches.queries import selectors
from games.matches.queries.addresses import COMMON, list_url, match_url, replay_url, rules_url
from games.matches.queries.commands import word_counts
from games.matches.queries.match_view import filled
from games.matches.queries.own import own_of
from games.text.table_words import AT_TABLES, IN_TOWNS

PRIVATE = "no-store, private"

#: A function that renders a match's page: the live board, or its replay.
BoardPage = Callable[[HttpRequest, Match, str, Mapping[str, Any]], HttpResponse]
#: The settings that this process has read last, for pages while the database is away.
_known: dict[str, int] = {}


class NotWatched(Http404):
    """The viewer may not watch the match of the page, which may invite instead."""

    def __init__(self, match: Match) -> None:
        super().__init__()
        self.match = match


def watched(request: HttpRequest, public_id: str, *, invites: bool = False) -> Match:
    """Return a match that the viewer may watch. Raises Http404, alike for none and not allowed."""
    match = selectors.find_match(public_id)
    if match is None or not selectors.may_watch(match, request.user.pk):
        raise NotWatched(match) if match is not None and invites else Http404
    return match


def board_page(
    request: HttpRequest, match: Match, template: str, config: Mapping[str, Any]
) -> HttpResponse:
    """Render a board as the viewer may see it; ``config``: the game's entries."""
    if repair.bring_up_to_date(match):
        match.refresh_from_db()
    snapshot = selectors.snapshots([match.pk], [match]).get(match.pk)
    if snapshot is None:
        return asleep(request, match)
    here = selectors.shown_presence.seen_by(request.user.pk, match.pk)
    view = selectors.match_view(snapshot, snapshot.seat_of(request.user.pk), here)
    own = view["game"] and view["game"]["you"]
    if own and "fill" in own:
        # Pad again: the JSON of a page has spaces that a frame's has not.
        view["game"]["you"] = filled(own, json.dumps)
    game, away = registry.table(match.game), {}
    if game.hides_presence:
        # The absent users, to the last day of their absence.
        names = {sitter.user_id: sitter.name for sitter in snapshot.sitters.values()}
        until = away_among(names, timezone.now().date())
        away = {"away": {names[pk]: day.isoformat() for pk, day in until.items()}}
    home: dict[str, Any] = {}
    if match.opened_by_id is None:
        # Of a match that an event opened: its title and address.
        home = next(({"home": of} for ask in given("homes") if (of := ask(match))), home)
    context = {
        "game": game,
        "title": match.title,
        "initial_view": {"revision": 0, "now": iso(instant(timezone.now())), "view": view},
        "card": None
        if view["match"]["status"] in Match.LIVE
        else card_of(game, match, selectors.match_view(snapshot, None)),
        "table_config": {**board_config(request, match), **away, **config, **home},
    }
    response = render(request, template, context)
    response["Cache-Control"] = PRIVATE
    return response


def asleep(request: HttpRequest, match: Match) -> HttpResponse:
    """Render the page of a match that cannot be played here now, with status 503."""
    return render(request, "games/asleep.html", {"match": match}, status=503)


def user_of(request: HttpRequest) -> User:
    """Return the logged-in user; only for views that require a login."""
    assert isinstance(request.user, User)
    return request.user


def other_of(request: HttpRequest, name: str) -> User:
    """Return the other user whom a page is about; raises Http404 for nobody, or the viewer."""
    player = get_object_or_404(User, named(name), is_active=True)
    if player == request.user:
        raise Http404
    return player


def promised_salt(request: HttpRequest) -> dict[str, str]:
    """Return the hash of a start in one press as the field of ``ready``."""
    given = request.POST.get("salt_hash", "")
    return {"salt_hash": given} if re.fullmatch("[0-9a-f]{64}", given) else {}


def shown_numbers(prefix: str, viewer_id: int | None = None) -> dict[str, int]:
    """Return the settings with this prefix; without a database the last known, or defaults."""
    with suppress(DatabaseError):
        _known.update(site_numbers(viewer_id))
    names = [name for name in TUNABLES if name.startswith(prefix)]
    return {name: _known.get(name, TUNABLES[name].default) for name in names}


def award_numbers(viewer_id: int | None = None) -> dict[str, int]:
    numbers = shown_numbers("awards.", viewer_id)
    return {name.removeprefix("awards."): value for name, value in numbers.items()}


def board_config(request: HttpRequest, match: Match) -> dict[str, Any]:
    """Return the entries of a board's configuration, common ones and the game's own."""
    game = registry.table(match.game)
    user = request.user if isinstance(request.user, User) else None
    address, bots = match_url(match), BOT_NAMES[: settings.HOUSE_BOTS]
    config: dict[str, Any] = {
        "socket": f"/ws/match/{match.public_id}/",
        "public_id": match.public_id,
        "name": user.username if user else None,
        "balance": own_of(request).balance if user else None,
        "bots": [[name, *astuple(who)] for name, who in game.bot.cast.items() if name in bots],
        "mutes": not game.hides_presence,
        "phrases": IN_TOWNS if game.town_config else AT_TABLES,
        "commands": word_counts(game.slug),
        "person_url": reverse("person", args=["NAME"]),
        "table_url": address,
        "next_url": reverse("turn_next") if user else None,
        "replay_url": f"{address}replay/",
        "login_url": f"{reverse('account_login')}?next={address}",
        "signup_url": f"{reverse('account_signup')}?next={address}",
    }
    if user is None:
        config["grant"] = grant_after(0, shown_numbers("grant."))
    if game.counts.ratio:
        config["awards"] = award_numbers(request.user.pk)
    return {**config, **game.board}


def headline_of(game: TableGame, view: Mapping[str, Any]) -> str:
    """Return the result of a finished match in a line; ``view``: the spectators' last."""
    is_over = view["match"]["status"] == Match.Status.OVER
    return game.replay.headline(view) if is_over else "The game was called off"


def card_of(game: TableGame, match: Match, view: Mapping[str, Any]) -> dict[str, str] | None:
    """Return a finished match's preview card, if it has one; ``view``: a spectator's."""
    if match.is_live or match.started_at is None or not selectors.may_watch(match, None):
        return None
    return {"url": reverse("match_card", args=[match.public_id]), "words": headline_of(game, view)}


ROBOTS = """\
User-agent: *
Disallow: /accounts/
Disallow: /admin/
Disallow: /start/
Disallow: /ws/
Disallow: /rpc/
"""


@require_GET
def match(request: HttpRequest, public_id: str, page: BoardPage = board_page) -> HttpResponse:
    """Show a match whose game has no page of its own, or cannot be played here now."""
    found = watched(request, public_id, invites=True)
    game = registry.find(found.game)
    if game is None:
        return asleep(request, found)
    if game.address.match != COMMON.match:
        return redirect(match_url(found) if page is board_page else replay_url(found))
    config = {"how": game.how, "lobby_url": list_url(game), "rules_url": rules_url(game)}
    return page(request, found, game.template, config)


@require_GET
def text_page(request: HttpRequest, template: str) -> HttpResponse:
    context = {"contact": settings.SITE_CONTACT, "version": settings.VERSION}
    return render(request, template, context)


@require_GET
def fair_play(request: HttpRequest) -> HttpResponse:
    numbers = shown_numbers("", request.user.pk)
    told = {
        **{name.removeprefix("fair."): number for name, number in numbers.items()},
        "bots_daily": numbers["bots.daily_win_limit"],
        "new_accounts": numbers["fair.grant_accounts"],
        "new_points": numbers["fair.grant_points"],
        "stipend_floor": numbers["stipend.floor"],
        "stipend_amount": numbers["stipend.amount"],
        "grant": numbers["grant.signup"],
        "grant_now": grant_after(0, numbers),
        "grant_games": numbers["grant.games"],
        "prizes": [numbers[f"prizes.{place}"] for place in ("first", "second", "third")],
    }
    context = {"numbers": told, "today": timezone.now().date().isoformat()}
    return render(request, "pages/fair_play.html", context)


@require_GET
def robots(request: HttpRequest) -> HttpResponse:
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8")


@require_GET
@never_cache
def matches(request: HttpRequest, slug: str) -> HttpResponse:
    game = _game(slug)
    if game.address.list != COMMON.list:
        return redirect(list_url(game))
    lobby = selectors.shown_lobby.seen_by(request.user.pk)
    return render(request, "games/list.html", {"game": game, "lobby": lobby})


@require_GET
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a game's rules, its options and its commands."""
    game = _game(slug)
    if game.address.rules != COMMON.rules:
        return redirect(rules_url(game))
    return render(request, "games/rules.html", {"game": game, "form": OptionsForm(game)})


@require_http_methods(["GET", "POST"])
@login_required
def match_new(request: HttpRequest, slug: str) -> HttpResponse:
    game = _game(slug)
    form = OptionsForm(game, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            match = opening.open_match(
                opened_by=user_of(request), options=form.cleaned_data, game=slug
            )
        except IllegalAction as problem:
            form.add_error(None, str(problem))
        else:
            return redirect(match_url(match))
    return render(request, "games/new.html", {"game": game, "form": form})


class OptionsForm(forms.Form):
    """The options that users choose for a table, built from the game's option type."""

    def __init__(self, game: TableGame, *given: Any) -> None:
        super().__init__(*given)
        usual = plain(opening.default_options(game.slug, {}))
        for name in sorted(chosen_options(game.options)):
            self.fields[name] = _field(usual[name], bounds_of(game.options, name))


def _field(usual: object, bounds: dict[str, int]) -> forms.Field:
    if isinstance(usual, bool):
        return forms.BooleanField(required=False, initial=usual)
    least, most = bounds.get("least"), bounds.get("most")
    return forms.IntegerField(min_value=least, max_value=most, initial=usual)


def _game(slug: str) -> TableGame:
    game = registry.find(slug)
    if not isinstance(game, TableGame):
        raise Http404
    return game
