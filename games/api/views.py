"""The API's document, the page that shows and tries its operations, and unknown addresses."""

from functools import lru_cache
from importlib import import_module
from typing import Any, Final

import msgspec
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import get_resolver
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET
from msgspec import NODEFAULT

from games import registry
from games.api.errors import REFUSALS, NotFound, Refused
from games.api.operations import OPERATIONS, ROOT, VERSION, Operation, refused
from games.contract import TableGame

OPENAPI: Final = "3.1.1"
_SCHEMAS: Final = "#/components/schemas/"
Schema = dict[str, Any]


@lru_cache(maxsize=8)
def document(origin: str) -> dict[str, Any]:
    """Return the OpenAPI document; read-only. ``origin``: the site's, such as
    ``https://play.example``.
    """
    # Operations are known once the addresses are.
    get_resolver().url_patterns  # noqa: B018
    operations = sorted(OPERATIONS.values(), key=lambda each: (each.is_own, each.pattern))
    refs, schemas = _schemas(operations)
    return {
        "openapi": OPENAPI,
        "info": {
            "title": "Rock & Racket, to read",
            "version": VERSION,
            "description": "What the site knows in public, and your own data.  It changes nothing.",
        },
        "servers": [{"url": f"{origin}/{ROOT.rstrip('/')}"}],
        "paths": {
            f"/{each.pattern}": {"get": _operation(each, refs[each.name])} for each in operations
        },
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "session": {"type": "apiKey", "in": "cookie", "name": "sessionid"},
            },
        },
    }


def _schemas(operations: list[Operation]) -> tuple[dict[str, Schema], dict[str, Schema]]:
    """Return each operation's schema, and the named ones; the games' parts are among them."""
    views = {game.slug: _public_view(game) for game in registry.tables()}
    options = {game.slug: game.options for game in registry.tables()}
    kinds = [each.answers for each in operations]
    found, schemas = msgspec.json.schema_components(
        [*kinds, Refused, *views.values(), *options.values()], ref_template=_SCHEMAS + "{name}"
    )
    # Clients are generated from the names of 1.2.
    named = msgspec.json.encode((found, schemas))
    named = named.replace(b".rules.state.Options", b".rules.options.Options")
    found, schemas = msgspec.json.decode(named)
    schemas["Problem"]["properties"]["code"]["enum"] = [each.code for each in REFUSALS]
    refs = dict(zip([each.name for each in operations], found, strict=False))
    parts = iter(found[len(kinds) + 1 :])
    games = {slug: next(parts) for slug in views}
    tables = {slug: next(parts) for slug in options}
    # A game's own part depends on the game.
    schemas["MatchShown"]["allOf"] = [
        {
            "if": {"properties": {"match": {"properties": {"game": {"const": slug}}}}},
            "then": {
                "properties": {
                    "match": {"properties": {"options": tables[slug]}},
                    "game": {"anyOf": [part, {"type": "null"}]},
                }
            },
        }
        for slug, part in games.items()
    ]
    return refs, schemas


def _public_view(game: TableGame) -> Any:
    """Return the type of the public part of a game's view; a map where it has none of its own."""
    try:
        module = import_module(f"{registry.package(game.slug)}.rules.view")
    except ModuleNotFoundError:
        return dict[str, Any]
    return module.PublicView


def _operation(operation: Operation, answers: Schema) -> dict[str, Any]:
    refusal = {"$ref": _SCHEMAS + Refused.__name__}
    security: list[Schema] = [{"token": []}, {"session": []}]
    return {
        "operationId": operation.name,
        "summary": operation.summary,
        "tags": ["own" if operation.is_own else "public"],
        "security": security if operation.is_own else [{}, *security],
        "parameters": _parameters(operation),
        "responses": {
            "200": {
                "description": "What was asked for",
                "content": {"application/json": {"schema": answers}},
            },
            "304": {"description": "It is what the ETag in If-None-Match names"},
            "default": {
                "description": "It is not answered",
                "content": {"application/json": {"schema": refusal}},
            },
        },
    }


def _parameters(operation: Operation) -> list[dict[str, Any]]:
    found = []
    for field, is_in_path in operation.parameters:
        (schema,), _ = msgspec.json.schema_components([field.type])
        about = schema.pop("description", "")
        if field.default not in (NODEFAULT, "", None):
            schema["default"] = field.default
        found.append(
            {
                "name": field.encode_name,
                "in": "path" if is_in_path else "query",
                "required": is_in_path,
                "schema": schema,
                **({"description": about} if about else {}),
            }
        )
    return found


@require_GET
def openapi(request: HttpRequest) -> HttpResponse:
    headers = {"Cache-Control": "public, max-age=300", "Access-Control-Allow-Origin": "*"}
    return JsonResponse(document(_origin(request)), headers=headers)


@require_GET
@never_cache
def reference(request: HttpRequest) -> HttpResponse:
    """Show all operations, each with a form that sends a request."""
    told = document(_origin(request))
    shown = [_shown(path, each["get"]) for path, each in told["paths"].items()]
    context = {
        "site": _origin(request),
        "root": f"/{ROOT.rstrip('/')}",
        "groups": [
            ("Public", [each for each in shown if not each["is_own"]]),
            ("Your own", [each for each in shown if each["is_own"]]),
        ],
        "refusals": REFUSALS,
    }
    return render(request, "games/reading_api.html", context)


@csrf_exempt
def nothing(_: HttpRequest, rest: str) -> HttpResponse:
    """Answer an address below the API's that is no operation."""
    del rest
    return refused(NotFound())


def _shown(path: str, told: dict[str, Any]) -> dict[str, Any]:
    """Return an operation of the document as the page shows it."""
    parameters = [
        {
            **each,
            "choices": each["schema"].get("enum", ()),
            "default": each["schema"].get("default", ""),
            "is_number": each["schema"].get("type") == "integer",
        }
        for each in told["parameters"]
    ]
    name = told["operationId"]
    return {
        "name": name,
        "path": path,
        "summary": told["summary"],
        "is_own": OPERATIONS[name].is_own,
        "parameters": parameters,
    }


def _origin(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"
