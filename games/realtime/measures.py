"""Counts of this web process for ``/metrics``; none names a user, a match or a secret."""

from typing import Final

from prometheus_client import Counter, Histogram, disable_created_metrics

disable_created_metrics()

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)
JOBS: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)

#: Seconds from the arrival of an action to its answer.
answers: Final = Histogram("rr_answer_seconds", "From an action to its answer.", buckets=SECONDS)
batches: Final = Histogram("rr_batch_jobs", "Actions in a batch.", buckets=JOBS)
#: Seconds from a deadline to the transaction that fired it.
deadlines: Final = Histogram("rr_deadline_late_seconds", "Lateness of clocks.", buckets=SECONDS)
#: Seconds from the end of an arena round to its result.
rounds: Final = Histogram("rr_round_late_seconds", "Lateness of arena rounds.", buckets=SECONDS)
views_dropped: Final = Counter(
    "rr_views_dropped", "Views that a newer one replaced before a slow client took them."
)
closes: Final = Counter("rr_socket_closes", "Sockets ended here.", ["code"])
