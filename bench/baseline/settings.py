"""Settings of a minimal project, with a database as durable as the site's."""

import os
from pathlib import Path

_VAR = Path(os.environ["SITE_VAR"])
SECRET_KEY = os.environ["SECRET_KEY"]
ALLOWED_HOSTS = ["127.0.0.1"]
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "channels",
    "bench.baseline",
]
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": _VAR / "plain.sqlite3",
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        },
    }
}
# With redis-py's own limits, 100 connections and 5 s, consumers fail under this load.
_HOST = {"address": os.environ["REDIS_URL"], "max_connections": 5000, "socket_timeout": 60}
CHANNEL_LAYERS = {"default": {"BACKEND": os.environ["CHANNEL_LAYER"], "CONFIG": {"hosts": [_HOST]}}}
ASGI_APPLICATION = "bench.baseline.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
