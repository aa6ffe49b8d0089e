"""The application of sockets: it has no tables."""

from django.apps import AppConfig

from economy.parts import Part


class RealtimeConfig(AppConfig):
    """Closes sockets when a session ends, and connects pages to the batch writer."""

    name = "games.realtime"
    part = Part(wakers=("games.realtime.runtime.wake_and_wait",))

    def ready(self) -> None:
        """Connect the signals of ``accounts``."""
        from accounts.signals import session_ended, token_revoked, user_revoked
        from games.realtime import runtime

        session_ended.connect(runtime.end_session)
        user_revoked.connect(runtime.revoke_user)
        token_revoked.connect(runtime.revoke_user)
