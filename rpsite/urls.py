"""URLs of the site."""

from importlib.util import find_spec

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from games.registry import FEATURES
from rpsite import views

handler400 = "rpsite.errors.bad_request"
handler404 = "rpsite.errors.not_found"
handler500 = "rpsite.errors.server_error"

urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path("sw.js", views.service_worker, name="service_worker"),
    path("app.webmanifest", views.manifest, name="manifest"),
    path("offline/", views.offline, name="offline"),
    path("status/", views.status_page, name="status"),
    path(".well-known/security.txt", views.security_txt, name="security_txt"),
    path("favicon.ico", RedirectView.as_view(url="/static/img/favicon.svg")),
    path("admin/", admin.site.urls),
    path("", include("accounts.urls")),
    path("", include("economy.urls")),
    path("", include("games.practice.urls")),
    path("", include("games.matches.urls")),
    *(path("", include(f"{name}.urls")) for name in FEATURES if find_spec(f"{name}.urls")),
    path("", include("games.contests.urls")),
    path("", include("games.events.urls")),
    path("", include("games.ladder.urls")),
    path("", include("games.jsonrpc.urls")),
    path("", include("games.api.urls")),
]
