"""The session store: the database, written only after a change."""

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.db import OperationalError


class SessionStore(db.SessionStore):
    """Django's store without the second save of unchanged data. A log-in saves its session inside
    its transaction (``accounts.adapters``); the middleware would save it again, in another
    transaction, only because the cookie must be sent.
    """

    _written: str | None = None

    def save(self, must_create: bool = False) -> None:
        """Write the session, unless this object has already written the same data. Raises
        CreateError: ``must_create`` and the key is in use; UpdateError: the session was deleted in
        the meantime; OperationalError: the database is busy or away, which Django takes for that.
        """
        if must_create or self._contents() != self._written:
            away: BaseException | None = None
            try:
                super().save(must_create)
            except UpdateError as problem:
                away = problem.__context__
                if not isinstance(away, OperationalError):
                    raise
            if away is not None:
                raise away
            self._written = self._contents()

    def _contents(self) -> str:
        return repr((self.session_key, sorted(self.items())))
