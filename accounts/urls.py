"""URLs of accounts: the site's pages before those of allauth."""

from django.urls import include, path

from accounts import settings_pages, views

urlpatterns = [
    path("theme/", views.choose_look, name="theme"),
    path("settings/", settings_pages.board_page, name="settings"),
    path("settings/board/", settings_pages.board_setting, name="board_setting"),
    path("settings/avatar/", views.avatar_page, name="avatar"),
    path("settings/notifications/", settings_pages.notifications, name="notifications"),
    path("settings/notifications/browser/", settings_pages.push_browser, name="push_browser"),
    path("settings/privacy/", settings_pages.privacy_page, name="privacy_settings"),
    path("accounts/signup/", views.SignUpPage.as_view(), name="account_signup"),
    path("accounts/login/", views.LogInPage.as_view(), name="account_login"),
    path("accounts/2fa/authenticate/", views.CodePage.as_view(), name="mfa_authenticate"),
    path("accounts/email/", views.EmailPage.as_view(), name="account_email"),
    path("accounts/sessions/", views.SessionsPage.as_view(), name="usersessions_list"),
    path("accounts/invite/", views.invite, name="invite"),
    path("accounts/message/", views.message_page, name="staff_message"),
    path("accounts/away/", views.away_page, name="away"),
    path("accounts/mail/", views.reminder_page, name="reminders"),
    path("accounts/mail/stop/<str:token>/", views.stop_reminders, name="reminders_stop"),
    path("accounts/tokens/", views.token_page, name="account_tokens"),
    path("accounts/tokens/<int:token_id>/revoke/", views.token_revoke, name="account_token_revoke"),
    path("invite/<str:token>/", views.accept_invitation, name="invitation"),
    path("accounts/", include("allauth.urls")),
]
