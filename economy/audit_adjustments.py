"""What the audit asks of adjustments: each approved one has its transfer, and nothing else has.

Source: docs/ledger.md "Adjustments" and "Invariants", L12.
"""

from collections.abc import Iterator
from datetime import datetime

from economy.admin_models import ALONE_AT_MOST, SHORTEST_REASON, Adjustment
from economy.codes import TransferCode
from economy.models import Transfer
from economy.units import AccountKind


def find_wrong_adjustments(since: datetime | None) -> Iterator[str]:
    """Compare approved adjustments with the transfers that carry their keys."""
    approved = Adjustment.objects.filter(state=Adjustment.State.APPROVED)
    transfers = Transfer.objects.filter(key__startswith="adjust:").select_related("debit", "credit")
    if since is not None:
        approved, transfers = (
            approved.filter(decided_at__gte=since),
            transfers.filter(at__gte=since),
        )
    wanted = {f"adjust:{adjustment.pk}": adjustment for adjustment in approved}
    found = {transfer.key: transfer for transfer in transfers}
    for key in sorted(wanted.keys() ^ found.keys()):
        # One of the two may lie just before the instant looked back to.
        if not _is_complete(key):
            yield f"L12 {key} has no transfer, or no approval"
    for key in sorted(wanted.keys() & found.keys()):
        if not _is_made_rightly(wanted[key], found[key]):
            yield f"L12 {key} moved something else than was approved"
    for key, adjustment in wanted.items():
        alone = adjustment.approver in ("", adjustment.proposer, adjustment.target)
        if alone and abs(adjustment.amount) > ALONE_AT_MOST:
            yield f"L12 {key} was approved by nobody else"
        if adjustment.proposer == adjustment.target or len(adjustment.reason) < SHORTEST_REASON:
            yield f"L12 {key} is to its proposer, or without a reason"


def _is_complete(key: str) -> bool:
    number = key.removeprefix("adjust:")
    approved = Adjustment.objects.filter(state=Adjustment.State.APPROVED)
    return (
        number.isdigit()
        and approved.filter(pk=number).exists()
        and Transfer.objects.filter(key=key).exists()
    )


def _is_made_rightly(adjustment: Adjustment, transfer: Transfer) -> bool:
    held = transfer.credit if adjustment.amount > 0 else transfer.debit
    return (
        transfer.code == TransferCode.ADMIN_ADJUST
        and transfer.amount == abs(adjustment.amount)
        and (held.owner, held.kind) == (adjustment.target, AccountKind.WALLET)
    )
