"""The facts of all Mafia games in words, and the words for a choice."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from games.mafia.common.rules.phases import LONGEST_GRID, PARTS
from games.text.telling import Data, Names, Teller, name_of, people, plain_pattern

#: Fact -> the notice to absent players: the game waits; it contains nothing else.
NOTICES: Final[Mapping[str, str]] = {
    "night_began": "Night has fallen in your town.",
    "day_began": "A new day in your town.",
    "game_ended": "The game in your town is over.",
}
#: The headline and the reason of a game that was called off.
CALLED_OFF: Final = ("Called off", "Nobody wins and nobody loses.")
#: The labels of the options that all Mafia games have.
OPTIONS: Final[Mapping[str, str]] = {
    "seats": "Seats",
    "phase_seconds": "Phase length",
    "last_wills": "Last wills: a text that is posted when its author dies",
    "listed": "Public (otherwise by link)",
    "spectators": "Others may watch",
}
VOTES: Final = "votes for {choice}"
#: The kinds of facts at which no replay stops: the thread shows posts, and nobody who is done.
UNTOLD: Final = frozenset({"posted", "checked_in", "check_in_withdrawn", "award_earned"})
NO_VOTE: Final = "takes the vote back"
#: The words and numbers of the board of every Mafia game: a night that ends early ends on a
#: multiple of ``grid`` milliseconds, or of one of ``parts`` of the night if that is shorter.
BOARD: Final[Mapping[str, Any]] = {
    "called_off": CALLED_OFF,
    "options": OPTIONS,
    "votes": VOTES,
    "no_vote": NO_VOTE,
    "grid": LONGEST_GRID,
    "parts": PARTS,
}


def choice_word(choice: int | str | None, names: Names) -> str:
    if choice is None:
        return "no opinion"
    return name_of(choice, names) if isinstance(choice, int) else "nobody"


def unmasked(
    dealt: Iterable[tuple[int, str]],
    cards: Iterable[str],
    word: Callable[[str, int], str],
    names: Names,
) -> str:
    """Tell who had which card, in the order of ``cards``. ``word`` names a card, in its number."""
    holders: dict[str, list[int]] = {}
    for seat, card in dealt:
        holders.setdefault(card, []).append(seat)
    return " ".join(
        f"{word(card, len(holders[card]))}: {people(holders[card], names)}."
        for card in cards
        if card in holders
    )


def _voted(data: Data, names: Names) -> str:
    who = name_of(data["seat"], names)
    if data["choice"] is None:
        return f"{who} {NO_VOTE}."
    return f"{who} {VOTES.format(choice=choice_word(data['choice'], names))}."


#: Kind of fact -> its sentence; None where the board shows the fact better than words.
MAFIA_SENTENCES: Final[Mapping[str, Teller | None]] = {
    "night_began": plain_pattern("Night {round} falls."),
    "day_began": plain_pattern("Day {round} breaks."),
    "played_out": plain_pattern("Only bots live: the rest is played in seconds."),
    "checked_in": None,
    "check_in_withdrawn": None,
    "posted": None,
    "will_written": None,
    "voted": _voted,
    # The table tells the paid points.
    "award_earned": None,
}
