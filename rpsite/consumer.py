"""Celery's consumer, which gives signs of life while it waits for a broker that is away."""

from typing import Any

from celery.worker import consumer

from rpsite.processes.signs import sign


class Consumer(consumer.Consumer):
    """The consumer of the worker; connected, it gives signs with its heartbeats."""

    def ensure_connected(self, conn: Any) -> Any:
        ensure = conn.ensure_connection

        def ensure_with_signs(*given: Any, callback: Any, **named: Any) -> Any:
            def look() -> None:
                sign()
                callback()

            return ensure(*given, callback=look, **named)

        conn.ensure_connection = ensure_with_signs
        return super().ensure_connected(conn)
