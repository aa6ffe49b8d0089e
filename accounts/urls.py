"""URLs of accounts: the site's pages before those of allauth."""

from django.urls import include, path

from accounts import views

urlpatterns = [
    path("theme/", views.choose_look, name="theme"),
    path("settings/avatar/", views.avatar_page, name="avatar"),
    path("accounts/signup/", views.SignUpPage.as_view(), name="account_signup"),
    path("accounts/login/", views.LogInPage.as_view(), name="account_login"),
    path("accounts/sessions/", views.SessionsPage.as_view(), name="usersessions_list"),
    path("accounts/invite/", views.invite, name="invite"),
    path("accounts/away/", views.away_page, name="away"),
    path("accounts/mail/", views.reminder_page, name="reminders"),
    path("accounts/mail/stop/<str:token>/", views.stop_reminders, name="reminders_stop"),
    path("accounts/tokens/", views.token_page, name="account_tokens"),
    path("accounts/tokens/<int:token_id>/revoke/", views.token_revoke, name="account_token_revoke"),
    path("invite/<str:token>/", views.accept_invitation, name="invitation"),
    path("accounts/", include("allauth.urls")),
]
