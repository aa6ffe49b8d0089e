"""Adjustments: an administrator gives or takes points. The only writer of ``Adjustment``."""

from datetime import datetime, timedelta
from typing import ClassVar, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import Sum
from django.db.models.functions import Abs, Coalesce

from economy.errors import AdminActionError, refuse
from economy.ledger import Move, Plan, mint, post, sink
from economy.models import LONGEST_REASON, SHORTEST_REASON, Adjustment
from economy.records import Actor, Change, write_record
from economy.selectors import setting
from economy.transfers import AccountRef, TransferCode
from economy.units import MOST_AMOUNT, AccountKind, Unit


class AdjustmentRefused(AdminActionError):
    """An adjustment is malformed, decided already or expired; nothing has moved."""

    code: ClassVar[str] = "adjustment/refused"


class OwnAccount(AdminActionError):
    """An administrator would adjust their own points, or may not approve this adjustment."""

    code: ClassVar[str] = "forbidden"


class Wish(NamedTuple):
    """A requested adjustment: owner ("user:12"), points (negative to take them), reason."""

    target: str
    amount: int
    reason: str


def propose_adjustment(actor: Actor, wish: Wish, token: str, at: datetime) -> Adjustment:
    """Adjust at once within the day's limit, else store a proposal; the same token is the same
    adjustment. Raises OwnAccount, AdjustmentRefused for 0 points or a reason of the wrong length,
    ``conflict`` for the token of another adjustment, LedgerError as for ``Plan.move``.
    """
    wish = _checked(actor, wish)
    try:
        with transaction.atomic():
            return _propose_once(actor, wish, token, at)
    except IntegrityError:
        # The same form was sent twice at once: the other request has stored its row now.
        with transaction.atomic():
            return _propose_once(actor, wish, token, at)


@transaction.atomic
def approve_adjustment(actor: Actor, adjustment_id: int, at: datetime) -> Adjustment:
    """Approve another administrator's proposal and move the points; an old proposal expires. Raises
    OwnAccount, AdjustmentRefused, LedgerError as for ``Plan.move``.
    """
    adjustment = _lock(actor, adjustment_id)
    if at > adjustment.expires_at:
        return _decide(adjustment, actor, Adjustment.State.EXPIRED, at)
    _move(adjustment, at)
    return _decide(adjustment, actor, Adjustment.State.APPROVED, at)


@transaction.atomic
def refuse_adjustment(
    actor: Actor, adjustment_id: int, at: datetime, *, reason: str = ""
) -> Adjustment:
    """Refuse a proposal, also as its proposer; nothing moves. Raises OwnAccount,
    AdjustmentRefused.
    """
    adjustment = _lock(actor, adjustment_id, by_proposer=True)
    return _decide(adjustment, actor, Adjustment.State.REFUSED, at, reason=reason)


def _checked(actor: Actor, wish: Wish) -> Wish:
    reason = wish.reason.strip()
    if actor.owner == wish.target:
        raise OwnAccount("nobody adjusts their own points")
    if type(wish.amount) is not int or wish.amount == 0:
        raise AdjustmentRefused("an adjustment is a whole number of points other than 0")
    if abs(wish.amount) > MOST_AMOUNT:
        refuse("limit", "nobody can be given or lose so much at once", most=MOST_AMOUNT)
    if not SHORTEST_REASON <= len(reason) <= LONGEST_REASON:
        raise AdjustmentRefused(f"a reason has {SHORTEST_REASON} to {LONGEST_REASON} characters")
    return wish._replace(reason=reason)


def _propose_once(actor: Actor, wish: Wish, token: str, at: datetime) -> Adjustment:
    # Of two at once by one administrator, the second must count the first.
    Plan.lock((actor.owner, wish.target), at)
    earlier = Adjustment.objects.filter(token=token).first()
    if earlier is not None:
        same = Wish(earlier.target, earlier.amount, earlier.reason)
        if (earlier.proposer, same) != (actor.owner, wish):
            refuse("conflict", "this form was used for another adjustment")
        return earlier
    moved = _moved_alone(actor, at) + abs(wish.amount)
    is_small = moved <= setting("admin.adjust_alone")
    adjustment = Adjustment.objects.create(
        token=token,
        proposer=actor.owner,
        target=wish.target,
        amount=wish.amount,
        reason=wish.reason,
        proposed_at=at,
    )
    if not is_small:
        _record(adjustment, actor, "adjustment_proposed", adjustment.reason)
        return adjustment
    _move(adjustment, at)
    adjustment.state, adjustment.decided_at = Adjustment.State.APPROVED, at
    adjustment.save(update_fields=["state", "decided_at"])
    _record(adjustment, actor, "points_adjusted", adjustment.reason)
    return adjustment


def _moved_alone(actor: Actor, at: datetime) -> int:
    """Return the points that the actor has given and taken alone within the last day."""
    alone = Adjustment.objects.filter(
        proposer=actor.owner,
        approver="",
        state=Adjustment.State.APPROVED,
        proposed_at__gt=at - timedelta(days=1),
    )
    moved: int = alone.aggregate(points=Coalesce(Sum(Abs("amount")), 0))["points"]
    return moved


def _lock(actor: Actor, adjustment_id: int, *, by_proposer: bool = False) -> Adjustment:
    adjustment = Adjustment.objects.select_for_update().filter(pk=adjustment_id).first()
    if adjustment is None or adjustment.state != Adjustment.State.PROPOSED:
        raise AdjustmentRefused("this adjustment is not waiting any more")
    if actor.owner == adjustment.target:
        raise OwnAccount("nobody decides on their own points")
    if actor.owner == adjustment.proposer and not by_proposer:
        raise OwnAccount("another administrator has to approve it")
    return adjustment


def _move(adjustment: Adjustment, at: datetime) -> None:
    held = AccountRef(adjustment.target, AccountKind.WALLET, Unit.POINT)
    debit, credit = (mint(Unit.POINT), held) if adjustment.amount > 0 else (held, sink(Unit.POINT))
    key = f"adjust:{adjustment.pk}"
    amount, code = abs(adjustment.amount), TransferCode.ADMIN_ADJUST
    post([Move(key, key, debit, credit, amount, code, key)], at)


def _decide(
    adjustment: Adjustment, actor: Actor, state: str, at: datetime, *, reason: str = ""
) -> Adjustment:
    before = adjustment.state
    adjustment.state, adjustment.decided_at = state, at
    fields = ["state", "decided_at"]
    if actor.owner != adjustment.proposer:
        adjustment.approver = actor.owner
        fields.append("approver")
    adjustment.save(update_fields=fields)
    _record(adjustment, actor, f"adjustment_{state}", reason or adjustment.reason, before)
    return adjustment


def _record(
    adjustment: Adjustment, actor: Actor, action: str, reason: str, before: str = ""
) -> None:
    after = {
        "adjustment": adjustment.pk,
        "amount": adjustment.amount,
        "proposer": adjustment.proposer,
        "state": str(adjustment.state),
    }
    change = Change({"state": str(before)} if before else {}, after)
    write_record(actor, action, adjustment.target, reason=reason, change=change)
