"""Pages of the admin: each change is recorded; an action asks for a reason; lists are CSV."""

import csv
import io
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from asgiref.sync import sync_to_async
from django import forms
from django.contrib import admin, messages
from django.contrib.admin.checks import ModelAdminChecks
from django.contrib.admin.models import LogEntry
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection, transaction
from django.db.models import CharField, Model, QuerySet
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    StreamingHttpResponse,
)
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.http import urlencode

from economy.adjustments import OwnAccount
from economy.admin_links import page_of, seen_by
from economy.errors import AdminActionError, LedgerError
from economy.models import LONGEST_REASON, SHORTEST_REASON
from economy.paging import portions_of
from economy.records import Change, actor_of, write_record
from economy.texts import WrittenField

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin as Admin
    from django.forms import Textarea as ReasonWidget
else:
    from unfold.admin import ModelAdmin as UnfoldAdmin
    from unfold.widgets import UnfoldAdminTextareaWidget as ReasonWidget

    # The stubs make these generic; the libraries' own classes are not.
    class Admin(UnfoldAdmin):
        """A model admin that takes a type argument."""

        # Unfold's own asks the database for permissions: an empty one could not be migrated.
        checks_class = ModelAdminChecks

        def __class_getitem__(cls, _: Any) -> Any:
            return cls


#: Fields whose values are never recorded.
_UNTOLD = frozenset({"password", "password1", "password2", "usable_password"})


class RecordedAdmin(Admin[Any]):
    """Records each change of a row: who, when, the values before and after."""

    #: Whether an action leads back to the row's page; otherwise to the list.
    stays_on_row = False
    formfield_overrides: ClassVar = {CharField: {"form_class": WrittenField}}

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
        return [each for each in found if row is None or self.fits(self.name_of(each), row)]

    def name_of(self, action: Any) -> str:
        begin = f"{self.opts.app_label}_{self.opts.model_name}_"
        return str(action.action_name.removeprefix(begin))

    def fits(self, action: str, row: Any) -> bool:
        """Whether an action, by its method's name, applies to a row."""
        return True

    def row_of(self, request: HttpRequest, action: "ReasonAction", object_id: str) -> Any:
        """Return the row that an action's page is about. Raises PermissionDenied."""
        row = self.get_object(request, object_id)
        if row is None:
            raise PermissionDenied
        return row

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


class AskForm(forms.Form):
    """A form of the page that asks."""

    def __init__(self, request: HttpRequest, data: Any = None) -> None:
        super().__init__(data)
        self.request = request


class ReasonForm(AskForm):
    """Asks for a reason."""

    reason = WrittenField(
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


def button(description: str, permission: str, icon: str) -> Callable[[View], View]:
    """Make a method of a ModelAdmin a button on a row's page, with a Material symbol: for those
    with a permission ("app.name"), or with ``has_<permission>_permission``.
    """

    def mark(view: View) -> View:
        view.short_description = description  # type: ignore[attr-defined]
        view.allowed_permissions = [permission]  # type: ignore[attr-defined]
        view.attrs = {}  # type: ignore[attr-defined]
        view.icon = icon  # type: ignore[attr-defined]
        view.variant = "default"  # type: ignore[attr-defined]
        return view

    return mark


#: A text, or what makes it of the row or the list of rows.
Words = str | Callable[[Any], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonAction:
    """An action with a page that asks first. ``do`` gets request, row and clean data, runs in a
    transaction, and raises LedgerError, AdminActionError or ValidationError when it is refused.
    """

    button: str
    permission: str
    title: Words
    lead: Words
    do: Callable[[HttpRequest, Any, Mapping[str, Any]], Done]
    form: Callable[[HttpRequest, Any], forms.Form] = ReasonForm
    icon: str = ""
    #: The words on the row's page, where they are not those of the button that does it.
    label: str = ""
    is_grave: bool = False

    def on_row(self) -> Any:
        """Return the button of a row's page, with the page that asks."""

        @button(self.label or self.button, self.permission, self.icon)
        def view(pages: RecordedAdmin, request: HttpRequest, object_id: str) -> HttpResponse:
            return ask(pages, request, self, pages.row_of(request, self, object_id))

        return view


def ask(
    pages: RecordedAdmin, request: HttpRequest, action: ReasonAction, subject: Any
) -> HttpResponse:
    """Show an action's page, with a refusal, or run it for a row, each of a list, or None. Raises
    PermissionDenied.
    """
    if not request.user.has_perm(action.permission):
        raise PermissionDenied
    form = action.form(request, request.POST if request.method == "POST" else None)
    is_asked = request.method == "POST" and form.is_valid()
    done = _do(request, action, subject, form) if is_asked else None
    is_of_row = pages.stays_on_row and isinstance(subject, Model)
    back = page_of(subject) if is_of_row else reverse(_name_in(pages, "changelist"))
    if done is not None and not done.shown:
        messages.success(request, done.message)
        return HttpResponseRedirect(back)
    context = {
        **pages.admin_site.each_context(request),
        "title": _said(action.title, subject),
        "lead": _said(action.lead, subject),
        "action": action,
        "form": form,
        "done": done,
        "back": back,
        "opts": pages.opts,
    }
    return TemplateResponse(request, "admin/action.html", context)


def _said(words: Words, subject: Any) -> str:
    return words if isinstance(words, str) else words(subject)


def _name_in(pages: RecordedAdmin, page: str) -> str:
    return f"admin:{pages.opts.app_label}_{pages.opts.model_name}_{page}"


def _do(request: HttpRequest, action: ReasonAction, subject: Any, form: forms.Form) -> Done | None:
    try:
        with transaction.atomic():
            if isinstance(subject, list):
                return _do_to_each(request, action, subject, form.cleaned_data)
            return action.do(request, subject, form.cleaned_data)
    except OwnAccount as refusal:
        raise PermissionDenied(refusal.message) from refusal
    except (LedgerError, AdminActionError) as refusal:
        form.add_error(None, f"{refusal.message} ({refusal.code})")
    except ValidationError as refusal:
        form.add_error(None, refusal)
    return None


def _do_to_each(
    request: HttpRequest, action: ReasonAction, rows: Sequence[Model], data: Mapping[str, Any]
) -> Done:
    """Do an action to each row in a savepoint, and say to which it was refused. Raises
    ValidationError if to all.
    """
    done, refused = [], []
    for row in rows:
        try:
            with transaction.atomic():
                action.do(request, row, data)
        except (AdminActionError, LedgerError) as refusal:
            refused.append(f"{row}: {refusal.message}")
        except ValidationError as refusal:
            refused.append(f"{row}: {' '.join(refusal.messages)}")
        else:
            done.append(str(row))
    if not done:
        raise ValidationError(refused or ["Nothing is chosen, or too much."])
    message = f"{action.button}: {', '.join(done)}."
    return Done(message, "Refused:\n" + "\n".join(refused) if refused else "")


#: The most rows that one act may have.
MOST: Final = 100


class ManyActions(RecordedAdmin):
    """Actions for the rows that are chosen in the list, each with the page that asks."""

    #: Verb in the address -> its action.
    many_actions: Mapping[str, ReasonAction] = {}

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.many)
        name = _name_in(self, "many").removeprefix("admin:")
        return [path("many/<str:verb>/", view, name=name), *super().get_urls()]

    def may_be_chosen(self) -> QuerySet[Any]:
        rows: QuerySet[Any] = self.model._default_manager.all()
        return rows

    def many(self, request: HttpRequest, verb: str) -> HttpResponse:
        """Ask, and do an action to each row that the address names; to none if too many."""
        if verb not in self.many_actions:
            raise Http404
        keys = request.GET.get("rows", "").split(",")
        numbers = [int(key) for key in keys if key.isascii() and key.isdigit() and len(key) < 19]
        chosen = self.may_be_chosen().filter(pk__in=numbers).order_by("pk")
        rows = [] if len(keys) > MOST else list(chosen)
        return ask(self, request, self.many_actions[verb], rows)


def for_many(verb: str, description: str, permission: str) -> Any:
    """Return the method that leads from the list to the page that asks."""

    @admin.action(description=description, permissions=[permission])
    def lead(pages: ManyActions, request: HttpRequest, chosen: QuerySet[Any]) -> HttpResponse:
        keys = chosen.order_by("pk").values_list("pk", flat=True)[: MOST + 1]
        page = reverse(_name_in(pages, "many"), args=[verb])
        return HttpResponseRedirect(f"{page}?{urlencode({'rows': ','.join(map(str, keys))})}")

    return lead


#: Rows a query of a download.
CHUNK: Final = 500
#: How spreadsheets begin a formula.
FORMULA: Final = frozenset("=+-@\t\r\n|\uff1d\uff0b\uff0d\uff20")

#: Takes a request and rows, returns the lines of a table.
Table = Callable[[HttpRequest, Sequence[Any]], Iterable[Sequence[Any]]]


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


def csv_file(
    name: str,
    titles: Sequence[str],
    chunks: Iterator[Sequence[Sequence[Any]]],
    content_type: str = "text/csv",
) -> StreamingHttpResponse:
    """Stream a table as a CSV file."""
    answer = StreamingHttpResponse(_pieces(titles, chunks), content_type=content_type)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return answer


async def _pieces(
    titles: Sequence[str], chunks: Iterator[Sequence[Sequence[Any]]]
) -> AsyncIterator[str]:
    yield _written([titles])
    while (lines := await sync_to_async(lambda: next(chunks, None))()) is not None:
        if lines:
            yield _written(lines)


def _written(lines: Iterable[Sequence[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows([cell(value) for value in line] for line in lines)
    return text.getvalue()


def download(
    request: HttpRequest, rows: QuerySet[Any], titles: Sequence[str], table: Table
) -> StreamingHttpResponse:
    """Stream rows of the admin, ``CHUNK`` a query, and record who downloads how many."""
    name = str(rows.model._meta.model_name)
    with transaction.atomic():
        change = Change({}, {"rows": rows.count()})
        write_record(actor_of(request.user), "list_downloaded", f"list:{name}", change=change)
    day = timezone.now().date().isoformat()
    return csv_file(f"{name}-{day}", titles, _chunks(request, rows, table))


def _chunks(
    request: HttpRequest, rows: QuerySet[Any], table: Table
) -> Iterator[Sequence[Sequence[Any]]]:
    for found in portions_of(rows, CHUNK):
        with seen_by(request):
            lines = list(table(request, found))
        yield lines
