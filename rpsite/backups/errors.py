"""Errors of backups; their messages are shown to the user of the command."""


class NoBackup(Exception):
    """There is no such copy."""


class BackupFailed(Exception):
    """The copy could not be made or read; the database is as it was."""


class InUse(Exception):
    """Somebody is connected to the database, so it cannot be replaced."""


class NotEmpty(Exception):
    """A database exists, and the command was not told to replace it."""
