"""Settings of a forked process: loaded again from its own environment.

The fork server has set Django up once, with settings of its own.  A child has another environment,
so it loads the settings again.  What the server's modules have made of settings is either made
again (``RESET``), or read again at each use (``READ_AT_EACH_USE``).  All other settings must be the
server's: a child in which one differs says so and ends.
"""

import os
import sys
from typing import Any, Final

#: Modules that hold values of the environment; a child imports them again.
FORGOTTEN: Final = (
    "rpsite.env", "rpsite.settings.base", "rpsite.settings.prod", "rpsite.settings.site",
    "rpsite.settings.test", "tests.faults.settings", "tests.hostile.settings",
)  # fmt: skip
#: Modules that keep such values or Django's handler: the server must not have imported them.
NOT_PRELOADED: Final = (
    "rpsite.asgi", "rpsite.backups", "rpsite.tasks", "rpsite.management.commands.up",
    "rpsite.processes.server", "twisted.internet.reactor",
)  # fmt: skip
#: Settings of which Django keeps what it has made, until ``setting_changed`` names them.
RESET: Final = (
    "CACHES", "DATABASE_ROUTERS", "PASSWORD_HASHERS", "STATIC_ROOT", "STORAGES", "TEMPLATES",
)  # fmt: skip
#: The handler of connections is emptied, Celery's configuration is not loaded in the server,
#: django.setup() applies LOGGING again, and only modules that a child imports read VAR.
READ_AT_EACH_USE: Final = frozenset({
    "ACCOUNT_RATE_LIMITS", "ALLOWED_HOSTS", "BACKUPS_KEPT", "BAD_FRAMES", "CELERY_BEAT_SCHEDULE",
    "CELERY_BROKER_URL", "DATABASES", "DEAL_AFTER_LOG", "DEFAULT_FROM_EMAIL", "DISK_LEAST_FREE",
    "DRAIN_SECONDS", "EMAIL_FILE_PATH", "EMAIL_HOST", "EMAIL_PORT", "HINT_BUS_URL", "HOUSE_BOTS",
    "METRICS_HERE", "LOGGING", "POST_OFFICE", "PRACTICE_PER_ADDRESS", "PRACTICE_TABLES",
    "PUBLIC_URL", "PUSH_TRUSTED", "REDIS_URL", "SECRET_KEY", "SETTINGS_MODULE",
    "SHARED_SECONDS", "SILENCED_SYSTEM_CHECKS", "SITE_CONTACT", "SOCKETS_PER_ADDRESS",
    "SOCKETS_PER_USER", "SOCKET_BURST", "SOCKET_RATE", "SOCKET_UNSENT", "STAFF_SECOND_FACTOR",
    "TRUST_PROXY", "VAPID_PRIVATE_KEY", "VAR", "WHITENOISE_AUTOREFRESH",
})  # fmt: skip


def values() -> dict[str, Any]:
    # Without the look of the admin: it names static files, which need not be collected yet.
    from django.conf import settings

    names = {name for name in dir(settings) if name.isupper()} - {"UNFOLD"}
    return {name: getattr(settings, name) for name in names}


def load_anew(before: dict[str, Any]) -> None:
    """Load the settings of this environment; AssertionError if a kept one differs."""
    from django.conf import empty, settings
    from django.core.signals import setting_changed

    for name in FORGOTTEN:
        sys.modules.pop(name, None)
    settings._wrapped = empty
    for name in RESET:
        setting_changed.send(sender=None, setting=name, value=None, enter=False)
    _forget_connections()
    # Pool processes of a Celery worker compare it with their parent's.
    sys.modules["rpsite.celery"]._worker = os.getpid()
    now = values()
    differing = {name for name in before.keys() | now if before.get(name) != now.get(name)}
    kept = sorted(differing - READ_AT_EACH_USE - set(RESET))
    assert not kept, f"a forked process cannot have other values of {kept}: start a plain one"


def _forget_connections() -> None:
    from asgiref.local import Local
    from django.db import connections

    connections._settings = None
    connections.__dict__.pop("settings", None)
    connections._connections = Local(connections.thread_critical)
