"""Common settings."""

from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONCE, NONE, SELF
from kombu import Queue

from games import registry
from rpsite import __version__
from rpsite.env import ROOT, VAR, broker_url, databases, redis_database, redis_url
from rpsite.settings.admin import UNFOLD  # noqa: F401 - a setting
from rpsite.settings.log_in import *  # noqa: F403 - settings build on each other
from rpsite.settings.names import *  # noqa: F403 - settings build on each other
from rpsite.settings.names import SITE_NAME
from rpsite.variables import read

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
    *(["tools.referee"] if (ROOT / "tools/referee").is_dir() else []),
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "rpsite.headers.StaticFiles",
    "rpsite.headers.GuestCompression",
    "rpsite.headers.PageHeaders",
    "rpsite.headers.SitePolicy",
    "rpsite.input.StorableInput",
    "rpsite.headers.TextsWithoutDatabase",
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
                "games.matches.context_processors.site",
                "games.notices.attention.needs",
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
SESSION_ENGINE = "accounts.backends"
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
HINT_BUS_URL = read("HINT_BUS_URL") or redis_database(REDIS_URL, 1)
#: No channel layer: games/realtime/hub.py fans out inside a process, hints go between them.
CHANNEL_LAYERS: dict[str, Any] = {}

HOUSE_BOTS = read("HOUSE_BOTS")

DRAIN_SECONDS = read("DRAIN_SECONDS")
DISK_LEAST_FREE = read("DISK_LEAST_FREE")
TRUST_PROXY = read("TRUST_PROXY")

SOCKET_RATE = read("SOCKET_RATE")
SOCKET_BURST = read("SOCKET_BURST")
SOCKET_UNSENT = read("SOCKET_UNSENT")
BAD_FRAMES = read("BAD_FRAMES")
SOCKETS_PER_USER = read("SOCKETS_PER_USER")
SOCKETS_PER_ADDRESS = read("SOCKETS_PER_ADDRESS")
PRACTICE_TABLES = read("PRACTICE_TABLES")
PRACTICE_PER_ADDRESS = read("PRACTICE_PER_ADDRESS")

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
# Notifications wait for other sites' servers.  A worker without ``-Q`` takes both queues.
CELERY_TASK_DEFAULT_QUEUE = "celery"
CELERY_TASK_QUEUES = [Queue("celery"), Queue("notifications")]
CELERY_TASK_ROUTES = {"matches.notify": {"queue": "notifications"}}
CELERY_TIMEZONE = "UTC"
CELERY_ENABLE_UTC = True


def _every(seconds: int, task: str) -> dict[str, Any]:
    """Return an entry of the schedule whose messages expire, so that they do not pile up."""
    return {"task": task, "schedule": float(seconds), "options": {"expires": seconds}}


CELERY_WORKER_CONSUMER = "rpsite.consumer:Consumer"
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
BACKUPS_KEPT = read("BACKUPS_KEPT")
RESTORE_TEST_URL = read("RESTORE_TEST_URL")

METRICS_TOKEN = read("METRICS_TOKEN")

# A mail is a row in the request's transaction; a beat task sends it.
EMAIL_BACKEND = "post_office.EmailBackend"
_MAIL = read("EMAIL_URL")
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
PUBLIC_URL = read("PUBLIC_URL")
METRICS_HERE = urlsplit(PUBLIC_URL).hostname in ("localhost", "127.0.0.1", "::1")
if (_given := read("METRICS_HERE")) is not None:
    METRICS_HERE = _given
DEFAULT_FROM_EMAIL = read("DEFAULT_FROM_EMAIL") or f"{SITE_NAME} <noreply@localhost>"
POST_OFFICE: dict[str, Any] = {
    "BACKENDS": {"default": _MAIL["EMAIL_BACKEND"]},
    "DEFAULT_PRIORITY": "medium",
    "MAX_RETRIES": 3,
    "CELERY_ENABLED": False,
    "THREADS_PER_PROCESS": 1,
}

VAPID_PRIVATE_KEY = read("VAPID_PRIVATE_KEY")
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

_ACCESS_LOG = read("ACCESS_LOG")
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "brief": {"()": "rpsite.logs.Brief"},
        "once": {"()": "rpsite.logs.OnceAWhile"},
        "mask": {"()": "rpsite.logs.MaskSecrets"},
    },
    "formatters": {
        "line": {"()": "rpsite.logs.LineFormatter"},
        "json": {"()": "rpsite.logs.JsonFormatter"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "filters": ["brief", "once", "mask"],
            "formatter": "json" if read("LOG_JSON") else "line",
        },
        "access": {
            "class": "rpsite.access_files.AccessFile",
            "folder": str(VAR / "access"),
            "as_json": read("LOG_JSON"),
        },
    },
    "root": {"handlers": ["console"], "level": read("LOG_LEVEL")},
    "loggers": {
        # Django's own handlers would log everything twice.
        "django": {"level": "INFO", "handlers": [], "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
        "django.request": {"level": "ERROR"},
        "django.channels.server": {"level": "WARNING"},
        "daphne": {"level": "WARNING"},
        "post_office": {"level": "WARNING", "handlers": [], "propagate": True},
        "asyncio": {"level": "WARNING"},
        # A line for each attempt to connect, several a second, while PostgreSQL is away.
        "psycopg.pool": {"level": "ERROR"},
        "celery": {"level": "WARNING"},
        "kombu": {"level": "WARNING"},
        "amqp": {"level": "WARNING"},
        "access": {
            "level": "INFO" if _ACCESS_LOG else "CRITICAL",
            "handlers": ["access"] if _ACCESS_LOG else [],
            "propagate": False,
        },
    },
}
