"""Pages of accounts: our own before those of allauth."""

from django.urls import include, path

from accounts.away_views import away_page
from accounts.reminder_views import reminder_page, stop_reminders
from accounts.token_views import token_page, token_revoke
from accounts.views import (
    LogInPage,
    SessionsPage,
    SignUpPage,
    accept_invitation,
    choose_look,
    invite,
)

urlpatterns = [
    path("theme/", choose_look, name="theme"),
    path("accounts/signup/", SignUpPage.as_view(), name="account_signup"),
    path("accounts/login/", LogInPage.as_view(), name="account_login"),
    path("accounts/sessions/", SessionsPage.as_view(), name="usersessions_list"),
    path("accounts/invite/", invite, name="invite"),
    path("accounts/away/", away_page, name="away"),
    path("accounts/mail/", reminder_page, name="reminders"),
    path("accounts/mail/stop/<str:token>/", stop_reminders, name="reminders_stop"),
    path("accounts/tokens/", token_page, name="account_tokens"),
    path("accounts/tokens/<int:token_id>/revoke/", token_revoke, name="account_token_revoke"),
    path("invite/<str:token>/", accept_invitation, name="invitation"),
    path("accounts/", include("allauth.urls")),
]
