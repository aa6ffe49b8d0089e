"""The groups of administrators that ``migrate`` makes, with exactly these permissions."""

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import Any, Final

from django.apps import apps as global_apps
from django.db import transaction
from django.db.models import Q

from accounts.oversight import THE_HOUSE
from economy.records import Change, write_record

#: Name -> permissions, as "application.permission".
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "Moderators": (
        "accounts.add_staffnote",
        "accounts.change_user",
        "accounts.view_staffnote",
        "accounts.view_user",
        "economy.unmask_match",
        "games.change_flag",
        "games.view_flag",
        "games.view_match",
    ),
    "Support": (
        "account.view_emailaddress",
        "accounts.add_staffnote",
        "accounts.view_apitoken",
        "accounts.view_staffnote",
        "accounts.view_user",
        "economy.view_account",
        "economy.view_transfer",
        "economy.void_match",
        "games.view_downtime",
        "games.view_match",
        "games.view_selfcheck",
        "games.view_webprocess",
        "usersessions.view_usersession",
    ),
    "Treasurers": (
        "accounts.view_user",
        "economy.add_adjustment",
        "economy.approve_adjustment",
        "economy.change_item",
        "economy.view_account",
        "economy.view_adjustment",
        "economy.view_item",
        "economy.view_transfer",
    ),
}


def make_groups(*, using: str, apps: Any = global_apps, **_: Any) -> None:
    """Receive post_migrate: give each group its permissions; a change of an old one is recorded."""
    group_model, permission_model = (
        apps.get_model("auth", name).objects.using(using) for name in ("Group", "Permission")
    )
    for name, wanted in GROUPS.items():
        with transaction.atomic(using=using):
            group, is_new = group_model.get_or_create(name=name)
            pairs = (permission.split(".") for permission in wanted)
            conditions = (Q(content_type__app_label=app, codename=code) for app, code in pairs)
            found = permission_model.filter(reduce(or_, conditions))
            held, given = _names(group.permissions.all()), _names(found)
            if held == given:
                continue
            group.permissions.set(found)
            if not is_new:
                change = Change({"permissions": held}, {"permissions": given})
                write_record(THE_HOUSE, "group_changed", f"group:{group.pk}", change=change)


def _names(permissions: Any) -> set[str]:
    pairs = permissions.values_list("content_type__app_label", "codename")
    return {f"{label}.{codename}" for label, codename in pairs}
