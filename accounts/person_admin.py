"""The sections on a user's page in the admin. Games register theirs here; ``accounts`` imports no
game.
"""

from collections.abc import Callable, Iterable

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from accounts.models import User
from economy.admin_links import link as admin_link
from economy.admin_links import link_to, may
from economy.causes import Cause, hidden_causes, links_of
from economy.models import AdminRecord
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
    """Return the sections that the reader may see: notes, actions, the registered ones, …"""
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
    """Yield the last notes of the staff on a user."""
    for note in user.staff_notes.select_related("by").order_by("-pk")[:LAST]:
        yield format_html("{} · {} · {}", f"{note.at:%Y-%m-%d %H:%M}", note.by, note.text)


def _actions(user: User) -> Iterable[SafeString]:
    """Yield the last records of what administrators did about a user."""
    for record in AdminRecord.objects.filter(target=user_owner(user.pk)).order_by("-pk")[:LAST]:
        words = link_to(record, record.action.replace("_", " "))
        at, actor, reason = f"{record.at:%Y-%m-%d %H:%M}", record.actor_name, record.reason
        yield format_html("{} · {} · {} · {}", at, actor, words, reason)


def _sessions(user: User) -> Iterable[SafeString]:
    """Yield a link to the sessions of a user; that page has a permission of its own."""
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
