"""Settings of log-in: passwords, accounts, second factors."""

from typing import Any

from rpsite.settings.names import SITE_NAME
from rpsite.variables import read

#: Only one: each backend that is tried hashes a password.
AUTHENTICATION_BACKENDS = ["accounts.backends.OneHashBackend"]
PASSWORD_HASHERS = [
    "accounts.backends.SiteArgon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
_VALIDATORS = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {"NAME": f"{_VALIDATORS}.UserAttributeSimilarityValidator"},
    {"NAME": f"{_VALIDATORS}.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": f"{_VALIDATORS}.CommonPasswordValidator"},
    {"NAME": f"{_VALIDATORS}.NumericPasswordValidator"},
]
#: Seconds for which a link that resets a password is valid.
PASSWORD_RESET_TIMEOUT = 24 * 60 * 60
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "accounts.adapters.AccountAdapter"
ACCOUNT_FORMS = {
    "add_email": "accounts.forms.AddEmailForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "login": "accounts.forms.LogInForm",
    "reauthenticate": "accounts.forms.PasswordAgainForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_UNIQUE_EMAIL = True
ACCOUNT_EMAIL_VERIFICATION = read("ACCOUNT_EMAIL_VERIFICATION")
# Sign-up asks for a name and one password; an address can be added later.
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
if ACCOUNT_EMAIL_VERIFICATION == "mandatory":
    ACCOUNT_SIGNUP_FIELDS.insert(1, "email*")
ACCOUNT_EMAIL_SUBJECT_PREFIX = f"[{SITE_NAME}] "
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_USERNAME_MIN_LENGTH = 3
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
#: Changes of the account ask for the password again, and its owner gets a mail.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
# Passkeys always ask for a finger, a face or a PIN, also after a password.
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_USER_VERIFICATION = "required"
MFA_FORMS = {
    "activate_totp": "accounts.forms.AddAppForm",
    "add_webauthn": "accounts.forms.AddPasskeyForm",
    "authenticate": "accounts.forms.CodeForm",
    "authenticate_webauthn": "accounts.forms.PasskeyForm",
    "edit_webauthn": "accounts.forms.NamePasskeyForm",
    "login_webauthn": "accounts.forms.PasskeyLogInForm",
    "reauthenticate": "accounts.forms.CodeAgainForm",
    "reauthenticate_webauthn": "accounts.forms.PasskeyAgainForm",
}
MFA_TOTP_ISSUER = SITE_NAME
#: A phone's clock may be half a minute off.
MFA_TOTP_TOLERANCE = 1
#: E-mail addresses are optional, and the first administrator has none.
MFA_ALLOW_UNVERIFIED_EMAIL = True
#: Only tests turn it off.
STAFF_SECOND_FACTOR = True
ACCOUNT_RATE_LIMITS = {
    "login": "60/m/ip",
    "login_failed": "5/15m/key,20/15m/ip",
    # Wrong passwords and codes inside sessions; the tenth of a session ends it.
    "guess": "5/15m/user",
    "guess_in_session": "9/14d/key",
    # Codes and passkeys at a log-in: of a user in a known browser or a network; of a user in all
    # other places.
    "second_step": "5/15m/key,30/d/key",
    "second_step_elsewhere": "20/15m/key,120/d/key",
    "tell_closed": "1/h/user",
    # Mails that confirm an address: to one address, and of a user. Anybody can type a stranger's.
    "confirm_email": "1/3m/key,20/d/key",
    "confirmation_mail": "5/d/user",
    "signup": read("SIGNUP_RATE"),
    "reset_password": "10/h/ip,3/h/key",
}
USERSESSIONS_TRACK_ACTIVITY = False
