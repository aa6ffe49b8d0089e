"""The log of what administrators do: the only writer of ``AdminRecord``."""

import json
from collections.abc import Mapping
from datetime import date
from typing import Any, Final, NamedTuple, Protocol

from django.db import connection, transaction
from django.db.models import CharField, Model, QuerySet
from django.utils import timezone

from economy.models import LONGEST_REASON, AdminRecord
from economy.sql import Compiled, Given
from economy.transfers import user_owner

#: The action under which a look at the hidden state of a live match is recorded.
LOOKED: str = "match_unmasked"


class Person(Protocol):
    """The attributes of a user that the economy needs."""

    pk: Any

    def get_username(self) -> str: ...


class Actor(NamedTuple):
    """The administrator who acted: the owner of a wallet, and the name."""

    owner: str
    name: str


class Change(NamedTuple):
    """The values before and after a change."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]


def actor_of(user: Person) -> Actor:
    """Return a user as the actor of a record."""
    return Actor(user_owner(user.pk), user.get_username())


def write_record(
    actor: Actor, action: str, target: str, *, reason: str = "", change: Change | None = None
) -> AdminRecord:
    """Record what an administrator did, in the transaction that does it. Raises
    TransactionManagementError outside one.
    """
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("a record belongs to its change's transaction")
    return AdminRecord.objects.create(
        at=timezone.now(),
        actor=actor.owner,
        actor_name=actor.name,
        action=action,
        target=target[:160],
        reason=reason[:LONGEST_REASON],
        before=canonical(change.before) if change else "",
        after=canonical(change.after) if change else "",
    )


def looks_at(target: str) -> list[AdminRecord]:
    """Return the recorded looks at a match's secrets, the oldest first."""
    return _LOOKS_AT.objects(AdminRecord, target=target)


def has_looked_at(owner: str, target: str) -> bool:
    """Whether a user has looked at a match's secrets."""
    return bool(_LOOKS.rows(owner=owner, target=target))


_LOOKS_AT: Final = Compiled(
    lambda: AdminRecord.objects.filter(target=Given("target", CharField()), action=LOOKED).order_by(
        "pk"
    )
)
_LOOKS: Final = Compiled(
    lambda: AdminRecord.objects.filter(
        target=Given("target", CharField()), action=LOOKED, actor=Given("owner", CharField())
    ).values_list("pk")[:1]
)


def canonical(value: Any) -> str:
    """Return the canonical text of a value: JSON, sorted keys, ASCII.
    >>> canonical({"b": 1, "a": [True, None]})
    '{"a":[null,true],"b":1}'
    """
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"))


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, QuerySet | list | tuple | set | frozenset):
        return sorted((_plain(item) for item in value), key=str)
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if not isinstance(value, Model) else f"{value.pk}: {value}"
