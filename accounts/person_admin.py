"""A user in the admin: acts on one or on many, the list's download, the sections of the page."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminDateWidget, UnfoldAdminTextInputWidget

from accounts import oversight
from accounts.models import User, named
from economy.admin_links import link as admin_link
from economy.admin_links import link_to, may
from economy.admin_pages import (
    AskForm,
    Done,
    ManyActions,
    ReasonAction,
    ReasonForm,
    download,
    for_many,
)
from economy.causes import Cause, hidden_causes, links_of
from economy.errors import AdminActionError
from economy.models import AdminRecord
from economy.parts import given
from economy.records import actor_of
from economy.selectors import balances_of
from economy.statement import Filters, statement_page
from economy.transfers import TransferCode, user_owner

#: Takes a user, returns the lines of a section.
Section = Callable[[User], Iterable[SafeString]]

#: Number of lines in each section.
LAST = 10


def everything_of(user: User) -> SafeString:
    """Return the sections that the reader may see."""
    sections: dict[str, tuple[Section, str]] = {
        "Notes of the staff": (_notes, "accounts.view_staffnote"),
        "Actions": (_actions, "accounts.view_user"),
    }
    for more in given("sections"):
        sections |= more
    sections |= {
        "Sessions": (_sessions, "usersessions.view_usersession"),
        "Points": (_points, "economy.view_transfer"),
    }
    seen = [(title, each) for title, (each, permission) in sections.items() if may(permission)]
    return format_html_join("", "{}", ((_section(t, list(s(user))),) for t, s in seen))


def _section(title: str, lines: list[SafeString]) -> SafeString:
    items = format_html_join("", '<li class="py-1">{}</li>', ((line,) for line in lines))
    body = items or format_html("<li>{}</li>", "Nothing.")
    return format_html('<h3 class="font-semibold mt-2">{}</h3><ul>{}</ul>', title, body)


def _notes(user: User) -> Iterable[SafeString]:
    for note in user.staff_notes.select_related("by").order_by("-pk")[:LAST]:
        yield format_html("{} · {} · {}", f"{note.at:%Y-%m-%d %H:%M}", note.by, note.text)


def _actions(user: User) -> Iterable[SafeString]:
    for record in AdminRecord.objects.filter(target=user_owner(user.pk)).order_by("-pk")[:LAST]:
        words = link_to(record, record.action.replace("_", " "))
        at, actor, reason = f"{record.at:%Y-%m-%d %H:%M}", record.actor_name, record.reason
        yield format_html("{} · {} · {} · {}", at, actor, words, reason)


def _sessions(user: User) -> Iterable[SafeString]:
    sessions = reverse("admin:usersessions_usersession_changelist")
    yield admin_link(f"{sessions}?{urlencode({'q': user.username})}", "All sessions")


def _points(user: User) -> Iterable[SafeString]:
    """Yield the last movements, without those of games whose transfers are still secret."""
    lines = statement_page(user.pk, Filters(), limit=LAST).lines[:LAST]
    hidden = hidden_causes(line.cause for line in lines)
    links = links_of(Cause(TransferCode.PURSE, line.cause) for line in lines)
    for line in lines:
        place = links.get(Cause(TransferCode.PURSE, line.cause))
        where = format_html(" {}", admin_link(place.url, place.title)) if place else ""
        words, amount = (
            ("in a running game", "hidden") if line.cause in hidden else (line.words, line.amount)
        )
        yield format_html("{} · {} · {}{}", f"{line.at:%Y-%m-%d %H:%M}", amount, words, where)
    query = urlencode({"q": user_owner(user.pk)})
    ledger = reverse("admin:economy_transfer_changelist")
    yield admin_link(f"{ledger}?{query}", "All transfers")


class ToldForm(ReasonForm):
    """Asks for a reason that the player reads."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        about = "10 to 200 characters; it is recorded, and told to the person."
        self.fields["reason"].help_text = about


class BanForm(ToldForm):
    """Asks for a reason and the last day of a ban."""

    until = forms.DateField(
        required=False,
        widget=UnfoldAdminDateWidget(attrs={"type": "date"}),
        help_text="The day on which it ends automatically (00:00 UTC); empty: permanent.",
    )

    def clean_until(self) -> date | None:
        until: date | None = self.cleaned_data["until"]
        if until is not None and until <= timezone.now().date():
            raise forms.ValidationError("This day has begun already.")
        return until


class PlayerForm(AskForm):
    """Asks for a player by name."""

    player = forms.CharField(max_length=20, widget=UnfoldAdminTextInputWidget())

    def __init__(self, request: HttpRequest, data: Any = None) -> None:
        super().__init__(request, data)
        self.initial["player"] = request.GET.get("player", "")

    def clean_player(self) -> User:
        player = User.objects.filter(named(self.cleaned_data["player"])).first()
        if player is None:
            raise forms.ValidationError("There is no such player.")
        return player


def is_above(user: User, request: HttpRequest) -> bool:
    """Whether an administrator may do nothing to a user, who is a superuser."""
    return user.is_superuser and not request.user.is_superuser


def _action(service: Callable[..., Any], verb: str, icon: str, **more: Any) -> ReasonAction:
    """Return the action that calls a service."""

    def do(request: HttpRequest, user: User, data: Mapping[str, Any]) -> Done:
        if is_above(user, request):
            raise AdminActionError("a superuser")
        service(actor_of(request.user), user.pk, **data)
        return Done(f"{verb}: {user}.")

    def title(subject: User | list[User]) -> str:
        if isinstance(subject, User):
            return f"{verb} {subject}"
        return f"{verb}: {', '.join(user.username for user in subject) or 'nobody'}"

    permission = "accounts.change_user"
    return ReasonAction(button=verb, permission=permission, title=title, do=do, icon=icon, **more)


FREEZE = _action(
    oversight.freeze_user, "Freeze", "ac_unit", form=ToldForm,
    lead="May still log in and look, but not sit down, buy or be given anything.",
)  # fmt: skip
UNFREEZE = _action(oversight.unfreeze_user, "Unfreeze", "sunny", lead="May play again.")
BAN = _action(
    oversight.ban_user, "Ban", "block", form=BanForm, is_grave=True,
    lead="All sockets and sessions end at once, and the player can no longer log in.",
)  # fmt: skip
UNBAN = _action(oversight.unban_user, "Unban", "how_to_reg", lead="May log in again.")
WARN = _action(
    oversight.warn_user, "Warn", "campaign", form=ToldForm,
    lead="The warning is on every page until it is read; until then the player cannot post or chat."
    " Muting is the next step.",
)  # fmt: skip
RENAME = _action(
    oversight.rename_user, "Rename", "badge", form=ToldForm, label="New name",
    lead="The name is blocked for good and replaced by a neutral one at once; the player may choose"
    " another.",
)  # fmt: skip


class ManyPlayers(ManyActions):
    """The list of players: acts for those who are chosen, and a download."""

    actions: Any = (
        "freeze_many", "unfreeze_many", "ban_many", "unban_many", "warn_many", "as_csv"
    )  # fmt: skip
    many_actions = {act.button: act for act in (FREEZE, UNFREEZE, BAN, UNBAN, WARN, RENAME)}
    freeze_many, unfreeze_many, ban_many, unban_many, warn_many = (
        for_many(verb, verb, "change") for verb in ("Freeze", "Unfreeze", "Ban", "Unban", "Warn")
    )

    @admin.action(description="Download as CSV", permissions=["view"])
    def as_csv(self, request: HttpRequest, queryset: QuerySet[User]) -> HttpResponseBase:
        titles = [
            "id", "name", "joined", "points", "bot", "program", "staff", "frozen", "banned",
            "banned until", "deleted",
        ]  # fmt: skip
        if request.user.has_perm("account.view_emailaddress"):
            titles.append("e-mail")
        return download(request, queryset, titles, _lines)


def _lines(request: HttpRequest, users: Sequence[User]) -> Iterator[Sequence[Any]]:
    points = balances_of([user.pk for user in users])
    is_told = request.user.has_perm("account.view_emailaddress")
    for user in users:
        is_banned = not user.is_active and user.deleted_at is None
        yield [
            user.pk, user.username, user.date_joined, points.get(user.pk, 0), user.is_bot,
            user.is_program, user.is_staff, user.is_frozen, is_banned, user.banned_until,
            user.deleted_at is not None, *([user.email] if is_told else []),
        ]  # fmt: skip
