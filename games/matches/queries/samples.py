"""Random rows of a large table, without reading the table."""

import random
from typing import TypeVar

from django.db.models import Model, QuerySet

Row = TypeVar("Row", bound=Model)


def sample_of(rows: QuerySet[Row], count: int) -> list[Row]:
    """Return at most ``count`` different rows: each the next one after a random key. All rows, if
    they are no more.  Rows after a gap in the keys are drawn more often.
    """
    first = list(rows.order_by("pk")[: count + 1])
    if len(first) <= count:
        return first
    # Without the conditions, and one by one: each is the end of an index.
    keys = rows.model._default_manager.order_by("pk").values_list("pk", flat=True)
    least, most = keys[0], keys.reverse()[0]
    found = dict[int, Row]()
    for _ in range(count):
        key = random.randint(least, most)
        row = rows.filter(pk__gte=key).order_by("pk").first()
        if row is not None:
            found[row.pk] = row
    return list(found.values())
