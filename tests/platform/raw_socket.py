"""WebSocket frames by hand, for clients that no library would be."""

import base64
import os
import socket

from bench.wire import encode


def shake_hands(
    port: int, path: str, patience: float = 5, cookie: str = "", room: int = 4096
) -> socket.socket:
    """Open a socket, as a guest without a cookie; ``room``: bytes for what comes."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    line.settimeout(patience)
    line.connect(("127.0.0.1", port))
    key = base64.b64encode(os.urandom(16)).decode()
    who = f"Cookie: {cookie}\r\nOrigin: http://127.0.0.1:{port}\r\n" if cookie else ""
    line.sendall(
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\n"
        f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
        f"{who}\r\n".encode()
    )
    if line.recv(12) != b"HTTP/1.1 101":
        raise ConnectionError("the handshake was refused")
    return line


def frame(text: bytes, first: int = 0x81) -> bytes:
    """Return a frame, masked with nothing."""
    return bytes([first]) + encode(text)[1:]
