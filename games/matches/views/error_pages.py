"""Pages for refusals that Django answers with an empty body."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

METHOD_NOT_ALLOWED = 405

Next = Callable[[HttpRequest], HttpResponse]


class MethodPages:
    """Middleware that renders a page for an empty 405 response to a browser."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response; replace an empty 405 by a page for clients that accept HTML."""
        response = self.get_response(request)
        is_blank = response.status_code == METHOD_NOT_ALLOWED and not response.content
        if not is_blank or not request.accepts("text/html"):
            return response
        page = render(request, "405.html", status=METHOD_NOT_ALLOWED)
        page["Allow"] = response["Allow"]
        return page
