"""The queue of flags in the admin, and the actions on a reported post.

Source: docs/explanation/agora.md "Moderation".
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from django.contrib import admin
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from accounts.models import User
from economy.admin_base import ReadOnlyAdmin
from economy.admin_links import in_words, links_to
from economy.admin_pages import AdminAction, Done, ask, button
from economy.records import Change, actor_of, write_record
from games.matches.models import Flag, PostReport
from games.matches.services import flags, muting, peeking, reports

#: Keys of a flag's detail that hold users.
PEOPLE: Final = frozenset({"winner", "loser", "losers", "by", "reported"})
#: The buttons of a flag about a post.
BUTTONS = ("show_post", "hide_post", "mute_author")
SETTLE = "games.change_flag"
LOOK = "economy.unmask_match"

Act = Callable[[Mapping[str, Any]], Done]


class PostButtons:
    """The buttons of a flag about a post; a mixin of the flag admin."""

    def has_show_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm(SETTLE)

    @button("Show the post", "show", "visibility")
    def show_post(self, request: HttpRequest, object_id: str) -> HttpResponse:
        report = self._report(request, object_id)
        is_look = reports.is_private(report)
        lead = (
            "It stands in a room that spectators do not read. You cannot play in this match"
            " afterwards; that you looked, when, and your reason is recorded, and stands in the"
            " match's public log once it is over."
            if is_look
            else "It is shown with the posts around it."
        )
        return self._ask(
            request,
            report,
            title="Look at a reported post",
            lead=lead,
            button="Look",
            permission=LOOK if is_look else SETTLE,
            do=partial(_show, request, report),
            is_grave=is_look,
        )

    @button("Hide the post", "show", "visibility_off")
    def hide_post(self, request: HttpRequest, object_id: str) -> HttpResponse:
        report = self._report(request, object_id)
        return self._ask(
            request,
            report,
            title="Hide a reported post, or show it again",
            lead="Its text is hidden from everybody, also in the story; its place stays visible.",
            button="Hide, or show again",
            permission=SETTLE,
            do=partial(_hide, request, report),
        )

    @button("Mute the author", "show", "volume_off")
    def mute_author(self, request: HttpRequest, object_id: str) -> HttpResponse:
        report = self._report(request, object_id)
        return self._ask(
            request,
            report,
            title="Mute the author of a reported post",
            lead="They cannot post or chat for a day; they can still vote and play.",
            button="Mute for a day",
            permission=SETTLE,
            do=partial(_mute, request, report),
        )

    def _ask(self, request: HttpRequest, report: PostReport, **action: Any) -> HttpResponse:
        back = reverse("admin:games_flag_change", args=[report.pk])
        action["do"] = partial(_unless_playing, request, report, action["do"])
        return ask(self, request, AdminAction(**action), back)  # type: ignore[arg-type]

    def _report(self, request: HttpRequest, object_id: str) -> PostReport:
        flag = self.get_object(request, object_id)  # type: ignore[attr-defined]
        report = PostReport.objects.filter(flag=flag).select_related("match").first()
        if report is None:
            raise PermissionDenied
        return report


@admin.register(Flag)
class FlagAdmin(PostButtons, ReadOnlyAdmin):
    """List of flags, the newest first; a flag alone blocks nobody."""

    list_display = ("opened_at", "kind", "people", "what", "is_open", "closed_by", "note")
    list_filter = (("closed_at", admin.EmptyFieldListFilter), "kind")
    search_fields = ("=key", "users__username")
    fields = readonly_fields = (
        "kind", "people", "what", "opened_at", "closed_at", "closed_by", "note",
    )  # fmt: skip
    ordering = ("-pk",)
    actions_detail = ("settle", *BUTTONS)

    @admin.display(description="who")
    def people(self, flag: Flag) -> str:
        return links_to(flag.users.order_by("pk"))

    @admin.display(description="what was noticed")
    def what(self, flag: Flag) -> str:
        """The flag's detail in words, with names for user ids."""
        detail = json.loads(flag.detail)
        names = {user.pk: user.username for user in flag.users.all()}
        return in_words({word: _named(word, value, names) for word, value in detail.items()})

    @admin.display(description="open", boolean=True)
    def is_open(self, flag: Flag) -> bool:
        return flag.closed_at is None

    def fits(self, action: str, row: Any) -> bool:
        if action in BUTTONS:
            return bool(row.kind == Flag.Kind.POST)
        return bool(row.closed_at is None)

    def has_settle_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("games.change_flag")

    @button("Settle flag", "settle", "done")
    def settle(self, request: HttpRequest, object_id: str) -> HttpResponse:
        flag = self.get_object(request, object_id)
        if not isinstance(flag, Flag):
            raise PermissionDenied
        action = AdminAction(
            title=f"Settle the flag: {flag.get_kind_display()}",
            lead="Say what you found and what you did about it.",
            button="Settle flag",
            permission="games.change_flag",
            do=partial(_close, request, flag),
        )
        return ask(self, request, action, reverse("admin:games_flag_changelist"))


def _close(request: HttpRequest, flag: Flag, data: Mapping[str, Any]) -> Done:
    if not isinstance(request.user, User):
        raise PermissionDenied
    note = data["reason"].strip()
    if not flags.close_flags(flags=[flag], by=request.user, note=note):
        raise ValidationError("It is settled already.")
    change = Change({"open": True}, {"open": False})
    write_record(
        actor_of(request.user), "flag_closed", f"flag:{flag.pk}", reason=note, change=change
    )
    return Done("Settled.")


def _named(word: str, value: Any, names: Mapping[int, str]) -> Any:
    """Replace user ids by names."""
    if word not in PEOPLE:
        return value
    if isinstance(value, list):
        return [names.get(each, each) for each in value]
    return names.get(value, value)


def _unless_playing(
    request: HttpRequest, report: PostReport, do: Act, data: Mapping[str, Any]
) -> Done:
    """Run the action, unless the administrator plays in that match."""
    try:
        reports.require_not_playing(report, _actor(request))
        return do(data)
    except peeking.PlaysHere as refusal:
        raise ValidationError(f"Refused: {refusal}.") from refusal


def _show(request: HttpRequest, report: PostReport, data: Mapping[str, Any]) -> Done:
    shown = reports.show(report, _actor(request), data["reason"].strip())
    return Done("This is shown once:", shown)


def _hide(request: HttpRequest, report: PostReport, data: Mapping[str, Any]) -> Done:
    is_hidden = reports.hide(report) or not reports.show_again(report)
    change = Change({"hidden": not is_hidden}, {"hidden": is_hidden})
    word = "post_hidden" if is_hidden else "post_shown_again"
    actor, target = actor_of(_actor(request)), f"flag:{report.pk}"
    write_record(actor, word, target, reason=data["reason"].strip(), change=change)
    return Done("It is hidden." if is_hidden else "It is shown again.")


def _mute(request: HttpRequest, report: PostReport, data: Mapping[str, Any]) -> Done:
    until = muting.mute(user_id=report.author_id)
    change = Change({}, {"until": f"{until:%Y-%m-%d %H:%M}"})
    # The flag is the target: the author of a post in a private room may still be secret.
    actor, target = actor_of(_actor(request)), f"flag:{report.pk}"
    write_record(actor, "author_muted", target, reason=data["reason"].strip(), change=change)
    return Done(f"Muted until {until:%Y-%m-%d %H:%M} UTC.")


def _actor(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user
