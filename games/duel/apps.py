"""The application of the duels: their template tags, and what they count of finished ones."""

from django.apps import AppConfig
from django.db.models.signals import post_save

from economy.parts import Part


class DuelConfig(AppConfig):
    """The duels."""

    name = "games.duel"
    part = Part(
        privacy=("games.duel.dossier.store_privacy",),
        own_data=("games.duel.habits.OWN_DATA",),
        reactions=("games.duel.habits.CountedHabits",),
    )

    def ready(self) -> None:
        from accounts.models import User
        from games.duel.habits import look_again

        post_save.connect(look_again, sender=User, dispatch_uid="games.habits")
