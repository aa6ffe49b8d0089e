"""The admin's menu; each link is shown to those who may open its page."""

from typing import Any, Final

from django.apps import apps
from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse

from games import registry

#: Section -> title, icon, page and permission of each link.
SECTIONS: Final = {
    "": (("Overview", "dashboard", "index", ""),),
    "Moderation": (
        ("Reports", "flag", "games_report_queue", "games.view_flag"),
        ("Players", "group", "accounts_user_changelist", "accounts.view_user"),
        ("Mutes", "volume_off", "games_mute_changelist", "games.view_flag"),
        ("Flags", "policy", "games_flag_changelist", "games.view_flag"),
        ("Records", "history", "economy_adminrecord_changelist", ""),
    ),
    "Games": (("Matches", "playing_cards", "games_match_changelist", "games.view_match"),),
    "Points": (
        ("Adjustments", "balance", "economy_adjustment_changelist", "economy.view_adjustment"),
        ("Ledger", "receipt_long", "economy_transfer_changelist", "economy.view_transfer"),
        ("Balances", "account_balance_wallet", "economy_account_changelist",
         "economy.view_account"),
        ("Prices", "sell", "economy_item_changelist", "economy.view_item"),
    ),
    "Site": (
        ("Settings", "tune", "economy_setting_changelist", "economy.view_setting"),
        ("Web processes", "dns", "games_webprocess_changelist", "games.view_webprocess"),
        ("Checks", "fact_check", "games_selfcheck_changelist", "games.view_selfcheck"),
        ("Outages", "history", "games_downtime_changelist", "games.view_downtime"),
        ("Groups", "badge", "auth_group_changelist", "auth.view_group"),
        ("Addresses", "mail", "account_emailaddress_changelist", "account.view_emailaddress"),
        ("Sessions", "devices", "usersessions_usersession_changelist",
         "usersessions.view_usersession"),
        ("Tokens", "key", "accounts_apitoken_changelist", "accounts.view_apitoken"),
    ),
}  # fmt: skip


def menu(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the sections with links for this user; the games' own pages stand below "Games"."""
    found = []
    # Set where the address does not tell: a report has the address of its flag.
    current = getattr(request, "page_in_menu", None)
    for title, links in SECTIONS.items():
        more = _pages_of_games() if title == "Games" else []
        items = [
            {"title": words, "icon": icon, "link": reverse(f"admin:{page}")}
            | ({"active": page == current} if current else {})
            for words, icon, page, permission in (*links, *more)
            if not permission or request.user.has_perm(permission)
        ]
        if items:
            found.append({"title": title, "items": items})
    return found


def _pages_of_games() -> list[tuple[str, str, str, str]]:
    """Return the links to the lists of applications that are in the registry."""
    labels = {config.label for config in apps.get_app_configs() if config.name in registry.apps()}
    found = []
    for model in admin.site._registry:
        label, name = model._meta.app_label, str(model._meta.model_name)
        if label in labels:
            plural = str(model._meta.verbose_name_plural)
            title = plural if plural == label else f"{label}: {plural}"
            page, permission = f"{label}_{name}_changelist", f"{label}.view_{name}"
            found.append((title.capitalize(), "stadium", page, permission))
    return sorted(found)
