"""The API's document, the page that shows and tries its operations, and unknown addresses."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET

from games.api.document import document
from games.api.errors import REFUSALS, NotFound
from games.api.operations import OPERATIONS, ROOT, refused


@require_GET
def openapi(request: HttpRequest) -> HttpResponse:
    """Return the OpenAPI document."""
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
