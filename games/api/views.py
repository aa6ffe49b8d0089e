"""The API's document, the page that shows and tries its operations, and unknown addresses."""

from functools import lru_cache
from importlib import import_module
from typing import Any, Final

import msgspec
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET

from games import registry
from games.api import matches, own, public
from games.api.errors import PROBLEMS, Refusal, Refused
from games.api.operations import ROOT, addresses, api, refused
from games.contract import TableGame

Schema = dict[str, Any]
_SCHEMAS: Final = "#/components/schemas/"
_SECURITY: Final[list[Schema]] = [{"token": []}, {"session": []}]
_OTHER_RESPONSES: Final = {
    "304": {"description": "It is what the ETag in If-None-Match names"},
    "default": {
        "description": "It is not answered",
        "content": {"application/json": {"schema": {"$ref": f"{_SCHEMAS}Refused"}}},
    },
}

for router in (matches.router, public.router, own.router):
    api.add_router("", router)
for game in registry.games():
    if game.reading:
        api.add_router("", game.reading)
ADDRESSES: Final = {str(each.name): each for each in addresses()}


@lru_cache(maxsize=8)
def document(origin: str) -> Schema:
    """Return the OpenAPI document; read-only. ``origin``: the site's, such as
    ``https://play.example``.
    """
    told: Schema = {**api.get_openapi_schema(path_prefix="")}
    told["servers"] = [{"url": f"{origin}/{ROOT.rstrip('/')}"}]
    operations = [(path, each["get"]) for path, each in told["paths"].items()]
    for _, each in operations:
        each["security"] = _SECURITY if each["tags"] == ["own"] else [{}, *_SECURITY]
        each["responses"] = {"200": each["responses"][200], **_OTHER_RESPONSES}
    # HEAD is as GET.
    told["paths"] = {path: {"get": each} for path, each in sorted(operations, key=_place)}
    told["components"]["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer"},
        "session": {"type": "apiKey", "in": "cookie", "name": "sessionid"},
    }
    schemas = told["components"]["schemas"]
    refused = Refused.model_json_schema(ref_template=_SCHEMAS + "{model}")
    schemas |= refused.pop("$defs") | {"Refused": refused}
    schemas["Problem"]["properties"]["code"]["enum"] = [*PROBLEMS]
    _add_games(schemas)
    return told


def _place(told: tuple[str, Schema]) -> tuple[bool, str]:
    return told[1]["tags"] == ["own"], told[0]


def _add_games(schemas: dict[str, Schema]) -> None:
    """Add the games' own parts, and which game has which."""
    games = list(registry.tables())
    kinds = [*map(_public_view, games), *(game.options for game in games)]
    found, named = msgspec.json.schema_components(kinds, ref_template=_SCHEMAS + "{name}")
    # Clients are generated from the names of 1.2.
    text = msgspec.json.encode((found, named))
    text = text.replace(b".rules.state.Options", b".rules.options.Options")
    found, named = msgspec.json.decode(text)
    schemas |= named
    schemas["MatchShown"]["allOf"] = [
        {
            "if": {"properties": {"match": {"properties": {"game": {"const": game.slug}}}}},
            "then": {
                "properties": {
                    "match": {"properties": {"options": options}},
                    "game": {"anyOf": [part, {"type": "null"}]},
                }
            },
        }
        for game, part, options in zip(games, found, found[len(games) :], strict=False)
    ]


def _public_view(game: TableGame) -> Any:
    """Return the type of the public part of a game's view; a map where it has none of its own."""
    try:
        module = import_module(f"{registry.package(game.slug)}.rules.view")
    except ModuleNotFoundError:
        return dict[str, Any]
    return module.PublicView


@require_GET
def openapi(request: HttpRequest) -> HttpResponse:
    headers = {"Cache-Control": "public, max-age=300", "Access-Control-Allow-Origin": "*"}
    return JsonResponse(document(_origin(request)), headers=headers)


@require_GET
@never_cache
def reference(request: HttpRequest) -> HttpResponse:
    """Show all operations, each with a form that sends a request."""
    told = document(_origin(request))
    operations = [(path, each["get"]) for path, each in told["paths"].items()]
    context = {
        "site": _origin(request),
        "root": f"/{ROOT.rstrip('/')}",
        "groups": [
            (title, [each for each in operations if each[1]["tags"] == [tag]])
            for title, tag in (("Public", "public"), ("Your own", "own"))
        ],
        "refusals": PROBLEMS.items(),
    }
    return render(request, "games/reading_api.html", context)


@csrf_exempt
def nothing(_: HttpRequest, rest: str) -> HttpResponse:
    """Answer an address below the API's that is no operation."""
    del rest
    return refused(Refusal("not_found"))


def _origin(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"
