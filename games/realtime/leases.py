"""A lease: one process at a time leads what is in one row's name; and the time of the database."""

import os
import secrets
import socket
from datetime import datetime, timedelta
from typing import Final

from django.db import connection, models
from django.utils import timezone

from economy.sql import fetch

#: The duration of a lease, and the remaining time below which it is renewed.
HELD: Final = timedelta(seconds=3)
RENEWED: Final = timedelta(seconds=2)


class Leased(models.Model):
    """The process that leads, and the end of its lease; each application has a table of its own."""

    name = models.CharField(max_length=20, primary_key=True)
    holder = models.CharField(max_length=100)
    until = models.DateTimeField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"lease {self.name}"

    @classmethod
    def is_held(cls, name: str, holder: str, at: datetime) -> bool:
        """Whether this process holds the lease."""
        return cls._default_manager.filter(name=name, holder=holder, until__gt=at).exists()

    @classmethod
    def may_take(
        cls, name: str, holder: str, at: datetime, patience: timedelta = timedelta()
    ) -> bool:
        """Whether the lease is this process's, or has been free for ``patience``; reads only."""
        lease = cls._default_manager.filter(name=name).first()
        if lease is None or lease.until + patience <= at:
            return True
        return lease.holder == holder and lease.until > at

    @classmethod
    def take(cls, name: str, holder: str, at: datetime) -> timedelta | None:
        """Take or renew the lease; return how long it had no holder, None when another process
        holds it. The row stays locked, and the leader the same, until the transaction ends.
        """
        cls._default_manager.get_or_create(name=name, defaults={"holder": "", "until": at})
        lease = cls._default_manager.select_for_update().get(name=name)
        if lease.holder != holder and lease.until > at:
            return None
        gap = max(at - lease.until, timedelta())
        if lease.holder != holder or lease.until - at < RENEWED:
            cls._default_manager.filter(name=name).update(holder=holder, until=at + HELD)
        return gap

    @classmethod
    def release(cls, name: str, holder: str, at: datetime) -> None:
        held = cls._default_manager.filter(name=name, holder=holder, until__gt=at)
        held.update(until=at)


def new_holder() -> str:
    """Return a name for a process that may hold leases."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


def moment() -> datetime:
    """Return the database's time, by which all processes agree; SQLite's is the machine's."""
    if connection.vendor != "postgresql":
        return timezone.now()
    # The ORM has no form of it.
    ((now,),) = fetch("SELECT clock_timestamp()")
    found: datetime = now
    return found
