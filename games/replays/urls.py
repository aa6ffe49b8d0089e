"""URL patterns of finished matches: replays, histories, logs, preview cards."""

from django.urls import path

from games.matches.views import match
from games.replays import views

urlpatterns = [
    path("matches/<str:public_id>/replay/", match, {"page": views.replay_page}, name="match_watch"),
    path("matches/<str:public_id>/replay.json", views.replay_pages, name="match_replay"),
    path("matches/<str:public_id>/history.txt", views.history, name="match_history"),
    path("matches/<str:public_id>/export.json", views.export, name="match_export"),
    path("matches/<str:public_id>/analysis.json", views.analysis, name="match_analysis"),
    path("matches/<str:public_id>/card.jpg", views.card, name="match_card"),
    path("matches/<str:public_id>/log.json", views.match_log, name="match_log"),
]
