"""One's own notes on a match, and how far one has read there: written by their owner alone.

Source: docs/agora.md "The pages".
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django.db import transaction

from accounts.models import User
from games.engine.errors import IllegalAction
from games.engine.structs import canonical
from games.matches.models import Match, Notebook

#: Characters.
LONGEST_NOTES: Final = 10_000


class WrittenOver(IllegalAction):
    """A later change is there already; detail: no, the number of the last one."""

    code: ClassVar[str] = "stale"


def notebook_of(match: Match, user: User) -> dict[str, Any]:
    """Return one's notes on a match, room -> the last post that one has read, and their number."""
    book = Notebook.objects.filter(match=match, user=user).first() or Notebook()
    return {"notes": book.notes, "read_to": json.loads(book.read_to), "no": book.no}


def write_notebook(
    match: Match, user: User, no: int, notes: str | None, read_to: Mapping[str, int]
) -> None:
    """Change notes (None: as they are) and marks; a mark never goes back.

    Args:
        no: larger than that of the last change, so that one that was long on its way is none.

    Raises:
        WrittenOver: it is not.
    """
    with transaction.atomic():
        # Under the user's lock: two windows may open the book at once.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        book = Notebook.objects.filter(match=match, user=user).first()
        book = book or Notebook(match=match, user=user)
        if no <= book.no:
            raise WrittenOver("this was written over meanwhile", no=book.no)
        known = json.loads(book.read_to)
        marks = {room: max(known.get(room, 0), last) for room, last in read_to.items()}
        book.read_to = canonical({**known, **marks})
        book.notes = book.notes if notes is None else notes
        book.no = no
        book.save()
