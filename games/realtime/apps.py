"""The application of sockets: it has no tables."""

from django.apps import AppConfig


class RealtimeConfig(AppConfig):
    """Closes sockets when a session ends, and connects pages to the batch writer."""

    name = "games.realtime"
    label = "realtime"

    def ready(self) -> None:
        """Connect the hooks that ``accounts`` and ``matches`` must not import."""
        from accounts.signals import session_ended, token_revoked, user_revoked
        from games.matches.processing import repair
        from games.realtime import runtime

        session_ended.connect(runtime.end_session)
        user_revoked.connect(runtime.revoke_user)
        token_revoked.connect(runtime.revoke_user)
        repair.wake_through(runtime.wake_and_wait)
