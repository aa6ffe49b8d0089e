"""The facts of Agoran Mafia in words, private facts included, for the story after the end."""

from collections.abc import Mapping
from typing import Any, Final

from games.mafia.common.rules.roster import NOBODY
from games.mafia.common.words import BOARD as MAFIA_BOARD
from games.mafia.common.words import MAFIA_SENTENCES, choice_word, unmasked
from games.text.table_words import TABLE_SENTENCES
from games.text.telling import Data, Names, Teller, listed, name_of, plain_pattern, who_pattern

#: Role -> its name in the singular and in the plural.
ROLE_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "citizen": ("ordinary citizen", "ordinary citizens"),
    "doctor": ("doctor", "doctors"),
    "sheriff": ("sheriff", "sheriffs"),
    "detective": ("detective", "detectives"),
    "mafioso": ("mafioso", "mafiosi"),
    "agent": ("agent of the mafia", "agents of the mafia"),
}
ABOUT: Final[Mapping[str, str]] = {
    "citizen": "No night action. Watch, talk, vote.",
    "doctor": "Each night, protect one citizen from the mafia, or nobody.",
    "sheriff": "Each night, read the file on one citizen. At dawn it says MAFIA or NOT MAFIA.",
    "detective": "You learn in private the role of everybody who dies. No night action.",
    "mafioso": "Each night the mafia kills one citizen, or nobody. The last choice counts.",
    "agent": "Each night, forge one file, or none: the sheriff then reads the opposite.",
}
#: Role -> its goal and a tip, on the card at the start.
CARDS: Final[Mapping[str, tuple[str, str]]] = {
    "citizen": ("Find the mafia and vote it out.", "Watch who votes for whom, and who is late."),
    "doctor": ("Keep the town alive.", "You may protect yourself. Do not tell too early."),
    "sheriff": ("Find the mafia by its files.", "Tell when your file can decide a vote."),
    "detective": ("Find the mafia by its dead.", "The roles of the dead show who spoke the truth."),
    "mafioso": ("Be as many as the town.", "By day, talk and vote like a worried citizen."),
    "agent": ("Help the mafia outlive the town.", "Forge the file that the sheriff will read."),
}
#: Role -> the question about its choice at night, and the verb of the choice once made.
NIGHT_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "doctor": ("Whom do you protect tonight?", "protected"),
    "sheriff": ("Whose file do you read tonight?", "read the file on"),
    "mafioso": ("Who dies tonight?", "chose to kill"),
    "agent": ("Whose file will you forge tonight?", "forged the file on"),
}
#: The text of a file on the town and on the mafia.
FILES: Final = ("NOT MAFIA", "MAFIA")
#: Cause of death -> its sentence.
DEATHS: Final[Mapping[str, str]] = {
    "killed": "{who} was killed in the night.",
    "lynched": "{who} is lynched.",
    "left": "{who} has left town, and is dead to it.",
}
#: Cause of death, with its stage where that is not the same -> its text, with the round.
FATES: Final[Mapping[str, str]] = {
    "killed": "killed in night {round}",
    "lynched": "lynched on day {round}",
    "left": "left town in round {round}",
    "left night": "left town in night {round}",
    "left day": "left town on day {round}",
}
#: Reason for the end -> the headline and the reason in words.
ENDINGS: Final[Mapping[str, tuple[str, str]]] = {
    "mafia_dead": ("The town wins", "The last of the mafia is dead."),
    "mafia_equal": ("The mafia wins", "At least as many of the mafia live as of the town."),
    "quiet": ("A draw", "Nobody has died for too long."),
}
#: The labels of the options that only this game has.
OPTIONS: Final[Mapping[str, str]] = {
    "early_end": "A night ends early when everyone is done",
    "reveal_on_death": "Reveal roles on death",
}
#: The words of the board, by the folder of its scripts.
BOARD: Final[Mapping[str, Any]] = {
    "mafia": MAFIA_BOARD,
    "agora": {
        "roles": ROLE_WORDS,
        "about": ABOUT,
        "cards": CARDS,
        "night": NIGHT_WORDS,
        "files": FILES,
        "fates": FATES,
        "endings": ENDINGS,
        "options": OPTIONS,
    },
}


def role_word(role: str, number: int = 1) -> str:
    """Return the name of a role in the singular or the plural.
    >>> role_word("mafioso"), role_word("mafioso", 2)
    ('mafioso', 'mafiosi')
    """
    one, several = ROLE_WORDS[role]
    return one if number == 1 else several


def _game_started(data: Data, names: Names) -> str:
    roles = listed(f"{number} {role_word(role, number)}" for role, number in data["roles"])
    return f"{len(data['seats'])} citizens: {roles}. Nobody knows who is who."


def _mafia_named(data: Data, names: Names) -> str:
    members = (f"{name_of(seat, names)} ({role_word(role)})" for seat, role in data["members"])
    return f"The mafia: {listed(members)}."


def _target_chosen(data: Data, names: Names) -> str:
    who, whom = name_of(data["seat"], names), choice_word(data["target"], names)
    _, acted = NIGHT_WORDS[data["role"]]
    if data["role"] != "mafioso":
        return f"{who}, {role_word(data['role'])}, {acted} {whom}."
    return f"The mafia ({who}) {'kills nobody' if data['target'] == NOBODY else f'{acted} {whom}'}."


def _citizen_died(data: Data, names: Names) -> str:
    who = name_of(data["seat"], names)
    if data["role"] is not None:
        article = {"citizen": "an", "mafioso": "a"}.get(data["role"], "the")
        who = f"{who}, {article} {role_word(data['role'])},"
    return DEATHS[data["cause"]].format(who=who)


def _nobody_lynched(data: Data, names: Names) -> str:
    if data["is_wanted"]:
        return "The town has decided to lynch nobody."
    return "The town did not agree in time: nobody is lynched."


def _role_learned(data: Data, names: Names) -> str:
    who, dead = name_of(data["seat"], names), name_of(data["dead"], names)
    return f"{who} finds out the role of {dead}: {role_word(data['role'])}."


def _game_ended(data: Data, names: Names) -> str:
    headline, reason = ENDINGS[data["reason"]]
    return f"{headline}: {reason[0].lower()}{reason[1:]} {_unmasked(data, names)}"


def _unmasked(data: Data, names: Names) -> str:
    def word(role: str, number: int) -> str:
        return role_word(role, number).capitalize()

    return unmasked(data["roles"], ROLE_WORDS, word, names)


#: Kind of fact -> its sentence; None where the board shows the fact better than words.
AGORA_SENTENCES: Final[Mapping[str, Teller | None]] = {
    **MAFIA_SENTENCES,
    "game_started": _game_started,
    "role_dealt": lambda data, names: f"{name_of(data['seat'], names)}: {role_word(data['role'])}.",
    "mafia_named": _mafia_named,
    "target_chosen": _target_chosen,
    "citizen_died": _citizen_died,
    "nobody_died": plain_pattern("Nobody died in night {round}."),
    "nobody_lynched": _nobody_lynched,
    "saved_by_doctor": who_pattern("{who} was attacked in the night, and saved by the doctor."),
    "file_read": lambda data, names: (
        f"The file on {name_of(data['target'], names)} says: {FILES[data['is_mafia']]}."
    ),
    "role_learned": _role_learned,
    "game_ended": _game_ended,
    "game_voided": lambda data, names: f"The game is called off. {_unmasked(data, names)}",
}

#: The sentences of the game and of the table.
SENTENCES: Final[Mapping[str, Teller | None]] = {**TABLE_SENTENCES, **AGORA_SENTENCES}
