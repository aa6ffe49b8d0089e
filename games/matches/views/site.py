"""Pages of matches and lists, and texts about the site."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from economy.selectors import grant_after
from games import registry
from games.contract import TableGame
from games.engine.choices import bounds_of, chosen_options
from games.engine.errors import IllegalAction
from games.engine.structs import plain
from games.matches.queries import selectors
from games.matches.queries.addresses import COMMON, list_url, match_url, replay_url, rules_url
from games.matches.services import matches as opening
from games.matches.views.board import BoardPage, asleep, board_page, shown_numbers, user_of, watched

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
    """Show a page of text: rules, privacy, about, credits."""
    context = {"contact": settings.SITE_CONTACT, "version": settings.VERSION}
    return render(request, template, context)


@require_GET
def fair_play(request: HttpRequest) -> HttpResponse:
    """Show the fair play page with the current settings."""
    numbers = shown_numbers("")
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
    """Return robots.txt."""
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8")


@require_GET
@never_cache
def matches(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a game's open and running matches."""
    game = _game(slug)
    if game.address.list != COMMON.list:
        return redirect(list_url(game))
    return render(request, "games/list.html", {"game": game, "lobby": selectors.lobby()})


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
    """Open a match with the chosen options and redirect to it."""
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
