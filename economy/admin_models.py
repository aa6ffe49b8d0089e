"""Records of administrators' actions, and the adjustments they proposed. Only ``economy.records``
writes AdminRecord and only ``economy.adjustments`` writes Adjustment.
"""

from datetime import datetime, timedelta
from typing import ClassVar, Final

from django.db import models
from django.db.models import F, Q

from economy.units import MOST_AMOUNT

#: More points than this, either way, always need a second administrator.
ALONE_AT_MOST: Final = 1_000
#: Length of a reason, in characters.
SHORTEST_REASON: Final = 10
LONGEST_REASON: Final = 200
#: An older proposal cannot be approved.
APPROVAL_PERIOD: Final = timedelta(days=7)


class AdminRecord(models.Model):
    """One action of an administrator.  Rows are never changed or deleted."""

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
        """State of an adjustment; points move only when it is approved."""

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
            ("approve_adjustment", "Can approve another administrator's adjustment"),
        ]

    def __str__(self) -> str:
        return f"adjustment {self.pk}: {self.amount:+d} to {self.target}"

    @property
    def expires_at(self) -> datetime:
        """The instant until which it can be approved."""
        return self.proposed_at + APPROVAL_PERIOD
