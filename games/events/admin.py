"""Admin pages of events: schedules by a form, events to make and to call off."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone

from economy.admin_pages import Done, ReadOnlyAdmin, ReasonAction, RecordedAdmin
from economy.records import actor_of, write_record
from games.engine.errors import IllegalAction
from games.events import services
from games.events.models import Event, Schedule


def _call_off(request: HttpRequest, event: Event, data: Mapping[str, Any]) -> Done:
    try:
        services.call_off(event_id=event.pk, reason=data["reason"][:100])
    except IllegalAction as refusal:
        raise ValidationError(refusal.message) from refusal
    write_record(
        actor_of(request.user), "event_called_off", f"event:{event.pk}", reason=data["reason"]
    )
    return Done("Called off. Matches that run are played on.")


CALL_OFF = ReasonAction(
    button="Call off",
    icon="undo",
    permission="events.change_event",
    title=lambda event: f"Call off {event}",
    lead="Nobody is in it any more. Matches that run are played on. The reason is public.",
    do=_call_off,
    is_grave=True,
)


@admin.register(Schedule)
class ScheduleAdmin(RecordedAdmin):
    list_display = ("name", "every", "weekday", "hour", "minute", "zone", "fill", "is_on")
    ordering = ("name",)


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    """Events; one can be added. No seed is shown."""

    list_display = ("name", "starts_at", "status", "station", "reason", "founder", "listed")
    list_filter = ("status", "listed")
    search_fields = ("name", "=public_id", "founder__username")
    readonly_fields = (*list_display, "game", "fill", "for_programs", "opens_at", "ended_at")
    fields = (*readonly_fields, "public_id")
    ordering = ("-starts_at",)
    actions_detail: ClassVar = ["call_off"]
    made = ("name", "starts_at", "opens_at", "fill", "for_programs", "listed")
    call_off = CALL_OFF.on_row()

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("events.add_event")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.fields if obj else self.made

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.fields if obj else ()

    def save_model(self, request: HttpRequest, obj: Event, form: Any, change: bool) -> None:
        obj.__dict__ |= services.make(now=timezone.now(), **form.cleaned_data).__dict__
