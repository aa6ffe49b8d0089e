"""The admin's site: no list may be asked for a field that is not among its filters. A filter in the
address, such as ``?state__regex=``, would tell what a list hides, a bit a request.
"""

from functools import update_wrapper
from typing import Any, Final

from django.contrib.admin import ModelAdmin
from django.contrib.admin.apps import AdminConfig
from django.db import DataError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from unfold.sites import UnfoldAdminSite

from economy.admin_links import seen_by

#: The comparisons that the admin's own filters put into an address.
COMPARISONS: Final = ("exact", "in", "isnull", "isempty", "gte", "lt", "year", "month", "day")


class ClosedLists:
    """Mixin of every model admin: a list takes the lookups of its filters and no others."""

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        name, _, comparison = lookup.rpartition("__")
        names = filtered_names(self, request)
        return lookup in names or (name in names and comparison in COMPARISONS)

    def get_object(self, request: HttpRequest, object_id: str, from_field: Any = None) -> Any:
        try:
            with transaction.atomic():
                found = super().get_object  # type: ignore[misc]
                return found(request, object_id, from_field)
        except (DataError, OverflowError):
            # The key is a number that the database cannot store.
            return None


class Site(UnfoldAdminSite):
    """The site on which every model admin gets ``ClosedLists``, those of libraries included."""

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        given = admin_class or ModelAdmin
        closed = type(given.__name__, (ClosedLists, given), {"__module__": given.__module__})
        super().register(model_or_iterable, closed, **options)

    def get_urls(self) -> list[Any]:
        # The view needs models, which are not loaded with the admin's app.
        from rpsite.admin_dashboard import answer

        return [path("ante/", self.admin_view(answer), name="ante"), *super().get_urls()]

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Make each page whole while its links know for whom it is."""

        def seen(request: HttpRequest, *given: Any, **named: Any) -> Any:
            with seen_by(request):
                answer = view(request, *given, **named)
                return answer.render() if hasattr(answer, "render") else answer

        return super().admin_view(update_wrapper(seen, view), cacheable)

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Redirect to the account's page, which limits wrong passwords and mails the owner."""
        return redirect("account_change_password")


class AdminApp(AdminConfig):
    """Django's admin with this site."""

    default_site = "rpsite.admin_site.Site"


def filtered_names(model_admin: Any, request: HttpRequest | None) -> set[str]:
    """Return the fields and parameters that a list may be filtered by."""
    filters = model_admin.list_filter if request is None else model_admin.get_list_filter(request)
    names = {model_admin.date_hierarchy} - {None}
    for each in filters:
        names.add(getattr(each, "parameter_name", each[0] if isinstance(each, tuple) else each))
    return names
