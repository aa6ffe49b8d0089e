"""The ledger to look at, prices and settings to change.

No transfer and no balance can be added, changed or deleted here.
"""

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.models import AnonymousUser, Permission
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest

from economy.models import Account, Item, Setting, Transfer
from economy.secrecy import hidden_causes, secret_balances
from economy.tunables import TUNABLES

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser

    Admin = admin.ModelAdmin
else:
    # The stubs make these generic; Django's own classes are not.
    class Admin(admin.ModelAdmin):
        """A model admin that takes a type argument."""

        def __class_getitem__(cls, _: Any) -> Any:
            return cls


def may_unmask(user: "AbstractBaseUser | AnonymousUser") -> bool:
    """Say whether a user was given the unmask permission itself; a superuser has not by that."""
    return (
        Permission.objects.filter(content_type__app_label="economy", codename="unmask_transfer")
        .filter(Q(user=user.pk) | Q(group__user=user.pk))
        .exists()
    )


class FixedAdmin(Admin[Model]):
    """Rows that come and go by themselves."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody adds rows here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody deletes rows here."""
        return False


class ReadOnlyAdmin(FixedAdmin):
    """Rows to look at."""

    show_full_result_count = False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes rows here."""
        return False


class TransferList(ChangeList):
    """A page of transfers that knows which of its rows are still secret."""

    def get_results(self, request: HttpRequest) -> None:
        """Mark the masked rows: two queries a page."""
        super().get_results(request)
        _mask(request, list(self.result_list))


def _mask(request: HttpRequest, transfers: list[Any]) -> None:
    hidden = hidden_causes(transfer.cause for transfer in transfers)
    if hidden and may_unmask(request.user):
        hidden = frozenset()
    for transfer in transfers:
        transfer.is_masked = transfer.cause in hidden


def _masked(name: str) -> Any:
    """A column that shows a field, unless the row is masked."""

    @admin.display(description=name)
    def shown(transfer: Any) -> Any:
        return "hidden" if transfer.is_masked else getattr(transfer, name)

    return shown


@admin.register(Transfer)
class TransferAdmin(ReadOnlyAdmin):
    """Transfers; those of running matches without accounts, unit, amount, code and key.

    There is no filter or order by a masked field, because that would tell it.
    """

    _columns: ClassVar = [
        "at",
        "cause",
        *(_masked(name) for name in ("code", "debit", "credit", "unit", "amount", "key")),
    ]
    list_display = ("id", *_columns)
    fields = readonly_fields = tuple(_columns)
    list_select_related = ("debit", "credit")
    search_fields = ("=cause",)
    sortable_by = ("id", "at")
    ordering = ("-id",)

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Answer 400 to filters in the address: they would pick out what is masked."""
        return False

    def get_changelist(self, request: HttpRequest, **_: Any) -> type[ChangeList]:
        """Use the list that masks."""
        return TransferList

    def get_object(self, request: HttpRequest, *args: Any, **options: Any) -> Any:
        """Mask the one row of the detail page."""
        transfer = super().get_object(request, *args, **options)
        if transfer is not None:
            _mask(request, [transfer])
        return transfer


@admin.register(Account)
class AccountAdmin(ReadOnlyAdmin):
    """Accounts; without the unmask permission none that tells of weapons in play."""

    list_display = ("owner", "kind", "unit", "balance")
    list_filter = ("kind", "unit")
    search_fields = ("=owner",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Leave out what would tell a secret."""
        accounts = super().get_queryset(request)
        return accounts if may_unmask(request.user) else accounts.exclude(secret_balances())


@admin.register(Item)
class ItemAdmin(FixedAdmin):
    """The price list."""

    list_display = ("unit", "price", "on_sale")
    readonly_fields = ("unit",)


@admin.register(Setting)
class SettingAdmin(FixedAdmin):
    """The tunable numbers; the model keeps them within their limits."""

    list_display = ("name", "value", "meaning")
    readonly_fields = ("name", "meaning")
    search_fields = ("name",)

    @admin.display(description="meaning")
    def meaning(self, setting: Setting) -> str:
        """What the number is, and its limits."""
        tunable = TUNABLES.get(setting.name)
        if tunable is None:
            return "no longer used"
        return f"{tunable.help} ({tunable.least} to {tunable.most}, default {tunable.default})"
