"""What games have awarded from the mint: how much of it counts against a day's limit.

Source: docs/ledger.md "Payments of the house".
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Sum

from economy.codes import TransferCode
from economy.models import Transfer
from economy.transfers import user_owner
from economy.units import Unit

_DAY = timedelta(days=1)


def awarded_on(user_ids: Collection[int], at: datetime) -> dict[int, int]:
    """Return the points that each of these users was awarded on the UTC day of an instant.

    Ask while their accounts are locked: until they are let go nobody else can award them any.
    """
    midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
    owners = {user_owner(user_id): user_id for user_id in user_ids}
    rows = Transfer.objects.filter(
        code=TransferCode.GAME_AWARD,
        unit=Unit.POINT,
        credit__owner__in=owners,
        at__gte=midnight,
        at__lt=midnight + _DAY,
    )
    sums = rows.order_by().values_list("credit__owner").annotate(points=Sum("amount"))
    found = {owners[owner]: points for owner, points in sums}
    return {user_id: found.get(user_id, 0) for user_id in user_ids}
