"""The test stand of the baseline, like the site's."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from bench.children import Hand, Web
from bench.stand import Stand
from bench.template import variables
from tools.temporary_valkey import TemporaryValkey

#: The most users: as many as the scenarios need that it is measured in.
PEOPLE = 900
LAYERS = {
    "baseline": "channels_redis.core.RedisChannelLayer",
    "baseline-pubsub": "channels_redis.pubsub.RedisPubSubChannelLayer",
}
APPLICATION = "bench.baseline.asgi:application"


class PlainStand(Stand):
    """The baseline, its SQLite file and a Valkey for its channel layer."""

    def __enter__(self) -> Self:
        self.var.mkdir()
        self.valkey = TemporaryValkey(self.var)
        self.valkey.start()
        self.environment = variables(self.var, "") | {
            "REDIS_URL": self.valkey.url,
            "DJANGO_SETTINGS_MODULE": "bench.baseline.settings",
            "CHANNEL_LAYER": LAYERS[self.setup.kind],
        }
        self.hand = Hand(self.var / "hand.log", self.environment, "bench.baseline.seed")
        self.people = self.hand("people", count=min(PEOPLE, len(self.template.people)))
        return self

    def _new_web(self, log: Path, environment: Mapping[str, str], server: str, port: int) -> Web:
        return Web(log, environment, _command(server, port), port)


def _command(server: str, port: int) -> list[str]:
    if server == "daphne":
        return [sys.executable, "-m", "daphne", "-v", "0", "-p", str(port), APPLICATION]
    options = ["--loop", "uvloop", "--ws", "websockets-sansio", "--log-level", "warning"]
    options += ["--ws-per-message-deflate", "false", "--no-access-log", "--lifespan", "off"]
    return [sys.executable, "-m", "uvicorn", *options, "--port", str(port), APPLICATION]
