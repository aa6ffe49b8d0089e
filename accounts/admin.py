"""Admin pages of users; the admin uses the site's log-in page."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from allauth.account.decorators import secure_admin_login
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.admin import SimpleListFilter
from django.contrib.admin.models import LogEntry
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from post_office.models import Attachment, Email, EmailTemplate, Log
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm
from unfold.widgets import UnfoldAdminTextareaWidget

from accounts import person_admin
from accounts.adjustment_admin import AdjustmentAdmin  # noqa: F401 - registers itself
from accounts.groups import GROUPS
from accounts.mails import tell_of_admin_action
from accounts.models import ApiToken, StaffNote, User
from accounts.person_admin import ManyPlayers, everything_of, is_above
from accounts.signals import announce, user_renamed
from economy.admin_pages import (
    AskForm,
    Done,
    ReadOnlyAdmin,
    ReasonAction,
    RecordedAdmin,
    button,
)
from economy.records import Change, actor_of, write_record
from economy.selectors import balance_of
from economy.texts import WrittenField
from economy.transfers import user_owner

# One log-in page for all, so that its rate limits hold for the admin as well.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.index_title = "Overview"
# Bulk actions would write no record for each row.
admin.site.disable_action("delete_selected")
# Nobody but the owner may see the keys of second factors.
admin.site.unregister(Authenticator)
# Mail holds links that reset passwords: a reader could log in as any user.
admin.site.unregister([Email, EmailTemplate, Log, Attachment, Group])

if TYPE_CHECKING:
    UserAdminBase = UserAdmin[User]
else:
    UserAdminBase = UserAdmin  # the stubs make it generic; Django's own class is not

#: Fields that only superusers change: they give rights, or control of the account.
POWERS = ("username", "is_staff", "is_superuser", "groups", "email")
#: Fields that make an administrator, which no bot or program becomes.
STAFF = ("is_staff", "is_superuser", "groups")
#: Changed field -> the sentence of the mail to the owner.
TOLD = {
    "username": "It has another name.",
    "email": "It has another e-mail address.",
    **dict.fromkeys(("is_staff", "is_superuser", "groups"), "What it may do in the admin is new."),
}


@admin.register(Group)
class GroupRecordedAdmin(GroupAdmin, RecordedAdmin):
    """Groups of administrators: ``migrate`` keeps the shipped ones, superusers the others."""

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser) and (obj is None or obj.name not in GROUPS)

    has_add_permission = has_change_permission
    has_delete_permission = has_change_permission


class NoteForm(AskForm):
    """Asks for the text of a note."""

    text = WrittenField(
        max_length=StaffNote._meta.get_field("text").max_length,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4}),
    )


def _add_note(request: HttpRequest, user: User, data: Mapping[str, Any]) -> Done:
    """Store a note and record that there is one, without its text: all staff read the records."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    StaffNote.objects.create(user=user, by=request.user, text=data["text"], at=timezone.now())
    write_record(actor_of(request.user), "note_added", user_owner(user.pk))
    return Done(f"Note on {user}.")


ADD_NOTE = ReasonAction(
    button="Add note",
    icon="note_add",
    permission="accounts.add_staffnote",
    title=lambda user: f"Note on {user}",
    lead="Only staff read it. It is deleted after a year, or with the account.",
    do=_add_note,
    form=NoteForm,
)


class WhoFilter(SimpleListFilter):
    """Chooses people, bots or administrators; people by default, but a search finds all."""

    title, parameter_name = "who", "who"
    #: Value -> words and the condition.
    choices_of: ClassVar[dict[str, tuple[str, Q]]] = {
        "people": ("People", Q(is_bot=False)),
        "staff": ("Administrators", Q(is_staff=True)),
        "bots": ("Bots", Q(is_bot=True)),
        "all": ("All", Q()),
    }

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(value, words) for value, (words, _) in self.choices_of.items()]

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Yield the choices without Django's own "All"."""
        for value, (words, _) in self.choices_of.items():
            query = changelist.get_query_string({self.parameter_name: value})
            is_chosen = value == (self.value() or ("all" if changelist.query else "people"))
            yield {"selected": is_chosen, "query_string": query, "display": words}

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        default = "all" if request.GET.get("q") else "people"
        value = self.value() if self.value() in self.choices_of else default
        return queryset.filter(self.choices_of[str(value)][1])


def _may_mail(request: HttpRequest) -> bool:
    return request.user.has_perm("account.view_emailaddress")


@admin.register(User)
class PlayerAdmin(ManyPlayers, UserAdminBase):
    """Users, who are never deleted: the ledger refers to them."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = (
        "username", "email", "points", "is_active", "is_frozen", "is_staff", "date_joined",
    )  # fmt: skip
    list_filter = (WhoFilter, "is_active", "is_frozen")
    search_fields = ("username", "email", "=id")
    search_help_text = "A name, a number or an address"
    #: Permissions are given by groups; the list of two hundred single ones is left out.
    fieldsets = (
        (None, {"fields": ("username", "email")}),
        ("Play", {"fields": ("points", "is_bot", "is_frozen", "frozen_reason", "theme")}),
        ("History", {"fields": ("everything",)}),
        (
            "Account",
            {
                "fields": (
                    "is_active",
                    "banned_reason",
                    "banned_until",
                    "is_staff",
                    "is_superuser",
                    "groups",
                    "last_login",
                    "date_joined",
                )
            },
        ),
    )
    readonly_fields = (
        "points", "everything", "is_active", "banned_reason", "banned_until", "is_bot",
        "is_frozen", "frozen_reason", "last_login", "date_joined",
    )  # fmt: skip
    filter_horizontal = ()
    stays_on_row = True
    actions_detail = (
        "warn", "rename", "freeze", "unfreeze", "ban", "unban",
        {"title": "More", "items": ["add_note", "adjust", "set_password"]},
    )  # fmt: skip

    @admin.display(description="points")
    def points(self, user: User) -> int:
        return balance_of(user.pk)

    @admin.display(description="history")
    def everything(self, user: User) -> str:
        return everything_of(user)

    def fits(self, action: str, row: Any) -> bool:
        return {
            "freeze": not row.is_frozen,
            "unfreeze": row.is_frozen,
            "ban": row.is_active and not row.is_bot,
            "unban": not row.is_active,
            "warn": not row.is_bot,
            "rename": not row.is_bot and row.deleted_at is None,
        }.get(action, True)

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Leave out what is done to nobody above the reader, and to nobody's own account."""
        found = super().get_actions_detail(request, object_id)
        row = self.get_object(request, str(object_id))
        if row is None or not (is_above(row, request) or row == request.user):
            return found
        kept = ("add_note", "set_password")
        return [each for each in found if self.name_of(each) in kept]

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        return tuple(name for name in self.list_display if name != "email" or _may_mail(request))

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        return tuple(name for name in self.search_fields if name != "email" or _may_mail(request))

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        found = super().get_fieldsets(request, obj)
        if obj is None or _may_mail(request):
            return found
        return ((None, {"fields": ("username",)}), *found[1:])

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """Order by name; a search finds people before bots and programs."""
        return ("is_bot", "is_program", "username") if request.GET.get("q") else ("username",)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fields = super().get_readonly_fields(request, obj)
        if not request.user.is_superuser:
            return (*fields, *POWERS)
        return (*fields, *STAFF) if obj is not None and obj.is_machine else fields

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def user_change_password(
        self,
        request: HttpRequest,
        id: str,  # noqa: A002 - Django names it so
        form_url: str = "",
    ) -> HttpResponse:
        """Set a password; superusers only. It is recorded and ends the user's sessions."""
        if not request.user.is_superuser:
            raise PermissionDenied
        with transaction.atomic():
            return super().user_change_password(request, id, form_url)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> LogEntry:
        change: Change | None = getattr(request, "_change", None)
        if change is None:
            tell_of_admin_action(obj, "It has another password, and all sessions have ended.")
            return super().log_change(request, obj, message)
        if old := change.before.get("username"):
            announce(user_renamed, user_id=obj.pk, old=str(old), new=obj.username)
        if told := dict.fromkeys(TOLD[name] for name in TOLD if name in change.after):
            tell_of_admin_action(obj, " ".join(told), str(change.before.get("email") or ""))
        return super().log_change(request, obj, message)

    @button("Adjust points", "economy.add_adjustment", "balance")
    def adjust(self, request: HttpRequest, object_id: str) -> HttpResponse:
        user = self.get_object(request, object_id)
        name = user.username if isinstance(user, User) else ""
        form = reverse("admin:economy_adjustment_add")
        return HttpResponseRedirect(f"{form}?{urlencode({'player': name})}")

    def has_set_password_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)

    @button("Set password", "set_password", "key")
    def set_password(self, request: HttpRequest, object_id: str) -> HttpResponse:
        page = reverse("admin:auth_user_password_change", args=[object_id])
        return HttpResponseRedirect(page)

    add_note = ADD_NOTE.on_row()
    warn, rename = person_admin.WARN.on_row(), person_admin.RENAME.on_row()
    freeze, unfreeze = person_admin.FREEZE.on_row(), person_admin.UNFREEZE.on_row()
    ban, unban = person_admin.BAN.on_row(), person_admin.UNBAN.on_row()

    def row_of(self, request: HttpRequest, action: ReasonAction, object_id: str) -> User:
        user: User = super().row_of(request, action, object_id)
        if action is not ADD_NOTE and is_above(user, request):
            raise PermissionDenied
        return user


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    """Programs' tokens, without hashes; only their users create and revoke them."""

    list_display = ("name", "user", "prefix", "created_at", "last_used_at", "revoked_at")
    list_filter = (("revoked_at", admin.EmptyFieldListFilter),)
    list_select_related = ("user",)
    search_fields = ("user__username", "prefix")
    search_help_text = "A user's name or a token's beginning"
    fields = ("name", "user", "prefix", "created_at", "last_used_at", "revoked_at")
