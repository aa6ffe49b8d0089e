"""The pages of the duels: list, new duel, challenge, board, rules."""

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import quote, urlsplit

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.validators import MaxValueValidator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import User, named
from accounts.shared import Shared, site_numbers
from economy.errors import LedgerError
from games.duel import SLUG, challenges, dossier, pairing
from games.duel import boards as boards_of_long
from games.duel.commands import COMMANDS
from games.duel.words import OPTIONS
from games.engine.errors import IllegalAction
from games.matches import services as matches
from games.matches.models import Match
from games.matches.processing import writing
from games.matches.processing.submissions import Submission
from games.matches.queries import ratings, selectors
from games.matches.queries.addresses import match_url
from games.matches.queries.own import Own, own_of
from games.matches.views import (
    BoardPage,
    board_page,
    promised_salt,
    shown_numbers,
    user_of,
    watched,
)
from games.realtime.runtime import tell
from games.standings import boards
from games.text.telling import sentence


class DuelForm(forms.Form):
    """The options of a new duel; with a name in ``opponent`` it is a challenge."""

    opponent = forms.CharField(max_length=20, required=False, label="Opponent's name")
    best_of = forms.IntegerField(min_value=1, max_value=99, initial=5, label=OPTIONS["best_of"])
    clock_seconds = forms.IntegerField(
        min_value=5, max_value=86_400, initial=30, label=OPTIONS["clock_seconds"]
    )
    stake = forms.IntegerField(min_value=0, initial=0, label=OPTIONS["stake"])
    no_ties = forms.BooleanField(required=False, initial=True, label=OPTIONS["no_ties"])
    rated = forms.BooleanField(required=False, initial=True, label=OPTIONS["rated"])
    listed = forms.BooleanField(required=False, initial=True, label=OPTIONS["listed"])
    spectators = forms.BooleanField(required=False, initial=True, label=OPTIONS["spectators"])
    dossiers = forms.BooleanField(required=False, initial=True, label=OPTIONS["dossiers"])

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        numbers = site_numbers()
        self.largest_stake, self.tax_bp = numbers["duel.largest_stake"], numbers["duel.tax_bp"]
        self.fields["clock_seconds"].initial = numbers["duel.clock"]
        stake = self.fields["stake"]
        stake.validators.append(MaxValueValidator(self.largest_stake))
        stake.widget.attrs["max"] = self.largest_stake

    def clean_best_of(self) -> int:
        """Reject an even number: nobody could have more than half."""
        best_of: int = self.cleaned_data["best_of"]
        if best_of % 2 == 0:
            raise forms.ValidationError("Choose an odd number.")
        return best_of

    def clean(self) -> dict[str, Any]:
        """Clear ``rated`` if there is a stake."""
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("stake"):
            cleaned["rated"] = False
        return cleaned

    def options(self) -> dict[str, Any]:
        return {name: value for name, value in self.cleaned_data.items() if name != "opponent"}


#: The number of highest ratings beside the list.
LEADERS = 10


@require_GET
@never_cache
def duels(request: HttpRequest) -> HttpResponse:
    """Show the open and running duels, the forms to begin one, and why a challenge was refused."""
    name = request.GET.get("opponent", "")[:20]
    if "opponent" not in request.GET or not isinstance(request.user, User):
        return _list_page(request, DuelForm())
    form = DuelForm({"opponent": name, "best_of": 5, "clock_seconds": 30, "stake": 0})
    try:
        challenges.find_opponent(request.user, name)
    except IllegalAction as problem:
        form.add_error("opponent", sentence(str(problem)))
    return _list_page(request, form)


@require_POST
@login_required
def quick_duel(request: HttpRequest) -> HttpResponse:
    """Pair the user for a quick duel, let the user wait, or play a bot."""
    user = user_of(request)
    try:
        if "bot" in request.POST:
            match = pairing.open_for_bot(user)
            _get_ready(match, user, {"kind": "add_bot"}, **promised_salt(request))
            return _go_to(match)
        match = pairing.pair_quick(user=user, lengths=request.POST.getlist("length"))
    except (IllegalAction, LedgerError) as problem:
        messages.error(request, sentence(str(problem)))
        return redirect("duels")
    return _go_to(match)


@require_http_methods(["GET", "POST"])
@login_required
def duel_new(request: HttpRequest) -> HttpResponse:
    """Open a duel with the chosen options, sit down and get ready."""
    given = {"opponent": request.GET.get("opponent", "")[:20]}
    form = DuelForm(request.POST or None, initial=given)
    if request.method == "POST" and form.is_valid():
        match = _open(user_of(request), form)
        if match is not None:
            return _go_to(match)
    return render(request, "games/duel/new.html", {"form": form})


@require_POST
@login_required
def duel_challenge(request: HttpRequest) -> HttpResponse:
    """Challenge a player by name or a part of it, from the list page."""
    form = DuelForm(request.POST)
    form.fields["opponent"].required = True
    match = _open(user_of(request), form) if form.is_valid() else None
    if match is not None:
        return _go_to(match)
    if "opponent" not in form.errors:
        messages.error(request, " ".join(str(line[0]) for line in form.errors.values()))
    name = quote(request.POST.get("opponent", "")[:20])
    return redirect(f"{reverse('duels')}?opponent={name}#challenge")


@require_GET
def duel(request: HttpRequest, public_id: str, page: BoardPage = board_page) -> HttpResponse:
    """Show a duel's board; redirect a match of another game."""
    match = watched(request, public_id, invites=True)
    if match.game != SLUG:
        return redirect(match_url(match))
    config = {
        "lobby_url": reverse("duels"),
        "rules_url": reverse("rules_duel"),
        "quick_url": reverse("duel_quick"),
        "decline_url": reverse("duel_decline", args=[public_id]),
        "csrf": get_token(request),
    }
    return page(request, match, "games/duel/duel.html", config)


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def duel_habits(request: HttpRequest) -> HttpResponse:
    """Return whether the user is to be asked about habits; store the answer: whether they are
    shown, and known to a bot (``shows`` and ``known`` are sent for a yes).
    """
    user = user_of(request)
    if request.method == "POST":
        dossier.choose(user.pk, shows="shows" in request.POST, is_known="known" in request.POST)
    return JsonResponse({"asks": dossier.choice_of(user) is None})


@require_GET
@never_cache
@login_required
def duel_dossier(request: HttpRequest, name: str) -> HttpResponse:
    """Show a player's dossier; to a script, a part of a page."""
    is_part = "X-Requested-With" in request.headers
    player = get_object_or_404(User, named(name), is_active=True)
    context = {
        "player": player,
        "is_part": is_part,
        "dossier": dossier.dossier_of(player, user_of(request)),
        "choice": dossier.choice_of(user_of(request)),
    }
    template = "games/duel/_dossier.html" if is_part else "games/duel/dossier.html"
    return render(request, template, context)


@require_GET
def duel_boards(request: HttpRequest) -> HttpResponse:
    """Show who is hardest to read, and who reads best, in long duels."""
    shown = boards_of_long.shown_boards.seen_by(request.user.pk)
    limits = {"throws": boards_of_long.FEWEST_THROWS, "people": boards_of_long.FEWEST_PEOPLE}
    return render(request, "games/duel/boards.html", {**shown, **limits})


@require_POST
@login_required
def duel_decline(request: HttpRequest, public_id: str) -> HttpResponse:
    """Decline a challenge."""
    if _is_answered(request, public_id, challenges.decline_challenge):
        messages.info(request, "You have declined. Nothing was at stake yet.")
    return _back(request)


@require_GET
@never_cache
@login_required
def duel_challenges(request: HttpRequest) -> HttpResponse:
    """Return the rows of the unanswered challenges to the user and by the user."""
    standing = challenges.standing_challenges(own_of(request))
    return render(request, "games/duel/_standing.html", {"standing": standing})


@require_POST
@login_required
def duel_accept(request: HttpRequest, public_id: str) -> HttpResponse:
    """Accept a challenge on the terms that stood beside the button."""
    match, given = watched(request, public_id), request.POST.get("revision", "")
    revision = int(given) if given.isascii() and given.isdigit() and len(given) < 9 else 0
    salt = promised_salt(request)
    try:
        challenges.accept_challenge(
            user=user_of(request), match=match, revision=revision, salt=salt
        )
    except (IllegalAction, LedgerError) as problem:
        messages.error(request, sentence(str(problem)))
    return _go_to(match)


@require_POST
@login_required
def duel_withdraw(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take a challenge back."""
    _is_answered(request, public_id, challenges.withdraw_challenge)
    return _back(request)


@require_GET
def rules_duel(request: HttpRequest) -> HttpResponse:
    """Show the rules in plain words."""
    numbers = shown_numbers("duel.", request.user.pk)
    context = {
        "commands": COMMANDS,
        "largest_stake": numbers["duel.largest_stake"],
        "tax_percent": f"{numbers['duel.tax_bp'] / 100:g}",
    }
    return render(request, "games/duel/rules.html", context)


_leaders: Final = Shared(lambda: boards.leaders(SLUG, limit=LEADERS))


def _ratings(own: Own) -> list[tuple[str, ratings.RatingShown]]:
    """Return a user's ratings with their titles, the one of a long duel once it is rated."""
    return [
        (
            "Your rating" if pool == SLUG else f"{title} rating",
            ratings.shown_of(own.ratings.get(pool)),
        )
        for pool, (title, game, _) in ratings.pools().items()
        if game.slug == SLUG and (pool == SLUG or pool in own.ratings)
    ]


def _list_page(request: HttpRequest, form: DuelForm) -> HttpResponse:
    user = request.user if isinstance(request.user, User) else None
    context: dict[str, Any] = {
        "lobby": selectors.shown_lobby.seen_by(request.user.pk),
        "mine": selectors.rows_of(own_of(request))[SLUG] if user else [],
        "ratings": _ratings(own_of(request)) if user else [],
        "leaders": _leaders.seen_by(request.user.pk),
        "form": form,
        "suggestions": challenges.recent_opponents(user) if user else [],
    }
    return render(request, "games/duel/list.html", context)


def _open(user: User, form: DuelForm) -> Match | None:
    """Open the duel of a valid form; add a refusal to the form."""
    name = form.cleaned_data["opponent"].strip()
    try:
        if name:
            return challenges.challenge(challenger=user, name=name, options=form.options())
        match = matches.open_and_sit(opened_by=user, options=form.options(), game=SLUG)
    except (IllegalAction, LedgerError) as problem:
        field = "opponent" if problem.code in challenges.REFUSALS else None
        form.add_error(field, sentence(str(problem)))
        return None
    _get_ready(match, user)
    return match


def _get_ready(match: Match, user: User, *more: dict[str, Any], **salt: str) -> None:
    """Make the opener ready, as far as possible: the user can continue at the board."""
    revision = selectors.snapshot_of(match).state.options_revision
    ready = {"kind": "ready", "configuration": revision, **salt}
    for number, action in enumerate((ready, *more), start=1):
        try:
            writing.submit(Submission(match.pk, action, f"opening-{number}-duel", user.pk))
        except (IllegalAction, LedgerError):
            break


def _is_answered(request: HttpRequest, public_id: str, answer: Callable[..., None]) -> bool:
    """Answer a challenge, or tell why not."""
    match = watched(request, public_id)
    try:
        answer(user=user_of(request), match=match)
    except IllegalAction as problem:
        messages.error(request, sentence(str(problem)))
        return False
    tell([match.pk])
    return True


def _back(request: HttpRequest) -> HttpResponse:
    """Return to the lobby if the answer was given there, else to the duels."""
    came_from = urlsplit(request.headers.get("Referer", "")).path
    return redirect("home" if came_from == reverse("home") else "duels")


def _go_to(match: Match) -> HttpResponse:
    tell([match.pk])
    return redirect("duel", public_id=match.public_id)
