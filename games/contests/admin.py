"""Read-only admin pages of contests."""

from django.contrib import admin

from economy.admin_pages import ReadOnlyAdmin
from games.contests.models import Contest, Proposal


@admin.register(Contest)
class ContestAdmin(ReadOnlyAdmin):
    list_display = ("name", "game", "founder", "master", "games", "founded_at", "closed_at")
    list_filter = ("game",)
    search_fields = ("name", "founder__username", "=public_id")
    fields = readonly_fields = (
        "name", "public_id", "game", "founder", "master", "settings", "founded_at", "closed_at",
        "idle_since", "games", "proposals",
    )  # fmt: skip
    ordering = ("-founded_at",)


@admin.register(Proposal)
class ProposalAdmin(ReadOnlyAdmin):
    list_display = ("contest", "no", "by", "changes", "proposed_at", "effect_at", "outcome")
    list_filter = ("outcome",)
    search_fields = ("contest__name", "by__username")
    fields = readonly_fields = (*list_display, "decided_at")
    ordering = ("-proposed_at",)
