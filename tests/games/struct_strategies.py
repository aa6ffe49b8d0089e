"""Hypothesis strategies from the structs themselves, with the bounds that their fields name.

Hypothesis's own ``from_type`` knows the types, but not what ``msgspec.Meta`` says of them.
"""

from typing import Any

from hypothesis import strategies as st
from msgspec import inspect


def well_formed(kind: Any) -> st.SearchStrategy[Any]:
    """Return what makes values of a type, within its bounds."""
    return _values(inspect.type_info(kind))


def _values(kind: inspect.Type) -> st.SearchStrategy[Any]:
    match kind:
        case inspect.Metadata():
            return _values(kind.type)
        case inspect.NoneType():
            return st.none()
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType():
            return st.integers(min_value=kind.ge, max_value=kind.le)
        case inspect.FloatType():
            return st.floats(allow_nan=False, allow_infinity=False)
        case inspect.AnyType():
            return st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=9)
        case inspect.LiteralType():
            return st.sampled_from(kind.values)
        case inspect.EnumType():
            return st.sampled_from(list(kind.cls))
        case inspect.StrType(pattern=None):
            return st.text(min_size=kind.min_length or 0, max_size=kind.max_length)
        case inspect.StrType(pattern=pattern):
            return st.from_regex(pattern)
        case inspect.UnionType():
            return st.one_of([_values(each) for each in kind.types])
        case inspect.ListType():
            return st.lists(_values(kind.item_type), max_size=3)
        case inspect.DictType():
            return st.dictionaries(_values(kind.key_type), _values(kind.value_type), max_size=3)
        case inspect.StructType():
            needed = {each.name: _values(each.type) for each in kind.fields if each.required}
            others = {each.name: _values(each.type) for each in kind.fields if not each.required}
            given = st.fixed_dictionaries(needed, optional=others)
            return given.map(lambda values: kind.cls(**values))
    raise NotImplementedError(f"no values of {kind}")
