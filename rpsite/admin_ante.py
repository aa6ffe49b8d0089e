"""The admin's question on a site with an ante of before 1.2: take the rule book's, or keep it. It
is asked until an administrator answers it, or has changed the number from or to the default.
Source: docs/explanation/ledger.md "Prices".
"""

import json
from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from economy.models import AdminRecord, Setting
from economy.records import Change, actor_of, write_record
from economy.tunables import TUNABLES

NAME: Final = "showdown.ante_default"
TARGET: Final = f"setting:{NAME}"
CHANGE: Final = "economy.change_setting"


def question(request: HttpRequest) -> dict[str, Any] | None:
    """Return the ante to ``take`` and ``yours``, and where to answer; None: nothing to ask."""
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
