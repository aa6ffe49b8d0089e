"""The queue of flags in the admin: listing flags and closing them with a note."""

import json
from collections.abc import Mapping
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
from games.matches.admin.posts import BUTTONS, PostButtons, is_about_a_post
from games.matches.models import Flag
from games.matches.services import flags

#: Keys of a flag's detail that hold users.
PEOPLE: Final = frozenset({"winner", "loser", "losers", "by", "reported"})


@admin.register(Flag)
class FlagAdmin(PostButtons, ReadOnlyAdmin):
    """List of flags, the newest first; a flag blocks nobody by itself."""

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
            return is_about_a_post(row)
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
