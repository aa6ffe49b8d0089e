"""A user in the admin: acts on one or on many, the list's download, the sections of the page."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any, Final

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import path, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminDateWidget

from accounts import oversight
from accounts.models import User
from economy.admin_links import link as admin_link
from economy.admin_links import link_to, may
from economy.admin_pages import (
    AdminAction,
    Done,
    ReasonForm,
    ask,
    chosen_rows,
    download,
    each_of,
    lead_to,
)
from economy.causes import Cause, hidden_causes, links_of
from economy.errors import AdminActionError
from economy.models import AdminRecord
from economy.records import actor_of
from economy.selectors import balances_of
from economy.statement import Filters, statement_page
from economy.transfers import TransferCode, user_owner

#: Takes a user, returns the lines of a section.
Section = Callable[[User], Iterable[SafeString]]

#: Number of lines in each section.
LAST = 10

#: Title -> the section and the permission to read it.
_sections: dict[str, tuple[Section, str]] = {}


def register_section(title: str, section: Section, permission: str) -> None:
    """Add a section to the page of every user, for those who have a permission."""
    _sections[title] = (section, permission)


def everything_of(user: User) -> SafeString:
    """Return the sections that the reader may see."""
    sections: dict[str, tuple[Section, str]] = {
        "Notes of the staff": (_notes, "accounts.view_staffnote"),
        "Actions": (_actions, "accounts.view_user"),
        **_sections,
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


#: Action -> its description on the page that asks.
LEADS = {
    "Freeze": "May still log in and look, but not sit down, buy or be given anything.",
    "Unfreeze": "May play again.",
    "Ban": "All sockets and sessions end at once, and the player can no longer log in.",
    "Unban": "May log in again.",
    "Warn": (
        "The warning is on every page until it is read; until then the player cannot post or chat."
        " Muting is the next step."
    ),
    "Rename": (
        "The name is blocked for good and replaced by a neutral one at once; the player may choose"
        " another."
    ),
}


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


#: Verb -> the service, and the form that asks.
ACTS: Final[Mapping[str, tuple[Callable[..., Any], Callable[..., forms.Form]]]] = {
    "Freeze": (oversight.freeze_user, ToldForm),
    "Unfreeze": (oversight.unfreeze_user, ReasonForm),
    "Ban": (oversight.ban_user, BanForm),
    "Unban": (oversight.unban_user, ReasonForm),
    "Warn": (oversight.warn_user, ToldForm),
    "Rename": (oversight.rename_user, ToldForm),
}


def is_above(user: User, request: HttpRequest) -> bool:
    """Whether an administrator may do nothing to a user, who is a superuser."""
    return user.is_superuser and not request.user.is_superuser


def do_to(user: User, request: HttpRequest, verb: str, data: Mapping[str, Any]) -> None:
    """Do an act to a user, with the data of its form; raises as its service does."""
    more = {name: data[name] for name in data if name != "reason"}
    if verb == "Freeze":
        more["at"] = timezone.now()
    ACTS[verb][0](actor_of(request.user), user.pk, data["reason"].strip(), **more)


def action_of(verb: str, title: str, do: Callable[[Mapping[str, Any]], Done]) -> AdminAction:
    """Return the action of an act."""
    return AdminAction(
        title=title,
        lead=LEADS[verb],
        button=verb,
        permission="accounts.change_user",
        do=do,
        form=ACTS[verb][1],
        is_grave=verb == "Ban",
    )


def _act_on_many(verb: str) -> Any:
    @admin.action(description=verb, permissions=["change"])
    def lead(_: Any, request: HttpRequest, queryset: QuerySet[User]) -> HttpResponse:
        return lead_to(reverse("admin:accounts_user_many", args=[verb]), queryset)

    return lead


class ManyPlayers:
    """Mixin of the list of players: acts for those who are chosen, and a download."""

    actions: Any = (
        "freeze_many", "unfreeze_many", "ban_many", "unban_many", "warn_many", "as_csv"
    )  # fmt: skip

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.many)  # type: ignore[attr-defined]
        many = path("many/<str:verb>/", view, name="accounts_user_many")
        return [many, *super().get_urls()]  # type: ignore[misc]

    freeze_many, unfreeze_many, ban_many, unban_many, warn_many = map(
        _act_on_many, ("Freeze", "Unfreeze", "Ban", "Unban", "Warn")
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

    def many(self, request: HttpRequest, verb: str) -> HttpResponse:
        """Ask for the reason of an act, and do it to each of the chosen players."""
        if verb not in ACTS:
            raise Http404
        users = chosen_rows(request, User.objects.all())

        def carry_out(data: Mapping[str, Any]) -> Done:
            return each_of(users, partial(_do_below, request, verb, data), verb)

        names = ", ".join(user.username for user in users) or "nobody"
        action = action_of(verb, f"{verb}: {names}", carry_out)
        pages: Any = self
        return ask(pages, request, action, reverse("admin:accounts_user_changelist"))


def _do_below(request: HttpRequest, verb: str, data: Mapping[str, Any], user: User) -> None:
    if is_above(user, request):
        raise AdminActionError("a superuser")
    do_to(user, request, verb, data)


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
