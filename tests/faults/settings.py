"""The site's own settings for the fault tests, except cheap passwords and no limits on pages."""

import os

from rpsite.settings.site import *  # noqa: F403 - settings build on each other
from rpsite.settings.site import CELERY_BEAT_SCHEDULE
from tests import moved_clock

moved_clock.follow()
if moved_clock.VARIABLE in os.environ:
    # Who has moved the clock has nothing to learn from waiting five seconds for beat.
    _sweep = {"task": "matches.sweep", "schedule": 1.0, "options": {"expires": 1}}
    CELERY_BEAT_SCHEDULE = CELERY_BEAT_SCHEDULE | {"sweep": _sweep}

#: Argon2 would measure itself, and one test logs in hundreds of times.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ACCOUNT_RATE_LIMITS = False
#: The administrators of these tests have a password alone.
STAFF_SECOND_FACTOR = False
#: On a slow machine a thread waits longer for a connection than a person would be let wait.
if "pool" in DATABASES["default"].get("OPTIONS", {}):  # noqa: F405
    DATABASES["default"]["OPTIONS"]["pool"]["timeout"] = 60.0  # noqa: F405
# The tests' hand starts a game within one call.
DEAL_AFTER_LOG = "FAULTS_DEAL_AFTER_LOG" in os.environ
