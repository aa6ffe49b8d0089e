"""Read-only admin pages of the arena; a seed is shown once its round is over."""

from typing import Final

import msgspec
from django.contrib import admin

from economy.admin_pages import ReadOnlyAdmin
from games.arena.models import Player, Round
from games.arena.rounds import options_of

_HIDDEN: Final = "hidden until the round is over"


@admin.register(Round)
class RoundAdmin(ReadOnlyAdmin):
    list_display = ("no", "state", "began_at", "ends_at", "players", "people", "options_shown")
    list_filter = ("state",)
    search_fields = ("=no",)
    fields = readonly_fields = (
        "no", "state", "options_shown", "drawn", "commitment", "seed_shown", "began_at", "ends_at",
        "resolved_at", "players", "people", "survivor_round", "result_shown", "is_full",
    )  # fmt: skip
    ordering = ("-no",)

    @admin.display(description="options")
    def options_shown(self, row: Round) -> str:
        options = msgspec.structs.asdict(options_of(row.options))
        return ", ".join(name for name, is_on in options.items() if is_on) or "plain"

    @admin.display(description="seed")
    def seed_shown(self, row: Round) -> str:
        return _HIDDEN if row.is_under_way else row.seed

    @admin.display(description="result")
    def result_shown(self, row: Round) -> str:
        """The result, once it is public: it contains the seed."""
        return _HIDDEN if row.is_under_way else row.result


@admin.register(Player)
class PlayerAdmin(ReadOnlyAdmin):
    list_display = (
        "user", "is_in", "is_bot", "score", "streak", "best_streak", "round_wins", "round_losses",
        "board_score", "idle_rounds",
    )  # fmt: skip
    list_filter = ("is_in", "is_bot")
    search_fields = ("user__username",)
    fields = readonly_fields = (
        "user", "is_in", "is_bot", "joined_at", "gone_since", "watching", "wins", "losses", "ties",
        "round_wins", "round_losses", "round_ties", "score", "streak", "best_streak", "health",
        "idle_rounds", "board_score", "board_streak", "board_best_streak", "board_round_wins",
        "board_rounds",
    )  # fmt: skip
    ordering = ("-is_in", "user__username")
