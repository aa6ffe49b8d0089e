"""The numbers an admin may change, with their defaults and limits."""

from typing import Final, NamedTuple

from economy.parts import given


class Tunable(NamedTuple):
    """One number; ``unit``, where ``help`` does not say it: ms, s, min, bp (hundredths of a
    percent) or %.
    """

    name: str
    default: int
    least: int
    most: int
    help: str
    unit: str = ""

    def amount(self, value: int) -> str:
        """Return a value in the largest unit that it fills, or a bare number.
        >>> TUNABLES["fair.cool_down"].amount(90)
        '90 min'
        >>> TUNABLES["awards.minutes"].amount(1_440)
        '1 d'
        >>> TUNABLES["grant.signup"].amount(1_000)
        '1,000'
        """
        for size, word in UNITS.get(self.unit, ()):
            if value and value % size == 0:
                return f"{value // size:,} {word}"
        if self.unit == "bp":
            return f"{value / 100:g} %"
        return f"{value:,} {self.unit}".strip()


#: Unit of a stored number -> the units in which pages show it, the largest first, with their sizes.
UNITS: Final = {
    "ms": ((1_000, "s"),),
    "s": ((86_400, "d"), (3_600, "h"), (60, "min")),
    "min": ((1_440, "d"), (60, "h")),
}

#: The site's numbers; other applications add theirs.
TUNABLES: Final[dict[str, Tunable]] = {
    tunable.name: tunable
    for tunable in (
        Tunable("grant.signup", 200, 0, 1_000_000, "points every new account is given in all"),
        Tunable("grant.at_once", 50, 0, 100, "part of them that is given at sign-up", "%"),
        Tunable("grant.games", 5, 1, 100, "others to finish a game with for all the rest"),
        Tunable("grant.days", 30, 1, 3_650, "days after sign-up in which such games count"),
        Tunable("bots.daily_win_limit", 100, 0, 1_000_000, "points to be won from bots in a day"),
        Tunable("bots.wallet", 500, 0, 1_000_000, "points a bot is given when it has too few"),
        Tunable("admin.adjust_alone", 1_000, 1, 1_000, "points a day an administrator moves alone"),
        Tunable("tables.live_seats", 3, 1, 100, "live tables a player may sit at"),
        Tunable("archive.days", 7, 1, 3_650, "days from a match's end until it is archived"),
        Tunable("shop.purchases_a_minute", 30, 1, 10_000, "purchases of one buyer in a minute"),
        Tunable("stipend.amount", 20, 0, 1_000, "points a day for a player who is broke"),
        Tunable("stipend.floor", 20, 0, 10_000, "points below which one is broke"),
        Tunable("referral.amount", 5, 0, 1_000, "points for the inviter of a new player"),
        Tunable("referral.games", 3, 1, 100, "finished games that make a new player count"),
        Tunable("referral.turns", 3, 1, 100, "throws or turns that make a game count for that"),
        Tunable("referral.daily", 10, 0, 1_000, "such bonuses one inviter gets in a day"),
        Tunable("awards.people", 5, 1, 40, "people without whom a game with awards is not rated"),
        Tunable("awards.minutes", 10, 1, 10_080, "phase of a rated game at least", "min"),
        Tunable("awards.lasting", 10, 0, 10_080, "a game that pays awards lasts at least", "min"),
        Tunable(
            "awards.daily", 60, 0, 1_000_000, "points of awards one is paid in a day on each axis"
        ),
        Tunable("prizes.first", 60, 0, 100_000, "points for the week's first place"),
        Tunable("prizes.second", 30, 0, 100_000, "points for the week's second place"),
        Tunable("prizes.third", 15, 0, 100_000, "points for the week's third place"),
        Tunable("prizes.least_games", 5, 1, 1_000, "games in a week without which no prize"),
        Tunable("fair.pair_daily", 300, 1, 1_000_000, "points one may lose to another in a day"),
        Tunable("fair.pair_ever", 130, 1, 1_000_000, "points one may ever lose to another"),
        Tunable("fair.pair_ever_daily", 1, 0, 1_000_000, "more of them for each day of the loser"),
        Tunable("fair.device_days", 30, 0, 3_650, "days for which a shared device is remembered"),
        Tunable("fair.timeouts", 3, 1, 100, "time-outs in a row that start a cool-down"),
        Tunable("fair.cool_down", 30, 0, 1_440, "a cool-down lasts", "min"),
        Tunable("fair.grant_accounts", 3, 2, 100, "new accounts losing to one player that flag it"),
        Tunable("fair.grant_points", 300, 1, 1_000_000, "points won from them in a day to flag it"),
    )
}


#: First word of a name -> the title of its section on the settings page; others add theirs.
SECTIONS: Final[dict[str, str]] = {
    "grant": "New accounts",
    "bots": "Bots",
    "admin": "Administration",
    "tables": "Tables",
    "shop": "Shop",
    "stipend": "Stipend",
    "referral": "Invitations",
    "awards": "Awards",
    "prizes": "Weekly prizes",
    "fair": "Fair play",
}


def add_tunables() -> None:
    """Add the numbers of other applications; again changes nothing. Raises ValueError if another
    number has a name.
    """
    for numbers in given("tunables"):
        for title, tunable in numbers():
            if TUNABLES.setdefault(tunable.name, tunable) != tunable:
                raise ValueError(f"two numbers are called {tunable.name}")
            SECTIONS[tunable.name.partition(".")[0]] = title
