"""The queue of flags in the admin: what was noticed, and closing it with a note."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from accounts.models import User
from economy.admin_base import ReadOnlyAdmin
from economy.admin_pages import Deed, Done, ask, button
from economy.records import Change, actor_of, write_record
from games.models import Flag
from games.services import flags


@admin.register(Flag)
class FlagAdmin(ReadOnlyAdmin):
    """Flags, the newest first; a flag stops nobody by itself."""

    list_display = ("opened_at", "kind", "people", "detail", "is_open", "closed_by", "note")
    list_filter = (("closed_at", admin.EmptyFieldListFilter), "kind")
    search_fields = ("=key", "users__username")
    fields = readonly_fields = (
        "kind", "key", "people", "detail", "opened_at", "closed_at", "closed_by", "note",
    )  # fmt: skip
    ordering = ("-pk",)
    actions_detail = ("close",)

    @admin.display(description="who")
    def people(self, flag: Flag) -> str:
        """The users it is about."""
        return ", ".join(flag.users.order_by("pk").values_list("username", flat=True))

    @admin.display(description="open", boolean=True)
    def is_open(self, flag: Flag) -> bool:
        """Whether nobody has closed it yet."""
        return flag.closed_at is None

    def has_close_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Who may change flags may close them."""
        return request.user.has_perm("games.change_flag")

    @button("Close", "close", "done")
    def close(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask what was found."""
        flag = self.get_object(request, object_id)
        if not isinstance(flag, Flag):
            raise PermissionDenied
        deed = Deed(
            title=f"Close {flag}",
            lead="Say what you found and what you did about it.",
            button="Close",
            permission="games.change_flag",
            do=partial(_close, request, flag),
        )
        return ask(self, request, deed, reverse("admin:games_flag_changelist"))


def _close(request: HttpRequest, flag: Flag, data: Mapping[str, Any]) -> Done:
    if not isinstance(request.user, User):
        raise PermissionDenied
    note = data["reason"].strip()
    if not flags.close_flags(flags=[flag], by=request.user, note=note):
        raise ValidationError("It is closed already.")
    change = Change({"open": True}, {"open": False})
    write_record(
        actor_of(request.user), "flag_closed", f"flag:{flag.pk}", reason=note, change=change
    )
    return Done("Closed.")
