"""The facts of Agoran Mafia in words, private facts included: the story after the end needs them.

Source: docs/protocol.md, "Events"; docs/rules/agora.md.
"""

from collections.abc import Mapping
from typing import Final

from games.mafia.common.words import MAFIA_SENTENCES, choice_word
from games.text.table_words import TABLE_SENTENCES
from games.text.telling import (
    Data,
    Names,
    Teller,
    listed,
    name_of,
    people,
    plain_pattern,
    told,
    who_pattern,
)

#: Role -> its name in the singular and in the plural.
ROLE_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "citizen": ("ordinary citizen", "ordinary citizens"),
    "doctor": ("doctor", "doctors"),
    "sheriff": ("sheriff", "sheriffs"),
    "detective": ("detective", "detectives"),
    "mafioso": ("mafioso", "mafiosi"),
    "agent": ("agent of the mafia", "agents of the mafia"),
}
#: Role -> the verb of its night action, before the name of the target.
NIGHT_WORDS: Final[Mapping[str, str]] = {
    "doctor": "watches over",
    "sheriff": "looks into the file on",
    "mafioso": "picks for the mafia",
    "agent": "turns round the file on",
}
DEATHS: Final[Mapping[str, str]] = {
    "killed": "{who} was killed in the night.",
    "lynched": "{who} is lynched.",
    "left": "{who} has left town, and is dead to it.",
}
ENDINGS: Final[Mapping[str, str]] = {
    "mafia_dead": "The last of the mafia is dead. The town wins!",
    "mafia_equal": "The mafia is half of the town, and owns the rest. The mafia wins!",
    "quiet": "Nobody dies here any more. The game ends in a draw.",
}


def tell(kind: str, data: Data, names: Names) -> str | None:
    """Return a fact as one line of the log; None if the log does not show it."""
    return told(kind, data, names, SENTENCES)


def role_word(role: str, number: int = 1) -> str:
    """Return the name of a role in the singular or the plural.

    >>> role_word("mafioso"), role_word("mafioso", 2)
    ('mafioso', 'mafiosi')
    """
    one, several = ROLE_WORDS[role]
    return one if number == 1 else several


def side_word(is_mafia: bool) -> str:
    """Return the text of a file."""
    return "MAFIA" if is_mafia else "NOT MAFIA"


def _game_started(data: Data, names: Names) -> str:
    roles = listed(f"{number} {role_word(role, number)}" for role, number in data["roles"])
    return f"{len(data['seats'])} citizens: {roles}. Nobody knows who is who."


def _role_dealt(data: Data, names: Names) -> str:
    return f"{name_of(data['seat'], names)} is the town's {role_word(data['role'])}."


def _mafia_named(data: Data, names: Names) -> str:
    members = (f"{name_of(seat, names)} ({role_word(role)})" for seat, role in data["members"])
    return f"The mafia: {listed(members)}."


def _target_chosen(data: Data, names: Names) -> str:
    who, whom = name_of(data["seat"], names), choice_word(data["target"], names)
    return f"{who}, {role_word(data['role'])}, {NIGHT_WORDS[data['role']]} {whom}."


def _citizen_died(data: Data, names: Names) -> str:
    died = DEATHS[data["cause"]].format(who=name_of(data["seat"], names))
    return died if data["role"] is None else f"{died} It was the {role_word(data['role'])}."


def _nobody_lynched(data: Data, names: Names) -> str:
    if data["is_wanted"]:
        return "The town has decided to lynch nobody."
    return "The town did not agree in time: nobody is lynched."


def _file_read(data: Data, names: Names) -> str:
    return f"The file on {name_of(data['target'], names)} says: {side_word(data['is_mafia'])}."


def _role_learned(data: Data, names: Names) -> str:
    dead = name_of(data["dead"], names)
    return f"{name_of(data['seat'], names)} finds out: {dead} was {role_word(data['role'])}."


def _game_ended(data: Data, names: Names) -> str:
    return f"{ENDINGS[data['reason']]} {_unmasked(data, names)}"


def _game_voided(data: Data, names: Names) -> str:
    return f"The game is called off. {_unmasked(data, names)}"


def _unmasked(data: Data, names: Names) -> str:
    roles: dict[str, list[int]] = {}
    for seat, role in data["roles"]:
        roles.setdefault(role, []).append(seat)
    told_roles = (
        f"{role_word(role, len(roles[role])).capitalize()}: {people(roles[role], names)}."
        for role in ROLE_WORDS
        if role in roles
    )
    return " ".join(told_roles)


#: Kind of fact -> its sentence; None where the board shows the fact better than words.
AGORA_SENTENCES: Final[Mapping[str, Teller | None]] = {
    **MAFIA_SENTENCES,
    "game_started": _game_started,
    "role_dealt": _role_dealt,
    "mafia_named": _mafia_named,
    "target_chosen": _target_chosen,
    "citizen_died": _citizen_died,
    "nobody_died": plain_pattern("Nobody died in night {round}."),
    "nobody_lynched": _nobody_lynched,
    "saved_by_doctor": who_pattern("{who} was attacked in the night, and saved by the doctor."),
    "file_read": _file_read,
    "role_learned": _role_learned,
    "game_ended": _game_ended,
    "game_voided": _game_voided,
}

#: The sentences of the game and of the table.
SENTENCES: Final[Mapping[str, Teller | None]] = {**TABLE_SENTENCES, **AGORA_SENTENCES}
