"""The installable app: its manifest, its service worker, and the page shown without a network."""

import json

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_GET

#: Size of an icon -> whether it has the margin that systems may cut away.
_ICONS = {"192": False, "512": False, "maskable-512": True}


@require_GET
def manifest(request: HttpRequest) -> JsonResponse:
    """Return the web app's manifest (W3C)."""
    icons = [
        {
            "src": static(f"img/app-{name}.png"),
            "sizes": "x".join([name.rpartition("-")[2]] * 2),
            "type": "image/png",
            "purpose": "maskable" if is_maskable else "any",
        }
        for name, is_maskable in _ICONS.items()
    ]
    content = {
        "name": "Rock & Racket",
        "short_name": "Racket",
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#0e1311",
        "theme_color": "#0e1311",
        "icons": icons,
    }
    response = JsonResponse(content, content_type="application/manifest+json")
    response["Cache-Control"] = "max-age=3600"
    return response


@require_GET
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker's script, which must lie at the root to serve every page."""
    shell = [
        static(path)
        for path in (
            "css/site.css",
            "img/favicon.svg",
            "img/app-192.png",
            "vendor/icons/sprite.svg",
            "vendor/fonts/inter.woff2",
            "vendor/fonts/bricolage-grotesque.woff2",
        )
    ]
    paths = {"offline": reverse("offline"), "push": reverse("push_browser")}
    config = json.dumps({**paths, "shell": shell, "icon": shell[2]})
    script = render_to_string("sw.js").replace("{}", config, 1)
    response = HttpResponse(script, content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response


@require_GET
def offline(request: HttpRequest) -> HttpResponse:
    """Return the page that the service worker shows without a network: the same for everybody."""
    response = render(request, "pages/offline.html")
    response["Cache-Control"] = "no-cache"
    return response
