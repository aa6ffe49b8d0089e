"""Links and words of the admin, instead of keys and JSON."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from django.contrib import admin
from django.contrib.admin.utils import quote
from django.db.models import CharField, Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

#: The request whose page is made: its user gets no links to what is forbidden to them.
_request: Final[ContextVar[HttpRequest | None]] = ContextVar("admin_request", default=None)


@contextmanager
def seen_by(request: HttpRequest) -> Iterator[None]:
    """Make links for the user of a request."""
    token = _request.set(request)
    try:
        yield
    finally:
        _request.reset(token)


def may_view(model: type[Model]) -> bool:
    """Whether who sees the page may open a model's pages."""
    request, pages = _request.get(), admin.site._registry.get(model)
    return request is not None and pages is not None and pages.has_view_permission(request)


def may(permission: str) -> bool:
    """Whether who sees the page has a permission."""
    request = _request.get()
    return request is not None and request.user.has_perm(permission)


def link_to(row: Model, words: object = None) -> SafeString:
    """Return a link to a row's page, or only its words to whom that is forbidden."""
    words = row if words is None else words
    return link(page_of(row), words) if may_view(type(row)) else format_html("{}", words)


def link(address: str, words: object) -> SafeString:
    """Return a link in the admin's style."""
    look = "font-medium text-primary-600 dark:text-primary-400"
    return format_html('<a class="{}" href="{}">{}</a>', look, address, words)


def page_of(row: Model) -> str:
    """Return the address of a row's page."""
    meta = row._meta
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[quote(row.pk)])


def links_to(rows: Iterable[Model]) -> SafeString:
    """Return links to rows, with commas between them."""
    return format_html_join(", ", "{}", ((link_to(row),) for row in rows))


def target_links(targets: Iterable[str]) -> dict[str, SafeString | str]:
    """Return links to subjects of records, such as ``user:12``, or plain texts: one query for each
    model, whose admin may say their words as ``words_of``.
    """
    found: dict[str, SafeString | str] = {target: target for target in targets}
    keys: dict[str, list[str]] = defaultdict(list)
    for kind, _, key in (target.partition(":") for target in found):
        keys[kind].append(key)
    for model, pages in admin.site._registry.items():
        kind, is_text = str(model._meta.model_name), isinstance(model._meta.pk, CharField)
        if not may_view(model):
            # The subject stays plain: its words may say what the page does.
            continue
        wanted = [key for key in keys.pop(kind, []) if is_text or key.isdigit()]
        for pk, row in model._default_manager.in_bulk(wanted).items():
            found[f"{kind}:{pk}"] = link_to(row, getattr(pages, "words_of", str)(row))
    return found


def target_link(target: str) -> SafeString | str:
    """Return a link to one subject of a record."""
    return target_links([target])[target]


def in_words(values: Mapping[str, Any]) -> str:
    """Return values with their names.
    >>> in_words({"is_frozen": True, "until": None, "lost": 40})
    'frozen: yes · until: none · lost: 40'
    """
    return " · ".join(f"{_name(name)}: {_value(value)}" for name, value in values.items())


def change_in_words(before: str, after: str) -> str:
    """Return the changed fields, from the two JSON texts of a record.
    >>> change_in_words('{"value":5}', '{"value":7}')
    'value: 5 → 7'
    """
    was, is_now = json.loads(before or "{}"), json.loads(after or "{}")
    told = []
    for name in dict.fromkeys([*was, *is_now]):
        pair = [_value(values[name]) for values in (was, is_now) if name in values]
        told.append(f"{_name(name)}: {' → '.join(pair)}")
    return " · ".join(told)


def _name(name: str) -> str:
    return name.removeprefix("is_").replace("_", " ")


def _value(value: Any) -> str:
    if value is None or value == "":
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_value, value)) or "none"
    return in_words(value) if isinstance(value, dict) else str(value)
