"""Count the page requests under way in this process."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

Application = Callable[..., Awaitable[None]]


class RequestCounter:
    """Counts the requests under way; read by the batch writer's thread, changed by the loop."""

    def __init__(self) -> None:
        self.pages = 0

    def counted(self, application: Application) -> Application:
        """Return the application with its requests counted."""

        async def count(scope: dict[str, Any], receive: Any, send: Any) -> None:
            self.pages += 1
            try:
                await application(scope, receive, send)
            finally:
                self.pages -= 1

        return count


#: The counter of this process.
request_counter: Final = RequestCounter()
