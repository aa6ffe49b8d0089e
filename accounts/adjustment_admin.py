"""Admin pages of adjustments: a form, the password, a second administrator for large amounts."""

import secrets
import time
from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, Final

from django import forms
from django.contrib import admin
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminPasswordWidget

from accounts.models import User
from accounts.person_admin import PlayerForm
from economy.adjustments import Wish, approve_adjustment, propose_adjustment, refuse_adjustment
from economy.admin_pages import (
    AskForm,
    Done,
    ReadOnlyAdmin,
    ReasonAction,
    ReasonForm,
    ask,
)
from economy.errors import AdminActionError
from economy.models import Adjustment
from economy.records import actor_of
from economy.selectors import balance_of, setting
from economy.transfers import user_owner

#: Seconds for which an entered password counts as recent.
RECENT: Final = 600
#: Maximum number of wrong passwords in a quarter of an hour.
TRIES: Final = 5
_PERIOD: Final = 900
_KEY: Final = "password_entered_at"


class PasswordWrong(AdminActionError):
    """The password is missing or wrong."""

    code: ClassVar[str] = "password"


class TooManyPasswords(AdminActionError):
    """Too many wrong passwords within a quarter of an hour."""

    code: ClassVar[str] = "rate_limited"


def is_recent(request: HttpRequest) -> bool:
    """Whether the password was entered in this session within the last ten minutes."""
    entered_at = request.session.get(_KEY)
    return isinstance(entered_at, int) and 0 <= time.time() - entered_at < RECENT


def require_password(request: HttpRequest, password: str) -> None:
    """Check the user's password, unless it was entered recently. Raises PasswordWrong,
    TooManyPasswords.
    """
    if is_recent(request):
        return
    key = f"admin-password:{request.user.pk}"
    if cache.get(key, 0) >= TRIES:
        raise TooManyPasswords("too many wrong passwords, wait a quarter of an hour")
    if not password or not request.user.check_password(password):
        cache.add(key, 0, _PERIOD)
        cache.incr(key)
        raise PasswordWrong("the password is missing or wrong")
    cache.delete(key)
    request.session[_KEY] = int(time.time())


class PasswordForm(AskForm):
    """Asks for the password, unless it was entered recently."""

    password = forms.CharField(
        required=False,
        strip=False,
        label="Your password",
        widget=UnfoldAdminPasswordWidget(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, request: HttpRequest, data: Any = None) -> None:
        super().__init__(request, data)
        if is_recent(request):
            del self.fields["password"]

    def clean_password(self) -> str:
        # Outside the action's transaction, so that failed attempts stay counted.
        try:
            require_password(self.request, self.cleaned_data["password"])
        except AdminActionError as refusal:
            raise forms.ValidationError(refusal.message) from refusal
        return ""


class AdjustForm(PlayerForm, PasswordForm, ReasonForm):
    """Asks for a user, points and a reason."""

    amount = forms.IntegerField(
        widget=UnfoldAdminIntegerFieldWidget(),
        help_text="Points to give; negative to take. A balance never falls below 0.",
    )
    token = forms.CharField(
        max_length=64, widget=forms.HiddenInput(), initial=partial(secrets.token_hex, 16)
    )
    field_order = ("player", "amount", "reason", "password", "token")

    def __init__(self, request: HttpRequest, data: Any = None) -> None:
        super().__init__(request, data)
        self.fields["player"].help_text = "The player's name."


def _name_of(owner: str) -> str:
    name = User.objects.filter(pk=owner.removeprefix("user:")).values_list("username", flat=True)
    return name.first() or owner


def _described(adjustment: Adjustment) -> str:
    held = balance_of(int(adjustment.target.removeprefix("user:")))
    return (
        f"{_name_of(adjustment.proposer)} wants {adjustment.amount:+,} points for"
        f" {_name_of(adjustment.target)}, who has {held:,}.\nReason: {adjustment.reason}"
    )


def _propose(request: HttpRequest, _: None, data: Mapping[str, Any]) -> Done:
    actor, player = actor_of(request.user), data["player"]
    wish = Wish(user_owner(player.pk), data["amount"], data["reason"])
    made = propose_adjustment(actor, wish, data["token"], timezone.now())
    if made.state == Adjustment.State.PROPOSED:
        return Done(f"{made.amount:+,} points for {player} wait for a second administrator.")
    return Done(f"{made.amount:+,} points for {player}.")


def _approve(request: HttpRequest, wish: Adjustment, data: Mapping[str, Any]) -> Done:
    made = approve_adjustment(actor_of(request.user), wish.pk, timezone.now())
    if made.state == Adjustment.State.EXPIRED:
        return Done("This waited for too long: it has expired and nothing was moved.")
    return Done(f"{made.amount:+,} points were moved.")


def _refuse(request: HttpRequest, wish: Adjustment, data: Mapping[str, Any]) -> Done:
    refuse_adjustment(actor_of(request.user), wish.pk, timezone.now(), **data)
    return Done("Refused: nothing was moved.")


PROPOSE = ReasonAction(
    button="Adjust",
    permission="economy.add_adjustment",
    title="Adjust points",
    lead=lambda _: (
        "Points are only ever moved by transfers. This makes one, which the player sees on the"
        f" statement. More than {setting('admin.adjust_alone'):,} points a day wait until another"
        " administrator approves them."
    ),
    do=_propose,
    form=AdjustForm,
)
APPROVE = ReasonAction(
    button="Approve",
    icon="done_all",
    permission="economy.approve_adjustment",
    title=lambda wish: f"Approve {wish.amount:+,} points",
    lead=_described,
    do=_approve,
    form=PasswordForm,
)
REFUSE = ReasonAction(
    button="Refuse",
    icon="close",
    permission="economy.approve_adjustment",
    title=lambda wish: f"Refuse {wish.amount:+,} points",
    lead=_described,
    do=_refuse,
)


@admin.register(Adjustment)
class AdjustmentAdmin(ReadOnlyAdmin):
    """Adjustments, waiting and decided."""

    list_display = ("proposed_at", "player", "amount", "state", "reason", "by", "approver")
    list_filter = ("state",)
    search_fields = ("=target", "=proposer", "reason")
    fields = readonly_fields = (
        "player", "target", "amount", "reason", "state", "by", "proposer", "approver",
        "proposed_at", "expires_at", "decided_at",
    )  # fmt: skip
    ordering = ("-pk",)
    actions_detail = ("approve", "refuse")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("economy.add_adjustment")

    @admin.display(description="player")
    def player(self, adjustment: Adjustment) -> str:
        return _name_of(adjustment.target)

    @admin.display(description="proposed by")
    def by(self, adjustment: Adjustment) -> str:
        return _name_of(adjustment.proposer)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        return ask(self, request, PROPOSE, None)

    approve, refuse = APPROVE.on_row(), REFUSE.on_row()
