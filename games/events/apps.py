"""The application of the events."""

from django.apps import AppConfig

from economy.parts import Part


class EventsConfig(AppConfig):
    name = "games.events"
    default_auto_field = "django.db.models.BigAutoField"
    part = Part(
        tunables=("games.events.services.numbers",),
        site_facts=("games.events.personal.calling_events",),
        activity=("games.events.queries.next_event", "games.events.queries.aboard"),
        cups=("games.events.queries.CUPS",),
        needs=("games.events.personal.calls_for",),
        own_data=("games.events.personal.OWN_DATA",),
        sweeps=("games.events.services.sweep",),
        homes=("games.events.queries.home_of",),
        runners=("games.events.services.EventSweeper",),
    )
