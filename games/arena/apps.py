"""The arena's application, with its own tables."""

from django.apps import AppConfig

from economy.parts import Part


class ArenaConfig(AppConfig):
    name = "games.arena"
    default_auto_field = "django.db.models.BigAutoField"
    part = Part(
        site_facts=("games.arena.queries.those_in",),
        own_data=("games.arena.personal.OWN_DATA",),
        sweeps=("games.arena.personal.forget_old_rounds",),
        runners=("games.arena.hub.ArenaHub", "games.arena.leader.LeaderLoop"),
    )
