"""Administrators and their browsers, for the tests of the office."""

import re

from django.contrib.auth.models import Permission

from accounts.models import User

PASSWORD = "a long password 7"
ADJUST = "/admin/economy/adjustment/add/"
REASON = "lost by a fault of ours"


def administrator(name, *permissions, superuser=False):
    user = User.objects.create_user(name, password=PASSWORD, is_staff=True, is_superuser=superuser)
    for permission in permissions:
        label, codename = permission.split(".")
        user.user_permissions.add(
            Permission.objects.get(content_type__app_label=label, codename=codename)
        )
    return user


def form(client, **fields):
    """The adjust form filled in, with the token of the page as it was shown."""
    token = re.search(r'name="token" value="(\w+)"', client.get(ADJUST).content.decode())[1]
    filled = {"player": "tessio", "amount": "25", "reason": REASON, "password": PASSWORD}
    return {**filled, "token": token, **fields}
