"""Reports of players and of their lines of chat."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from games.engine.errors import IllegalAction
from games.matches.queries import selectors
from games.matches.views import other_of, user_of
from games.moderation import reports
from games.text.telling import sentence


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def report(request: HttpRequest, name: str) -> HttpResponse:
    other = other_of(request, name)
    return report_page(request, other, _said(request, user_of(request), other))


def report_page(request: HttpRequest, other: User, said: str) -> HttpResponse:
    """Show the form of a report of a player, or send it; ``said``: the reported words, or ""."""
    context: dict[str, Any] = {"player": other, "said": said}
    if request.method == "POST":
        reason = request.POST.get("reason", "")
        try:
            reports.report_player(
                user=user_of(request), name=other.username, reason=reason, said=said
            )
        except IllegalAction as refusal:
            context |= {"problem": sentence(refusal.message), "reason": reason}
            return render(request, "games/moderation/report.html", context, status=422)
        messages.success(request, "Thanks. An administrator looks at it.")
        return redirect("profile", name=other.username)
    return render(request, "games/moderation/report.html", context)


def _said(request: HttpRequest, user: User, other: User) -> str:
    """Return the line of chat that the parameters ``match``, ``room`` and ``no`` name."""
    given = request.GET
    match, no = selectors.find_match(given.get("match", "")), given.get("no", "")
    if match is None or not (no.isascii() and no.isdigit() and len(no) < 9):
        return ""
    if not selectors.may_watch(match, user.pk):
        return ""
    return reports.line_of_chat(match, user, other, (given.get("room", ""), int(no)))
