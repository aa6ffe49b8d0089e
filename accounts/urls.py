"""Pages of accounts: our own before those of allauth."""

from django.urls import include, path

from accounts.views import LogInPage, SignUpPage, accept_invitation, choose_look, invite

urlpatterns = [
    path("theme/", choose_look, name="theme"),
    path("accounts/signup/", SignUpPage.as_view(), name="account_signup"),
    path("accounts/login/", LogInPage.as_view(), name="account_login"),
    path("accounts/invite/", invite, name="invite"),
    path("invite/<str:token>/", accept_invitation, name="invitation"),
    path("accounts/", include("allauth.urls")),
]
