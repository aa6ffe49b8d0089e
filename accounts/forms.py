"""Forms of the account that are stricter than django-allauth's, or say it in the site's words."""

from typing import Any

from allauth.account import forms
from allauth.account.adapter import get_adapter

from accounts.backends import owner_of

#: What pages call it.
ADDRESS = "E-mail address"


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

    Whoever gives an address that nobody has confirmed gets a mail that says so.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        _call(self, "email", ADDRESS)

    def clean_email(self) -> str:
        """Find the one account that is meant."""
        email = str(get_adapter().clean_email(self.cleaned_data["email"].lower()))
        owner = owner_of(email)
        self.users = [owner] if owner and owner.is_active else []
        return email


def _call(form: Any, field: str, label: str) -> None:
    """Give a field this label; the same as a placeholder says nothing more."""
    form.fields[field].label = label
    form.fields[field].widget.attrs.pop("placeholder", None)
