"""A process that spends what user 900001 has; run by test_concurrency.py with DATABASE_URL."""

import sys
from contextlib import suppress


def main(prefix):
    import django

    django.setup()
    from economy import errors, shop
    from economy.units import Unit

    bought = 0
    for number in range(20):
        with suppress(errors.InsufficientPoints):
            shop.buy(user_id=900001, order=shop.Order(Unit.PAPER, 1), key=f"{prefix}-{number}")
            bought += 1
    print(bought)


if __name__ == "__main__":
    main(sys.argv[1])
