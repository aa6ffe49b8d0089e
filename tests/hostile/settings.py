"""The site's own settings for the long forms, but without limits on log-ins."""

from rpsite.settings.site import *  # noqa: F403 - settings build on each other

ACCOUNT_RATE_LIMITS = False
# The tests' hand starts a game within one call.
DEAL_AFTER_LOG = False
