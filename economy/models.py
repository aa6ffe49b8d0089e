"""The ledger's tables, the price list and the tunable numbers. Only ``economy.ledger`` writes
Account and Transfer.
"""

from typing import ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q

from economy.admin_models import Adjustment, AdminRecord  # noqa: F401 - Django looks here
from economy.codes import TransferCode
from economy.expressions import IsInteger
from economy.tunables import TUNABLES
from economy.units import (
    CACHED_KINDS,
    LEAST_AMOUNT,
    MOST_AMOUNT,
    MOST_BALANCE,
    WEAPONS,
    AccountKind,
    Unit,
)


class Account(models.Model):
    """An amount of one unit, held for one owner and one purpose.

    The balance is what transfers brought in minus what they took out.  It is
    kept here for wallets, stocks, escrows and the treasury, which never fall
    below 0; a mint or a sink has no kept balance (null) and may have any sign.
    """

    #: "user:12", "match:34" or "house".
    owner = models.CharField(max_length=64)
    kind = models.CharField(max_length=12, choices=AccountKind.choices)
    unit = models.CharField(max_length=12, choices=Unit.choices)
    balance = models.BigIntegerField(null=True, default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "kind", "unit"], name="account_once"),
            models.CheckConstraint(
                condition=Q(kind__in=AccountKind.values), name="account_kind_known"
            ),
            models.CheckConstraint(condition=Q(unit__in=Unit.values), name="account_unit_known"),
            models.CheckConstraint(
                condition=(
                    Q(kind__in=sorted(CACHED_KINDS), balance__isnull=False)
                    & Q(balance__gte=0, balance__lte=MOST_BALANCE)
                    & Q(IsInteger("balance"))
                )
                | (~Q(kind__in=sorted(CACHED_KINDS)) & Q(balance__isnull=True)),
                name="account_balance_bounds",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.owner} {self.kind} {self.unit}"


class Transfer(models.Model):
    """One amount of one unit that went from the debit to the credit account. Rows are never changed
    or deleted (``economy.guards``).  Ids are neither dense nor in the order of commit; no rule may
    need that.
    """

    #: Chosen by the caller; the same key is the same transfer.
    key = models.CharField(max_length=160)
    #: Transfers of one cause that stand or fall together.
    group = models.CharField(max_length=160)
    debit = models.ForeignKey(Account, models.PROTECT, related_name="given")
    credit = models.ForeignKey(Account, models.PROTECT, related_name="received")
    unit = models.CharField(max_length=12, choices=Unit.choices)
    amount = models.BigIntegerField()
    code = models.CharField(max_length=24, choices=TransferCode.choices)
    #: The subject: "match:34", "user:12", …
    cause = models.CharField(max_length=160)
    reverses = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="reversals", db_index=False
    )
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["key"], name="transfer_key_once"),
            models.UniqueConstraint(
                fields=["reverses"],
                condition=Q(reverses__isnull=False),
                name="transfer_reversed_once",
            ),
            models.CheckConstraint(
                condition=Q(amount__gte=LEAST_AMOUNT, amount__lte=MOST_AMOUNT)
                & Q(IsInteger("amount")),
                name="transfer_amount_bounds",
            ),
            models.CheckConstraint(condition=~Q(debit=F("credit")), name="transfer_two_accounts"),
            models.CheckConstraint(condition=Q(unit__in=Unit.values), name="transfer_unit_known"),
            models.CheckConstraint(
                condition=Q(code__in=TransferCode.values), name="transfer_code_known"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["group"], name="transfer_group"),
            models.Index(fields=["cause"], name="transfer_cause"),
            models.Index(fields=["at"], name="transfer_at"),
        ]
        permissions: ClassVar = [
            ("unmask_transfer", "Can see transfers of running matches"),
        ]

    def __str__(self) -> str:
        return f"transfer {self.pk}"


class Item(models.Model):
    """A line of the shop's price list; the price is in points."""

    unit = models.CharField(
        max_length=12, primary_key=True, choices=[(unit.value, unit.label) for unit in WEAPONS]
    )
    price = models.BigIntegerField()
    on_sale = models.BooleanField(default=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(price__gte=LEAST_AMOUNT, price__lte=MOST_AMOUNT // 100)
                & Q(IsInteger("price")),
                name="item_price_bounds",
            ),
        ]

    def __str__(self) -> str:
        return self.unit


class Setting(models.Model):
    """A tunable number that an admin has set; ``economy.tunables`` declares it."""

    name = models.CharField(max_length=64, primary_key=True)
    value = models.BigIntegerField()

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Check that the value is within the tunable's limits. Raises ValidationError: unknown
        name, or a value out of its limits.
        """
        tunable = TUNABLES.get(self.name)
        if tunable is None:
            raise ValidationError({"name": "There is no such setting."})
        if type(self.value) is not int or not tunable.least <= self.value <= tunable.most:
            raise ValidationError({"value": f"Must be from {tunable.least} to {tunable.most}."})
