"""What can be wrong with a backup; each has words for whoever runs the command."""


class NoBackup(Exception):
    """There is no such copy."""


class BackupFailed(Exception):
    """The copy could not be made or read; the database is as it was."""


class InUse(Exception):
    """Somebody is connected to the database, so it cannot be replaced."""


class NotEmpty(Exception):
    """There is a database already, and nobody has said that it may be replaced."""
