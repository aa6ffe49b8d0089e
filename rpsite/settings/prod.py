"""Settings of a public server.  Needs PUBLIC_URL=https://…, SECRET_KEY and DATABASE_URL."""

from urllib.parse import urlsplit

from rpsite.settings.base import *  # noqa: F403 - settings build on each other
from rpsite.settings.base import ACCOUNT_RATE_LIMITS, TRUST_PROXY
from rpsite.variables import LEAST_SECRET, read, refuse

PUBLIC_URL = read("PUBLIC_URL", is_public=True)
_public = urlsplit(PUBLIC_URL)
if _public.scheme != "https":
    refuse("PUBLIC_URL must be the site's address, like https://play.example.")

SECRET_KEY = read("SECRET_KEY")
if len(SECRET_KEY) < LEAST_SECRET:
    refuse(f"SECRET_KEY must have {LEAST_SECRET} characters or more.")
SECRET_KEY_FALLBACKS = read("SECRET_KEY_OLD")
ALLOWED_HOSTS = [_public.hostname, *read("SITE_HOSTS")]
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https"
#: Every new account gets points, so sign-ups are limited per address.
ACCOUNT_RATE_LIMITS = ACCOUNT_RATE_LIMITS | {"signup": read("SIGNUP_RATE", is_public=True)}
DEFAULT_FROM_EMAIL = read("DEFAULT_FROM_EMAIL") or f"noreply@{_public.hostname}"

if TRUST_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

SECURE_SSL_REDIRECT = True
#: The runner and the proxy ask for it without TLS.
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = read("HSTS_SECONDS")
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True

SESSION_COOKIE_NAME = "__Host-session"
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_NAME = "__Host-csrf"
CSRF_COOKIE_SECURE = True
CSRF_COOKIE_HTTPONLY = True
DEVICE_COOKIE_NAME = "__Host-device"
