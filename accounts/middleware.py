"""What happens on every visit: the browser is noted, and whoever is broke gets the stipend."""

import logging
from collections.abc import Callable

from django.contrib import messages
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from accounts import devices
from accounts.models import User
from accounts.services import take_stipend

log = logging.getLogger(__name__)


class VisitMiddleware:
    """Stands after sessions, log-in and messages; a page never fails because of it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Give the stipend before the page is made, note the browser after it."""
        if request.method == "GET" and isinstance(request.user, User):
            self._pay(request, request.user)
        response = self.get_response(request)
        try:
            devices.remember(request, response)
        except DatabaseError:
            log.exception("a device could not be noted")
        return response

    def _pay(self, request: HttpRequest, user: User) -> None:
        try:
            paid = take_stipend(user=user)
        except DatabaseError:
            log.exception("a stipend could not be paid")
            return
        if paid:
            messages.success(request, f"You are broke: the house gives you {paid} points today.")
