"""Forms of the account that are stricter than django-allauth's."""

from allauth.account import forms
from allauth.account.adapter import get_adapter

from accounts.backends import owner_of


class ResetPasswordForm(forms.ResetPasswordForm):
    """Asks for a mail that resets a password: one mail, to an address that was confirmed.

    Whoever gives an address that nobody has confirmed gets a mail that says so.
    """

    def clean_email(self) -> str:
        """Find the one account that is meant."""
        email = str(get_adapter().clean_email(self.cleaned_data["email"].lower()))
        owner = owner_of(email)
        self.users = [owner] if owner and owner.is_active else []
        return email
