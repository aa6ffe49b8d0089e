"""Notices: the bell, turns, reminders by mail, notifications of browsers."""
