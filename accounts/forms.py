"""Forms of the account that are stricter than django-allauth's, or say it in the site's words."""

from typing import Any, Final

from allauth.account import forms
from allauth.account.adapter import get_adapter
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)

from accounts.backends import owner_of

#: What pages call it.
ADDRESS: Final = "E-mail address"
#: Characters of a passkey's name.
LONGEST_NAME: Final = 40


class LogInForm(forms.LoginForm):
    """Asks for a name or an address by these words."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        _call(self, "login", "Username or e-mail address")


class AddEmailForm(forms.AddEmailForm):
    """Asks for an address by the site's word for it."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        _call(self, "email", ADDRESS)


class ResetPasswordForm(forms.ResetPasswordForm):
    """Asks for a mail that resets a password: one mail, to an address that was confirmed.

    For an address that nobody has confirmed, the mail says so.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        _call(self, "email", ADDRESS)

    def clean_email(self) -> str:
        email = str(get_adapter().clean_email(self.cleaned_data["email"].lower()))
        owner = owner_of(email)
        self.users = [owner] if owner and owner.is_active else []
        return email


#: What reading a credential raises that is not what a browser sends.
_MALFORMED: Final = (AttributeError, IndexError, KeyError, TypeError, ValueError)


class PasskeyForm(AuthenticateWebAuthnForm):
    """Takes a passkey after the password; what is no credential is refused like a wrong one."""

    def clean_credential(self) -> Authenticator:
        try:
            return super().clean_credential()
        except _MALFORMED:
            raise get_mfa_adapter().validation_error("incorrect_code") from None


class PasskeyLogInForm(PasskeyForm, LoginWebAuthnForm):
    """Takes a passkey instead of name and password."""


class PasskeyAgainForm(PasskeyForm, ReauthenticateWebAuthnForm):
    """Takes a passkey once more."""


class AddPasskeyForm(AddWebAuthnForm):
    """Asks how a new passkey is to be called, and whether it is to do without the password."""

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
    """Asks how a passkey is to be called."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        _call(self, "name", "What you call it")
        self.fields["name"].widget.attrs["maxlength"] = LONGEST_NAME

    def clean_name(self) -> str:
        return str(self.cleaned_data["name"])[:LONGEST_NAME]


def _call(form: Any, field: str, label: str) -> None:
    """Give a field this label; the same as a placeholder says nothing more."""
    form.fields[field].label = label
    form.fields[field].widget.attrs.pop("placeholder", None)
