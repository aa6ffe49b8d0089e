"""Refusals that Django answers with an empty page, as pages with a way back."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

METHOD_NOT_ALLOWED = 405

Next = Callable[[HttpRequest], HttpResponse]


class MethodPages:
    """Gives browsers a page where an address was asked in the wrong way."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, with a page instead of an empty 405 for whoever takes pages."""
        response = self.get_response(request)
        is_blank = response.status_code == METHOD_NOT_ALLOWED and not response.content
        if not is_blank or not request.accepts("text/html"):
            return response
        page = render(request, "405.html", status=METHOD_NOT_ALLOWED)
        page["Allow"] = response["Allow"]
        return page
