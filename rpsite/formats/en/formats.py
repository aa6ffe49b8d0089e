"""The one form of dates in the admin: 2026-11-26 19:05, in UTC."""

DATE_FORMAT = "Y-m-d"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "Y-m-d H:i"
