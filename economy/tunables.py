"""The numbers an admin may change, with their defaults and limits."""

from collections.abc import Iterable
from typing import Final, NamedTuple


class Tunable(NamedTuple):
    """One number: its default and the limits of its values."""

    name: str
    default: int
    least: int
    most: int
    help: str


#: The site's numbers; games register theirs.
TUNABLES: Final[dict[str, Tunable]] = {
    tunable.name: tunable
    for tunable in (
        Tunable("grant.signup", 100, 0, 1_000_000, "points every new account is given"),
        Tunable("bots.daily_win_limit", 50, 0, 1_000_000, "points to be won from bots in a day"),
        Tunable("bots.wallet", 500, 0, 1_000_000, "points a bot is given when it has too few"),
        Tunable("admin.adjust_alone", 1_000, 1, 1_000, "points a day an administrator moves alone"),
        Tunable("tables.live_seats", 3, 1, 100, "live tables a player may sit at"),
        Tunable("shop.purchases_a_minute", 30, 1, 10_000, "purchases of one buyer in a minute"),
        Tunable("stipend.amount", 5, 0, 1_000, "points a day for a player who is broke"),
        Tunable("stipend.floor", 10, 0, 10_000, "points below which one is broke"),
        Tunable("referral.amount", 5, 0, 1_000, "points for the inviter of a new player"),
        Tunable("referral.games", 3, 1, 100, "finished games that make a new player count"),
        Tunable("referral.turns", 3, 1, 100, "throws or turns that make a game count for that"),
        Tunable("referral.daily", 10, 0, 1_000, "such bonuses one inviter gets in a day"),
        Tunable("awards.people", 5, 1, 40, "people without whom a game with awards is not rated"),
        Tunable("awards.minutes", 10, 1, 10_080, "minutes a phase of a rated game has at least"),
        Tunable("awards.lasting", 10, 0, 10_080, "minutes a game that pays awards lasts at least"),
        Tunable(
            "awards.daily", 60, 0, 1_000_000, "points of awards one is paid in a day on each axis"
        ),
        Tunable("prizes.first", 20, 0, 100_000, "points for the week's first place"),
        Tunable("prizes.second", 10, 0, 100_000, "points for the week's second place"),
        Tunable("prizes.third", 5, 0, 100_000, "points for the week's third place"),
        Tunable("prizes.least_games", 5, 1, 1_000, "games in a week without which no prize"),
        Tunable("fair.pair_daily", 300, 1, 1_000_000, "points one may lose to another in a day"),
        Tunable("fair.device_days", 30, 0, 3_650, "days for which a shared device is remembered"),
        Tunable("fair.timeouts", 3, 1, 100, "time-outs in a row that start a cool-down"),
        Tunable("fair.cool_down", 30, 0, 1_440, "minutes a cool-down lasts"),
        Tunable("fair.grant_accounts", 3, 2, 100, "new accounts losing to one player that flag it"),
        Tunable("fair.grant_points", 150, 1, 1_000_000, "points won from them in a day to flag it"),
    )
}


def register_tunables(tunables: Iterable[Tunable]) -> None:
    """Register further numbers; registering an equal one again changes nothing.

    Raises:
        ValueError: another number has that name.
    """
    for tunable in tunables:
        if TUNABLES.setdefault(tunable.name, tunable) != tunable:
            raise ValueError(f"two numbers are called {tunable.name}")
