"""Flags, matches and mutes in the admin; no page shows a secret of a live match unasked."""

import json
import secrets
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.html import format_html
from unfold.widgets import UnfoldAdminRadioSelectWidget

from accounts.person_admin import PlayerForm
from economy.admin_links import in_words, link, link_to, links_to
from economy.admin_pages import (
    Done,
    ManyActions,
    ReadOnlyAdmin,
    ReasonAction,
    ReasonForm,
    ask,
    for_many,
)
from economy.records import Change, actor_of, write_record
from economy.transfers import user_owner
from games.engine.facts import as_datetime
from games.matches.journal.loading import standing
from games.matches.models import Flag, Match, Mute
from games.matches.models.matches import cause_of
from games.matches.processing import writing
from games.matches.queries.addresses import match_url
from games.matches.queries.selectors import read_summary
from games.moderation import cases, muting, peeking
from games.moderation.report_admin import SETTLE, VIEW, ReportPages, actor_in, words_of

#: Keys of a flag's detail that hold users.
PEOPLE: Final = frozenset({"winner", "loser", "losers", "by", "reported"})


def _allowed(permission: str) -> Any:
    """Return a method that says whether an administrator has this permission."""

    def has_permission(_: Any, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm(permission)

    return has_permission


def _settle(request: HttpRequest, flag: Flag, data: Mapping[str, Any]) -> Done:
    if not cases.settle(flag, actor_in(request), data["reason"]):
        raise ValidationError("It is settled already.")
    return Done("Settled.")


def _dismiss_or_settle(request: HttpRequest, flag: Flag, data: Mapping[str, Any]) -> Done:
    if flag.kind not in cases.REPORTS:
        return _settle(request, flag, data)
    case, actor = cases.case_of(flag), actor_in(request)
    cases.claim(case, actor)
    cases.dismiss(case, actor, data["reason"])
    return Done("Dismissed.")


def _hide(request: HttpRequest, flag: Flag, data: Mapping[str, Any]) -> Done:
    if flag.kind not in cases.REPORTS:
        raise ValidationError("There is no post to hide.")
    case, actor = cases.case_of(flag), actor_in(request)
    cases.claim(case, actor)
    cases.hide(case, actor, data["reason"])
    return Done("Hidden.")


def _listed(flags: list[Flag]) -> str:
    return "\n".join(f"{flag.get_kind_display()}: {words_of(flag)}" for flag in flags)


SETTLE_FLAG = ReasonAction(
    button="Settle flag",
    icon="done",
    permission=SETTLE,
    title=lambda flag: f"Settle the flag: {flag.get_kind_display()}",
    lead="Say what you found and what you did about it.",
    do=_settle,
)
SETTLE_MANY = ReasonAction(
    button="Settle",
    permission=SETTLE,
    title=lambda flags: f"Settle: {len(flags)} open",
    lead=_listed,
    do=_dismiss_or_settle,
)
HIDE_MANY = replace(
    SETTLE_MANY, button="Hide", title=lambda flags: f"Hide: {len(flags)} open", do=_hide
)


@admin.register(Flag)
class FlagAdmin(ReportPages, ManyActions):
    """Flags, the newest first; a flag alone blocks nobody."""

    list_display = ("opened_at", "kind", "people", "what", "is_open", "closed_by", "note")
    list_filter = (("closed_at", admin.EmptyFieldListFilter), "kind")
    search_fields = ("=key", "users__username")
    fields = readonly_fields = (
        "kind", "people", "what", "opened_at", "closed_at", "closed_by", "note",
    )  # fmt: skip
    ordering = ("-pk",)
    actions = ("settle_many", "hide_many")
    actions_detail = ("settle",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Flag]:
        rows = super().get_queryset(request).select_related("closed_by")
        return rows.prefetch_related("users", "post_report__match", "post_report__author")

    def words_of(self, flag: Flag) -> str:
        return f"{flag.get_kind_display()}: {words_of(flag)}"

    @admin.display(description="who")
    def people(self, flag: Flag) -> str:
        if flag.kind == Flag.Kind.POST and not flag.post_report.match.is_live:
            return link_to(flag.post_report.author)
        return links_to(flag.users.all())

    @admin.display(description="what was noticed")
    def what(self, flag: Flag) -> str:
        """The flag's detail in words, with names for user ids."""
        detail = json.loads(flag.detail)
        names = {user.pk: user.username for user in flag.users.all()}
        return in_words({word: _named(word, value, names) for word, value in detail.items()})

    @admin.display(description="open", boolean=True)
    def is_open(self, flag: Flag) -> bool:
        return flag.closed_at is None

    def fits(self, action: str, row: Any) -> bool:
        return bool(row.closed_at is None)

    has_settle_permission = _allowed(SETTLE)

    many_actions = {"settle": SETTLE_MANY, "hide": HIDE_MANY}
    settle_many = for_many("settle", "Settle, or dismiss reports", "settle")
    hide_many = for_many("hide", "Hide reported posts", "settle")
    settle = SETTLE_FLAG.on_row()

    def may_be_chosen(self) -> QuerySet[Flag]:
        return Flag.objects.filter(closed_at=None)


def _named(word: str, value: Any, names: Mapping[int, str]) -> Any:
    if word not in PEOPLE:
        return value
    if isinstance(value, list):
        return [names.get(each, each) for each in value]
    return names.get(value, value)


def _void(request: HttpRequest, match: Match, data: Mapping[str, Any]) -> Done:
    reason = data["reason"]
    status = Match.objects.values_list("status", flat=True).get(pk=match.pk)
    action_id = f"void-{secrets.token_hex(8)}"
    answer = writing.apply([writing.house(match.pk, "void", action_id, reason=reason)]).answers[0]
    if answer.error is not None:
        raise ValidationError(str(answer.error))
    after = Match.objects.values_list("status", flat=True).get(pk=match.pk)
    change = Change({"status": status}, {"status": after})
    actor, target = actor_of(request.user), cause_of(match.pk)
    write_record(actor, "match_voided", target, reason=reason, change=change)
    return Done(f"{match.title} is void.")


def _look(request: HttpRequest, match: Match, data: Mapping[str, Any]) -> Done:
    try:
        shown = peeking.look_at(request.user, match.pk, data["reason"])  # type: ignore[arg-type]
    except (peeking.PlaysHere, ValueError) as refusal:
        raise ValidationError(f"Refused: {refusal}.") from refusal
    return Done("Recorded. This is shown once:", shown)


VOID = ReasonAction(
    button="Void",
    icon="undo",
    permission="economy.void_match",
    title=lambda match: f"Void {match.title}",
    lead="Every point and weapon goes back to who put it in. The reason is public.",
    do=_void,
    is_grave=True,
)
UNMASK = ReasonAction(
    button="Look",
    label="Show what is hidden",
    icon="visibility",
    permission="economy.unmask_match",
    title=lambda match: f"Look at what {match.title} hides",
    lead="You cannot play in this match afterwards. That you looked, when, and your reason is"
    " recorded, and stands in the match's public log once it is over.",
    do=_look,
    is_grave=True,
)


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    """Matches; a live match's state and seed are not shown."""

    list_display = (
        "title", "game", "status", "seated", "is_stalled", "opened_at", "ended_at",
    )  # fmt: skip
    list_filter = ("status", "game", "listed")
    search_fields = ("title", "public_id", "opened_by__username", "seats__user__username")
    search_help_text = "A title, an address, or a player's name"
    fields = readonly_fields = (
        "table_link", "public_id", "game", "rules_version", "title", "status", "players",
        "replaced", "pot", "round", "phase", "last_lines", "listed", "spectators", "mark",
        "invited", "is_rated", "is_slow", "commitment", "hidden", "opener",
        "opened_at", "started_at", "ended_at", "runs_until", "stalled_at", "void_reason",
    )  # fmt: skip
    ordering = ("-pk",)
    stays_on_row = True
    actions_detail = ("void", "unmask")

    @admin.display(description="players")
    def players(self, match: Match) -> str:
        seats = sorted(match.seats.all(), key=lambda seat: seat.no)
        return links_to(seat.user for seat in seats) or "nobody"

    @admin.display(description="players")
    def seated(self, match: Match) -> str:
        return format_html(
            "<details><summary>{}</summary>{}</details>",
            len(match.seats.all()),
            self.players(match),
        )

    @admin.display(description="replaced")
    def replaced(self, match: Match) -> str:
        gone = match.replaced.select_related("user").order_by("entry_no")
        return links_to(row.user for row in gone) or "nobody"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        return super().get_queryset(request).prefetch_related("seats__user")

    @admin.display(description="pot")
    def pot(self, match: Match) -> int:
        stake = json.loads(match.table)["options"].get("stake", 0)
        is_in = match.status == Match.Status.RUNNING
        return int(read_summary(match.summary).get("pot", 2 * stake if is_in else 0))

    @admin.display(description="round")
    def round(self, match: Match) -> int:
        summary = read_summary(match.summary)
        return int(summary.get("round", summary.get("throw", 0)))

    @admin.display(description="stopped", boolean=True)
    def is_stalled(self, match: Match) -> bool:
        return match.stalled_at is not None

    @admin.display(description="due at")
    def runs_until(self, match: Match) -> datetime | None:
        """The public deadline; the column ``due_at`` may hold a hidden one."""
        cached = standing([match.pk]).get(match.pk)
        due_at = None if cached is None else cached.table.shown_deadline(cached.state)
        return None if due_at is None else as_datetime(due_at)

    @admin.display(description="log")
    def last_lines(self, match: Match) -> str:
        cached = standing([match.pk]).get(match.pk)
        if cached is None:
            return "cannot be played here: see the log of the process"
        return "\n".join(json.loads(line.text)["text"] for line in cached.lines) or "nothing yet"

    @admin.display(description="commitment to the seed")
    def commitment(self, match: Match) -> str:
        digest = match.seed_commitment
        return " ".join(digest[first : first + 8] for first in range(0, len(digest), 8))

    @admin.display(description="seed and state")
    def hidden(self, match: Match) -> str:
        return "hidden until the match is over" if match.is_live else f"seed {match.seed}"

    @admin.display(description="table")
    def table_link(self, match: Match) -> str:
        return link(match_url(match), match_url(match))

    @admin.display(description="opened by", ordering="opened_by")
    def opener(self, match: Match) -> str:
        return "nobody" if match.opened_by is None else link_to(match.opened_by)

    def fits(self, action: str, row: Any) -> bool:
        return bool(row.is_live)

    void, unmask = VOID.on_row(), UNMASK.on_row()

    def row_of(self, request: HttpRequest, action: ReasonAction, object_id: str) -> Match:
        match: Match = super().row_of(request, action, object_id)
        if not self.has_view_permission(request, match):
            raise PermissionDenied
        return match


class MuteForm(PlayerForm, ReasonForm):
    hours = forms.TypedChoiceField(
        coerce=int,
        choices=muting.LENGTHS.items(),
        initial=24,
        label="Length",
        widget=UnfoldAdminRadioSelectWidget(),
    )
    field_order = ("player", "hours", "reason")


def _mute(request: HttpRequest, _: None, data: Mapping[str, Any]) -> Done:
    actor, player = actor_in(request), data["player"]
    cases.mute_user(player, actor, data["reason"], data["hours"])
    return Done(f"{player} is muted for {muting.LENGTHS[data['hours']]}.")


def _unmute(request: HttpRequest, mute: Mute, data: Mapping[str, Any]) -> Done:
    if not muting.unmute(mute):
        raise ValidationError("This mute has ended already.")
    change = Change({"until": f"{mute.until:%Y-%m-%d %H:%M}"}, {"until": None})
    actor, reason = actor_of(actor_in(request)), data["reason"]
    write_record(actor, "user_unmuted", user_owner(mute.user_id), reason=reason, change=change)
    return Done(f"{mute.user} is not muted by this any more.")


MUTE = ReasonAction(
    button="Mute",
    permission=SETTLE,
    title="Mute a player",
    lead="They cannot post or chat; they can still vote and play.",
    do=_mute,
    form=MuteForm,
)
UNMUTE = ReasonAction(
    button="Unmute",
    icon="volume_up",
    permission=SETTLE,
    title=lambda mute: f"Unmute {mute.user}",
    lead="They may post and chat again, unless another mute lasts.",
    do=_unmute,
)


@admin.register(Mute)
class MuteAdmin(ReadOnlyAdmin):
    """Mutes; one whose author is still secret appears when its game is over."""

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

    has_view_permission = has_module_permission = _allowed(VIEW)
    has_add_permission = _allowed(SETTLE)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        return ask(self, request, MUTE, None)

    unmute = UNMUTE.on_row()
