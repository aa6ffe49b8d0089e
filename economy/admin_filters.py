"""Filters of the ledger's pages: none of them tells what is still secret."""

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.admin import SimpleListFilter
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser, Permission
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from economy.codes import TransferCode
from economy.redaction import secret_causes
from economy.transfers import user_owner
from economy.units import Unit

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser

_PERIODS = {"1": "the last hour", "24": "the last day", "168": "the last week"}


def may_unmask(user: "AbstractBaseUser | AnonymousUser") -> bool:
    """Say whether a user was given the unmask permission itself; a superuser has not by that."""
    return (
        Permission.objects.filter(content_type__app_label="economy", codename="unmask_transfer")
        .filter(Q(user=user.pk) | Q(group__user=user.pk))
        .exists()
    )


def open_transfers(transfers: QuerySet[Any], *, unmasked: bool) -> QuerySet[Any]:
    """Leave out the transfers that are still secret, unless one may see them."""
    return transfers if unmasked else transfers.exclude(cause__in=secret_causes())


class _OpenFilter(SimpleListFilter):
    """Picks by a field that is masked while secret, among the rest."""

    field = ""

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() is None:
            return queryset
        picked = queryset.filter(**{self.field: self.value()})
        return open_transfers(picked, unmasked=may_unmask(request.user))


class CodeFilter(_OpenFilter):
    """Why it was made."""

    title, parameter_name, field = "code", "why", "code"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(code.value, code.value) for code in TransferCode]


class UnitFilter(_OpenFilter):
    """What was moved."""

    title, parameter_name, field = "unit", "what", "unit"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(unit.value, unit.label) for unit in Unit]


class PeriodFilter(SimpleListFilter):
    """When it was made, or done."""

    title, parameter_name = "time", "hours"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return list(_PERIODS.items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() not in _PERIODS:
            return queryset
        return queryset.filter(at__gte=timezone.now() - timedelta(hours=int(self.value() or 0)))


def owner_named(term: str) -> str:
    """The owner meant by what somebody typed: "user:12" as it is, a player's name as theirs."""
    players = get_user_model()._default_manager
    user_id = players.filter(username__iexact=term).values_list("pk", flat=True).first()
    return term if user_id is None else user_owner(user_id)


def find_transfers(transfers: QuerySet[Any], term: str, *, unmasked: bool) -> QuerySet[Any]:
    """Transfers of a cause; by key, group or owner only those that are not secret."""
    owner = owner_named(term)
    others = Q(key=term) | Q(group=term) | Q(debit__owner=owner) | Q(credit__owner=owner)
    if not unmasked:
        others &= ~Q(cause__in=secret_causes())
    return transfers.filter(Q(cause=term) | others)
