"""The pages of contests, and the actions of their forms."""

from collections.abc import Callable
from typing import Any

import msgspec
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import User
from economy.errors import LedgerError
from economy.selectors import setting
from games.contests import models, queries, rows, services, terms
from games.contests.forms import ContestForm, ProposalForm
from games.contests.services import Charter
from games.contract import TableGame
from games.engine.errors import IllegalAction
from games.matches.queries.addresses import match_url
from games.matches.views import user_of
from games.moderation.views import report_page
from games.standings.award_boards import By
from games.standings.views import AXES
from games.text.telling import sentence


@require_GET
@never_cache
def contests(request: HttpRequest) -> HttpResponse:
    """Show the contests that run a game, that wait for one, and that are closed."""
    user = request.user if isinstance(request.user, User) else None
    has_standings = queries.ended_contests() >= setting("contests.board_contests")
    context: dict[str, Any] = {
        # Read first: a later change then makes the page load again.
        "etag": queries.list_etag(),
        **queries.listed(user),
        "offered": terms.games(),
        "has_standings": has_standings,
    }
    return render(request, "games/contests/list.html", context)


@require_http_methods(["GET", "POST"])
@login_required
def contest_new(request: HttpRequest) -> HttpResponse:
    """Show the form of a new contest; found it."""
    offered = terms.games()
    game = terms.find(request.GET.get("game", offered[0].slug if offered else ""))
    if game is None:
        raise Http404
    form = ContestForm(game, request.POST or None)
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data
        charter = Charter(chosen["name"], game.slug, form.settings(), chosen["runs"] == "me")
        try:
            row = services.found(user=user_of(request), charter=charter)
        except IllegalAction as problem:
            form.add_error(None, sentence(str(problem)))
        else:
            return redirect("contest", public_id=row.public_id)
    most = setting("contests.open")
    context = {
        "form": form,
        "game": game,
        "offered": offered,
        "most_open": most,
        "rated": terms.rated_from(),
    }
    return render(request, "games/contests/new.html", context)


@require_GET
@never_cache
def contest(request: HttpRequest, public_id: str) -> HttpResponse:
    return _page(request, _found(public_id), None)


@require_GET
@never_cache
def contests_etag(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"etag": queries.list_etag()})


@require_GET
@never_cache
def contest_etag(request: HttpRequest, public_id: str) -> JsonResponse:
    return JsonResponse({"etag": queries.etag(_found(public_id))})


@require_GET
@never_cache
def contest_standings(request: HttpRequest) -> HttpResponse:
    """Show the standings of all contests, once enough of them have ended."""
    by, axes = _order(request, None)
    ended, needed = queries.ended_contests(), setting("contests.board_contests")
    context = {
        "by": by,
        "axes": axes,
        "ended": ended,
        "needed": needed,
        "standings": queries.standings(None, by) if ended >= needed else [],
    }
    return render(request, "games/contests/standings.html", context)


@require_POST
@never_cache
@login_required
def propose(request: HttpRequest, public_id: str) -> HttpResponse:
    """Propose other settings; show an invalid form again."""
    row = _found(public_id)
    game = terms.find(row.game)
    if game is None:
        raise Http404
    form = _proposing(row, game, request.POST)
    if not form.is_valid():
        return _page(request, row, form)
    changes, reason = form.settings(), form.cleaned_data["reason"]
    return _done(
        request,
        row,
        lambda user: services.propose(contest_id=row.pk, user=user, changes=changes, reason=reason),
    )


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def report(request: HttpRequest, public_id: str, no: int) -> HttpResponse:
    """Report the reason of an amendment to the administrators."""
    others = _found(public_id).amendments.exclude(reason="").exclude(by=user_of(request))
    found = get_object_or_404(others.filter(by__is_active=True).select_related("by"), no=no)
    return report_page(request, found.by, found.reason)


@require_POST
@login_required
def propose_back(request: HttpRequest, public_id: str, no: int) -> HttpResponse:
    """Propose back what the amendment of this number changed, if none passed since."""
    row = _found(public_id)
    last = rows.load(row).last_change
    changes = last.before if last is not None and last.no == no else {}
    return _done(
        request, row, lambda user: services.propose(contest_id=row.pk, user=user, changes=changes)
    )


@require_POST
@login_required
def start(request: HttpRequest, public_id: str) -> HttpResponse:
    row = _found(public_id)
    try:
        match = services.start(contest_id=row.pk, user=user_of(request))
    except (IllegalAction, LedgerError) as problem:
        messages.error(request, sentence(str(problem)))
        return redirect("contest", public_id=public_id)
    return redirect(match_url(match))


@require_POST
@login_required
def ready(request: HttpRequest, public_id: str) -> HttpResponse:
    """Make the user ready; ``salt`` comes from the page's script. Redirect into the game if it
    begins with the user.
    """
    row, user = _found(public_id), user_of(request)
    salt = request.POST.get("salt", "")
    before = queries.town_of(row, user)
    response = _done(
        request, row, lambda user: services.make_ready(contest_id=row.pk, user=user, salt=salt)
    )
    town = queries.town_of(row, user)
    return redirect(town) if town and town != before else response


def _simple(service: Callable[..., None]) -> Callable[..., HttpResponse]:
    """Return the view of an action that needs only the contest, the user and the address."""

    @require_POST
    @login_required
    def view(request: HttpRequest, public_id: str, **named: int) -> HttpResponse:
        row = _found(public_id)
        return _done(request, row, lambda user: service(contest_id=row.pk, user=user, **named))

    return view


join, leave = _simple(services.join), _simple(services.leave)
unready = _simple(services.make_unready)
object_to, let_pass = _simple(services.object_to), _simple(services.let_pass)
withdraw, close = _simple(services.withdraw), _simple(services.close)


def _done(
    request: HttpRequest, row: models.Contest, action: Callable[[User], None]
) -> HttpResponse:
    """Run an action, and redirect to the contest, with a message if it was refused."""
    try:
        action(user_of(request))
    except (IllegalAction, LedgerError) as problem:
        messages.error(request, sentence(str(problem)))
    return redirect("contest", public_id=row.public_id)


def _page(request: HttpRequest, row: models.Contest, form: ProposalForm | None) -> HttpResponse:
    game = terms.find(row.game)
    if game is None:
        return render(request, "games/contests/asleep.html", {"contest": row}, status=503)
    now = timezone.now()
    if services.due(now, contest=row.pk):
        services.catch_up(contest_id=row.pk)
        row.refresh_from_db()
    user = request.user if isinstance(request.user, User) else None
    context: dict[str, Any] = {"etag": queries.etag(row), **queries.shown(row, game, user, now)}
    context["form"] = form or _proposing(row, game)
    context["is_proposing"] = form is not None
    by, axes = _order(request, game)
    found = queries.played_standings(row, by)
    has_awards = any(one.award for one in found)
    context |= {"by": by, "axes": axes, "standings": found, "has_awards": has_awards}
    return render(request, "games/contests/contest.html", context)


def _order(request: HttpRequest, game: TableGame | None) -> tuple[By, dict[By, str]]:
    """Return the requested ranking and all that are offered; raises Http404."""
    axes = AXES if game is None or terms.terms_of(game).axes > 1 else {By.X: AXES[By.X]}
    by = request.GET.get("by", By.X.value)
    if by not in set(axes):
        raise Http404
    return By(by), axes


def _proposing(row: models.Contest, game: TableGame, *given: Any) -> ProposalForm:
    return ProposalForm(game, msgspec.json.decode(row.settings), *given)


def _found(public_id: str) -> models.Contest:
    row = queries.find(public_id)
    if row is None:
        raise Http404
    return row
