"""The addresses of the contests."""

from django.urls import path

from games.contests import pages

urlpatterns = [
    path("contests/", pages.contests, name="contests"),
    path("contests/new/", pages.contest_new, name="contest_new"),
    path("contests/standings/", pages.contest_standings, name="contest_standings"),
    path("contests/stamp/", pages.contests_stamp, name="contests_stamp"),
    path("contests/<str:public_id>/", pages.contest, name="contest"),
    path("contests/<str:public_id>/join/", pages.join, name="contest_join"),
    path("contests/<str:public_id>/leave/", pages.leave, name="contest_leave"),
    path("contests/<str:public_id>/ready/", pages.ready, name="contest_ready"),
    path("contests/<str:public_id>/unready/", pages.unready, name="contest_unready"),
    path("contests/<str:public_id>/start/", pages.start, name="contest_start"),
    path("contests/<str:public_id>/propose/", pages.propose, name="contest_propose"),
    path("contests/<str:public_id>/object/<int:no>/", pages.object_to, name="contest_object"),
    path("contests/<str:public_id>/pass/<int:no>/", pages.let_pass, name="contest_let_pass"),
    path("contests/<str:public_id>/stamp/", pages.contest_stamp, name="contest_stamp"),
    path("contests/<str:public_id>/close/", pages.close, name="contest_close"),
]
