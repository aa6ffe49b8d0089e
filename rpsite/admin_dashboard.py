"""The admin's front page: numbers that need attention, the last records, the question about the
ante; and its menu.
"""

import json
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.apps import apps
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.timesince import timesince
from django.views.decorators.http import require_POST

from economy.admin_links import target_links
from economy.models import Account, Adjustment, AdminRecord, Setting
from economy.overview import last_audit
from economy.records import Change, actor_of, write_record
from economy.tunables import TUNABLES
from economy.units import AccountKind, Unit
from games import registry
from games.matches.models import Downtime, Flag, Match, SelfCheck, WebProcess
from games.matches.queries import selectors
from games.moderation import cases
from games.people.charts import people_of
from rpsite.status import last_check

#: The period of outages on the front page.
_WEEK = timedelta(days=7)
#: The worker audits every minute; after this time without an audit, worker or beat is down.
_AUDIT_LATE = timedelta(minutes=3)
#: Every night a backup is restored and audited.
_RESTORE_LATE: Final = timedelta(hours=30)
#: Number of records on the front page.
_RECORDS = 8
NAME: Final = "showdown.ante_default"
TARGET: Final = f"setting:{NAME}"
CHANGE: Final = "economy.change_setting"
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
    "Games": (
        ("Matches", "playing_cards", "games_match_changelist", "games.view_match"),
        ("Goals", "flag", "games_reachedgoal_changelist", "games.view_reachedgoal"),
    ),
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


class Card(NamedTuple):
    """One number of the front page; ``tone`` is good, bad or plain."""

    title: str
    value: str
    note: str
    page: str
    tone: str = "plain"

    @property
    def url(self) -> str:
        name, mark, query = self.page.partition("?")
        return reverse(f"admin:{name}") + mark + query


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add the last records, the cards whose pages the user may see, and what is asked once."""
    now = timezone.now()
    cards = [
        ("games.view_flag", _reports),
        ("games.view_flag", _flags),
        ("economy.view_adjustment", _adjustments),
        ("economy.view_account", _treasury),
        ("economy.view_transfer", _audit),
        ("games.view_match", _matches),
        ("games.view_webprocess", _processes),
        ("games.view_downtime", _outages),
        ("games.view_selfcheck", _restore),
    ]
    seen = [make for permission, make in cards if request.user.has_perm(permission)]
    context["cards"] = [make(now) for make in seen]
    records = list(AdminRecord.objects.order_by("-pk")[:_RECORDS])
    links = target_links(record.target for record in records)
    context["records"] = [
        (record, record.action.replace("_", " "), links[record.target]) for record in records
    ]
    context["ante"] = question(request)
    if request.user.has_perm("games.view_match"):
        context["people"] = people_of(now.date())
    return context


def _reports(now: datetime) -> Card:
    oldest = cases.open_reports().first()
    count = cases.open_reports().count()
    note = f"the oldest for {timesince(oldest.opened_at, now, depth=1)}" if oldest else "none waits"
    return _counted("Open reports", count, note, "games_report_queue")


def _flags(now: datetime) -> Card:
    count = Flag.objects.filter(closed_at=None).exclude(kind__in=cases.REPORTS).count()
    page = "games_flag_changelist?closed_at__isempty=1"
    return _counted("Open flags", count, "of the site itself", page)


def _adjustments(now: datetime) -> Card:
    count = Adjustment.objects.filter(state=Adjustment.State.PROPOSED).count()
    note = "wait for a second administrator"
    return _counted("Pending adjustments", count, note, "economy_adjustment_changelist")


def _treasury(now: datetime) -> Card:
    row = Account.objects.filter(kind=AccountKind.TREASURY, unit=Unit.POINT).first()
    held = row.balance if row and row.balance else 0
    return Card("Treasury", f"{held:,}", "points", "economy_account_changelist")


def _audit(now: datetime) -> Card:
    last = last_audit()
    page = "economy_transfer_changelist"
    if last is None:
        return Card("Last audit", "none yet", "the worker makes one a minute", page, "bad")
    is_late = now - last.at > _AUDIT_LATE
    note = f"{last.at:%Y-%m-%d %H:%M} UTC" + (": is the worker away?" if is_late else "")
    tone = "bad" if last.violations or is_late else "good"
    return Card("Last audit", f"{last.violations} violations", note, page, tone)


def _matches(now: datetime) -> Card:
    running = Match.objects.filter(status=Match.Status.RUNNING).count()
    waiting = Match.objects.filter(status=Match.Status.OPEN).count()
    return Card("Running games", str(running), f"open tables: {waiting}", "games_match_changelist")


def _processes(now: datetime) -> Card:
    open_rows = WebProcess.objects.filter(closed_at=None)
    fresh = open_rows.filter(beat_at__gt=now - selectors.FRESH).count()
    last = open_rows.order_by("-beat_at").values_list("beat_at", flat=True).first()
    note = f"last heartbeat {last:%Y-%m-%d %H:%M} UTC" if last else "no heartbeat"
    tone = "good" if fresh else "bad"
    return Card("Web processes", str(fresh), note, "games_webprocess_changelist", tone)


def _outages(now: datetime) -> Card:
    lost = Downtime.objects.filter(ended_at__gt=now - _WEEK)
    count = lost.count()
    last = lost.order_by("-ended_at").values_list("ended_at", flat=True).first()
    note = f"last {last:%Y-%m-%d %H:%M} UTC" if last else "in the last seven days"
    return _counted("Outages", count, note, "games_downtime_changelist")


def _counted(title: str, count: int, note: str, page: str) -> Card:
    return Card(title, str(count), note, page, "bad" if count else "good")


def _restore(now: datetime) -> Card:
    last = last_check(SelfCheck.Kind.RESTORE)
    page = "games_selfcheck_changelist"
    if last is None:
        return Card("Restore test", "none yet", "after the first backup", page, "bad")
    is_late = now - last.at > _RESTORE_LATE
    note = f"{last.at:%Y-%m-%d %H:%M} UTC: {last.note}" + (": none since" if is_late else "")
    word = "passed" if last.is_good else "failed"
    return Card("Restore test", word, note, page, "bad" if is_late or not last.is_good else "good")


def question(request: HttpRequest) -> dict[str, Any] | None:
    """Return the ante to ``take`` and ``yours`` on a site with one of before 1.2, until an
    administrator has answered or changed it from or to the default. None: nothing to ask.
    """
    stored = Setting.objects.filter(pk=NAME).first()
    if NAME not in TUNABLES or stored is None or not request.user.has_perm(CHANGE):
        return None
    default = TUNABLES[NAME].default
    if stored.value == default or _is_decided(default):
        return None
    return {"take": default, "yours": stored.value, "url": reverse("admin:ante")}


@require_POST
def answer(request: HttpRequest) -> HttpResponse:
    """Take the rule book's ante or keep the site's, once, and record it."""
    if not request.user.has_perm(CHANGE):
        raise PermissionDenied
    with transaction.atomic():
        setting = Setting.objects.select_for_update().filter(pk=NAME).first()
        asked = question(request)
        if setting is None or asked is None:
            messages.info(request, "That was answered before.")
        elif "take" in request.POST:
            _take(request, setting, asked["take"])
        else:
            write_record(actor_of(request.user), "setting_kept", TARGET)
    return redirect("admin:index")


def _take(request: HttpRequest, setting: Setting, ante: int) -> None:
    change = Change({"value": setting.value}, {"value": ante})
    setting.value = ante
    setting.full_clean()
    setting.save()
    write_record(actor_of(request.user), "setting_changed", TARGET, change=change)


def _is_decided(default: int) -> bool:
    for record in AdminRecord.objects.filter(target=TARGET):
        values = [json.loads(text).get("value") for text in (record.before, record.after) if text]
        if record.action == "setting_kept" or default in values:
            return True
    return False


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
