"""Payments to players: stipend, prizes, referrals, the rest of the grant, awards of games."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import Count, Max, Sum

from economy.errors import InsufficientPoints
from economy.ledger import TREASURY, Move, Plan, mint, user_owner, wallet
from economy.models import Transfer
from economy.parts import given
from economy.selectors import grant_after, is_broke, setting, settings_starting
from economy.transfers import TransferCode
from economy.units import Unit

#: Code of a payment -> code of the mint's transfer that covers a shortfall.
COVERS: Final[Mapping[TransferCode, TransferCode]] = {
    TransferCode.STIPEND: TransferCode.STIPEND_COVER,
    TransferCode.PRIZE: TransferCode.PRIZE_COVER,
    TransferCode.REFERRAL: TransferCode.REFERRAL_COVER,
}


#: How many days an earlier stipend is looked for; their keys are found at once, all others are not.
_STIPEND_DAYS: Final = 30


class Payout(NamedTuple):
    """A payment of points from the treasury to a user, identified by ``key``."""

    key: str
    user_id: int
    amount: int
    code: TransferCode
    cause: str


def pay(payouts: Sequence[Payout], at: datetime, guard: Callable[[], bool] | None = None) -> bool:
    """Pay all of them, or none if one of their keys exists or the guard, called under the
    receivers' locks, refuses; return whether anything was paid. Raises LedgerError as for
    ``Plan.move``.
    """
    try:
        return _pay_once(payouts, at, guard)
    except IntegrityError:
        # A concurrent transaction opened the same account or used a key: read again.
        return _pay_once(payouts, at, guard)


@transaction.atomic
def _pay_once(payouts: Sequence[Payout], at: datetime, guard: Callable[[], bool] | None) -> bool:
    plan = Plan.lock({user_owner(payout.user_id) for payout in payouts}, at)
    keys = [payout.key for payout in payouts]
    if Transfer.objects.filter(key__in=keys).exists() or not (guard is None or guard()):
        return False
    for payout in payouts:
        _plan_payout(plan, payout, keys[0])
    plan.write()
    return True


def _plan_payout(plan: Plan, payout: Payout, group: str) -> None:
    key, user_id, amount, code, cause = payout
    move = Move(key, group, TREASURY(), wallet(user_id), amount, code, cause)
    try:
        plan.move(move)
    except InsufficientPoints as lack:
        missing, source = lack.detail["missing"], mint(Unit.POINT)
        cover = Move(f"{key}:cover", group, source, TREASURY(), missing, COVERS[code], cause)
        plan.move(cover)
        plan.move(move)


def pay_stipend(user_id: int, at: datetime) -> int:
    """Pay a broke user the day's stipend, once a UTC day; return the points paid, often 0."""
    amount, prefix = setting("stipend.amount"), f"stipend:{user_id}:"

    def is_due() -> bool:
        days = (at - timedelta(days=ago) for ago in range(_STIPEND_DAYS))
        earlier = Transfer.objects.filter(key__in=[f"{prefix}{day:%Y-%m-%d}" for day in days])
        last = earlier.aggregate(last=Max("at"))["last"]
        return is_broke(user_id) and all(may(user_id, last) for may in given("stipend_rules"))

    if not amount or not is_due():
        return 0
    key = f"{prefix}{at:%Y-%m-%d}"
    payout = Payout(key, user_id, amount, TransferCode.STIPEND, user_owner(user_id))
    # Again under the lock of the account.
    return amount if pay([payout], at, is_due) else 0


def extend_grant(user_id: int, met: int, at: datetime) -> int:
    """Pay what the grant has come to by games with a number of others; return the points."""
    met = min(met, settings_starting("grant.")["grant.games"])
    owner, key = user_owner(user_id), f"signup:{user_id}/{met}"
    with transaction.atomic():
        plan = Plan.lock([owner], at)
        due = grant_after(met) - paid_to(user_id, TransferCode.SIGNUP_GRANT)[1]
        if due <= 0 or Transfer.objects.filter(key=key).exists():
            return 0
        code, source = TransferCode.SIGNUP_GRANT, mint(Unit.POINT)
        plan.move(Move(key, key, source, wallet(user_id), due, code, owner))
        plan.write()
    return due


def paid_to(user_id: int, code: TransferCode, since: datetime | None = None) -> tuple[int, int]:
    """Return the number and the sum of a user's payments with this code since an instant."""
    got = Transfer.objects.filter(credit__owner=user_owner(user_id), code=code)
    if since is not None:
        got = got.filter(at__gte=since)
    found = got.aggregate(count=Count("pk"), points=Sum("amount"))
    return found["count"], found["points"] or 0


_DAY = timedelta(days=1)
#: What the site gives to all who ask for it; bonuses of won games are too small to collect.
GIFTS: Final = (
    TransferCode.SIGNUP_GRANT,
    TransferCode.STIPEND,
    TransferCode.REFERRAL,
    TransferCode.GAME_AWARD,
)


class Awarded(NamedTuple):
    """Awards of a day: (user, unit) -> amount, and the causes of the payments."""

    sums: Counter[tuple[int, Unit]]
    causes: set[str]


def awarded_on_the_day(plan: Plan, user_ids: Collection[int]) -> Awarded:
    """Return the awards of users on the UTC day of a plan, its own moves included. Locks the plan's
    accounts, so that no other transaction can award these users anything until it ends.
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
    """Return user -> points (x) that the site gave in a period, its end left out."""
    given = Transfer.objects.filter(code__in=GIFTS, unit=Unit.POINT)
    rows = given.filter(at__gte=begin, at__lt=end)
    sums = rows.order_by().values_list("credit__owner").annotate(points=Sum("amount"))
    return Counter({int(owner.removeprefix("user:")): points for owner, points in sums})
