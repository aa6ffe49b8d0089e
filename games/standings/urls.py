"""URL patterns of the leaderboards."""

from django.urls import path

from games.standings import views

urlpatterns = [
    path("leaderboard/", views.leaderboard, name="leaderboard"),
    path("leaderboard/awards/", views.award_board, name="award_board"),
]
