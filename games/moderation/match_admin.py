"""Matches in the admin: their status, without any secret of a live match."""

import json
import secrets
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html

from economy.admin_links import link, link_to, links_to
from economy.admin_pages import AdminAction, Done, ReadOnlyAdmin, ask, button
from economy.records import Change, actor_of, write_record
from games.engine.facts import as_datetime
from games.matches.journal.loading import standing
from games.matches.models import Match
from games.matches.models.matches import cause_of
from games.matches.processing import writing
from games.matches.queries.addresses import match_url
from games.matches.queries.selectors import read_summary
from games.moderation import peeking


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    """Game, players, pot, round and times; a live match's state and seed are not shown."""

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
    actions_detail = ("void", "unmask")

    @admin.display(description="players")
    def players(self, match: Match) -> str:
        seats = sorted(match.seats.all(), key=lambda seat: seat.no)
        return links_to(seat.user for seat in seats) or "nobody"

    @admin.display(description="players")
    def seated(self, match: Match) -> str:
        """The number of players; it opens their names."""
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
        """The SHA-256 of the seed, in groups of eight that a narrow page can break."""
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

    def has_void_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("economy.void_match")

    def has_unmask_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("economy.unmask_match")

    @button("Void", "void", "undo")
    def void(self, request: HttpRequest, object_id: str) -> HttpResponse:
        match = self._match(request, object_id)
        action = AdminAction(
            title=f"Void {match.title}",
            lead="Every point and weapon goes back to who put it in. The reason is public.",
            button="Void",
            permission="economy.void_match",
            do=partial(_void, request, match),
            is_grave=True,
        )
        return ask(self, request, action, _page(match))

    @button("Show what is hidden", "unmask", "visibility")
    def unmask(self, request: HttpRequest, object_id: str) -> HttpResponse:
        match = self._match(request, object_id)
        action = AdminAction(
            title=f"Look at what {match.title} hides",
            lead=(
                "You cannot play in this match afterwards. That you looked, when, and your reason"
                " is recorded, and stands in the match's public log once it is over."
            ),
            button="Look",
            permission="economy.unmask_match",
            do=partial(_look, request, match),
            is_grave=True,
        )
        return ask(self, request, action, _page(match))

    def _match(self, request: HttpRequest, object_id: str) -> Match:
        match = self.get_object(request, object_id)
        if not isinstance(match, Match) or not self.has_view_permission(request, match):
            raise PermissionDenied
        return match


def _page(match: Match) -> str:
    return reverse("admin:games_match_change", args=[match.pk])


def _void(request: HttpRequest, match: Match, data: Mapping[str, Any]) -> Done:
    reason = data["reason"].strip()
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
        shown = peeking.look_at(request.user, match.pk, data["reason"].strip())  # type: ignore[arg-type]
    except (peeking.PlaysHere, ValueError) as refusal:
        raise ValidationError(f"Refused: {refusal}.") from refusal
    return Done("Recorded. This is shown once:", shown)
