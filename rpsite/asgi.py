"""The site as an ASGI application: Django's pages and the games' sockets."""

import gc
import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rpsite.settings.prod")
# Django must be set up before anything that imports models.
pages = get_asgi_application()

from channels.routing import ProtocolTypeRouter  # noqa: E402

from games.live import runtime  # noqa: E402
from games.live.traffic import traffic  # noqa: E402
from games.routing import websocket_application  # noqa: E402
from rpsite.bodies import SmallBodies  # noqa: E402
from rpsite.lifespan import Lifespan  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": SmallBodies(traffic.counted(pages)),
        "websocket": websocket_application,
        "lifespan": Lifespan(runtime.start, runtime.stop),
    }
)

# Django's own objects live as long as the process: without this each full collection
# walks them all, a pause of 20 to 40 ms that every socket feels.
gc.collect()
gc.freeze()
# What actions make is freed without the collector, which finds next to nothing, and walks all that
# lives for the moment each time: 5 to 15 ms.  It looks only once in a while.
gc.set_threshold(100_000, 10, 50)
