"""The forms of dates where a page names none: in the admin."""
