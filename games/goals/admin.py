"""The admin page of goals."""

from django.contrib import admin

from economy.admin_pages import ReadOnlyAdmin
from games.matches.models import ReachedGoal


@admin.register(ReachedGoal)
class ReachedGoalAdmin(ReadOnlyAdmin):
    list_display = ("user", "goal", "at")
    list_filter = ("goal",)
    search_fields = ("user__username",)
