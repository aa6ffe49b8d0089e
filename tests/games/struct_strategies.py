"""Hypothesis strategies from structs, with the bounds of ``msgspec.Meta`` in their fields."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from msgspec import inspect


def well_formed(kind: Any) -> st.SearchStrategy[Any]:
    return _values(inspect.type_info(kind))


def _values(kind: Any) -> st.SearchStrategy[Any]:
    return _MAKERS[type(kind)](kind)


def _struct(kind: inspect.StructType) -> st.SearchStrategy[Any]:
    needed = {field.name: _values(field.type) for field in kind.fields if field.required}
    others = {field.name: _values(field.type) for field in kind.fields if not field.required}
    return st.fixed_dictionaries(needed, optional=others).map(lambda given: kind.cls(**given))


_MAKERS: dict[type, Callable[[Any], st.SearchStrategy[Any]]] = {
    inspect.Metadata: lambda kind: _values(kind.type),
    inspect.NoneType: lambda kind: st.none(),
    inspect.BoolType: lambda kind: st.booleans(),
    inspect.IntType: lambda kind: st.integers(min_value=kind.ge, max_value=kind.le),
    inspect.FloatType: lambda kind: st.floats(allow_nan=False, allow_infinity=False),
    inspect.AnyType: lambda kind: (
        st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=9)
    ),
    inspect.LiteralType: lambda kind: st.sampled_from(kind.values),
    inspect.EnumType: lambda kind: st.sampled_from(list(kind.cls)),
    inspect.StrType: lambda kind: (
        st.from_regex(kind.pattern).filter(lambda text: len(text) <= (kind.max_length or len(text)))
        if kind.pattern is not None
        else st.text(min_size=kind.min_length or 0, max_size=kind.max_length)
    ),
    inspect.UnionType: lambda kind: st.one_of([_values(each) for each in kind.types]),
    inspect.ListType: lambda kind: st.lists(_values(kind.item_type), max_size=3),
    inspect.DictType: lambda kind: st.dictionaries(
        _values(kind.key_type), _values(kind.value_type), max_size=3
    ),
    inspect.StructType: _struct,
}
