"""The URLs of contests."""

from django.urls import path

from games.contests import views

urlpatterns = [
    path("contests/", views.contests, name="contests"),
    path("contests/new/", views.contest_new, name="contest_new"),
    path("contests/standings/", views.contest_standings, name="contest_standings"),
    path("contests/etag/", views.contests_etag, name="contests_etag"),
    path("contests/<str:public_id>/", views.contest, name="contest"),
    path("contests/<str:public_id>/join/", views.join, name="contest_join"),
    path("contests/<str:public_id>/leave/", views.leave, name="contest_leave"),
    path("contests/<str:public_id>/ready/", views.ready, name="contest_ready"),
    path("contests/<str:public_id>/unready/", views.unready, name="contest_unready"),
    path("contests/<str:public_id>/start/", views.start, name="contest_start"),
    path("contests/<str:public_id>/propose/", views.propose, name="contest_propose"),
    path("contests/<str:public_id>/back/<int:no>/", views.propose_back, name="contest_back"),
    path("contests/<str:public_id>/withdraw/<int:no>/", views.withdraw, name="contest_withdraw"),
    path("contests/<str:public_id>/object/<int:no>/", views.object_to, name="contest_object"),
    path("contests/<str:public_id>/pass/<int:no>/", views.let_pass, name="contest_let_pass"),
    path("contests/<str:public_id>/report/<int:no>/", views.report, name="contest_report"),
    path("contests/<str:public_id>/etag/", views.contest_etag, name="contest_etag"),
    path("contests/<str:public_id>/close/", views.close, name="contest_close"),
]
