"""Settings of the tests: the site's, with short waits."""

from rpsite.env import VAR, database
from rpsite.settings.base import *  # noqa: F403 - settings build on each other
from rpsite.settings.base import ACCOUNT_RATE_LIMITS, LOGGING, POST_OFFICE, STORAGES

SECRET_KEY = "not a secret: the tests' databases end with them"  # noqa: S105
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", "testserver"]

# A file, not memory, so that threads share locks.  Nothing needs to outlive the run.
DATABASES = {"default": database(synchronous="OFF")}
if DATABASES["default"]["ENGINE"] == "rpsite.db.sqlite":
    DATABASES["default"]["TEST"] = {"NAME": str(VAR / "test.sqlite3")}
else:
    # A thread that ends with its test never returns a pool's connection; the site's
    # processes are tested with the pool.
    DATABASES["default"]["OPTIONS"].pop("pool")
    # Recreated after every test that commits.
    HOUSE_BOTS = 16

STORAGES = STORAGES | {"staticfiles": {"BACKEND": "rpsite.static_files.PlainFiles"}}
WHITENOISE_AUTOREFRESH = True
POST_OFFICE = POST_OFFICE | {
    "BACKENDS": {"default": "django.core.mail.backends.locmem.EmailBackend"}
}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ACCOUNT_RATE_LIMITS = ACCOUNT_RATE_LIMITS | {"signup": "1000/m/ip", "login": "1000/m/ip"}
LOGGING = LOGGING | {
    "root": {"handlers": [], "level": "INFO"},
    "loggers": LOGGING["loggers"] | {"access": {"level": "CRITICAL", "propagate": False}},
}
#: tests/games/proofs/test_commitments.py turns it on.
DEAL_AFTER_LOG = False
#: Tests change what is shown past the site's services; tests/games/test_roads.py turns it on.
SHARED_SECONDS = 0.0
#: tests/accounts/test_second_factor.py turns it on.
STAFF_SECOND_FACTOR = False
