"""The addresses of the reading API."""

from django.urls import path

from games.api import views
from games.api.operations import ROOT

urlpatterns = [
    path("api/", views.reference, name="reading_api"),
    path(f"{ROOT}openapi.json", views.openapi, name="openapi"),
    *views.ADDRESSES.values(),
    # The same answer at the address that proofs name.
    path(
        "matches/<str:public_id>/proof.json",
        views.ADDRESSES["api_proof"].callback,
        name="match_proof",
    ),
    path(f"{ROOT}<path:rest>", views.nothing),
]
