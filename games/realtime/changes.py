"""Changes for the clients that ask for them: rows of the lobby's lists, parts of a view."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

Row = Mapping[str, Any]

_KEYS: Final[msgspec.json.Decoder[dict[str, msgspec.Raw]]] = msgspec.json.Decoder(
    dict[str, msgspec.Raw]
)


def changed_rows(
    before: Mapping[str, Sequence[Row]], after: Mapping[str, Sequence[Row]]
) -> dict[str, dict[str, Any]]:
    """Return the changes of each list that differs, by slug: ``gone``, the keys of rows to take
    out, and ``rows``, each with its place. Their older versions are taken out too, before the first
    is put in.
    """
    found = {}
    for slug, rows in after.items():
        old = before.get(slug, ())
        if old != rows:
            found[slug] = _changes(old, rows)
    return found


def _changes(before: Sequence[Row], after: Sequence[Row]) -> dict[str, Any]:
    old = {row["public_id"]: row for row in before}
    new = {row["public_id"]: row for row in after}
    same = [key for key, row in new.items() if old.get(key) == row]
    kept = set(same)
    if same != [key for key in old if key in kept]:
        # Rows that changed places are sent again; those of matches never do.
        kept = set()
    rows = [[place, row] for place, (key, row) in enumerate(new.items()) if key not in kept]
    return {"gone": [key for key in old if key not in new], "rows": rows}


# The sockets of one audience were shown the same bytes: its parts are made once for all of them.
@lru_cache(maxsize=16)
def changed_parts(before: bytes, after: bytes) -> bytes | None:
    """Return the keys of an encoded view that differ from those of its viewer's last one, whole;
    None where the view itself is to be sent: its keys are others, or all have changed.
    """
    old, new = _KEYS.decode(before), _KEYS.decode(after)
    changed = {key: value for key, value in new.items() if bytes(value) != bytes(old.get(key, b""))}
    if old.keys() != new.keys() or len(changed) == len(new):
        return None
    return msgspec.json.encode(changed)
