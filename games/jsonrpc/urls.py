"""The addresses of JSON-RPC over HTTP, and of the pages for programmers."""

from django.urls import path

from games.jsonrpc import program_views, views

urlpatterns = [
    path("settings/programs/", program_views.program_settings, name="program_settings"),
    path("rpc/<slug:slug>/", views.rpc, name="rpc"),
    path("rpc/<slug:slug>/openrpc.json", views.openrpc, name="openrpc"),
    path("programs/", views.reference, name="programs"),
    path("play/<slug:slug>/api/", views.reference, name="api"),
]
