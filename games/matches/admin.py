"""Admin pages of web processes and of the games."""

from django.contrib import admin

from economy.admin_pages import ReadOnlyAdmin
from games.matches.models import Downtime, SelfCheck, WebProcess


@admin.register(WebProcess)
class WebProcessAdmin(ReadOnlyAdmin):
    list_display = ("name", "started_at", "beat_at", "closed_at", "lost")
    list_filter = ("lost",)


@admin.register(SelfCheck)
class SelfCheckAdmin(ReadOnlyAdmin):
    list_display = ("at", "kind", "is_good", "note")
    list_filter = ("kind", "is_good")


@admin.register(Downtime)
class DowntimeAdmin(ReadOnlyAdmin):
    list_display = ("component", "began_at", "ended_at")
    list_filter = ("component",)
