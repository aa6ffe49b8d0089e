"""The site as an ASGI application: Django's pages and the games' sockets."""

import os

import django

from rpsite.variables import require_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rpsite.settings.prod")
require_settings()
# Django must be set up before anything that imports models.
django.setup(set_prefix=False)

from channels.routing import ProtocolTypeRouter  # noqa: E402

from games.realtime import runtime  # noqa: E402
from games.realtime.page_queue import page_queue  # noqa: E402
from rpsite.access_log import Pages, logged  # noqa: E402
from rpsite.bodies import SmallBodies  # noqa: E402
from rpsite.errors import crowded  # noqa: E402
from rpsite.lifespan import Lifespan, start  # noqa: E402
from rpsite.metrics import Metrics  # noqa: E402
from rpsite.processes.memory import let_collector_rest  # noqa: E402
from rpsite.routing import websocket_application  # noqa: E402
from rpsite.traces import traced  # noqa: E402

pages = Pages()
application = ProtocolTypeRouter(
    {
        "http": Metrics(traced(logged(SmallBodies(page_queue.limited(pages, crowded))))),
        "websocket": websocket_application,
        "lifespan": Lifespan(start, runtime.stop),
    }
)

let_collector_rest()
