"""Helpers for the tests of accounts."""

import re

from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from accounts.models import User
from accounts.tasks import send_mail

PASSWORD = "correct horse 7 battery"
#: Another password, as the forms that change one ask for it.
NEW = {"password1": "brand new 5 horses", "password2": "brand new 5 horses"}


def sign_up(client, name, **changes):
    return client.post("/accounts/signup/", {"username": name, "password1": PASSWORD} | changes)


def add_address(client, address):
    """Enter the password again, and send the form that adds an e-mail address."""
    confirm_password(client)
    return client.post("/accounts/email/", {"action_add": "1", "email": address})


def log_in(client, login, password=PASSWORD, **extra):
    return client.post("/accounts/login/", {"login": login, "password": password}, **extra)


def confirm_password(client, password=PASSWORD):
    """Enter the password again, as pages ask before they touch the account."""
    return client.post("/accounts/reauthenticate/", {"password": password, "next": "/"})


def make_user(name="tessio", email=None, **fields):
    address = email or f"{name.lower()}@example.org"
    return User.objects.create_user(name, address, PASSWORD, **fields)


def browser(user=None, **options):
    client = Client(**options)
    if user is not None:
        client.force_login(user)
    return client


def confirm(user):
    """Make the user's e-mail address a confirmed one, as the link in a mail does; return it."""
    return EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)


def logged_in_as(client):
    """Return the name of a browser's user; None for a guest."""
    key = client.session.get("_auth_user_id")
    return None if key is None else User.objects.get(pk=key).username


def reset_link(client, address):
    """Ask for a reset and return the path that the mail leads to."""
    client.post("/accounts/password/reset/", {"email": address})
    send_mail()
    link = r"http://testserver(/accounts/password/reset/key/\S+)"
    return re.search(link, mail.outbox[-1].body)[1]
