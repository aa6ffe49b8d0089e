"""Matches in the admin: to look at, with every secret of a live one left out."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from games.models import Match, WebProcess


class ReadOnlyAdmin(admin.ModelAdmin):
    """Rows that only the services write."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody adds a row by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes a row by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody deletes a row by hand."""
        return False


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    """Titles, times and the commitment; state, seed and logs are not shown here."""

    list_display = ("title", "public_id", "status", "opened_by", "opened_at", "ended_at")
    list_filter = ("status", "game", "listed")
    search_fields = ("title", "public_id", "opened_by__username")
    fields = (
        "public_id", "game", "rules_version", "title", "status", "listed", "spectators",
        "seed_commitment", "opened_by", "opened_at", "started_at", "ended_at", "due_at",
        "stalled_at", "void_reason",
    )  # fmt: skip
    readonly_fields = fields


@admin.register(WebProcess)
class WebProcessAdmin(ReadOnlyAdmin):
    """Heartbeats and outages."""

    list_display = ("name", "started_at", "beat_at", "closed_at", "lost")
    list_filter = ("lost",)
