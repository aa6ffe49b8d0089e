"""Locks of tasks whose runs must not overlap, in the database, which alone survives everything. Not
in the cache, which forgets entries when it is full.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final

from django.db.models import Q
from django.utils import timezone

from accounts.models import TaskLock

#: A task is killed before this, so an older lock has no owner.
LOCKED_FOR: Final = timedelta(seconds=60)


@contextmanager
def only_run(name: str) -> Iterator[bool]:
    """Give whether no other run of a task is under way; a killed one counts for a minute."""
    now = timezone.now()
    ours = now + LOCKED_FOR
    TaskLock.objects.get_or_create(name=name)
    row = TaskLock.objects.filter(name=name)
    # Further ahead than any run says: the machine's clock was set back.
    is_free = Q(held_until=None) | Q(held_until__lte=now) | Q(held_until__gt=ours)
    is_ours = row.filter(is_free).update(held_until=ours) == 1
    try:
        yield is_ours
    finally:
        if is_ours:
            row.filter(held_until=ours).update(held_until=None)
