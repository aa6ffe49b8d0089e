"""Forms of accounts that are stricter than django-allauth's, or use the site's words."""

import base64
import json
from typing import Any, Final

from allauth.account import forms
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.core import context, ratelimit
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa import app_settings as mfa
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.internal.auth import SECRET_SESSION_KEY
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.forms import HiddenInput, JSONField

from accounts.adapters import check_second_step, guess
from accounts.backends import owner_of
from accounts.models import User
from economy.texts import WrittenField

#: The label of the field on pages.
ADDRESS: Final = "E-mail address"
#: Maximum length of a passkey's name, in characters.
LONGEST_NAME: Final = 40
#: The number of unconfirmed addresses that a user may have: anybody can type a stranger's.
MOST_UNCONFIRMED: Final = 3

#: Seconds for which an app's code is right.
CODE_HOLDS: Final = mfa.TOTP_PERIOD * (2 * mfa.TOTP_TOLERANCE + 1)


def require_confirmation_mail(user: User) -> None:
    """Count a mail that confirms an address. Raises ValidationError after the day's last one."""
    if not ratelimit.consume(context.request, action="confirmation_mail", user=user):
        raise ValidationError(
            "You have had five confirmation mails today: try again tomorrow.", "too_many_mails"
        )


class LogInForm(forms.LoginForm):
    """Labels the field "login": it takes a name or an address."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        _call(self, "login", "Username or e-mail address")


class AddEmailForm(forms.AddEmailForm):
    """Limits addresses that nobody confirmed."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        _call(self, "email", ADDRESS)

    def clean_email(self) -> str:
        email = str(super().clean_email())
        unconfirmed = EmailAddress.objects.filter(user=self.user, verified=False)
        if unconfirmed.count() >= MOST_UNCONFIRMED:
            raise ValidationError(
                f"{MOST_UNCONFIRMED} addresses are not confirmed yet: confirm or remove one first.",
                "too_many_unconfirmed",
            )
        require_confirmation_mail(self.user)
        return email


class ChangePasswordForm(forms.ChangePasswordForm):
    """Limits wrong old passwords."""

    def clean_oldpassword(self) -> str:
        return guess(self.user, super().clean_oldpassword)


class PasswordAgainForm(forms.ReauthenticateForm):
    """Asks for the password inside a session; limits wrong ones."""

    def clean_password(self) -> str:
        return guess(self.user, super().clean_password)


class UsedOnce(BaseAuthenticateForm):
    """Takes each code of an app once; allauth forgets it before its tolerance has passed."""

    def clean_code(self) -> str:
        code = str(super().clean_code())
        key = f"used_code:{self.user.pk}:{normalize_user_code(code)}"
        is_of_app = self.authenticator.type == Authenticator.Type.TOTP
        if is_of_app and not cache.add(key, True, timeout=CODE_HOLDS):
            raise get_mfa_adapter().validation_error("incorrect_code")
        return code


class CodeForm(UsedOnce, AuthenticateForm):
    """Takes a code after the password; tells the owner when none is accepted any more."""

    def clean_code(self) -> str:
        return check_second_step(self.user, super().clean_code)


class CodeAgainForm(UsedOnce, ReauthenticateForm):
    """Asks for a code inside a session; limits wrong ones."""

    def clean_code(self) -> str:
        return guess(self.user, super().clean_code)


class AddAppForm(ActivateTOTPForm):
    """Adds an authenticator app; shows the same secret for as long as the session lasts."""

    def __init__(self, *given: Any, **named: Any) -> None:
        session = context.request.session
        kept = session.get(SECRET_SESSION_KEY)
        super().__init__(*given, **named)
        if kept:
            self.secret = session[SECRET_SESSION_KEY] = kept


class ResetPasswordForm(forms.ResetPasswordForm):
    """Mails a reset to a confirmed address; to any other one a mail that says so."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        _call(self, "email", ADDRESS)

    def clean_email(self) -> str:
        email = str(get_adapter().clean_email(self.cleaned_data["email"].lower()))
        owner = owner_of(email)
        self.users = [owner] if owner and owner.is_active else []
        return email


#: Errors that a malformed credential raises.
_MALFORMED: Final = (AttributeError, IndexError, KeyError, TypeError, ValueError)


class CredentialField(JSONField):
    """A passkey's answer as JSON, made at this site's own origin."""

    widget = HiddenInput

    def to_python(self, value: Any) -> Any:
        try:
            given = super().to_python(value)
        # Numbers and depths that Python's reader fails on.
        except (RecursionError, ValueError):
            raise ValidationError(self.error_messages["invalid"], code="invalid") from None
        try:
            data = given["response"]["clientDataJSON"]
            origin = json.loads(base64.urlsafe_b64decode(data + "=" * (-len(data) % 4)))["origin"]
        except (*_MALFORMED, RecursionError):
            origin = ""
        request = context.request
        # fido2 takes every port and subdomain of the site's host.
        if origin != f"{request.scheme}://{request.get_host()}":
            raise get_mfa_adapter().validation_error("incorrect_code")
        return given


class PasskeyForm(AuthenticateWebAuthnForm):
    """Takes a passkey after the password; refuses malformed credentials like wrong ones."""

    credential = CredentialField()

    def clean_credential(self) -> Authenticator:
        try:
            return check_second_step(self.user, super().clean_credential)
        except _MALFORMED:
            raise get_mfa_adapter().validation_error("incorrect_code") from None


class PasskeyLogInForm(PasskeyForm, LoginWebAuthnForm):
    """Takes a passkey instead of name and password."""


class PasskeyAgainForm(PasskeyForm, ReauthenticateWebAuthnForm):
    """Takes a passkey to confirm the user again."""


class AddPasskeyForm(AddWebAuthnForm):
    """Asks for the name of a new passkey, and whether it replaces the password."""

    name = WrittenField(required=False)
    credential = CredentialField()

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        _call(self, "name", "What you call it")
        self.fields["name"].widget.attrs["maxlength"] = LONGEST_NAME
        _call(self, "passwordless", "Log in with it alone, without the password")
        self.fields["passwordless"].initial = True
        self.fields["passwordless"].help_text = ""

    def clean_name(self) -> str:
        return str(super().clean_name())[:LONGEST_NAME]

    def clean(self) -> dict[str, Any]:
        try:
            return super().clean()
        except _MALFORMED:
            raise get_mfa_adapter().validation_error("incorrect_code") from None


class NamePasskeyForm(EditWebAuthnForm):
    """Asks for the new name of a passkey."""

    name = WrittenField()

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        _call(self, "name", "What you call it")
        self.fields["name"].widget.attrs["maxlength"] = LONGEST_NAME

    def clean_name(self) -> str:
        return str(self.cleaned_data["name"])[:LONGEST_NAME]


def _call(form: Any, field: str, label: str) -> None:
    """Give a field this label, and remove its placeholder, which repeats it."""
    form.fields[field].label = label
    form.fields[field].widget.attrs.pop("placeholder", None)
