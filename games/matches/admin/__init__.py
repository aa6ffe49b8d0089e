"""Admin pages of matches, flags and web processes."""

from importlib import import_module

from django.contrib import admin

from economy.admin_base import ReadOnlyAdmin
from games import registry
from games.matches.admin import people  # noqa: F401 - registers itself
from games.matches.admin.flags import FlagAdmin  # noqa: F401 - registers itself
from games.matches.admin.matches import MatchAdmin  # noqa: F401 - registers itself
from games.matches.models import WebProcess


@admin.register(WebProcess)
class WebProcessAdmin(ReadOnlyAdmin):
    """Heartbeats and outages."""

    list_display = ("name", "started_at", "beat_at", "closed_at", "lost")
    list_filter = ("lost",)


for game in registry.games():
    if game.admin:
        import_module(game.admin)
