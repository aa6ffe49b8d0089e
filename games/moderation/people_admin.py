"""Mutes in the admin; sections with games, reports and mutes on the user's admin page."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Max, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminRadioSelectWidget, UnfoldAdminTextInputWidget

from accounts.models import Device, User, named
from accounts.person_admin import LAST, register_section
from economy.admin_links import link, link_to, may
from economy.admin_pages import AdminAction, Done, ReadOnlyAdmin, ReasonForm, ask, button
from economy.records import Change, actor_of, write_record
from economy.transfers import user_owner
from games.matches.models import Flag, Match, Mute, Seat
from games.matches.queries.losses import points_between
from games.moderation import cases, muting
from games.moderation.report_admin import SETTLE, actor_in, words_of

PAGE = "admin:games_mute_changelist"
VIEW = "games.view_flag"
#: The period of the points that moved between two people.
MOVED_IN = timedelta(days=30)


class MuteForm(ReasonForm):
    """Asks for a user, a length and a reason."""

    player = forms.CharField(max_length=20, widget=UnfoldAdminTextInputWidget())
    hours = forms.TypedChoiceField(
        coerce=int,
        choices=muting.LENGTHS.items(),
        initial=24,
        label="Length",
        widget=UnfoldAdminRadioSelectWidget(),
    )
    field_order = ("player", "hours", "reason")

    def clean_player(self) -> User:
        player = User.objects.filter(named(self.cleaned_data["player"].strip())).first()
        if player is None:
            raise ValidationError("There is no such player.")
        return player


@admin.register(Mute)
class MuteAdmin(ReadOnlyAdmin):
    """List of mutes; one whose author is still secret appears when its game is over."""

    list_display = ("at", "player", "until", "by", "report")
    search_fields = ("user__username",)
    fields = readonly_fields = list_display
    ordering = ("-pk",)
    actions_detail = ("unmute",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Mute]:
        seen = super().get_queryset(request).filter(pk__in=muting.open_mutes())
        post = "flag__post_report"
        return seen.select_related("user", "by", f"{post}__match", f"{post}__author")

    @admin.display(description="player")
    def player(self, mute: Mute) -> str:
        return link_to(mute.user)

    @admin.display(description="report")
    def report(self, mute: Mute) -> str:
        return "" if mute.flag is None else link_to(mute.flag, words_of(mute.flag))

    def fits(self, action: str, row: Any) -> bool:
        return bool(row.until > timezone.now())

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm(VIEW)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(SETTLE)

    def has_unmute_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm(SETTLE)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        action = AdminAction(
            title="Mute a player",
            lead="They cannot post or chat; they can still vote and play.",
            button="Mute",
            permission=SETTLE,
            do=partial(_mute, request),
            form=partial(MuteForm, initial={"player": request.GET.get("player", "")}),
        )
        return ask(self, request, action, reverse(PAGE))

    @button("Unmute", "unmute", "volume_up")
    def unmute(self, request: HttpRequest, object_id: str) -> HttpResponse:
        mute = self.get_object(request, object_id)
        if not isinstance(mute, Mute):
            raise PermissionDenied
        action = AdminAction(
            title=f"Unmute {mute.user}",
            lead="They may post and chat again, unless another mute lasts.",
            button="Unmute",
            permission=SETTLE,
            do=partial(_unmute, request, mute),
        )
        return ask(self, request, action, reverse(PAGE))


def _mute(request: HttpRequest, data: Mapping[str, Any]) -> Done:
    actor, player = actor_in(request), data["player"]
    cases.mute_user(player, actor, data["reason"].strip(), data["hours"])
    return Done(f"{player} is muted for {muting.LENGTHS[data['hours']]}.")


def _unmute(request: HttpRequest, mute: Mute, data: Mapping[str, Any]) -> Done:
    if not muting.unmute(mute):
        raise ValidationError("This mute has ended already.")
    change = Change({"until": f"{mute.until:%Y-%m-%d %H:%M}"}, {"until": None})
    actor, reason = actor_of(actor_in(request)), data["reason"].strip()
    write_record(actor, "user_unmuted", user_owner(mute.user_id), reason=reason, change=change)
    return Done(f"{mute.user} is not muted by this any more.")


def games_of(user: User) -> Iterable[SafeString]:
    """Yield the last games of a user, with their results."""
    seats = Seat.objects.filter(user=user).select_related("match").order_by("-match")
    for seat in seats[:LAST]:
        match = seat.match
        net = "" if seat.net is None else f" · {seat.net:+d}"
        yield format_html(
            "{} · {} · {}{}{}",
            f"{match.opened_at:%Y-%m-%d %H:%M}",
            link_to(match, match.title),
            match.get_status_display().lower(),
            f" · {seat.result}" if seat.result else "",
            net,
        )


def flags_of(user: User) -> Iterable[SafeString]:
    """Yield the reports and flags about a user, open ones first."""
    about = {*cases.reports_about(user), *Flag.objects.filter(users=user)}
    for flag in sorted(about, key=lambda one: (one.closed_at is not None, -one.pk))[:LAST]:
        state = "open" if flag.closed_at is None else f"settled: {flag.note}"
        words = link_to(flag, flag.get_kind_display())
        yield format_html("{} · {} · {}", f"{flag.opened_at:%Y-%m-%d %H:%M}", words, state)


def mutes_of(user: User) -> Iterable[SafeString]:
    """Yield the last mutes of a user, and a link to the form."""
    for mute in muting.open_mutes().filter(user=user).select_related("by").order_by("-pk")[:LAST]:
        until = f"{mute.at:%Y-%m-%d %H:%M} until {mute.until:%Y-%m-%d %H:%M}"
        yield format_html("{} · by {}", link_to(mute, until), mute.by)
    if may(SETTLE):
        form = reverse("admin:games_mute_add")
        yield link(f"{form}?{urlencode({'player': user.username})}", f"Mute {user}")


def messages_of(user: User) -> Iterable[SafeString]:
    """Yield the last warnings and renames of a user, without those for posts of live matches."""
    live = Flag.objects.filter(post_report__match__status__in=Match.LIVE)
    hidden = [f"flag:{pk}" for pk in live.values_list("pk", flat=True)]
    told = user.staff_messages.exclude(cause__in=hidden).select_related("by").order_by("-pk")
    for each in told[:LAST]:
        read = "unread" if each.read_at is None else f"read {each.read_at:%Y-%m-%d %H:%M}"
        at = f"{each.at:%Y-%m-%d %H:%M}"
        yield format_html("{} · {} · by {} · {} · {}", at, each.kind, each.by, each.text, read)


def company_of(user: User) -> Iterable[SafeString]:
    """Yield the accounts that share a device with a user, and those that points moved between."""
    shared = Device.objects.filter(hash__in=user.devices.values("hash")).exclude(user=user)
    seen = dict(shared.values_list("user").annotate(Max("last_seen")))
    moved = points_between(user.pk, timezone.now() - MOVED_IN)
    most = sorted(moved, key=lambda other: -abs(moved[other]))[:LAST]
    people = User.objects.in_bulk({*most, *sorted(seen, key=lambda pk: seen[pk])[-LAST:]})
    for pk in sorted(people, key=lambda other: (other not in seen, -abs(moved[other]))):
        device = f" · the same device, last on {seen[pk]:%Y-%m-%d}" if pk in seen else ""
        way = "won from them" if moved[pk] >= 0 else "lost to them"
        yield format_html("{} · {} {}{}", link_to(people[pk]), abs(moved[pk]), way, device)


register_section(f"Devices, and points of {MOVED_IN.days} days", company_of, VIEW)
register_section("Mutes", mutes_of, VIEW)
register_section("Warnings and renames", messages_of, VIEW)
register_section("Reports and flags", flags_of, VIEW)
register_section("Games", games_of, "games.view_match")
