"""The application of users' own data."""

from django.apps import AppConfig


class OwnDataConfig(AppConfig):
    """The export and the deletion of an account, and new names in old texts."""

    name = "games.own_data"

    def ready(self) -> None:
        from accounts.signals import user_renamed
        from games.own_data.deletion import tell_new_name

        user_renamed.connect(tell_new_name, dispatch_uid="games.new_name")
