"""Which fields of a type are secret: those that are marked, in it and in all that it holds."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct, inspect


def secret_fields(kind: type[Struct]) -> frozenset[str]:
    """Return the names of a struct's fields marked SECRET."""
    return frozenset(
        field.name
        for field in inspect.type_info(kind).fields  # type: ignore[attr-defined]
        if (getattr(field.type, "extra", None) or {}).get("secret")
    )


def classified(kind: Any) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Return the public and the secret fields of each struct in a type, by the struct's name."""
    public, secret = {}, {}
    for struct in _structs(inspect.type_info(kind), set()):
        marked = secret_fields(struct.cls)
        names = {field.name for field in struct.fields}
        public[struct.cls.__name__] = names - marked
        if marked:
            secret[struct.cls.__name__] = set(marked)
    return public, secret


def _structs(kind: Any, seen: set[type]) -> Iterator[inspect.StructType]:
    if isinstance(kind, inspect.StructType):
        if kind.cls in seen:
            return
        seen.add(kind.cls)
        yield kind
    for name in getattr(kind, "__struct_fields__", ()):
        value = getattr(kind, name)
        inner = value if isinstance(value, tuple) else (value,)
        for each in inner:
            part = each.type if isinstance(each, inspect.Field) else each
            if isinstance(part, inspect.Type):
                yield from _structs(part, seen)
