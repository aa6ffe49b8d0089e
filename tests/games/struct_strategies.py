"""Hypothesis strategies from the structs themselves, with the bounds that their fields name.

Hypothesis's own ``from_type`` knows the types, but not what ``msgspec.Meta`` says of them.
"""

from functools import singledispatch
from typing import Any

from hypothesis import strategies as st
from msgspec import inspect


def well_formed(kind: Any) -> st.SearchStrategy[Any]:
    """Return what makes values of a type, within its bounds."""
    return _values(inspect.type_info(kind))


@singledispatch
def _values(kind: inspect.Type) -> st.SearchStrategy[Any]:
    raise NotImplementedError(f"no values of {kind}")


@_values.register
def _(kind: inspect.Metadata) -> st.SearchStrategy[Any]:
    return _values(kind.type)


@_values.register
def _(kind: inspect.NoneType) -> st.SearchStrategy[Any]:
    return st.none()


@_values.register
def _(kind: inspect.BoolType) -> st.SearchStrategy[Any]:
    return st.booleans()


@_values.register
def _(kind: inspect.IntType) -> st.SearchStrategy[Any]:
    return st.integers(min_value=kind.ge, max_value=kind.le)


@_values.register
def _(kind: inspect.FloatType) -> st.SearchStrategy[Any]:
    return st.floats(allow_nan=False, allow_infinity=False)


@_values.register
def _(kind: inspect.AnyType) -> st.SearchStrategy[Any]:
    return st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=9)


@_values.register
def _(kind: inspect.LiteralType) -> st.SearchStrategy[Any]:
    return st.sampled_from(kind.values)


@_values.register
def _(kind: inspect.EnumType) -> st.SearchStrategy[Any]:
    return st.sampled_from(list(kind.cls))


@_values.register
def _(kind: inspect.StrType) -> st.SearchStrategy[Any]:
    if kind.pattern is not None:
        return st.from_regex(kind.pattern)
    return st.text(min_size=kind.min_length or 0, max_size=kind.max_length)


@_values.register
def _(kind: inspect.UnionType) -> st.SearchStrategy[Any]:
    return st.one_of([_values(each) for each in kind.types])


@_values.register
def _(kind: inspect.ListType) -> st.SearchStrategy[Any]:
    return st.lists(_values(kind.item_type), max_size=3)


@_values.register
def _(kind: inspect.DictType) -> st.SearchStrategy[Any]:
    return st.dictionaries(_values(kind.key_type), _values(kind.value_type), max_size=3)


@_values.register
def _(kind: inspect.StructType) -> st.SearchStrategy[Any]:
    needed = {field.name: _values(field.type) for field in kind.fields if field.required}
    others = {field.name: _values(field.type) for field in kind.fields if not field.required}
    return st.fixed_dictionaries(needed, optional=others).map(lambda given: kind.cls(**given))
