"""The baseline as an ASGI application."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bench.baseline.settings")
pages = get_asgi_application()

from channels.auth import AuthMiddlewareStack  # noqa: E402 - Django comes first
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.urls import path  # noqa: E402

from bench.baseline.consumers import DuelConsumer  # noqa: E402

sockets = URLRouter([path("ws/match/<int:pk>/", DuelConsumer.as_asgi())])
application = ProtocolTypeRouter({"http": pages, "websocket": AuthMiddlewareStack(sockets)})
