"""The site's own settings for the fault tests, but for cheap passwords and no limits on pages."""

from rpsite.settings.site import *  # noqa: F403 - settings build on each other
from tests import moved_clock

moved_clock.follow()

#: Argon2 would measure itself, and one test logs in hundreds of times.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ACCOUNT_RATE_LIMITS = False
#: The administrators of these tests have a password alone.
STAFF_SECOND_FACTOR = False
