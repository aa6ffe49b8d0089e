"""Private notes of a user on a match, with the last post read in each room."""

import json
from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction

from accounts.models import User
from games.engine.errors import IllegalAction, refuse
from games.engine.structs import canonical
from games.matches.models import Match, Notebook
from games.matches.processing.submissions import written
from games.matches.queries.selectors import has_played

#: Characters.
LONGEST_NOTES: Final = 10_000


class WrittenOver(IllegalAction):
    """A later change is stored already; detail: no, the number of the last one."""

    code = "stale"


def notebook_of(match: Match, user: User) -> dict[str, Any]:
    """Return a user's notes on a match, the last post read per room, and the change number."""
    book = Notebook.objects.filter(match=match, user=user).first() or Notebook()
    return {"notes": book.notes, "read_to": json.loads(book.read_to), "no": book.no}


def write_notebook(
    match: Match, user: User, no: int, notes: str | None, read_to: Mapping[str, int]
) -> None:
    """Store notes (None: unchanged) and the last posts read, which never go back. Raises
    WrittenOver unless ``no`` is larger than the last change's; action/not_seated for notes of a
    user who never had a seat; BadField.
    """
    if notes is not None and not has_played(match, user.pk):
        refuse("action/not_seated", "only players keep notes")
    if notes is not None:
        notes = written(notes, "notes")
    with transaction.atomic():
        # Under the user's lock: two windows may create the notebook at once.
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
