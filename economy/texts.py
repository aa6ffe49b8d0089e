"""The one rule for texts of people: chat, posts, wills, notes, names, reasons. It stands in the
lowest package, because every other one takes such texts.
Source: docs/reference/protocol.md "What every frame must be".
"""

import re
import unicodedata
from itertools import dropwhile
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError

#: The most marks on one letter: Hebrew with vowels and accents has four.
MOST_MARKS: Final = 4
#: Signs that turn the order of what follows.
_OVERRIDES: Final = frozenset("\u202d\u202e")
_NON_JOINER, _JOINER = "\u200c", "\u200d"
#: Letters and signs that are drawn as nothing.
_INKLESS: Final = "\u115f\u1160\u2800\u3164\uffa0"
#: The flag of a region: a black flag, the tags of its code, a last tag.
_FLAG: Final = re.compile("(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f)")
#: Pictures that are younger than Python's tables.
_PICTURES: Final = re.compile("[\U0001f000-\U0001faff]")
_ENDS_OF_LINES: Final = re.compile("\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
_OTHER_SPACE: Final = re.compile(r"[^\S\n\t]")


class UnfitText(ValueError):
    """Nobody could read the text, or it would cover or turn what stands around it."""


def clean_text(text: str, *, has_lines: bool = False) -> str:
    """Return a text as it is stored: without control and format signs, but with joiners where they
    join, and white space folded, except that of ``has_lines``. Raises UnfitText.
    """
    given = text
    if not (text.isascii() and text.isprintable()):
        if not _OVERRIDES.isdisjoint(text):
            raise UnfitText("A sign in it turns the order of letters round.")
        parts = enumerate(_FLAG.split(text))
        text = "".join(part if no % 2 else _without_unseen(part) for no, part in parts)
        _require_few_marks(text)
    if has_lines:
        text = _OTHER_SPACE.sub(" ", _ENDS_OF_LINES.sub("\n", text)).strip()
    else:
        text = " ".join(text.split()).rstrip(f"{_INKLESS} ")
        # A command hides behind no sign that nobody sees.
        text = "".join(dropwhile(lambda sign: not _has_ink(sign), text))
    if not any(map(_has_ink, text)) and given.strip():
        raise UnfitText("There is nothing to read in it.")
    return text


def _without_unseen(text: str) -> str:
    return "".join(
        sign
        for no, sign in enumerate(text)
        if sign.isprintable() or sign.isspace() or _PICTURES.match(sign) or _joins(text, no)
    )


def _joins(text: str, no: int) -> bool:
    """Whether the sign at a place is a joiner with an effect on what stands around it."""
    if text[no] not in (_NON_JOINER, _JOINER) or no == 0:
        return False
    before = text[no - 1]
    is_between = all(
        not sign.isascii()
        and sign not in _INKLESS
        and (_PICTURES.match(sign) or unicodedata.category(sign)[0] in "LMS")
        for sign in (before, text[no + 1 : no + 2] or " ")
    )
    # A vowel killer is joined to nothing, and an Arabic letter to a gap.
    is_killed = unicodedata.combining(before) == 9
    return is_between or is_killed or unicodedata.bidirectional(before) == "AL"


def _require_few_marks(text: str) -> None:
    marks = 0
    for sign in text:
        if sign in (_NON_JOINER, _JOINER):
            continue
        marks = marks + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
        if marks > MOST_MARKS:
            raise UnfitText(f"A letter has at most {MOST_MARKS} marks.")


def _has_ink(sign: str) -> bool:
    if sign in _INKLESS:
        return False
    return bool(_PICTURES.match(sign)) or unicodedata.category(sign)[0] not in "MZC"


class WrittenField(forms.CharField):
    """A text of people in a form; that of a text area has lines."""

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        try:
            return clean_text(text, has_lines=isinstance(self.widget, forms.Textarea))
        except UnfitText as problem:
            raise ValidationError(str(problem), "invalid") from None

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**super().widget_attrs(widget), "dir": "auto"}
