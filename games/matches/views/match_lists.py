"""The match list, the rules and the opening form of games without such pages of their own."""

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from games import registry
from games.contract import TableGame
from games.engine.choices import bounds_of, chosen_options
from games.engine.errors import IllegalAction
from games.engine.structs import plain
from games.matches.queries.addresses import COMMON, list_url, match_url, rules_url
from games.matches.services import matches as opening
from games.matches.views.board import lobby, user_of


@require_GET
@never_cache
def matches(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a game's open and running matches."""
    game = _game(slug)
    if game.address.list != COMMON.list:
        return redirect(list_url(game))
    return render(request, "games/list.html", {"game": game, "lobby": lobby()})


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
