"""The admin's appearance: the site's name and colours."""

from typing import Any

from django.templatetags.static import static
from django.utils.functional import lazy

from rpsite.settings.names import SITE_NAME

_static = lazy(static, str)

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
    "SIDEBAR": {"navigation": "rpsite.admin_menu.menu"},
}  # fmt: skip
