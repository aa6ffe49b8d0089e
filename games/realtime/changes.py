"""What clients get that asked for changes alone: rows of the lobby's lists."""

from collections.abc import Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]


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
