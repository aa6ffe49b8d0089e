"""The addresses of the pages and of the boards' reads that every Mafia game has."""

from django.urls import path

from games.mafia.common import archive, postmortem, posts, views
from games.replays.views import replay_page

urlpatterns = [
    path("mafia/", views.mafia, name="mafia"),
    path("mafia/quick/", views.mafia_quick, name="mafia_quick"),
    path("mafia/new/", views.mafia_new, name="mafia_new"),
    path("mafia/archive/", archive.mafia_archive, name="mafia_archive"),
    path("mafia/absence/", views.absence, name="mafia_absence"),
    path("mafia/<str:public_id>/", views.mafia_game, name="mafia_game"),
    path(
        "mafia/<str:public_id>/replay/", views.mafia_game, {"page": replay_page}, name="mafia_watch"
    ),
    path("mafia/<str:public_id>/posts/<slug:room>/", posts.posts, name="mafia_posts"),
    path(
        "mafia/<str:public_id>/posts/<slug:room>/<int:no>/report/",
        posts.report,
        name="mafia_report",
    ),
    path("mafia/<str:public_id>/notebook/", posts.notebook, name="mafia_notebook"),
    path("mafia/<str:public_id>/seat/", views.open_seat, name="mafia_seat"),
    path("mafia/<str:public_id>/votes/", posts.votes, name="mafia_votes"),
    path("mafia/<str:public_id>/will/", posts.will, name="mafia_will"),
    path("mafia/<str:public_id>/story/", views.mafia_story, name="mafia_story"),
    path("mafia/<str:public_id>/story/part/", postmortem.postmortem, name="mafia_postmortem"),
    path("mafia/<str:public_id>/thumb/", postmortem.thumb, name="mafia_thumb"),
]
