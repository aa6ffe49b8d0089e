"""The addresses of the reading API; games add theirs in their own URLs."""

from django.urls import path

from games.api import matches, own, public, views
from games.api.matches import PROOF
from games.api.operations import ROOT, routes, view_of

urlpatterns = [
    path("api/", views.reference, name="reading_api"),
    path(f"{ROOT}openapi.json", views.openapi, name="openapi"),
    *routes(*matches.OPERATIONS, *public.OPERATIONS, *own.OPERATIONS),
    # The same answer at the address that proofs name.
    path("matches/<str:public_id>/proof.json", view_of(PROOF), name="match_proof"),
    path(f"{ROOT}<path:rest>", views.nothing),
]
