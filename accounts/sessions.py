"""Sessions in the database, written only when there is something new to write."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """Django's own store, which leaves out a save of what it has just saved.

    A log-in saves its session inside its own transaction (``accounts.adapters``); the middleware
    would do so again, in a transaction of its own, only because the cookie must be sent.
    """

    _written: str | None = None

    def save(self, must_create: bool = False) -> None:
        """Write the session unless this object has written exactly this before.

        Raises:
            CreateError: ``must_create`` and the key is in use.
            UpdateError: the session was deleted meanwhile.
        """
        if must_create or self._contents() != self._written:
            super().save(must_create)
            self._written = self._contents()

    def _contents(self) -> str:
        return repr((self.session_key, sorted(self.items())))
