"""Actions of administrators on a flag, each recorded; on a report they raise NotYours."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar, Final

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.oversight import ban_user, rename_user, warn_user
from economy.errors import AdminActionError
from economy.models import AdminRecord
from economy.records import Change, actor_of, write_record
from economy.transfers import user_owner
from games.matches.models import Flag, Match, Mute, PostReport
from games.moderation import flags, muting, peeking, reports

#: The flags that users open.
REPORTS: Final = (Flag.Kind.POST, Flag.Kind.REPORT)
#: Days of a ban -> how a page calls them; 0: no end.
BANS: Final = {7: "7 days", 30: "30 days", 0: "for good"}
#: How long a report is one moderator's without an action.
CLAIMED_FOR: Final = timedelta(minutes=15)


class NotYours(AdminActionError):
    code: ClassVar[str] = "forbidden"


@dataclass(frozen=True, slots=True)
class Case:
    """A report; ``post`` is None for a reported name."""

    flag: Flag
    post: PostReport | None
    author: User
    by: User
    reason: str
    #: The reported line of chat, if the report is about one.
    said: str = ""

    @property
    def match(self) -> Match | None:
        return None if self.post is None else self.post.match

    @property
    def is_secret(self) -> bool:
        """Whether people and text may still reveal a role."""
        return self.post is not None and self.post.is_secret

    @property
    def target(self) -> str:
        """The subject of a record: the author, or the flag alone while the match is live."""
        # A player of the match who reads the records would learn from a named author that the room
        # is public, so from a missing name that it is not.
        is_live = self.match is not None and self.match.is_live
        return f"flag:{self.flag.pk}" if is_live else user_owner(self.author.pk)


def case_of(flag: Flag) -> Case:
    """Return the report of a flag; raises LookupError if no user opened the flag."""
    if flag.kind == Flag.Kind.POST:
        post = PostReport.objects.select_related("match", "author", "by").get(flag=flag)
        return Case(flag, post, post.author, post.by, post.reason)
    if flag.kind != Flag.Kind.REPORT:
        raise LookupError("this flag is no report")
    detail = json.loads(flag.detail)
    people = User.objects.in_bulk([detail["reported"], detail["by"]])
    author, by = people[detail["reported"]], people[detail["by"]]
    return Case(flag, None, author, by, detail["reason"], detail.get("said", ""))


def require_may_handle(case: Case, actor: User) -> None:
    """Refuse the author, and players of the live match: room, people and reason reveal roles.
    Raises NotYours.
    """
    # First, so that a player of the live match does not learn whose post it is.
    if case.match is not None and case.match.is_live:
        try:
            peeking.require_not_playing(case.match, actor)
        except peeking.PlaysHere as refusal:
            raise NotYours(refusal.message) from refusal
    if case.author == actor:
        raise NotYours("it is about you")


def is_free(at: datetime) -> Q:
    """Return the condition for flags that nobody has claimed, or too long ago."""
    return Q(claimed_by=None) | Q(claimed_at__lte=at - CLAIMED_FOR)


def claim(case: Case, actor: User, at: datetime | None = None) -> None:
    """Claim an open report for a while, again with each action; a settled one needs no claim.
    Raises NotYours, also if another moderator works on it.
    """
    require_may_handle(case, actor)
    flag, at = case.flag, at or timezone.now()
    if flag.closed_at is not None:
        return
    mine = Flag.objects.filter(is_free(at) | Q(claimed_by=actor), pk=flag.pk, closed_at=None)
    if not mine.update(claimed_by=actor, claimed_at=at):
        raise NotYours("another moderator works on it, or has settled it")
    flag.claimed_by, flag.claimed_at = actor, at


def release(case: Case, actor: User) -> None:
    held = Flag.objects.filter(pk=case.flag.pk, claimed_by=actor)
    held.update(claimed_by=None, claimed_at=None)


def dismiss(case: Case, actor: User, reason: str) -> None:
    """Settle a report without further action; raises NotYours if it is settled already."""
    require_may_handle(case, actor)
    if not settle(case.flag, actor, f"dismissed: {reason}"):
        raise NotYours("it is settled already")


def hide(case: Case, actor: User, reason: str) -> None:
    """Hide the reported post from everybody."""
    require_may_handle(case, actor)
    if case.post is None:
        raise NotYours("there is no post to hide")
    if reports.hide(case.post):
        _note_hidden(case, actor, reason, is_hidden=True)
    settle(case.flag, actor, f"hidden: {reason}")


def show_again(case: Case, actor: User, reason: str) -> None:
    require_may_handle(case, actor)
    if case.post is not None and reports.show_again(case.post):
        _note_hidden(case, actor, reason, is_hidden=False)


def mute(case: Case, actor: User, reason: str, hours: int) -> None:
    require_may_handle(case, actor)
    mute_user(case.author, actor, reason, hours, case)
    settle(case.flag, actor, f"muted for {muting.LENGTHS[hours]}: {reason}")


def mute_user(user: User, actor: User, reason: str, hours: int, case: Case | None = None) -> Mute:
    """Mute a user, for a report or without one, and record it."""
    flag = None if case is None else case.flag
    made = muting.mute(user_id=user.pk, by=actor, hours=hours, flag=flag)
    target = user_owner(user.pk) if case is None else case.target
    after = {"length": muting.LENGTHS[hours], "until": f"{made.until:%Y-%m-%d %H:%M}"}
    change = Change({}, after)
    write_record(actor_of(actor), "user_muted", target, reason=reason, change=change)
    return made


def warn(case: Case, actor: User, reason: str) -> None:
    require_may_handle(case, actor)
    warn_user(
        actor_of(actor), case.author.pk, reason, cause=f"flag:{case.flag.pk}", target=case.target
    )
    settle(case.flag, actor, f"warned: {reason}")


def may_rename(case: Case) -> bool:
    """Whether a rename tells nothing of a live match: its record names the author."""
    return case.match is None or not case.match.is_live


def rename(case: Case, actor: User, reason: str) -> None:
    """Take the author's name; raises NotYours for posts of live matches, and for a superuser."""
    require_may_handle(case, actor)
    if not may_rename(case) or (case.author.is_superuser and not actor.is_superuser):
        raise NotYours("you cannot rename from here")
    rename_user(actor_of(actor), case.author.pk, reason, cause=f"flag:{case.flag.pk}")
    settle(case.flag, actor, f"renamed: {reason}")


def ban(case: Case, actor: User, reason: str, days: int) -> None:
    """Ban the author for some days, 0 for good. Raises NotYours while the author is secret and for
    a superuser, ValidationError for a bot or a banned user.
    """
    require_may_handle(case, actor)
    if case.is_secret or (case.author.is_superuser and not actor.is_superuser):
        raise NotYours("you cannot ban from here")
    until = timezone.now().date() + timedelta(days=days) if days else None
    ban_user(actor_of(actor), case.author.pk, reason, until)
    settle(case.flag, actor, f"banned: {reason}")


def settle(flag: Flag, actor: User, note: str) -> bool:
    """Settle a flag, if it is open; return whether it was."""
    if not flags.close_flags(flags=[flag], by=actor, note=note):
        return False
    change = Change({"open": True}, {"open": False})
    write_record(actor_of(actor), "flag_closed", f"flag:{flag.pk}", reason=note, change=change)
    return True


def open_reports() -> QuerySet[Flag]:
    return Flag.objects.filter(kind__in=REPORTS, closed_at=None).order_by("pk")


def reports_about(user: User, match: Match | None = None) -> QuerySet[Flag]:
    """Return the reports about a user, the newest first, without posts of live matches other than
    public ones of ``match``.
    """
    public = Q(post_report__match=match, post_report__is_private=False)
    told = public | ~Q(post_report__match__status__in=Match.LIVE)
    names = Q(kind=Flag.Kind.REPORT, users=user, key__endswith=f":{user.pk}")
    found = Flag.objects.filter(Q(told, post_report__author=user) | names)
    return found.distinct().order_by("-pk")


def records_about(user: User, about: Iterable[Flag]) -> QuerySet[AdminRecord]:
    """Return what administrators did about a user and these reports, the newest first."""
    targets = [user_owner(user.pk), *(f"flag:{flag.pk}" for flag in about)]
    found = AdminRecord.objects.filter(target__in=targets).exclude(action="flag_closed")
    return found.order_by("-pk")


def _note_hidden(case: Case, actor: User, reason: str, *, is_hidden: bool) -> None:
    change = Change({"hidden": not is_hidden}, {"hidden": is_hidden})
    word = "post_hidden" if is_hidden else "post_shown_again"
    write_record(actor_of(actor), word, f"flag:{case.flag.pk}", reason=reason, change=change)
