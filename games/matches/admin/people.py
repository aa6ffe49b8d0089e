"""Sections with a user's games and flags on the user's admin page."""

from collections.abc import Iterable

from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.models import User
from accounts.person_admin import LAST, register_section
from economy.admin_links import link_to
from games.matches.models import Flag, Seat


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
    """Yield the flags about a user, open ones first."""
    flags = Flag.objects.filter(users=user).order_by("closed_at", "-pk")
    for flag in sorted(flags, key=lambda one: one.closed_at is not None)[:LAST]:
        state = "open" if flag.closed_at is None else f"settled: {flag.note}"
        words = link_to(flag, flag.get_kind_display())
        yield format_html("{} · {} · {}", f"{flag.opened_at:%Y-%m-%d %H:%M}", words, state)


register_section("Games", games_of)
register_section("Flags", flags_of)
