"""The facts of Rock, Paper, Scissors, Dynamite in words, private facts included, for the story."""

from collections.abc import Mapping
from typing import Any, Final

from games.mafia.common.words import BOARD as MAFIA_BOARD
from games.mafia.common.words import MAFIA_SENTENCES, unmasked
from games.mafia.dynamite.rules.phases import EXPLODES_AT
from games.mafia.dynamite.rules.state import PRICE
from games.mafia.dynamite.rules.teams import VULNERABLE_TO
from games.text.table_words import TABLE_SENTENCES
from games.text.telling import (
    Data,
    Names,
    Teller,
    listed,
    name_of,
    people,
    plain_pattern,
    who_pattern,
)

#: Team -> its name, the name of one member, and of several.
TEAM_WORDS: Final[Mapping[str, tuple[str, str, str]]] = {
    "rock": ("Rock Mafia", "Rock Mafioso", "Rock Mafiosi"),
    "paper": ("Paper Mafia", "Paper Mafioso", "Paper Mafiosi"),
    "scissors": ("Scissors Mafia", "Scissors Mafioso", "Scissors Mafiosi"),
    "dynamite": ("Dynamite Town", "Dynamite Townie", "Dynamite Townies"),
}
#: Team -> its character, and how its members win.
ABOUT: Final[Mapping[str, str]] = {
    "rock": "The most stable mafia. You win when every member of the Scissors Mafia is dead.",
    "paper": "The most flexible mafia. You win when every member of the Rock Mafia is dead.",
    "scissors": "The sharpest mafia. You win when every member of the Paper Mafia is dead.",
    "dynamite": "No confrontation kills you, but votes can. You win if you live to the end.",
}
BUYING: Final = "Votes for your team are points. Two buy a confrontation."
#: Team -> the goal of its members and a tip, on the card at the start.
CARDS: Final[Mapping[str, tuple[str, str]]] = {
    "rock": ("Smash the Scissors Mafia.", BUYING),
    "paper": ("Wrap the Rock Mafia.", BUYING),
    "scissors": ("Cut the Paper Mafia.", BUYING),
    "dynamite": ("Live to the end.", "At three danger points you explode. Spread the votes."),
}
#: A mafia -> the mafia to which it is vulnerable.
HUNTERS: Final[Mapping[str, str]] = {
    prey.value: hunter.value for prey, hunter in VULNERABLE_TO.items()
}
#: Cause of death -> its text.
CAUSES: Final[Mapping[str, str]] = {
    "stapler": "killed by a rampaging stapler",
    "explosion": "exploded",
    "confronted": "confronted by the {hunter}",
    "townie": "confronted a townie",
    "left": "left town",
}
#: The stage of a death, or its cause by rules that keep no stage -> when it was, with the round.
MOMENTS: Final[Mapping[str, str]] = {
    "stapler": " on day {round}",
    "explosion": " on day {round}",
    "confronted": " in night {round}",
    "townie": " in night {round}",
    "left": ", round {round}",
    "day": " on day {round}",
    "night": " in night {round}",
}
#: Reason for the end -> the headline and the reason in words.
ENDINGS: Final[Mapping[str, tuple[str, str]]] = {
    "eliminated": ("{teams} {wins}", "The {prey} {are} wiped out. Townies who live win, too."),
    "quiet": ("A draw", "Nobody has died for too long. Only the townies who live have won."),
}
#: The words and numbers of the board, by the folder of its scripts.
BOARD: Final[Mapping[str, Any]] = {
    "mafia": MAFIA_BOARD,
    "dynamite": {
        "teams": TEAM_WORDS,
        "about": ABOUT,
        "cards": CARDS,
        "hunters": HUNTERS,
        "causes": CAUSES,
        "moments": MOMENTS,
        "endings": ENDINGS,
        "price": PRICE,
        "explodes_at": EXPLODES_AT,
    },
}


def team_word(team: str) -> str:
    return TEAM_WORDS[team][0]


def card_word(team: str, number: int = 1) -> str:
    """Return the name of one or several members of a team.
    >>> card_word("dynamite"), card_word("rock", 2)
    ('Dynamite Townie', 'Rock Mafiosi')
    """
    _, one, several = TEAM_WORDS[team]
    return one if number == 1 else several


def cause_words(causes: list[str], team: str) -> str:
    """Return all causes of a death in a team, in words."""
    hunter = team_word(HUNTERS.get(team, team))
    return listed(CAUSES[cause].format(hunter=hunter) for cause in causes)


def moment_words(causes: list[str], stage: str | None, round_no: int) -> str:
    telling = next((cause for cause in causes if cause != "left"), "left")
    return MOMENTS[stage or telling].format(round=round_no)


def ending_words(reason: str, teams: list[str]) -> tuple[str, str]:
    """Return the headline and the reason for the end of a game, in words."""
    won = listed(team_word(team) for team in teams)
    prey = listed(team_word(team) for team in HUNTERS if HUNTERS[team] in teams)
    headline, why = ENDINGS[reason]
    wins, are = ("wins", "is") if len(teams) == 1 else ("win", "are")
    return headline.format(teams=won, wins=wins), why.format(prey=prey, are=are)


def _game_started(data: Data, names: Names) -> str:
    teams = listed(f"{size} {card_word(team, size)}" for team, size in data["teams"])
    return f"{len(data['seats'])} players: {teams}. A day comes first."


def _points_gained(data: Data, names: Names) -> str:
    dead = f", {data['by_dead']} for its dead" if data["by_dead"] else ""
    has = f"it has {data['points']}"
    return f"The {team_word(data['team'])} gains {data['by_votes']} by votes{dead}: {has}."


def _confrontation_declared(data: Data, names: Names) -> str:
    target = name_of(data["target"], names)
    return f"{name_of(data['seat'], names)} means to confront {target} tonight."


def _player_died(data: Data, names: Names) -> str:
    who, card = name_of(data["seat"], names), card_word(data["team"])
    return f"{who}, a {card}, is dead: {cause_words(data['causes'], data['team'])}."


def _game_ended(data: Data, names: Names) -> str:
    _, ending = ending_words(data["reason"], data["teams"])
    return f"{ending} The winners: {people(data['winners'], names)}. {_unmasked(data, names)}"


def _unmasked(data: Data, names: Names) -> str:
    return unmasked(data["players"], TEAM_WORDS, lambda team, _: team_word(team), names)


#: Kind of fact -> its sentence; None where the board shows the fact better than words.
DYNAMITE_SENTENCES: Final[Mapping[str, Teller | None]] = {
    **MAFIA_SENTENCES,
    "game_started": _game_started,
    "team_dealt": lambda data, names: (
        f"{name_of(data['seat'], names)} is a {card_word(data['team'])}."
    ),
    "mates_named": lambda data, names: (
        f"The {team_word(data['team'])}: {people(data['members'], names)}."
    ),
    "points_gained": _points_gained,
    "danger_changed": who_pattern("{who}, a townie, is at danger {danger}."),
    "confrontation_declared": _confrontation_declared,
    "confrontation_withdrawn": who_pattern("{who} means to confront nobody."),
    "leaving_town": who_pattern("{who} leaves town, and is dead to it when this phase ends."),
    "player_died": _player_died,
    "nobody_died": plain_pattern("Nobody died."),
    "game_ended": _game_ended,
    "game_voided": lambda data, names: f"The game is called off. {_unmasked(data, names)}",
}

#: The sentences of the game and of the table.
SENTENCES: Final[Mapping[str, Teller | None]] = {**TABLE_SENTENCES, **DYNAMITE_SENTENCES}
