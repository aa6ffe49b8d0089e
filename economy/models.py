"""The ledger's tables, prices, tunable numbers, and what administrators do."""

from datetime import datetime, timedelta
from typing import ClassVar, Final

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q

from economy.expressions import IsInteger
from economy.transfers import TransferCode
from economy.triggers import append_only, register
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

#: More points than this, either way, always need a second administrator.
ALONE_AT_MOST: Final = 1_000
#: Length of a reason, in characters.
SHORTEST_REASON: Final = 10
LONGEST_REASON: Final = 200
#: An older proposal cannot be approved.
APPROVAL_PERIOD: Final = timedelta(days=7)


class AdminRecord(models.Model):
    """One action of an administrator; only ``economy.records`` writes it, nothing changes it."""

    at = models.DateTimeField()
    #: "user:12", and the name at that time; for the house, "house".
    actor = models.CharField(max_length=64)
    actor_name = models.CharField(max_length=150)
    #: Such as "setting_changed" or "match_voided".
    action = models.CharField(max_length=60)
    #: The subject: "setting:grant.signup", "match:34", "user:12".
    target = models.CharField(max_length=160)
    reason = models.CharField(max_length=LONGEST_REASON, blank=True)
    #: Canonical text: JSON with sorted keys, or empty.
    before = models.TextField(blank=True)
    after = models.TextField(blank=True)

    class Meta:
        verbose_name = "record"
        verbose_name_plural = "records of administrators"
        indexes: ClassVar = [
            models.Index(fields=["target", "action"], name="record_target_action"),
            models.Index(fields=["at"], name="record_at"),
        ]
        permissions: ClassVar = [
            ("unmask_match", "Can look at the hidden state of a live match"),
            ("void_match", "Can void a match"),
        ]

    def __str__(self) -> str:
        return f"{self.actor_name}: {self.action} {self.target}"


class Adjustment(models.Model):
    """Points that an administrator wants to give to a player, or take away when negative."""

    class State(models.TextChoices):
        PROPOSED = "proposed"
        APPROVED = "approved"
        REFUSED = "refused"
        EXPIRED = "expired"

    #: Created with the form, so that the same form sent twice is one adjustment.
    token = models.CharField(max_length=64, unique=True)
    #: "user:12": the proposer, the owner of the wallet, the administrator who decided.
    proposer = models.CharField(max_length=64)
    target = models.CharField(max_length=64)
    approver = models.CharField(max_length=64, blank=True)
    amount = models.BigIntegerField()
    reason = models.CharField(max_length=LONGEST_REASON)
    state = models.CharField(max_length=10, choices=State.choices, default=State.PROPOSED)
    proposed_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(amount__gte=-MOST_AMOUNT, amount__lte=MOST_AMOUNT) & ~Q(amount=0),
                name="adjustment_amount_bounds",
            ),
            models.CheckConstraint(
                condition=~Q(proposer=F("target")), name="adjustment_not_ones_own"
            ),
            models.CheckConstraint(
                condition=~Q(approver=F("target")) & ~Q(approver=F("proposer")),
                name="adjustment_four_eyes",
            ),
            models.CheckConstraint(
                condition=~Q(state="approved")
                | ~Q(approver="")
                | Q(amount__gte=-ALONE_AT_MOST, amount__lte=ALONE_AT_MOST),
                name="adjustment_large_needs_a_second",
            ),
        ]
        permissions: ClassVar = [
            ("approve_adjustment", "Can approve another administrator's adjustment")
        ]

    def __str__(self) -> str:
        return f"adjustment {self.pk}: {self.amount:+d} to {self.target}"

    @property
    def expires_at(self) -> datetime:
        return self.proposed_at + APPROVAL_PERIOD


class Account(models.Model):
    """An amount of one unit for one owner and purpose; only ``economy.ledger`` writes it. A mint or
    sink keeps no balance (null) and may have any sign; the others never fall below 0.
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
    """One amount of one unit from debit to credit; only ``economy.ledger`` writes it, nothing
    changes it. Ids are neither dense nor in the order of commit; no rule may need that.
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
        permissions: ClassVar = [("unmask_transfer", "Can see transfers of running matches")]

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
            )
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
        """Raises ValidationError for an unknown name, or a value out of its limits."""
        tunable = TUNABLES.get(self.name)
        if tunable is None:
            raise ValidationError({"name": "There is no such setting."})
        if type(self.value) is not int or not tunable.least <= self.value <= tunable.most:
            raise ValidationError({"value": f"Must be from {tunable.least} to {tunable.most}."})


LEDGER_GUARDS: Final = register(
    append_only(
        {
            "economy_transfer": (
                "transfers are only ever added",
                'id = NEW.id OR "key" = NEW."key"',
            ),
            "economy_adminrecord": ("records are only ever added", "id = NEW.id"),
        }
    )
)
