"""Base classes of the site's admin pages: every change is recorded."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.db import connection, transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from economy.records import Change, actor_of, write_record

if TYPE_CHECKING:
    Admin = admin.ModelAdmin
else:
    from unfold.admin import ModelAdmin

    # The stubs make these generic; the libraries' own classes are not.
    class Admin(ModelAdmin):
        """A model admin that takes a type argument."""

        def __class_getitem__(cls, _: Any) -> Any:
            return cls


#: Fields whose values are never recorded.
_UNTOLD = frozenset({"password", "password1", "password2", "usable_password"})


class RecordedAdmin(Admin[Any]):
    """Records each change of a row: who, when, the values before and after."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Lock the row that a form changes, so that "before" is the value that it replaces. A list
        asks for distinct values, which PostgreSQL does not lock.
        """
        rows = super().get_queryset(request)
        found = request.resolver_match
        is_of_a_row = found is not None and "object_id" in found.kwargs
        if request.method == "POST" and is_of_a_row and connection.in_atomic_block:
            return rows.select_for_update(of=("self",))
        return rows

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        found: list[Any] = super().get_actions_detail(request, object_id)  # type: ignore[misc]
        row = self.get_object(request, str(object_id))
        return [each for each in found if row is None or self.fits(_name_of(each), row)]

    def fits(self, action: str, row: Any) -> bool:
        """Whether an action, by its method's name, applies to a row in its current state."""
        return True

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save many-to-many fields too, then record the changes of the form."""
        super().save_related(request, form, formsets, change)
        names = [name for name in form.changed_data if name not in _UNTOLD]
        before = {name: form.initial.get(name) for name in names} if change else {}
        after = {name: form.cleaned_data.get(name) for name in names}
        request._change = Change(before, after)  # type: ignore[attr-defined]

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> LogEntry:
        self._record(request, obj, "added", message)
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> LogEntry:
        self._record(request, obj, "changed", message)
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        for obj in queryset:
            self._record(request, obj, "deleted", str(obj))
        return super().log_deletions(request, queryset)

    def _record(self, request: HttpRequest, obj: Model, verb: str, message: Any) -> None:
        change = getattr(request, "_change", None) or Change({}, {"done": message})
        name = obj._meta.model_name
        write_record(actor_of(request.user), f"{name}_{verb}", f"{name}:{obj.pk}", change=change)


def _name_of(action: Any) -> str:
    return str(getattr(action.method, "original_function_name", action.action_name))


class FixedAdmin(RecordedAdmin):
    """Rows that nobody can add or delete in the admin."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyAdmin(FixedAdmin):
    """Rows that can only be read in the admin."""

    show_full_result_count = False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def record_entry(instance: LogEntry, created: bool, **_: Any) -> None:
    """Receive post_save: record changes of libraries' rows, whose admins write no records. These
    records have no values before and after.
    """
    model = instance.content_type.model_class() if instance.content_type else None
    ours = model is not None and isinstance(admin.site._registry.get(model), RecordedAdmin)
    if not created or ours:
        return
    name = instance.content_type.model if instance.content_type else "thing"
    verb = {1: "added", 2: "changed", 3: "deleted"}.get(instance.action_flag, "touched")
    after: Mapping[str, Any] = {"done": instance.get_change_message(), "what": instance.object_repr}
    with transaction.atomic():
        target = f"{name}:{instance.object_id}"
        write_record(actor_of(instance.user), f"{name}_{verb}", target, change=Change({}, after))
