"""URL patterns of seeds, the log of commitments and the verifier."""

from django.urls import path

from games.proofs import views

urlpatterns = [
    path("seeds/<str:day>/<int:part>.json", views.seeds, name="seeds"),
    path("proof/", views.proof, name="proof"),
    path("proof/log/<str:day>.jsonl.gz", views.log_day, name="log_day"),
]
