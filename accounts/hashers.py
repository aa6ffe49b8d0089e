"""How passwords are hashed."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class SiteArgon2PasswordHasher(Argon2PasswordHasher):
    """Argon2id with OWASP's parameters: 19 MiB of memory, two passes, one lane.

    Django's own (100 MiB, eight lanes) cost about nine times as much processor, which every live
    table of the machine feels.  A password hashed with others is hashed anew at its next log-in.

    Source: docs/explanation/decisions/ "Log-ins beside the batch writer".
    """

    time_cost = 2
    memory_cost = 19_456
    parallelism = 1
