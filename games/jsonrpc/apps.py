"""The application of JSON-RPC."""

from django.apps import AppConfig

from economy.parts import Part


class JsonRpcConfig(AppConfig):
    name = "games.jsonrpc"
    part = Part(runners=("games.jsonrpc.narrator.Narrator",))
