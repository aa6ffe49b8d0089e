"""A content security policy of its own for the admin, whose pages are a library's."""

from typing import Any

from csp.constants import NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE
from csp.middleware import CSPMiddleware, PolicyParts
from django.http import HttpRequest, HttpResponseBase

#: Alpine evaluates the expressions in the pages' attributes, and they carry styles of their own.
#: There are still no inline scripts and no foreign hosts; everybody else's pages allow neither.
ADMIN_POLICY: dict[str, Any] = {
    "script-src": [SELF, UNSAFE_EVAL],
    "style-src": [SELF, UNSAFE_INLINE],
    "base-uri": [NONE],
}
PREFIX = "/admin/"


class SitePolicy(CSPMiddleware):
    """The policy of the settings, and for the admin one that its pages work under."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        """Replace what the admin needs otherwise."""
        parts = super().get_policy_parts(request, response, report_only)
        if request.path_info.startswith(PREFIX) and not report_only:
            parts.replace = {**(parts.replace or {}), **ADMIN_POLICY}
        return parts
