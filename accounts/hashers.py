"""The password hasher."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class SiteArgon2PasswordHasher(Argon2PasswordHasher):
    """Argon2id with OWASP's parameters: 19 MiB of memory, two passes, one lane.

    Django's parameters (100 MiB, eight lanes) take about nine times the processor time, which slows
    every live table.  A password hashed with others is rehashed at its next log-in.

    Source: docs/explanation/decisions/ "Log-ins beside the batch writer".
    """

    time_cost = 2
    memory_cost = 19_456
    parallelism = 1
