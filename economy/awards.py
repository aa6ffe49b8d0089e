"""Awards of games on a day, and what the site gives players, which count against limits.
Source: docs/explanation/ledger.md "Payments of the house".
"""

from collections import Counter
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db.models import Sum

from economy.codes import TransferCode
from economy.ledger.plan import Plan
from economy.models import Transfer
from economy.transfers import user_owner
from economy.units import Unit

_DAY = timedelta(days=1)
#: What the site gives to all who ask for it; bonuses of won games are too small to collect.
GIFTS: Final = (
    TransferCode.SIGNUP_GRANT,
    TransferCode.STIPEND,
    TransferCode.REFERRAL,
    TransferCode.GAME_AWARD,
)


class Awarded(NamedTuple):
    """The awards of some users on a day. ``sums``: (user, unit) -> amount.  ``causes``: the causes
    of the payments.
    """

    sums: Counter[tuple[int, Unit]]
    causes: set[str]


def awarded_on_the_day(plan: Plan, user_ids: Collection[int]) -> Awarded:
    """Return the awards of users on the UTC day of a plan, the plan's moves included. Locks the
    plan's accounts: no other transaction can award these users anything until the end of this one.
    """
    plan.lock_all()
    midnight = plan.at.replace(hour=0, minute=0, second=0, microsecond=0)
    owners = {user_owner(user_id): user_id for user_id in user_ids}
    written = Transfer.objects.filter(
        code=TransferCode.GAME_AWARD,
        credit__owner__in=owners,
        at__gte=midnight,
        at__lt=midnight + _DAY,
    ).values_list("credit__owner", "unit", "amount", "cause")
    planned = (
        (move.credit.owner, move.credit.unit.value, move.amount, move.cause)
        for move in plan.moves_of(TransferCode.GAME_AWARD)
        if move.credit.owner in owners
    )
    found = Awarded(Counter(), set())
    for owner, unit, amount, cause in (*written, *planned):
        found.sums[owners[owner], Unit(unit)] += amount
        found.causes.add(cause)
    return found


def given_between(begin: datetime, end: datetime) -> Counter[int]:
    """Return user -> points (x) that the site gave from one instant on and before another."""
    given = Transfer.objects.filter(code__in=GIFTS, unit=Unit.POINT)
    rows = given.filter(at__gte=begin, at__lt=end)
    sums = rows.order_by().values_list("credit__owner").annotate(points=Sum("amount"))
    return Counter({int(owner.removeprefix("user:")): points for owner, points in sums})
