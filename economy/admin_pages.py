"""Pages of the admin: each change is recorded; an action asks for a reason; lists are CSV."""

import csv
import io
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Final, TypeVar

from asgiref.sync import sync_to_async
from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection, transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.http import urlencode

from economy.adjustments import OwnAccount
from economy.admin_links import seen_by
from economy.errors import AdminActionError, LedgerError
from economy.models import LONGEST_REASON, SHORTEST_REASON
from economy.records import Change, actor_of, write_record

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin as Admin
    from django.forms import Textarea as ReasonWidget
else:
    from unfold.admin import ModelAdmin as UnfoldAdmin
    from unfold.widgets import UnfoldAdminTextareaWidget as ReasonWidget

    # The stubs make these generic; the libraries' own classes are not.
    class Admin(UnfoldAdmin):
        """A model admin that takes a type argument."""

        def __class_getitem__(cls, _: Any) -> Any:
            return cls


#: Fields whose values are never recorded.
_UNTOLD = frozenset({"password", "password1", "password2", "usable_password"})


class RecordedAdmin(Admin[Any]):
    """Records each change of a row: who, when, the values before and after."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Lock the row that a form changes, so that "before" is the value that it replaces."""
        rows = super().get_queryset(request)
        # A list asks for distinct values, which PostgreSQL does not lock.
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
        """Whether an action, by its method's name, applies to a row."""
        return True

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
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
    """Receive post_save: record changes of libraries' rows, whose admins write no records."""
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


View = TypeVar("View", bound=Callable[..., HttpResponse])


class ReasonForm(forms.Form):
    """Asks for a reason."""

    reason = forms.CharField(
        min_length=SHORTEST_REASON,
        max_length=LONGEST_REASON,
        widget=ReasonWidget(attrs={"rows": 3}),
        help_text=f"{SHORTEST_REASON} to {LONGEST_REASON} characters; it is recorded.",
    )


@dataclass(frozen=True, slots=True)
class Done:
    """Result of an action: a message, and a text to show once on the same page."""

    message: str
    shown: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminAction:
    """An action with a page that asks first. ``do`` gets the clean data, runs in a transaction and
    raises LedgerError, AdminActionError or ValidationError when it is refused.
    """

    title: str
    lead: str
    button: str
    permission: str
    do: Callable[[Mapping[str, Any]], Done]
    form: Callable[..., forms.Form] = ReasonForm
    is_grave: bool = False


def button(description: str, permission: str, icon: str) -> Callable[[View], View]:
    """Make a method of a ModelAdmin a button on a row's page: for those with
    ``has_<permission>_permission``, with a Material symbol.
    """

    def mark(view: View) -> View:
        view.short_description = description  # type: ignore[attr-defined]
        view.allowed_permissions = [permission]  # type: ignore[attr-defined]
        view.attrs = {}  # type: ignore[attr-defined]
        view.icon = icon  # type: ignore[attr-defined]
        view.variant = "default"  # type: ignore[attr-defined]
        view.original_function_name = view.__name__  # type: ignore[attr-defined]
        return view

    return mark


def ask(pages: "Admin[Any]", request: HttpRequest, action: AdminAction, back: str) -> HttpResponse:
    """Show an action's page, which shows a refusal, or run the action. Raises PermissionDenied."""
    if not request.user.has_perm(action.permission):
        raise PermissionDenied
    form = action.form(request.POST if request.method == "POST" else None)
    done = _do(action, form) if request.method == "POST" and form.is_valid() else None
    if done is not None and not done.shown:
        messages.success(request, done.message)
        return HttpResponseRedirect(back)
    context = {
        **pages.admin_site.each_context(request),
        "title": action.title,
        "action": action,
        "form": form,
        "done": done,
        "back": back,
        "opts": pages.model._meta,
    }
    response = TemplateResponse(request, "admin/action.html", context)
    response.headers["Cache-Control"] = "no-store, private"
    return response


def _do(action: AdminAction, form: forms.Form) -> Done | None:
    try:
        with transaction.atomic():
            return action.do(form.cleaned_data)
    except OwnAccount as refusal:
        raise PermissionDenied(refusal.message) from refusal
    except (LedgerError, AdminActionError) as refusal:
        form.add_error(None, f"{refusal.message} ({refusal.code})")
    except ValidationError as refusal:
        form.add_error(None, refusal)
    return None


#: The most rows that one act may have.
MOST: Final = 100
#: Rows a query of a download.
CHUNK: Final = 500
#: How spreadsheets begin a formula.
FORMULA: Final = frozenset("=+-@\t\r\n|\uff1d\uff0b\uff0d\uff20")

#: Takes a request and rows, returns the lines of a table.
Table = Callable[[HttpRequest, Sequence[Any]], Iterable[Sequence[Any]]]


def lead_to(page: str, chosen: QuerySet[Any]) -> HttpResponse:
    """Redirect to the page that asks what to do with the chosen rows."""
    keys = chosen.order_by("pk").values_list("pk", flat=True)[: MOST + 1]
    return HttpResponseRedirect(f"{page}?{urlencode({'rows': ','.join(map(str, keys))})}")


def chosen_rows(request: HttpRequest, rows: QuerySet[Any]) -> list[Any]:
    """Return the rows that the address names; none if there are too many."""
    keys = request.GET.get("rows", "").split(",")
    numbers = [int(key) for key in keys if key.isascii() and key.isdigit() and len(key) < 19]
    return [] if len(keys) > MOST else list(rows.filter(pk__in=numbers).order_by("pk"))


def each_of(rows: Iterable[Model], act: Callable[[Any], Any], word: str) -> Done:
    """Do an act to each row in a savepoint, and say to which it was refused. Raises ValidationError
    if to all.
    """
    done, refused = [], []
    for row in rows:
        try:
            with transaction.atomic():
                act(row)
        except (AdminActionError, LedgerError) as refusal:
            refused.append(f"{row}: {refusal.message}")
        except ValidationError as refusal:
            refused.append(f"{row}: {' '.join(refusal.messages)}")
        else:
            done.append(str(row))
    if not done:
        raise ValidationError(refused or ["Nothing is chosen, or too much."])
    message = f"{word}: {', '.join(done)}."
    return Done(message, "Refused:\n" + "\n".join(refused) if refused else "")


def cell(value: Any) -> str | int:
    """Return a value as a spreadsheet may read it: no text of a user is a formula.
    >>> [cell(each) for each in ("=1+1", " @x", -5, True, None)]
    ["'=1+1", "' @x", -5, 'yes', '']
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return value
    if isinstance(value, date):
        return value.isoformat()
    text = "" if value is None else str(value)
    begins = {text[:1], text.lstrip()[:1]}
    return f"'{text}" if begins & FORMULA else text


def download(
    request: HttpRequest, rows: QuerySet[Any], titles: Sequence[str], table: Table
) -> StreamingHttpResponse:
    """Stream rows as CSV, ``CHUNK`` a query, and record who downloads how many."""
    name = str(rows.model._meta.model_name)
    with transaction.atomic():
        change = Change({}, {"rows": rows.count()})
        write_record(actor_of(request.user), "list_downloaded", f"list:{name}", change=change)
    answer = StreamingHttpResponse(_pieces(request, rows, titles, table), content_type="text/csv")
    day = timezone.now().date().isoformat()
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}-{day}.csv"'
    answer.headers["Cache-Control"] = "no-store, private"
    return answer


async def _pieces(
    request: HttpRequest, rows: QuerySet[Any], titles: Sequence[str], table: Table
) -> AsyncIterator[str]:
    yield _written([titles])
    texts = _texts(request, rows, table)
    while text := await sync_to_async(lambda: next(texts, ""))():
        yield text


def _texts(request: HttpRequest, rows: QuerySet[Any], table: Table) -> Iterator[str]:
    last = 0
    while found := list(rows.filter(pk__gt=last).order_by("pk")[:CHUNK]):
        last = found[-1].pk
        with seen_by(request):
            text = _written(table(request, found))
        yield text


def _written(lines: Iterable[Sequence[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows([cell(value) for value in line] for line in lines)
    return text.getvalue()
