import pytest

from bench.grants import ANTES, DAYS, Town, attack, churn
from economy.tunables import TUNABLES

NUMBERS = {name: tunable.default for name, tunable in TUNABLES.items()}


@pytest.mark.plain
@pytest.mark.parametrize("accounts", [3, 10, 100])
def test_second_accounts_bring_five_points_a_day_and_account_at_most(accounts: int) -> None:
    """Also where each wins all that bots lose in a day."""
    before, after = (
        attack(accounts, NUMBERS, limited=limited, bots=NUMBERS["bots.daily_win_limit"])[-1]
        for limited in (False, True)
    )
    assert after <= 5 * DAYS * accounts
    assert before > 10 * after
    # New accounts bring half of what they brought.
    assert 2 * churn(NUMBERS, limited=True) == churn(NUMBERS, limited=False)


def test_the_limit_changes_nothing_for_beginners_at_the_default_ante() -> None:
    town = Town(40, NUMBERS, "a")
    for evening in range(3):
        town.evening(evening, town.circles(2), (1,))
    month = town.month
    assert month.seats == 40 * 3 * 10
    assert not month.cut | month.refused | month.flagged | month.collectors


def test_the_same_seed_gives_the_same_month() -> None:
    months = []
    for seed in ("a", "a", "b"):
        town = Town(12, NUMBERS, seed)
        town.evening(0, town.strangers(), ANTES)
        months.append([person.wallet for person in town.people])
    assert months[0] == months[1] != months[2]
