"""Settings of a public server.  Needs PUBLIC_URL=https://…, SECRET_KEY and DATABASE_URL."""

from urllib.parse import urlsplit

from rpsite.env import LEAST_SECRET, env, refuse
from rpsite.settings.base import *  # noqa: F403 - settings build on each other
from rpsite.settings.base import ACCOUNT_RATE_LIMITS, TRUST_PROXY

PUBLIC_URL = env.str("PUBLIC_URL", "").rstrip("/")
_public = urlsplit(PUBLIC_URL)
if _public.scheme != "https" or not _public.hostname or _public.path:
    refuse("PUBLIC_URL must be the site's address, like https://play.example.")

#: 50 characters or more; ``site`` makes one in ``SITE_VAR`` if there is none.
SECRET_KEY = env.str("SECRET_KEY")
if len(SECRET_KEY) < LEAST_SECRET:
    refuse(f"SECRET_KEY must have {LEAST_SECRET} characters or more.")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_OLD", default=[])
#: Further host names, separated by commas.
ALLOWED_HOSTS = [_public.hostname, *env.list("SITE_HOSTS", default=[])]
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https"
#: Every new account gets points, so sign-ups are limited per address.
ACCOUNT_RATE_LIMITS = ACCOUNT_RATE_LIMITS | {"signup": env.str("SIGNUP_RATE", "3/h/ip")}
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", f"noreply@{_public.hostname}")

if TRUST_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

SECURE_SSL_REDIRECT = True
#: The runner and the proxy ask for it without TLS.
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
#: Seconds for which browsers use HTTPS only.
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", 31_536_000)
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True

SESSION_COOKIE_NAME = "__Host-session"
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_NAME = "__Host-csrf"
CSRF_COOKIE_SECURE = True
CSRF_COOKIE_HTTPONLY = True
DEVICE_COOKIE_NAME = "__Host-device"
