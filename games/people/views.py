"""Profiles, the people page, a person's menu, invitations, insights."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db.models import BigIntegerField, CharField, Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from accounts.adapters import is_local_path
from accounts.models import Relation, User
from accounts.names import name_key
from accounts.people import apart_from, people_of, relate, relations_to, unrelate
from economy.sql import Compiled, Given
from games import registry
from games.contract import TableGame
from games.goals.reaching import lines_after
from games.matches import services as matches
from games.matches.models import Match, Seat, of_match
from games.matches.processing import repair
from games.matches.queries import selectors
from games.matches.queries.addresses import match_url, rules_url
from games.matches.queries.selectors import read_summary
from games.matches.views import PRIVATE, other_of, user_of, watched
from games.people import profiles, records
from games.people.activity import ONLINE, online

Kind = Relation.Kind
#: What a button does -> the message after it.
DONE: Final = {
    "follow": "You follow {name}.",
    "unfollow": "You no longer follow {name}.",
    "mute": "{name} is muted: you do not see their chat.",
    "unmute": "{name} is not muted any more.",
    "block": "{name} is blocked.",
    "unblock": "{name} is not blocked any more.",
}
#: The matches in which the last opponents are looked for, and the most of them.
LAST_MATCHES, OPPONENTS = 30, 8


@require_GET
@never_cache
@login_required
def people(request: HttpRequest) -> HttpResponse:
    """Show whom the user follows, mutes and blocks, and the last opponents."""
    user = user_of(request)
    following = list(people_of(user.pk, Kind.FOLLOW))
    here = set(online(timezone.now() - ONLINE).filter(pk__in=[one.pk for one in following]))
    context = {
        "following": sorted(
            ((one, one in here) for one in following), key=lambda pair: not pair[1]
        ),
        "muted": people_of(user.pk, Kind.MUTE),
        "blocked": people_of(user.pk, Kind.BLOCK),
        "opponents": _opponents(user),
    }
    return render(request, "games/people/people.html", context)


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def person(request: HttpRequest, name: str) -> HttpResponse:
    """Return a player's menu as a part of a page, or lead to the profile; do what one of its
    buttons says, then show the changed menu or the page in ``next``.
    """
    user, other = user_of(request), other_of(request, name)
    if request.method == "GET" and "X-Requested-With" not in request.headers:
        return redirect("profile", name=other.username)
    message = _obey(user, other, request.POST.get("do", "")) if request.method == "POST" else ""
    if message is None:
        return HttpResponseBadRequest("There is no such button.")
    after = request.POST.get("next", "")
    if message and is_local_path(after):
        messages.info(request, message)
        return redirect(after)
    context = {**menu_of(user, other, relations_to(user.pk, other.pk)), "message": message}
    return render(request, "games/people/_person.html", context)


def invitation_page(request: HttpRequest, match: Match) -> HttpResponse | None:
    """Tell a guest who may not watch who invites to a free seat, or that an account may look."""
    if request.user.is_authenticated:
        return None
    context: dict[str, Any] = {"public_id": match.public_id, "next": request.path}
    if match.status == Match.Status.OPEN:
        repair.bring_up_to_date(match)
        match.refresh_from_db()
        invitation = invitation_to(match)
        if invitation is None:
            return None
        context |= {"invitation": invitation, "next": match_url(match)}
        context["rules_url"] = rules_url(invitation.game)
    elif not is_open_to_accounts(match):
        return None
    response = render(request, "games/people/invitation.html", context)
    response["Cache-Control"] = PRIVATE
    return response


def menu_of(user: User | None, other: User, relations: Collection[str]) -> dict[str, Any]:
    """Return the context of a player's menu for a viewer (None: a guest)."""
    is_own = user is not None and user.pk == other.pk
    is_open = not other.is_bot and Kind.BLOCK not in relations
    return {
        "player": other,
        "is_own": is_own,
        "relations": relations,
        "may_challenge": user is not None and not is_own and is_open,
    }


def _obey(user: User, other: User, button: str) -> str | None:
    """Do what a button says; return the message for the user, None for an unknown button."""
    kind = button.removeprefix("un")
    if button not in DONE or (other.is_bot and kind != Kind.MUTE):
        return None
    try:
        if button != kind:
            unrelate(user_id=user.pk, other_id=other.pk, kind=Kind(kind))
        elif kind == Kind.BLOCK:
            matches.block(user=user, other=other)
        else:
            relate(user_id=user.pk, other_id=other.pk, kind=Kind(kind))
    except ValidationError as problem:
        return str(problem.messages[0])
    return DONE[button].format(name=other.username)


def _opponents(user: User) -> list[User]:
    mine = Seat.objects.filter(of_match(status=Match.Status.OVER), user=user).order_by("-match")
    last = list(mine.values_list("match", flat=True)[:LAST_MATCHES])
    seats = Seat.objects.filter(match__in=last, user__is_bot=False, user__is_active=True)
    met = seats.exclude(user__in={user.pk, *apart_from(user.pk)}).order_by("-match", "no")
    return list(dict.fromkeys(seat.user for seat in met.select_related("user")))[:OPPONENTS]


@require_GET
@never_cache
def match_insight(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return what a finished match was for the viewer: goals reached, and sentences on throws."""
    match, user_id = watched(request, public_id), request.user.pk
    goal = lines_after([user_id], match=match).get(user_id, "") if user_id else ""
    return JsonResponse({"goal": goal, "lines": records.insight(match, user_id)})


_VIEWER: Final = Given("viewer", BigIntegerField())
_TO_PLAYER: Final = Relation.objects.filter(user=_VIEWER, other=OuterRef("pk"))
#: An active player, with the viewer's relations, and whether they have met (0: a guest).
_PLAYER: Final = Compiled(
    lambda: User.objects.filter(name_key=Given("key", CharField()), is_active=True).annotate(
        has_met=Exists(
            Seat.objects.filter(
                of_match(seats__user=_VIEWER, status=Match.Status.OVER), user=OuterRef("pk")
            )
        ),
        **{kind: Exists(_TO_PLAYER.filter(kind=kind)) for kind in Kind},
    )
)


@require_GET
@never_cache
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """Show a player's page; redirect a name in another case to the right spelling."""
    viewer = request.user if isinstance(request.user, User) else None
    if viewer is not None and viewer.username == name:
        shown = profiles.profile_of(viewer, viewer, request.GET)
        return render(
            request, "games/people/profile.html", {**shown, **menu_of(viewer, viewer, ())}
        )
    found = _PLAYER.objects(User, key=name_key(name), viewer=viewer.pk if viewer else 0)
    player: Any = next((one for one in found if one.username.casefold() == name.casefold()), None)
    if player is None:
        raise Http404
    if player.username != name:
        return redirect("profile", name=player.username)
    if viewer is not None and player.has_met:
        shown = profiles.profile_of(player, viewer, request.GET)
    else:
        query = tuple(sorted(request.GET.items()))
        shown = profiles.shown_profile.seen_by(request.user.pk, player, viewer is None, query)
    relations = [kind for kind in Kind if getattr(player, kind)]
    return render(
        request, "games/people/profile.html", {**shown, **menu_of(viewer, player, relations)}
    )


@dataclass(frozen=True, slots=True)
class Invitation:
    """The host, the game and the terms; a challenge is for one person."""

    host: str
    game: TableGame
    terms: str
    is_challenge: bool


def invitation_to(match: Match) -> Invitation | None:
    """Return the invitation to a free seat before the start, if any, by who opened the table or has
    sat there longest.
    """
    game = registry.find(match.game)
    if match.status != Match.Status.OPEN or not isinstance(game, TableGame):
        return None
    sitters = match.seats.filter(user__is_bot=False).order_by("pk")
    people = dict(sitters.values_list("user", "user__username"))
    options, summary = json.loads(match.table)["options"], read_summary(match.summary)
    if not people or len(summary.get("players", [])) >= options["seats"]:
        return None
    host = people.get(match.opened_by_id or 0, next(iter(people.values())))
    terms = game.lists.row(options, summary).get("terms", "")
    return Invitation(host, game, terms, match.invited_id is not None)


def is_open_to_accounts(match: Match) -> bool:
    """Whether users who know the address may look at a match which guests may not."""
    has_begun = match.started_at is not None
    return has_begun and not match.listed and selectors.allows_spectators(match)
