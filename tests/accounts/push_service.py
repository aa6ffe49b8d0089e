"""A push service of the tests, and a browser that can read what it gets."""

import base64
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class PushBrowser:
    """The keys of one browser."""

    def __init__(self) -> None:
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        self.keys = {"p256dh": base64url(point), "auth": base64url(self.auth)}

    def read(self, body: bytes) -> bytes:
        """Decrypt a message as the browser does."""
        return bytes(http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth))


@dataclass
class PushService:
    """The requests that a stub of a push service got, and the status that it answers with."""

    address: str
    status: int = 201
    headers: Mapping[str, str] = field(default_factory=dict)
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    #: What requests to paths with ``silent`` wait for before they are answered; it comes when all
    #: paths of ``freed_by`` have been asked for.
    waits: threading.Event | None = None
    silent: str = "/"
    freed_by: frozenset[str] | None = None


@contextmanager
def push_service() -> Iterator[PushService]:
    """Run a push service on this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.got.append((self.path, dict(self.headers), body))
            paths = {path for path, _, _ in service.got}
            if service.waits and service.freed_by is not None and service.freed_by <= paths:
                service.waits.set()
            if service.waits is not None and self.path.startswith(service.silent):
                service.waits.wait(20)
            with suppress(OSError):
                self.send_response(service.status)
                for name, value in service.headers.items():
                    self.send_header(name, value)
                self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service = PushService(f"http://127.0.0.1:{server.server_port}/")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
