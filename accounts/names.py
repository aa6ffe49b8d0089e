"""Rules for the names of players."""

import re
from typing import Final

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator

NAME_PATTERN: Final = r"[A-Za-z0-9_-]{3,20}"

#: The form of a name; also a validator of the model's field.
is_well_formed: Final = RegexValidator(
    rf"\A{NAME_PATTERN}\Z",
    "A name is 3 to 20 letters (A to Z), digits, _ or -.",
    code="name_malformed",
)

#: Pairs and characters that look alike once case is folded.  I (and so i), l
#: and 1 are one character.
_PAIRS: Final = (("rn", "m"), ("vv", "w"))
_CHARACTERS: Final = str.maketrans({"0": "o", "1": "l", "i": "l", "_": None, "-": None})

_RESERVED_NAMES: Final = """
    about account accounts admin administrator administration all anonymous anyone api arena
    bank banker bot bots casino croupier dealer deleted-user everybody everyone
    false guest help helpdesk host house info login logout mafia mail master me mint
    mod moderation moderator mods nobody none null official operator owner player
    players postmaster racket referee reset rock-and-racket rock-racket rockracket root
    security self server service settings shop signup sink site spectator spectators staff
    steward superuser support sysadmin system table tables town treasury true undefined
    user users webmaster you
"""


def name_key(name: str) -> str:
    """Fold characters that look alike: only one name of each key can exist.
    >>> name_key("Adrnin_") == name_key("ADMIN")
    True
    """
    key = name.casefold().translate(_CHARACTERS)
    for pair, single in _PAIRS:
        key = key.replace(pair, single)
    return key


RESERVED_KEYS: Final = frozenset(name_key(name) for name in _RESERVED_NAMES.split())
#: The end of a program's name, which no other name has.
PROGRAM_END: Final = "_bot"
_LOOKS_LIKE_A_PROGRAM: Final = re.compile(r"[_-]b[o0]t[_-]*\Z")


def is_programs(name: str) -> bool:
    """Whether a name ends as only those of programs do.
    >>> is_programs("ann_bot"), is_programs("Ann-B0T-"), is_programs("abbot")
    (True, True, False)
    """
    return bool(_LOOKS_LIKE_A_PROGRAM.search(name.casefold()))


def is_reserved(name: str) -> bool:
    """Whether a name, or one that looks like it, is reserved for the house."""
    key = name_key(name)
    of_deleted = re.fullmatch(rf"{name_key('deleted')}[lo\d]*", key)
    return not key or key in RESERVED_KEYS or bool(of_deleted)


def check_form(name: str) -> None:
    """Raises ValidationError for a malformed name."""
    is_well_formed(name)
    if not name_key(name):
        raise ValidationError("A name needs a letter or a digit.", code="name_malformed")


def name_refused() -> ValidationError:
    """Return the error for a taken, reserved or look-alike name; it does not reveal which."""
    return ValidationError(
        "This name is taken, reserved, or looks like one that is.", code="name_taken_or_reserved"
    )
