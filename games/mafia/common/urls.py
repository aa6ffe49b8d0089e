"""The addresses of the house's pages, and of what its boards read; each of its games has them."""

from django.urls import path

from games.mafia import pages, policy, reads, seats, writes

urlpatterns = [
    path("mafia/", pages.mafia, name="mafia"),
    path("mafia/quick/", pages.mafia_quick, name="mafia_quick"),
    path("mafia/new/", pages.mafia_new, name="mafia_new"),
    path("mafia/absence/", policy.absence, name="mafia_absence"),
    path("mafia/<str:public_id>/", pages.mafia_game, name="mafia_game"),
    path("mafia/<str:public_id>/posts/<slug:room>/", writes.posts, name="mafia_posts"),
    path(
        "mafia/<str:public_id>/posts/<slug:room>/<int:no>/report/",
        writes.report,
        name="mafia_report",
    ),
    path("mafia/<str:public_id>/notebook/", writes.notebook, name="mafia_notebook"),
    path("mafia/<str:public_id>/seat/", seats.open_seat, name="mafia_seat"),
    path("mafia/<str:public_id>/votes/", reads.votes, name="mafia_votes"),
    path("mafia/<str:public_id>/story/", pages.mafia_story, name="mafia_story"),
]
