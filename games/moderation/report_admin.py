"""Reports in the admin: the queue, one report a page with buttons and keys; a user's past."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import Max, Q, QuerySet, prefetch_related_objects
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from accounts.models import Device, User
from accounts.person_admin import LAST as RECENT
from accounts.person_admin import Section
from economy.admin_links import change_in_words, link, link_to, may, may_view, page_of
from economy.admin_pages import ReadOnlyAdmin
from economy.errors import AdminActionError
from economy.models import LONGEST_REASON, SHORTEST_REASON
from economy.texts import WrittenField
from games.matches.models import Flag, Match, Seat
from games.matches.queries.addresses import match_url
from games.matches.queries.losses import points_between
from games.moderation import cases, muting, peeking, reports
from games.moderation.cases import Case
from games.posts.queries import hidden_in

#: The name of the queue's page.
QUEUE: Final = "games_report_queue"
SETTLE: Final = "games.change_flag"
LOOK: Final = "economy.unmask_match"
BAN: Final = "accounts.change_user"
VIEW: Final = "games.view_flag"

REASONS: Final = (
    "Insults or harassment",
    "Hate or threats",
    "Spam or advertising",
    "Spoils the game on purpose",
    "Offensive name",
    "Private data of others",
)
#: Lines of each list about the author; reports listed before the page's own, and from it on.
LAST: Final = 8
BEFORE: Final = 5
SHOWN: Final = 25


def actor_in(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def _look(case: Case, actor: User, reason: str) -> None:
    """Record a look, unless the match is over by now."""
    cases.require_may_handle(case, actor)
    if case.is_secret and case.post is not None:
        with suppress(ValueError):
            peeking.note_look(actor, case.post.match_id, reason)


@dataclass(frozen=True, slots=True)
class Verb:
    """A button of a report."""

    #: What the next page says.
    done: str
    #: Takes the case, the actor, the reason and the length, if there is one.
    do: Callable[..., None] | None = None
    #: The reason where none is chosen.
    reason: str = ""
    #: What it needs besides ``SETTLE``.
    permission: str = SETTLE
    #: The field of the form with the length.
    length: str = ""


VERBS: Final = {
    "claim": Verb("Claimed", reason="to work on it"),
    "release": Verb("Released", reason="for another moderator"),
    "look": Verb("Over: it is no secret any more", _look, "to read a reported post", LOOK),
    "dismiss": Verb("Dismissed", cases.dismiss, "Nothing against the rules"),
    "hide": Verb("Hidden", cases.hide),
    "show": Verb("Shown again", cases.show_again, "Nothing against the rules"),
    "warn": Verb("Warned", cases.warn),
    "rename": Verb("Renamed", cases.rename, permission=BAN),
    "mute": Verb("Muted", cases.mute, length="hours"),
    "ban": Verb("Banned", cases.ban, permission=BAN, length="days"),
}


class ActionForm(forms.Form):
    """The verb of the pressed button, the reason, and the lengths of a mute and a ban."""

    verb = forms.ChoiceField(choices=[(name, verb.done) for name, verb in VERBS.items()])
    reason = forms.ChoiceField(required=False, choices=[(each, each) for each in REASONS])
    note = WrittenField(required=False, max_length=LONGEST_REASON // 2)
    hours = forms.TypedChoiceField(coerce=int, choices=muting.LENGTHS.items(), required=False)
    days = forms.TypedChoiceField(coerce=int, choices=cases.BANS.items(), required=False)
    hides = forms.BooleanField(required=False)

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        verb = VERBS.get(data.get("verb", ""), Verb(""))
        given = ": ".join(filter(None, (data.get("reason"), data.get("note"))))
        given = given or verb.reason
        if len(given) < SHORTEST_REASON:
            raise ValidationError(f"Choose a reason, or write {SHORTEST_REASON} characters.")
        if verb.length and data.get(verb.length, "") == "":
            raise ValidationError("Choose a length.")
        return {**data, "reason": given}


class ReportPages(ReadOnlyAdmin):
    """The pages of reports."""

    def get_urls(self) -> list[Any]:
        queue = path("queue/", self.admin_site.admin_view(self.queue), name=QUEUE)
        return [queue, *super().get_urls()]

    def queue(self, request: HttpRequest) -> HttpResponse:
        """Redirect to the oldest open report; without one, say so."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        first = _free_for(actor_in(request)).first()
        if first is not None:
            return HttpResponseRedirect(page_of(first))
        return self._page(request, {"taken": cases.open_reports().count()})

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        flag = self.get_object(request, object_id)
        if not isinstance(flag, Flag) or flag.kind not in cases.REPORTS:
            return super().change_view(request, object_id, form_url, extra_context)
        if not self.has_view_permission(request, flag):
            raise PermissionDenied
        case, form, is_seen = cases.case_of(flag), ActionForm(request.POST or None), False
        if request.method == "POST":
            if not request.user.has_perm(SETTLE):
                raise PermissionDenied
            if form.is_valid():
                is_seen = _act(request, case, form)
            if form.is_valid() and not is_seen:
                verb = form.cleaned_data["verb"]
                report = link(page_of(flag), words_of(flag))
                messages.success(request, format_html("{}: {}", VERBS[verb].done, report))
                return HttpResponseRedirect(_after(request, case, verb))
        return self._page(request, _context(request, case, form, is_seen=is_seen))

    def _page(self, request: HttpRequest, context: Mapping[str, Any]) -> HttpResponse:
        request.page_in_menu = QUEUE  # type: ignore[attr-defined]
        common = self.admin_site.each_context(request)
        context = {**common, "title": "Reports", "content_title": "Reports", **context}
        return TemplateResponse(request, "admin/report.html", context)


def _act(request: HttpRequest, case: Case, form: ActionForm) -> bool:
    """Run the verb, or put its refusal into the form; return whether a secret post may be shown in
    this answer: each look is recorded.
    """
    data, actor = form.cleaned_data, actor_in(request)
    verb = data["verb"]
    if not request.user.has_perm(VERBS[verb].permission):
        raise PermissionDenied
    try:
        with transaction.atomic():
            if verb == "release":
                cases.release(case, actor)
            else:
                cases.claim(case, actor)
                _carry_out(case, actor, data)
    except (AdminActionError, peeking.PlaysHere, ValidationError) as refusal:
        message = refusal.messages if isinstance(refusal, ValidationError) else str(refusal)
        form.add_error(None, message)
        return False
    return bool(verb == "look")


def _carry_out(case: Case, actor: User, data: Mapping[str, Any]) -> None:
    verb, reason = VERBS[data["verb"]], data["reason"]
    if verb.do is not None:
        verb.do(case, actor, reason, *([data[verb.length]] if verb.length else ()))
    if verb.length and data["hides"]:
        cases.hide(case, actor, reason)


def _free_for(actor: User) -> QuerySet[Flag]:
    """Return the open reports that no other moderator works on, the oldest first."""
    is_free = cases.is_free(timezone.now()) | Q(claimed_by=actor)
    return cases.open_reports().filter(is_free)


def _after(request: HttpRequest, case: Case, verb: str) -> str:
    """Return the address of the next open report; of the same one after "show" and "claim"."""
    if verb in ("show", "claim"):
        return page_of(case.flag)
    later = _free_for(actor_in(request)).filter(pk__gt=case.flag.pk).first()
    return page_of(later) if later else reverse(f"admin:{QUEUE}")


def _context(
    request: HttpRequest, case: Case, form: ActionForm, *, is_seen: bool
) -> dict[str, Any]:
    """Return what the page of a report shows; ``is_seen``: the look was recorded just now."""
    rights = (("settle", SETTLE), ("look", LOOK), ("ban", BAN))
    may = {name: request.user.has_perm(permission) for name, permission in rights}
    waiting = cases.open_reports()
    before = waiting.filter(pk__lt=case.flag.pk).reverse()
    near = [*reversed(before[:BEFORE]), *waiting.filter(pk__gte=case.flag.pk)[:SHOWN]]
    claims = ("users", "claimed_by", "post_report__match", "post_report__author")
    prefetch_related_objects(near, *claims)
    later = [flag for flag in near if flag.pk > case.flag.pk]
    context = {
        "case": case,
        "form": form,
        "may": may,
        "reasons": REASONS,
        "lengths": muting.LENGTHS.items(),
        "bans": cases.BANS.items(),
        "waiting": [
            (flag, page_of(flag), words_of(flag), flag.claimed_by if _claimed_until(flag) else "")
            for flag in near
        ],
        "count": waiting.count(),
        "previous": page_of(before[0]) if before else "",
        "next": page_of(later[0]) if later else "",
        "is_open": case.flag.closed_at is None,
        "may_rename": may["ban"] and cases.may_rename(case),
        "is_mine": case.flag.claimed_by_id == request.user.pk,
        "until": _claimed_until(case.flag),
    }
    try:
        cases.require_may_handle(case, actor_in(request))
    except cases.NotYours as refusal:
        return {**context, "refusal": refusal.message}
    is_shown = may["settle"] and (is_seen or not case.is_secret)
    return {**context, "is_shown": is_shown, **(_shown(case) if is_shown else {})}


def _claimed_until(flag: Flag) -> datetime | None:
    """Return until when an open report is claimed; None: it is free."""
    if flag.closed_at is not None or flag.claimed_by is None or flag.claimed_at is None:
        return None
    until = flag.claimed_at + cases.CLAIMED_FOR
    return until if until > timezone.now() else None


def _shown(case: Case) -> dict[str, Any]:
    """Return the text around the reported post, and the past of its author."""
    post, found = case.post, cases.reports_about(case.author, case.match)
    about = list(found.exclude(pk=case.flag.pk))
    return {
        "table": match_url(post.match) if post else "",
        "posts": reports.posts_around(post) if post else [],
        "is_hidden": post is not None and post.no in hidden_in(post.match, post.room),
        "author_page": page_of(case.author) if may_view(User) else "",
        "by_page": page_of(case.by) if may_view(User) else "",
        "about": [(flag, page_of(flag), words_of(flag)) for flag in about[:LAST]],
        "about_count": len(about),
        "records": [
            (record, record.action.replace("_", " "), change_in_words(record.before, record.after))
            for record in cases.records_about(case.author, [case.flag, *about])[:LAST]
        ],
    }


def words_of(flag: Flag) -> str:
    """Return a flag in a few words, without anything secret."""
    if flag.kind == Flag.Kind.POST:
        post = flag.post_report
        return f"{'post' if post.match.is_live else post.author} in {post.match.title}"
    if flag.kind == Flag.Kind.REPORT:
        number = int(flag.key.rpartition(":")[2])
        return next((f"name {user}" for user in flag.users.all() if user.pk == number), "name")
    return ", ".join(user.username for user in flag.users.all()) or flag.get_kind_display()


#: The period of the points that moved between two people.
MOVED_IN = timedelta(days=30)


def games_of(user: User) -> Iterable[SafeString]:
    seats = Seat.objects.filter(user=user).select_related("match").order_by("-match")
    for seat in seats[:RECENT]:
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
    about = {*cases.reports_about(user), *Flag.objects.filter(users=user)}
    for flag in sorted(about, key=lambda one: (one.closed_at is not None, -one.pk))[:RECENT]:
        state = "open" if flag.closed_at is None else f"settled: {flag.note}"
        words = link_to(flag, flag.get_kind_display())
        yield format_html("{} · {} · {}", f"{flag.opened_at:%Y-%m-%d %H:%M}", words, state)


def mutes_of(user: User) -> Iterable[SafeString]:
    for mute in muting.open_mutes().filter(user=user).select_related("by").order_by("-pk")[:RECENT]:
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
    for each in told[:RECENT]:
        read = "unread" if each.read_at is None else f"read {each.read_at:%Y-%m-%d %H:%M}"
        at = f"{each.at:%Y-%m-%d %H:%M}"
        yield format_html("{} · {} · by {} · {} · {}", at, each.kind, each.by, each.text, read)


def company_of(user: User) -> Iterable[SafeString]:
    """Yield the accounts that share a device with a user, and those that points moved between."""
    shared = Device.objects.filter(hash__in=user.devices.values("hash")).exclude(user=user)
    seen = dict(shared.values_list("user").annotate(Max("last_seen")))
    moved = points_between(user.pk, timezone.now() - MOVED_IN)
    most = sorted(moved, key=lambda other: -abs(moved[other]))[:RECENT]
    people = User.objects.in_bulk({*most, *sorted(seen, key=lambda pk: seen[pk])[-RECENT:]})
    for pk in sorted(people, key=lambda other: (other not in seen, -abs(moved[other]))):
        device = f" · the same device, last on {seen[pk]:%Y-%m-%d}" if pk in seen else ""
        way = "won from them" if moved[pk] >= 0 else "lost to them"
        yield format_html("{} · {} {}{}", link_to(people[pk]), abs(moved[pk]), way, device)


#: The sections of a user's page.
SECTIONS: Final[Mapping[str, tuple[Section, str]]] = {
    f"Devices, and points of {MOVED_IN.days} days": (company_of, VIEW),
    "Mutes": (mutes_of, VIEW),
    "Warnings and renames": (messages_of, VIEW),
    "Reports and flags": (flags_of, VIEW),
    "Games": (games_of, "games.view_match"),
}
