"""The URLs of events."""

from django.urls import path

from games.events import views

urlpatterns = [
    path("events/", views.events, name="events"),
    path("events/finished/", views.events_finished, name="events_finished"),
    path("events/new/", views.event_new, name="event_new"),
    path("events/<str:public_id>/", views.event, name="event"),
    path("events/<str:public_id>/etag/", views.event_etag, name="event_etag"),
    path("events/<str:public_id>/enter/", views.enter, name="event_enter"),
    path("events/<str:public_id>/withdraw/", views.withdraw, name="event_withdraw"),
    path("events/<str:public_id>/proof.json", views.event_proof, name="event_proof"),
    path("events/<str:public_id>/card.jpg", views.event_card, name="event_card"),
]
