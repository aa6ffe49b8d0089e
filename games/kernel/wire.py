"""How the actions of a game look on the wire: a map of the kind and the action's fields.

Source: docs/protocol.md, "Actions".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import Enum
from typing import Any, TypeVar

from games.kernel.errors import BadField

Kind = TypeVar("Kind")
#: (kind, field) -> how the field is read from its name and value.
Readers = Mapping[tuple[str, str], Callable[[str, object], Any]]


def write_action(action: Any) -> dict[str, Any]:
    """Write an action, a dataclass with its ``kind``, as it goes over the wire."""
    values = {field.name: getattr(action, field.name) for field in fields(action)}
    plain = {k: v.value if isinstance(v, Enum) else v for k, v in values.items()}
    return {"kind": action.kind, **plain}


def read_action(
    raw: Mapping[str, Any], actions: Mapping[str, type[Kind]], readers: Readers
) -> Kind:
    """Read one of these actions; nothing is converted, nothing is ignored.

    Raises:
        BadField: the kind is unknown, a key is unknown or missing, or a reader refuses a value.
    """
    if not isinstance(raw, Mapping):
        raise BadField("an action is a map", field="action")
    kind = raw.get("kind")
    if type(kind) is not str or kind not in actions:
        raise BadField("there is no such action", field="kind")
    action: Any = actions[kind]
    names = [field.name for field in fields(action)]
    for name in raw:
        if name != "kind" and name not in names:
            raise BadField("an unknown field", field=str(name))
    for name in names:
        if name not in raw:
            raise BadField("a field is missing", field=name)
    made: Kind = action(**{name: readers[kind, name](name, raw[name]) for name in names})
    return made
