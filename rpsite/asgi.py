"""The site as an ASGI application: Django's pages and the games' sockets."""

import os

from django.core.asgi import get_asgi_application

from rpsite.variables import require_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rpsite.settings.prod")
require_settings()
# Django must be set up before anything that imports models.
pages = get_asgi_application()

from channels.routing import ProtocolTypeRouter  # noqa: E402

from games.realtime import runtime  # noqa: E402
from games.realtime.request_counter import request_counter  # noqa: E402
from rpsite.bodies import SmallBodies  # noqa: E402
from rpsite.lifespan import Lifespan, start  # noqa: E402
from rpsite.metrics import Metrics  # noqa: E402
from rpsite.processes.memory import let_collector_rest  # noqa: E402
from rpsite.routing import websocket_application  # noqa: E402
from rpsite.traces import traced  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": Metrics(traced(SmallBodies(request_counter.counted(pages)))),
        "websocket": websocket_application,
        "lifespan": Lifespan(start, runtime.stop),
    }
)

let_collector_rest()
