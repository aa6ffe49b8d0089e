"""The context that practice adds to every page."""

from django.http import HttpRequest
from django.urls import reverse

from games.practice.opening import has_lesson


def lesson(request: HttpRequest) -> dict[str, str]:
    """Return the URL of the lesson, empty if no game has one."""
    return {"lesson_url": reverse("learn") if has_lesson() else ""}
