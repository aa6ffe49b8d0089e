"""A way to the site that may swallow, delay or drop its open sockets, as bad Wi-Fi does."""

import socket
import threading
import time
from contextlib import suppress
from random import Random
from typing import Self


class Way:
    """One connection through the proxy, pumped by two threads."""

    def __init__(self, near: socket.socket, far: socket.socket) -> None:
        self.ends = near, far
        self.is_socket = self.is_swallowed = False
        self.delay = 0.0
        for source, goal in ((near, far), (far, near)):
            threading.Thread(target=self._pump, args=(source, goal), daemon=True).start()

    def _pump(self, source: socket.socket, goal: socket.socket) -> None:
        with suppress(OSError):
            while piece := source.recv(65_536):
                self.is_socket = self.is_socket or b"upgrade: websocket" in piece.lower()
                time.sleep(self.delay)
                if not self.is_swallowed:
                    goal.sendall(piece)
        if not self.is_swallowed:
            self.close()

    def close(self) -> None:
        for end in self.ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


class SwallowingProxy:
    """Listens on a port of its own and passes everything on to the site."""

    def __init__(self, host: str, port: int) -> None:
        self._site = host, port
        self._ways: list[Way] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        # Linux wakes a thread that accepts only by the end of both directions.
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for way in self._ways:
            way.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                self._ways.append(Way(near, socket.create_connection(self._site)))

    def swallow(self) -> None:
        """From now on the open sockets carry nothing, without being closed; new ones do."""
        for way in self._ways:
            way.is_swallowed = way.is_socket

    def trouble(self, chance: Random) -> None:
        """Swallow the open sockets, close them, or delay each piece on them."""
        kind = chance.choice(("swallow", "drop", "delay"))
        for way in [way for way in self._ways if way.is_socket]:
            if kind == "drop":
                way.close()
            way.is_swallowed |= kind == "swallow"
            way.delay = chance.uniform(0.1, 2) if kind == "delay" else way.delay
