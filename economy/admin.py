"""Admin pages: the ledger is read-only; prices and settings can be changed."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.contrib.admin import SimpleListFilter
from django.contrib.admin.utils import quote
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser, Permission
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from economy.admin_links import change_in_words, may, target_link, target_links
from economy.admin_pages import FixedAdmin, ReadOnlyAdmin, download
from economy.causes import hidden_causes, secret_balances, secret_causes
from economy.models import Account, AdminRecord, Item, Setting, Transfer
from economy.records import LOOKED, actor_of, has_looked_at, write_record
from economy.transfers import TransferCode, user_owner
from economy.tunables import SECTIONS, TUNABLES, Tunable
from economy.units import MOST_AMOUNT, Unit

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser

#: Records whose changes hold amounts of adjustments.
ADJUSTING = frozenset(
    {"points_adjusted", "adjustment_proposed", "adjustment_approved", "adjustment_refused",
     "adjustment_expired"}
)  # fmt: skip
_PERIODS = {"1": "the last hour", "24": "the last day", "168": "the last week"}


def may_unmask(user: "AbstractBaseUser | AnonymousUser") -> bool:
    """Whether a user was given the unmask permission; being a superuser is not enough."""
    return (
        Permission.objects.filter(content_type__app_label="economy", codename="unmask_transfer")
        .filter(Q(user=user.pk) | Q(group__user=user.pk))
        .exists()
    )


class _OpenFilter(SimpleListFilter):
    """Filters by a field that is masked while its transfer is secret; leaves out masked rows."""

    field = ""

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() is None:
            return queryset
        picked = queryset.filter(**{self.field: self.value()})
        return picked if may_unmask(request.user) else picked.exclude(cause__in=secret_causes())


class CodeFilter(_OpenFilter):
    """Filters transfers by code."""

    title, parameter_name, field = "code", "why", "code"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(code.value, code.value) for code in TransferCode]


class UnitFilter(_OpenFilter):
    """Filters transfers by unit."""

    title, parameter_name, field = "unit", "what", "unit"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(unit.value, unit.label) for unit in Unit]


class PeriodFilter(SimpleListFilter):
    """Filters rows by time."""

    title, parameter_name = "time", "hours"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return list(_PERIODS.items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() not in _PERIODS:
            return queryset
        return queryset.filter(at__gte=timezone.now() - timedelta(hours=int(self.value() or 0)))


def find_transfers(transfers: QuerySet[Any], term: str, *, unmasked: bool) -> QuerySet[Any]:
    """Return transfers by cause; by key, group or owner (a name or "user:12") those not secret."""
    players = get_user_model()._default_manager
    user_id = players.filter(username__iexact=term).values_list("pk", flat=True).first()
    owner = term if user_id is None else user_owner(user_id)
    others = Q(key=term) | Q(group=term) | Q(debit__owner=owner) | Q(credit__owner=owner)
    if not unmasked:
        others &= ~Q(cause__in=secret_causes())
    return transfers.filter(Q(cause=term) | others)


class TransferList(ChangeList):
    """A page of transfers; those that are still secret are masked."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        _mask(request, list(self.result_list))


class NamedList(ChangeList):
    """A page of rows whose subjects are links: one query for each kind of subject."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        subject = self.model_admin.subject  # type: ignore[attr-defined]
        rows = list(self.result_list)
        links = target_links(getattr(row, subject) for row in rows)
        for row in rows:
            row.link = links[getattr(row, subject)]
        self.result_list = rows


def _mask(request: HttpRequest, transfers: list[Any]) -> None:
    hidden = hidden_causes(transfer.cause for transfer in transfers)
    if hidden and may_unmask(request.user):
        # A user who sees the transfers of a running match has seen its secrets.
        actor = actor_of(request.user)
        with transaction.atomic():
            for cause in sorted(hidden):
                if not has_looked_at(actor.owner, cause):
                    write_record(actor, LOOKED, cause, reason="its transfers, in the ledger")
        hidden = frozenset()
    seen = [transfer for transfer in transfers if transfer.cause not in hidden]
    sides = [side for each in seen for side in (each.debit.owner, each.credit.owner)]
    links = target_links([*sides, *(transfer.cause for transfer in transfers)])
    for transfer in transfers:
        transfer.is_masked, transfer.links = transfer.cause in hidden, links


def _transfer_lines(request: HttpRequest, transfers: Sequence[Any]) -> Iterator[Sequence[Any]]:
    _mask(request, list(transfers))
    for each in transfers:
        shown = [
            each.code, each.debit.owner, each.debit.get_kind_display(), each.credit.owner,
            each.credit.get_kind_display(), each.unit, each.amount, each.key,
        ]  # fmt: skip
        hidden = ["hidden"] * len(shown)
        yield [each.pk, each.at, each.cause, *(hidden if each.is_masked else shown)]


def _masked(name: str) -> Any:
    @admin.display(description=name)
    def shown(transfer: Any) -> Any:
        value = "hidden" if transfer.is_masked else getattr(transfer, name)
        if isinstance(value, Account):
            return format_html("{} · {}", transfer.links[value.owner], value.get_kind_display())
        return value

    return shown


@admin.register(Transfer)
class TransferAdmin(ReadOnlyAdmin):
    """List of transfers; those of running matches hide accounts, unit, amount, code and key."""

    _columns: ClassVar = [
        "at",
        "about",
        *(_masked(name) for name in ("code", "debit", "credit", "unit", "amount", "key")),
    ]
    list_display = ("id", *_columns)
    fields = readonly_fields = tuple(_columns)
    list_select_related = ("debit", "credit")
    list_filter = (PeriodFilter, CodeFilter, UnitFilter)
    show_facets = admin.ShowFacets.NEVER
    search_fields = ("=cause",)
    search_help_text = "A cause, a key, a group, an owner such as user:12, or a player's name"
    sortable_by = ("id", "at")
    ordering = ("-id",)
    actions = ("as_csv",)

    @admin.action(description="Download as CSV", permissions=["view"])
    def as_csv(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponseBase:
        rows = queryset.select_related("debit", "credit")
        titles = ["id", "at", "cause", "code", "from", "from account", "to", "to account", "unit",
                  "amount", "key"]  # fmt: skip
        return download(request, rows, titles, _transfer_lines)

    @admin.display(description="cause")
    def about(self, transfer: Any) -> Any:
        return transfer.links[transfer.cause]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        return find_transfers(queryset, term, unmasked=may_unmask(request.user)), False

    def get_changelist(self, request: HttpRequest, **_: Any) -> type[ChangeList]:
        return TransferList

    def get_object(self, request: HttpRequest, *args: Any, **options: Any) -> Any:
        transfer = super().get_object(request, *args, **options)
        if transfer is not None:
            _mask(request, [transfer])
        return transfer


@admin.register(Account)
class AccountAdmin(ReadOnlyAdmin):
    """List of accounts; those that reveal weapons in play need the unmask permission."""

    list_display = ("whose", "kind", "unit", "balance")
    list_filter = ("kind", "unit")
    search_fields = ("=owner",)
    subject = "owner"

    @admin.display(description="owner", ordering="owner")
    def whose(self, account: Account) -> str:
        return getattr(account, "link", account.owner)

    def get_changelist(self, request: HttpRequest, **_: Any) -> type[ChangeList]:
        return NamedList

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        accounts = super().get_queryset(request)
        return accounts if may_unmask(request.user) else accounts.exclude(secret_balances())


@admin.register(Item)
class ItemAdmin(FixedAdmin):
    """The price list."""

    list_display = ("unit", "price", "on_sale")
    readonly_fields = ("unit",)
    ordering = ("unit",)

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any
    ) -> Any:
        texts = {"price": f"Points for one, 1 to {MOST_AMOUNT // 100:,}."}
        texts["on_sale"] = "Off sale, nobody can buy it; what people have stays theirs."
        return super().get_form(request, obj, change, help_texts=texts, **options)


@admin.register(Setting)
class SettingAdmin(FixedAdmin):
    """The tunable numbers; the model checks their limits."""

    list_display = ("name", "value")
    readonly_fields = ("name",)
    search_fields = ("name",)
    list_per_page = 1_000
    ordering = ("name",)
    change_list_template = "admin/settings.html"

    def words_of(self, setting: Setting) -> str:
        tunable = TUNABLES.get(setting.name)
        return setting.name if tunable is None else f"{_section(setting.name)}: {tunable.help}"

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        answer = super().changelist_view(request, extra_context)
        page = getattr(answer, "context_data", {})
        if "cl" in page:
            stored = {setting.name: setting.value for setting in page["cl"].result_list}
            sections: dict[str, list[Any]] = defaultdict(list)
            for name, tunable in TUNABLES.items():
                if name in stored:
                    sections[_section(name)].append(_in_words(tunable, stored[name]))
            page["sections"] = dict(sections)
        return answer

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any
    ) -> Any:
        tunable = TUNABLES.get(obj.name) if obj else None
        texts = {}
        if tunable is not None:
            unit = f" Unit: {tunable.unit}." if tunable.unit else ""
            limits = f"{tunable.least} to {tunable.most}, default {tunable.default}"
            about = f"{tunable.help} ({limits}).{unit}"
            texts["value"] = f"{about} Games that were opened keep theirs."
        return super().get_form(request, obj, change, help_texts=texts, **options)


def _section(name: str) -> str:
    first = name.partition(".")[0]
    return SECTIONS.get(first, first)


def _in_words(tunable: Tunable, value: int) -> dict[str, Any]:
    least, most, default = map(tunable.amount, (tunable.least, tunable.most, tunable.default))
    return {
        "page": reverse("admin:economy_setting_change", args=[quote(tunable.name)]),
        "value": tunable.amount(value),
        "help": tunable.help,
        "limits": f"{least} to {most}",
        "default": "" if value == tunable.default else default,
        "name": tunable.name,
    }


@admin.register(AdminRecord)
class RecordAdmin(ReadOnlyAdmin):
    """Administrators' actions, the newest first; all users of the admin may read them."""

    list_display = ("when", "actor_name", "action_name", "about", "reason", "change")
    list_filter = (PeriodFilter, "action")
    search_fields = ("=actor", "=actor_name", "=target", "reason")
    search_help_text = "Who, a target such as user:12 or setting:grant.signup, or words of a reason"
    fields = readonly_fields = (
        "at", "who", "action_name", "about", "reason", "change",
    )  # fmt: skip
    ordering = ("-pk",)
    subject = "target"
    actions = ("as_csv",)

    @admin.action(description="Download as CSV", permissions=["view"])
    def as_csv(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponseBase:
        titles = ["id", "at", "who", "what", "about", "reason", "change"]
        return download(request, queryset, titles, self._lines)

    def _lines(self, request: HttpRequest, records: Sequence[Any]) -> Iterator[Sequence[Any]]:
        for each in records:
            words = self.change(each)
            yield [
                each.pk, each.at, each.actor_name, each.action, each.target, each.reason, words
            ]  # fmt: skip

    def get_changelist(self, request: HttpRequest, **_: Any) -> type[ChangeList]:
        return NamedList

    @admin.display(description="when", ordering="pk")
    def when(self, record: AdminRecord) -> str:
        return f"{record.at:%Y-%m-%d %H:%M}"

    @admin.display(description="who")
    def who(self, record: AdminRecord) -> str:
        link = target_link(record.actor)
        return link if link != record.actor else record.actor_name

    @admin.display(description="what", ordering="action")
    def action_name(self, record: AdminRecord) -> str:
        return record.action.replace("_", " ")

    @admin.display(description="about")
    def about(self, record: AdminRecord) -> str:
        return getattr(record, "link", None) or target_link(record.target)

    @admin.display(description="change")
    def change(self, record: AdminRecord) -> str:
        if record.action in ADJUSTING and not may("economy.view_adjustment"):
            return "hidden"
        return change_in_words(record.before, record.after)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.admin_site.has_permission(request)

    has_module_permission = has_view_permission
