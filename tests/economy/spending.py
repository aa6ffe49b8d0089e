"""A process that spends what user 900001 has; run by test_concurrency.py with DATABASE_URL."""

import sys


def main(prefix):
    import django

    django.setup()
    from economy import errors, shop
    from economy.units import Unit

    bought, one_paper = 0, shop.Order(Unit.PAPER, 1)
    for number in range(20):
        try:
            shop.buy(user_id=900001, order=one_paper, key=f"{prefix}-{number}")
            bought += 1
        except errors.InsufficientPoints:
            pass
    print(bought)


if __name__ == "__main__":
    main(sys.argv[1])
