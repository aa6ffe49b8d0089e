"""Flags in the admin: suspicions to settle with a note, and the pages of reports.
Source: docs/explanation/fair-play.md "Flags".
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from django.contrib import admin
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, reverse

from accounts.models import User
from economy.admin_links import in_words, link_to, links_to
from economy.admin_pages import (
    AdminAction,
    Done,
    ReadOnlyAdmin,
    ask,
    button,
    chosen_rows,
    each_of,
    lead_to,
)
from games.matches.models import Flag
from games.moderation import (
    cases,
    match_admin,  # noqa: F401 - registers itself
    people_admin,  # noqa: F401 - registers itself
)
from games.moderation.report_admin import SETTLE, ReportPages, actor_in, words_of

#: Keys of a flag's detail that hold users.
PEOPLE: Final = frozenset({"winner", "loser", "losers", "by", "reported"})


@admin.register(Flag)
class FlagAdmin(ReportPages, ReadOnlyAdmin):
    """List of flags, the newest first; a flag alone blocks nobody."""

    list_display = ("opened_at", "kind", "people", "what", "is_open", "closed_by", "note")
    list_filter = (("closed_at", admin.EmptyFieldListFilter), "kind")
    search_fields = ("=key", "users__username")
    fields = readonly_fields = (
        "kind", "people", "what", "opened_at", "closed_at", "closed_by", "note",
    )  # fmt: skip
    ordering = ("-pk",)
    actions = ("settle_many", "hide_many")
    actions_detail = ("settle",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Flag]:
        rows = super().get_queryset(request).select_related("closed_by")
        return rows.prefetch_related("users", "post_report__match", "post_report__author")

    def words_of(self, flag: Flag) -> str:
        """The flag in the words of a link."""
        return f"{flag.get_kind_display()}: {words_of(flag)}"

    @admin.display(description="who")
    def people(self, flag: Flag) -> str:
        if flag.kind == Flag.Kind.POST and not flag.post_report.match.is_live:
            return link_to(flag.post_report.author)
        return links_to(flag.users.all())

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
        return bool(row.closed_at is None)

    def has_settle_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm(SETTLE)

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.many)
        return [path("many/<str:verb>/", view, name="games_flag_many"), *super().get_urls()]

    @admin.action(description="Settle, or dismiss reports", permissions=["settle"])
    def settle_many(self, request: HttpRequest, queryset: QuerySet[Flag]) -> HttpResponse:
        return lead_to(reverse("admin:games_flag_many", args=["settle"]), queryset)

    @admin.action(description="Hide reported posts", permissions=["settle"])
    def hide_many(self, request: HttpRequest, queryset: QuerySet[Flag]) -> HttpResponse:
        return lead_to(reverse("admin:games_flag_many", args=["hide"]), queryset)

    def many(self, request: HttpRequest, verb: str) -> HttpResponse:
        """Ask for the reason of an act, and do it to each of the chosen flags."""
        if verb not in MANY:
            raise Http404
        found, words = chosen_rows(request, Flag.objects.filter(closed_at=None)), MANY[verb][0]

        def carry_out(data: Mapping[str, Any]) -> Done:
            actor, reason = actor_in(request), data["reason"].strip()
            return each_of(found, lambda flag: MANY[verb][1](flag, actor, reason), words)

        action = AdminAction(
            title=f"{words}: {len(found)} open",
            lead="\n".join(f"{flag.get_kind_display()}: {words_of(flag)}" for flag in found),
            button=words,
            permission=SETTLE,
            do=carry_out,
        )
        return ask(self, request, action, reverse("admin:games_flag_changelist"))

    @button("Settle flag", "settle", "done")
    def settle(self, request: HttpRequest, object_id: str) -> HttpResponse:
        flag = self.get_object(request, object_id)
        if not isinstance(flag, Flag):
            raise PermissionDenied
        action = AdminAction(
            title=f"Settle the flag: {flag.get_kind_display()}",
            lead="Say what you found and what you did about it.",
            button="Settle flag",
            permission=SETTLE,
            do=partial(_close, request, flag),
        )
        return ask(self, request, action, reverse("admin:games_flag_changelist"))


def _settle_one(flag: Flag, actor: User, reason: str) -> None:
    if flag.kind in cases.REPORTS:
        case = cases.case_of(flag)
        cases.claim(case, actor)
        cases.dismiss(case, actor, reason)
    elif not cases.settle(flag, actor, reason):
        raise ValidationError("It is settled already.")


def _hide_one(flag: Flag, actor: User, reason: str) -> None:
    if flag.kind not in cases.REPORTS:
        raise ValidationError("There is no post to hide.")
    case = cases.case_of(flag)
    cases.claim(case, actor)
    cases.hide(case, actor, reason)


#: Verb -> its words, and the act on one flag.
MANY: Final[Mapping[str, tuple[str, Callable[[Flag, User, str], None]]]] = {
    "settle": ("Settle", _settle_one),
    "hide": ("Hide", _hide_one),
}


def _close(request: HttpRequest, flag: Flag, data: Mapping[str, Any]) -> Done:
    if not cases.settle(flag, actor_in(request), data["reason"].strip()):
        raise ValidationError("It is settled already.")
    return Done("Settled.")


def _named(word: str, value: Any, names: Mapping[int, str]) -> Any:
    """Replace user ids by names."""
    if word not in PEOPLE:
        return value
    if isinstance(value, list):
        return [names.get(each, each) for each in value]
    return names.get(value, value)
