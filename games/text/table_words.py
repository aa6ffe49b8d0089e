"""The facts of the table around any game, in words, and the quick phrases of its chat."""

from collections.abc import Mapping
from typing import Final

from economy.units import complex_points
from games.engine.facts import as_datetime
from games.text.telling import (
    FORMER,
    Data,
    Names,
    Teller,
    name_of,
    people,
    plain_pattern,
    points,
    who_pattern,
)


def _sat(data: Data, names: Names) -> str:
    bot = ", a bot," if data["bot"] else ""
    purse = f" with {points(data['purse'])}" if data["purse"] else ""
    return f"{name_of(data['seat'], names)}{bot} sits down{purse}."


#: The reason for a free seat or a closed table -> its text.
STOOD: Final[Mapping[str, str]] = {
    "not_ready": "{who} was not ready in time and loses the seat.",
    "away": "{who} has left; the seat is free.",
    "alone": "{who} goes home: there were only bots left.",
    "shy": "{who} leaves: someone here has won the day's limit from bots.",
    "no_stakes": "{who} leaves: it never plays for points.",
    "unfair": "{who} cannot play here any more today.",
    "program": "{who} leaves: not everybody here plays rated games with programs.",
}
CLOSED: Final[Mapping[str, str]] = {
    "quiet": "The table was quiet for too long and closes.",
    "admin": "An administrator closes the table.",
    "declined": "The challenge is declined.",
    "replaced": "Another table takes the place of this one.",
}


def _stood(data: Data, names: Names) -> str:
    pattern = STOOD.get(data["reason"], "{who} stands up.")
    return pattern.format(who=name_of(data["seat"], names))


#: The reason for lost readiness -> its text.
UNREADY: Final[Mapping[str, str]] = {
    "sat": "A new player has joined: {who} has to press Ready again.",
    "stood": "The other seat is free: {who} is no longer ready.",
    "lapsed": "{who} has waited for two minutes and has to press Ready again.",
    "away": "{who} is not looking at this page and has to press Ready.",
}


def _became_unready(data: Data, names: Names) -> str:
    pattern = UNREADY.get(data["reason"], "{who} is not ready.")
    return pattern.format(who=name_of(data["seat"], names))


def _seat_taken_over(data: Data, names: Names) -> str:
    who, former = name_of(data["seat"], names), names.get(FORMER, "somebody")
    return f"{who} took over seat {data['seat'] + 1} from {former}."


def _match_closed(data: Data, names: Names) -> str:
    return CLOSED.get(data["reason"], "The table closes.")


def _start_missed(data: Data, names: Names) -> str:
    there = f"{data['ready']} of the {data['needed']} needed"
    return f"It is time, but only {there} are ready. The game begins as soon as enough are."


#: The reason for a withheld award -> its text.
WITHHELD: Final[Mapping[str, str]] = {
    "unrated": "The game was not rated, so no award is paid.",
    "short": "The game was too short for an award.",
    "company": "These players have been paid for two games today, so no award is paid.",
    "bot": "Bots are paid no award: {who}.",
}


def _awards_paid(data: Data, names: Names) -> str:
    alike: dict[tuple[int, ...], list[int]] = {}
    for seat, *amounts in data["awards"]:
        alike.setdefault(tuple(amounts), []).append(seat)
    sentences = []
    if data["is_halved"]:
        sentences.append("Awards are halved: these players have been paid for a game today.")
    for (x, y, kept_x, kept_y), seats in alike.items():
        sentences.append(f"Awarded {complex_points(x, y)}: {people(seats, names)}.")
        if kept_x or kept_y:
            more = complex_points(kept_x, kept_y)
            sentences.append(f"{more} more would be over the limit of {data['daily_limit']} a day.")
    return " ".join(sentences)


def _awards_withheld(data: Data, names: Names) -> str:
    return WITHHELD[data["reason"]].format(who=people(data["seats"], names))


def _secrets_looked_at(data: Data, names: Names) -> str:
    when = f"{as_datetime(data['at']):%Y-%m-%d %H:%M} UTC"
    return f"{data['name']} (admin) looked at the hidden state at {when}: {data['reason']}"


#: Kind of fact -> its sentence; None where the board shows the fact better than words.
TABLE_SENTENCES: Final[Mapping[str, Teller | None]] = {
    "clock_postponed": None,
    "sat": _sat,
    "stood": _stood,
    "seat_offered": who_pattern("{who} is out: the seat is open to someone else."),
    "seat_taken_over": _seat_taken_over,
    "became_ready": who_pattern("{who} is ready."),
    "purse_changed": who_pattern("{who} now brings {purse}."),
    "became_unready": _became_unready,
    "configured": lambda data, _names: (
        f"The settings have changed.{'' if data['seat'] is None else ' Press Ready again.'}"
    ),
    "start_scheduled": plain_pattern("Everyone is ready. The game starts in a moment."),
    "start_missed": _start_missed,
    "start_cancelled": plain_pattern("The start is on hold."),
    "salt_missing": who_pattern("{who} gave no part of the chance in time and is not ready."),
    "salts_dropped": None,
    "salts_frozen": None,
    "seat_short": who_pattern("{who} is {missing} short of the purse and is not ready."),
    "rematch_called": who_pattern("{who} opens the next game at this table."),
    "bonus_paid": who_pattern("{who} gets a win bonus of {amount}."),
    "awards_paid": _awards_paid,
    "awards_withheld": _awards_withheld,
    "clock_stalled": plain_pattern("The clock waits until someone is back."),
    "clock_resumed": plain_pattern("The clock is running again."),
    "match_closed": _match_closed,
    "secrets_looked_at": _secrets_looked_at,
}


#: Quick phrases by id: the site knows their text.
PHRASES: Final = {
    "good_luck": "Good luck",
    "nice_throw": "Nice throw",
    "well_played": "Well played",
    "oops": "Oops",
    "thanks": "Thanks",
    "good_game": "Good game",
    "hurry_up": "Hurry up?",
    "nice_lie": "Nice lie",
    "fooled_me": "You fooled me",
}
#: The phrases offered at tables, and those after a game of Mafia.
AT_TABLES: Final = tuple(
    item for item in PHRASES.items() if item[0] not in ("nice_lie", "fooled_me")
)
IN_TOWNS: Final = tuple(
    (name, PHRASES[name])
    for name in ("good_game", "nice_lie", "fooled_me", "well_played", "oops", "thanks")
)
