"""What every page knows of practice."""

from django.http import HttpRequest
from django.urls import reverse

from games.practice.opening import has_lesson


def lesson(request: HttpRequest) -> dict[str, str]:
    """Return the address of the lesson, empty where no game has one."""
    return {"lesson_url": reverse("learn") if has_lesson() else ""}
