"""Common settings."""

from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONCE, NONE, SELF
from django.templatetags.static import static
from django.utils.functional import lazy
from kombu import Queue

from games import registry
from rpsite import __version__
from rpsite.env import ROOT, VAR, broker_url, databases, redis_database, redis_url
from rpsite.variables import read

VERSION = __version__
SITE_NAME = "Rock & Racket"
SITE_CONTACT = read("SITE_CONTACT")
SECURITY_CONTACT = read("SECURITY_CONTACT")
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
            "builtins": ["economy.templatetags.icons"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.matches.context_processors.site",
                "games.notices.attention.needs",
            ],
        },
    }
]

# Sessions and caches are in the database too, so that Redis may stop.
DATABASES: dict[str, dict[str, Any]] = databases()
DATABASE_ROUTERS = ["rpsite.db.CacheRouter"]
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache_entries",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    },
    # Parts of pages that are the same for everybody, in the memory of each process.
    "template_fragments": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
    },
}
#: For so long a process shows what is the same for everybody without reading it again.
SHARED_SECONDS = 1.0
SESSION_ENGINE = "accounts.backends"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "rpsite.errors.stale_form"
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


CELERY_WORKER_CONSUMER = "rpsite.pulse:Consumer"
CELERY_BEAT_SCHEDULER = "rpsite.pulse:Scheduler"
CELERY_BEAT_SCHEDULE = {
    "sweep": _every(5, "matches.sweep"),
    "audit": _every(60, "economy.audit"),
    "look-for-abuse": _every(60, "matches.look_for_abuse"),
    "pay-rewards": _every(60, "matches.pay_rewards"),
    "score-reads": _every(60, "matches.score_reads"),
    "keep-boards": _every(600, "matches.keep_boards"),
    "remind": _every(15, "matches.remind"),
    "notify": _every(15, "matches.notify"),
    "log-commitments": _every(10, "matches.log_commitments"),
    "check-old-matches": _every(3600, "matches.check_old_matches"),
    "finish-renames": _every(3600, "matches.finish_renames"),
    "archive": _every(60, "matches.archive"),
    "plan-events": _every(60, "matches.plan_events"),
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
    }
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
            "class": "rpsite.logs.AccessFile",
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


# Log-in: passwords, accounts, second factors.
#: Only one: each backend that is tried hashes a password.
AUTHENTICATION_BACKENDS = ["accounts.backends.OneHashBackend"]
PASSWORD_HASHERS = [
    "accounts.backends.SiteArgon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
_VALIDATORS = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {"NAME": f"{_VALIDATORS}.UserAttributeSimilarityValidator"},
    {"NAME": f"{_VALIDATORS}.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": f"{_VALIDATORS}.CommonPasswordValidator"},
    {"NAME": f"{_VALIDATORS}.NumericPasswordValidator"},
]
#: Seconds for which a link that resets a password is valid.
PASSWORD_RESET_TIMEOUT = 24 * 60 * 60
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "accounts.adapters.AccountAdapter"
ACCOUNT_FORMS = {
    "add_email": "accounts.forms.AddEmailForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "login": "accounts.forms.LogInForm",
    "reauthenticate": "accounts.forms.PasswordAgainForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_UNIQUE_EMAIL = True
ACCOUNT_EMAIL_VERIFICATION = read("ACCOUNT_EMAIL_VERIFICATION")
# Sign-up asks for a name and one password; an address can be added later.
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
if ACCOUNT_EMAIL_VERIFICATION == "mandatory":
    ACCOUNT_SIGNUP_FIELDS.insert(1, "email*")
ACCOUNT_EMAIL_SUBJECT_PREFIX = f"[{SITE_NAME}] "
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_USERNAME_MIN_LENGTH = 3
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
#: Changes of the account ask for the password again, and its owner gets a mail.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
# Passkeys always ask for a finger, a face or a PIN, also after a password.
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_USER_VERIFICATION = "required"
MFA_FORMS = {
    "activate_totp": "accounts.forms.AddAppForm",
    "add_webauthn": "accounts.forms.AddPasskeyForm",
    "authenticate": "accounts.forms.CodeForm",
    "authenticate_webauthn": "accounts.forms.PasskeyForm",
    "edit_webauthn": "accounts.forms.NamePasskeyForm",
    "login_webauthn": "accounts.forms.PasskeyLogInForm",
    "reauthenticate": "accounts.forms.CodeAgainForm",
    "reauthenticate_webauthn": "accounts.forms.PasskeyAgainForm",
}
MFA_TOTP_ISSUER = SITE_NAME
#: A phone's clock may be half a minute off.
MFA_TOTP_TOLERANCE = 1
#: E-mail addresses are optional, and the first administrator has none.
MFA_ALLOW_UNVERIFIED_EMAIL = True
#: Only tests turn it off.
STAFF_SECOND_FACTOR = True
ACCOUNT_RATE_LIMITS = {
    "login": "60/m/ip",
    "login_failed": "5/15m/key,20/15m/ip",
    # Wrong passwords and codes inside sessions; the tenth of a session ends it.
    "guess": "5/15m/user",
    "guess_in_session": "9/14d/key",
    # Codes and passkeys at a log-in: of a user in a known browser or a network; of a user in all
    # other places.
    "second_step": "5/15m/key,30/d/key",
    "second_step_elsewhere": "20/15m/key,120/d/key",
    "tell_closed": "1/h/user",
    # Mails that confirm an address: to one address, and of a user. Anybody can type a stranger's.
    "confirm_email": "1/3m/key,20/d/key",
    "confirmation_mail": "5/d/user",
    "signup": read("SIGNUP_RATE"),
    "reset_password": "10/h/ip,3/h/key",
}
USERSESSIONS_TRACK_ACTIVITY = False


_static = lazy(static, str)
# The look of the admin.
UNFOLD: dict[str, Any] = {
    "SITE_TITLE": SITE_NAME,
    "SITE_HEADER": SITE_NAME,
    "SITE_SUBHEADER": "Administration",
    "SITE_SYMBOL": "casino",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": _static("img/favicon.svg")}],
    "STYLES": [_static("css/admin.css")],
    "SCRIPTS": [_static("js/admin/landmarks.js")],
    "SHOW_VIEW_ON_SITE": False,
    "DASHBOARD_CALLBACK": "rpsite.admin_dashboard.dashboard",
    "COLORS": {
        # Greens of the site's dark pages, from its paper to its felt.
        "base": {
            "50": "#f8f5ec", "100": "#efebde", "200": "#dcd8c8", "300": "#bfc4b8",
            "400": "#93a098", "500": "#66736b", "600": "#4a564f", "700": "#36423b",
            "800": "#222c27", "900": "#151c19", "950": "#0e1311",
        },
        # Brass.
        "primary": {
            "50": "#fdf7e8", "100": "#f9ebc8", "200": "#f2d893", "300": "#eac264",
            "400": "#e0ab4a", "500": "#c08a26", "600": "#8a5a00", "700": "#744b00",
            "800": "#5c3c04", "900": "#4a3107", "950": "#2b1b02",
        },
    },
    "SIDEBAR": {"navigation": "rpsite.admin_dashboard.menu"},
}  # fmt: skip
