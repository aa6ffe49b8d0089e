"""Common settings."""

from typing import Any

from csp.constants import NONCE, NONE, SELF

from games import registry
from rpsite import __version__
from rpsite.env import ROOT, VAR, broker_url, databases, env, redis_database, redis_url
from rpsite.settings.admin import UNFOLD  # noqa: F401 - a setting
from rpsite.settings.log_in import *  # noqa: F403 - settings build on each other
from rpsite.settings.names import *  # noqa: F403 - settings build on each other
from rpsite.settings.names import SITE_NAME

VERSION = __version__
DEBUG = False
ALLOWED_HOSTS: list[str] = []
ROOT_URLCONF = "rpsite.urls"
ASGI_APPLICATION = "rpsite.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "accounts.User"

INSTALLED_APPS = [
    "rpsite",
    "unfold.apps.BasicAppConfig",
    "rpsite.admin_site.AdminApp",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "channels",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "post_office",
    "accounts",
    "economy",
    "games.matches",
    *registry.apps(),
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "rpsite.headers.StaticFiles",
    "rpsite.headers.GuestCompression",
    "rpsite.headers.PageHeaders",
    "rpsite.headers.SitePolicy",
    "rpsite.input.StorableInput",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "accounts.middleware.SecondFactor",
    "accounts.middleware.VisitMiddleware",
    "rpsite.headers.MethodPages",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.matches.views.context_processors.site",
            ],
        },
    },
]

# Sessions and caches are in the database too, so that Redis may stop.
DATABASES: dict[str, dict[str, Any]] = databases()
DATABASE_ROUTERS = ["rpsite.db.routing.CacheRouter"]
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache_entries",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    },
}
SESSION_ENGINE = "accounts.sessions"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "rpsite.stale_forms.answer"
#: The cookie of a guest's practice table.
PRACTICE_COOKIE_NAME = "practice"
#: The cookie that identifies a browser; see accounts/devices.py.
DEVICE_COOKIE_NAME = "device"

# Redis carries hints and Celery's messages; it holds nothing that must survive.
REDIS_URL = redis_url()
#: The hint bus; by default database 1 of ``REDIS_URL``, Celery uses database 0.
HINT_BUS_URL = env.str("HINT_BUS_URL", redis_database(REDIS_URL, 1))
#: No channel layer: games/realtime/hub.py fans out inside a process, hints go between them.
CHANNEL_LAYERS: dict[str, Any] = {}

#: Number of bots, 40 at most; the largest table needs one fewer than its seats.
HOUSE_BOTS = env.int("HOUSE_BOTS", 40)

#: Seconds over which a web process that ends closes its sockets; 0: all at once.
DRAIN_SECONDS = env.int("DRAIN_SECONDS", 0)
#: Believe ``X-Forwarded-Proto``, ``-For`` and ``-Port``; only behind a proxy that removes them from
#: clients' requests.
TRUST_PROXY = env.bool("TRUST_PROXY", False)

#: Frames a second of a socket; guests have half.
SOCKET_RATE = env.int("SOCKET_RATE", 20)
#: Frames at once of a socket; guests have half.
SOCKET_BURST = env.int("SOCKET_BURST", 40)
#: Bytes that a socket may leave unread; guests have a quarter.
SOCKET_UNSENT = env.int("SOCKET_UNSENT", 512 * 1024)
#: Malformed frames in 10 s that close a socket.
BAD_FRAMES = env.int("BAD_FRAMES", 10)
#: Sockets of one user and of one kind at once, in one web process.
SOCKETS_PER_USER = env.int("SOCKETS_PER_USER", 16)
#: Sockets of one address at once, in one web process.
SOCKETS_PER_ADDRESS = env.int("SOCKETS_PER_ADDRESS", 60)
#: Practice tables of guests in one web process.
PRACTICE_TABLES = env.int("PRACTICE_TABLES", 200)
#: Practice tables of guests from one address.
PRACTICE_PER_ADDRESS = env.int("PRACTICE_PER_ADDRESS", 10)

CELERY_BROKER_URL = broker_url(REDIS_URL)
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 120, "socket_keepalive": True}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_SOFT_TIME_LIMIT = 30
CELERY_TASK_TIME_LIMIT = 45
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
#: Otherwise one message in the broker could stop the worker or change its limits.
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_TIMEZONE = "UTC"
CELERY_ENABLE_UTC = True


def _every(seconds: int, task: str) -> dict[str, Any]:
    """Return an entry of the schedule whose messages expire, so that they do not pile up."""
    return {"task": task, "schedule": float(seconds), "options": {"expires": seconds}}


CELERY_BEAT_SCHEDULER = "rpsite.beat:Scheduler"
CELERY_BEAT_SCHEDULE = {
    "sweep": _every(5, "matches.sweep"),
    "audit": _every(60, "economy.audit"),
    "look-for-abuse": _every(60, "matches.look_for_abuse"),
    "pay-rewards": _every(60, "matches.pay_rewards"),
    "remind": _every(15, "matches.remind"),
    "notify": _every(15, "matches.notify"),
    "log-commitments": _every(10, "matches.log_commitments"),
    "check-old-matches": _every(3600, "matches.check_old_matches"),
    "finish-renames": _every(3600, "matches.finish_renames"),
    "archive": _every(60, "matches.archive"),
    "send-mail": _every(10, "accounts.send_mail"),
    "forget-what-ended": _every(3600, "accounts.forget_what_ended"),
    "backup": _every(300, "rpsite.backup"),
    "try-restore": _every(600, "rpsite.try_restore"),
    "watch-mail": _every(20, "rpsite.watch_mail"),
}
#: A game is dealt only after its commitment is in the public log.
DEAL_AFTER_LOG = True
#: Copies of the database kept in ``var/backups/``; 0: beat makes none.
BACKUPS_KEPT = env.int("BACKUPS_KEPT", 24)
#: PostgreSQL for the nightly restore test, whose user may create databases; by default
#: ``DATABASE_URL``.
RESTORE_TEST_URL = env.str("RESTORE_TEST_URL", "")

#: The token that ``/metrics`` asks for; without one only this machine may read it, and not through
#: a proxy.
METRICS_TOKEN = env.str("METRICS_TOKEN", "")

# A mail is a row in the request's transaction; a beat task sends it.
EMAIL_BACKEND = "post_office.EmailBackend"
#: Mail server, such as ``smtp+tls://user:password@host:587``; by default files in ``var/mail/``.
_MAIL = env.email_url("EMAIL_URL", default="filemail:///")
if "filebased" in _MAIL["EMAIL_BACKEND"]:
    _MAIL["EMAIL_FILE_PATH"] = _MAIL.get("EMAIL_FILE_PATH") or str(VAR / "mail")
    EMAIL_FILE_PATH = _MAIL["EMAIL_FILE_PATH"]
EMAIL_HOST = _MAIL.get("EMAIL_HOST") or "localhost"
EMAIL_PORT = _MAIL.get("EMAIL_PORT") or 25
EMAIL_HOST_USER = _MAIL.get("EMAIL_HOST_USER") or ""
EMAIL_HOST_PASSWORD = _MAIL.get("EMAIL_HOST_PASSWORD") or ""
EMAIL_USE_TLS = bool(_MAIL.get("EMAIL_USE_TLS"))
EMAIL_USE_SSL = bool(_MAIL.get("EMAIL_USE_SSL"))
EMAIL_TIMEOUT = 10
#: The site's address, for links in mails that no request sends; ``prod`` wants ``https://`` and no
#: path.
PUBLIC_URL = env.str("PUBLIC_URL", "http://localhost:8000").rstrip("/")
#: The sender; by default ``noreply@`` and the site's host.
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", f"{SITE_NAME} <noreply@localhost>")
POST_OFFICE = {
    "BACKENDS": {"default": _MAIL["EMAIL_BACKEND"]},
    "DEFAULT_PRIORITY": "medium",
    "MAX_RETRIES": 3,
    "CELERY_ENABLED": False,
    "THREADS_PER_PROCESS": 1,
}

#: The site's key for notifications, 32 bytes in base64 for URLs (RFC 8292); without one there are
#: none.  ``site`` makes one in ``SITE_VAR``.
VAPID_PRIVATE_KEY = env.str("VAPID_PRIVATE_KEY", "")
#: The beginning of addresses that are not checked: the push service of tests.
PUSH_TRUSTED = ""

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True
FORMAT_MODULE_PATH = ["rpsite.formats"]

STATIC_URL = "/static/"
STATIC_ROOT = VAR / "static"
STATICFILES_DIRS = [ROOT / "static"]
STORAGES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": VAR / "media"},
    },
    "staticfiles": {"BACKEND": "rpsite.static_files.HashedFiles"},
}

# What a browser may load and where it may be shown.
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    },
}

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"mask": {"()": "rpsite.logs.MaskSecrets"}},
    "formatters": {
        "line": {"()": "rpsite.logs.LineFormatter"},
        "json": {"()": "rpsite.logs.JsonFormatter"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "filters": ["mask"],
            # One JSON object a line.
            "formatter": "json" if env.bool("LOG_JSON", False) else "line",
        },
    },
    # The least level of messages.
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", "INFO")},
    "loggers": {
        # Django's own handlers would log everything twice.
        "django": {"level": "INFO", "handlers": [], "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
        "django.request": {"level": "ERROR"},
        "django.channels.server": {"level": "WARNING"},
        "daphne": {"level": "WARNING"},
        "post_office": {"level": "WARNING", "handlers": [], "propagate": True},
        "asyncio": {"level": "WARNING"},
        "celery": {"level": "WARNING"},
        "kombu": {"level": "WARNING"},
        "amqp": {"level": "WARNING"},
    },
}
