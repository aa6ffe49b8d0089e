"""``python -m tests.faults.bank write|read NUMBER``: move points without end, or read them."""

import contextlib
import json
import random
import sys
import time
from itertools import count

import django

django.setup()

from django.db import OperationalError, connection, transaction  # noqa: E402 - settings come first
from django.db.models import Count, OuterRef, Subquery, Sum  # noqa: E402
from django.db.models.functions import Coalesce  # noqa: E402
from django.utils import timezone  # noqa: E402

from economy.errors import InsufficientPoints  # noqa: E402
from economy.ledger import Move, post, user_owner, wallet  # noqa: E402
from economy.models import Account, Transfer  # noqa: E402
from economy.transfers import TransferCode  # noqa: E402
from economy.units import AccountKind, Unit  # noqa: E402

#: Transfers that stand or fall together.
GROUP = 8


def write(name: str, users: list[int]) -> None:
    """Move points among the users without end; a group that cannot be paid is refused."""
    chance = random.Random(name)
    started = time.time_ns()
    for number in count():
        moves = group_of(f"bank:{name}:{started}:{number}", chance.sample(users, 3), chance)
        for _ in range(2 if number % 3 == 0 else 1):
            try:
                post(moves, timezone.now())
            except InsufficientPoints:
                break
            except OperationalError:
                # No turn in time, because a stopped writer holds it.  Try the next group.
                continue


def group_of(group: str, users: list[int], chance: random.Random) -> list[Move]:
    """Return the moves of one group: around the users, by different amounts."""
    moves = []
    for step in range(GROUP):
        giver, taker = users[step % len(users)], users[(step + 1) % len(users)]
        sides = (wallet(giver), wallet(taker))
        amount = chance.randint(1, 20)
        moves.append(
            Move(f"{group}:{step}", group, *sides, amount, TransferCode.ADMIN_ADJUST, "bank")
        )
    return moves


def look(users: list[int]) -> dict[str, int]:
    """Read the whole bank in one snapshot: what is kept, and what the transfers say."""
    owners = [user_owner(user) for user in users]
    accounts = Account.objects.filter(
        owner__in=owners, kind=AccountKind.WALLET, unit=Unit.POINT
    ).annotate(told=_moved("credit") - _moved("debit"))
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        rows = list(accounts.values_list("balance", "told"))
        transfers = Transfer.objects.filter(cause="bank")
        seen = transfers.aggregate(count=Count("pk"), keys=Count("key", distinct=True))
        groups = transfers.order_by().values("group").annotate(count=Count("pk"))
        torn = groups.exclude(count=GROUP).count()
    return {
        "accounts": len(rows),
        "total": sum(balance for balance, _ in rows),
        "wrong": sum(balance != told for balance, told in rows),
        "negative": sum(balance < 0 for balance, _ in rows),
        "transfers": seen["count"],
        "torn": torn,
        "doubled": seen["count"] - seen["keys"],
    }


def _moved(side: str) -> Coalesce:
    sums = Transfer.objects.filter(**{side: OuterRef("pk")}).order_by().values(side)
    return Coalesce(Subquery(sums.annotate(total=Sum("amount")).values("total")), 0)


def read(users: list[int]) -> None:
    while True:
        # SQLite gives no turn in time where a stopped writer holds it.
        with contextlib.suppress(OperationalError):
            print(json.dumps(look(users)), flush=True)
        time.sleep(0.05)


if __name__ == "__main__":
    task, name, *ids = sys.argv[1:]
    given = [int(one) for one in ids]
    if task == "write":
        write(name, given)
    else:
        read(given)
