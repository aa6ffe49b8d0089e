"""Deletion of a user's own account, and new names in old texts. What names a person goes; what
others rely on stays under ``deleted-<n>``, a drawn number, since a user's id stands in no page,
proof or export.
"""

import json
import secrets
from datetime import datetime
from typing import Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from post_office.models import Email

from accounts.models import (
    ApiToken,
    BlockedName,
    Device,
    PushChoice,
    PushSubscription,
    Relation,
    StaffMessage,
    StaffNote,
    Theme,
    User,
)
from accounts.models import Reminders as Wanted
from accounts.names import name_key
from economy.ledger import post
from economy.parts import given
from economy.selectors import balance_of
from economy.transfers import TREASURY, Move, TransferCode, wallet
from games import registry
from games.contract import TableGame
from games.engine.errors import IllegalAction
from games.engine.structs import canonical
from games.matches.journal.entries import Line, lines_of, newest, read_facts, write_lines
from games.matches.journal.loading import match_cache
from games.matches.journal.reading import Sought, all_entries, find_entries
from games.matches.journal.story import POSTED
from games.matches.models import (
    Entry,
    HiddenPost,
    Match,
    Notebook,
    Notification,
    Online,
    Post,
    ReachedGoal,
    Reminder,
    Replaced,
    SealedRead,
    Seat,
    Thumb,
)
from games.posts.queries import POSTING

#: The text in the place of a line of chat.
BLANK: Final = "(deleted)"
#: The models of which all rows of the user are deleted.
_OWN: Final = (Notification, ReachedGoal, Reminder, Online, SealedRead, StaffMessage, StaffNote)
#: The number of names for deleted accounts.
NUMBERS: Final = 10**9
#: The columns that new lines need.
RETOLD = ("game", "action_count", "summary")


class StillNeeded(IllegalAction):
    """The account cannot be deleted now; the message says why, to its user."""

    code = "account_needed"


def reason_against(user: User) -> str:
    """Return why a user's account cannot be deleted now; "" if it can."""
    if user.is_staff or user.is_bot:
        return "Administrators cannot delete their own account."
    for program in user.programs.filter(deleted_at=None):
        if reason := reason_against(program):
            return f"{program}: {reason}"
    if user.is_frozen:
        return "Your account is frozen. Ask an administrator."
    if Seat.objects.filter(user=user, match__status__in=Match.LIVE).exists():
        return "You sit in a game. Finish or leave it first."
    # A table that the user has left may still write lines that name them.
    live = list(Match.objects.filter(status__in=Match.LIVE).values_list("pk", flat=True))
    if Entry.objects.filter(match__in=live, actor=user).exists():
        return "A table that you left is still open. Try again when it has closed."
    return next(filter(None, (each.reason(user) for each in given("own_data"))), "")


def delete_account(*, user_id: int, at: datetime | None = None) -> None:
    """Blank a user's account and those of its programs for good, give their points to the treasury;
    a second time do nothing. Raises StillNeeded.
    """
    at = at or timezone.now()
    user = User.objects.get(pk=user_id)
    name = user.username
    programs = user.programs.filter(deleted_at=None)
    if programs and (reason := reason_against(user)):
        raise StillNeeded(reason)
    for program in programs:
        delete_account(user_id=program.pk, at=at)
    # Looks through all matches, so it holds no lock yet.
    told = naming(name)
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=user_id)
        if user.deleted_at is not None:
            return
        if programs.all().exists():
            raise StillNeeded("A program has just been made. Try again.")
        _delete(user, at)
        for match in Match.objects.filter(pk__in=told).only(*RETOLD):
            retell(match, name, user.username)


def _delete(user: User, at: datetime) -> None:
    if reason := reason_against(user):
        raise StillNeeded(reason)
    _give_back(user, at)
    _blank_words(user, at)
    for each in given("own_data"):
        each.blank(user)
    _forget_log_ins(user)
    _forget_choices(user)
    _rename(user, at)
    played = set(Seat.objects.filter(user=user).values_list("match", flat=True))
    transaction.on_commit(lambda: match_cache.drop(played))


def _give_back(user: User, at: datetime) -> None:
    if (points := balance_of(user.pk)) > 0:
        key = f"deleted:{user.pk}"
        code = TransferCode.ACCOUNT_CLOSED
        post([Move(key, key, wallet(user.pk), TREASURY(), points, code, key)], at)


def _blank_words(user: User, at: datetime) -> None:
    """Blank the user's chat and notes; hide the posts in journals, since these are replayed."""
    Post.objects.filter(user=user).update(text=BLANK)
    Notebook.objects.filter(user=user).delete()
    seats, left = Seat.objects.filter(user=user), Replaced.objects.filter(user=user)
    played = {*seats.values_list("match", flat=True), *left.values_list("match", flat=True)}
    posts = Sought(begins=(POSTING,), actor_id=user.pk)
    hidden = [
        HiddenPost(match_id=entry.match_id, room=fact.data["room"], no=fact.data["no"], at=at)
        for entry in find_entries(played, posts)
        for fact in read_facts(entry.facts)
        if fact.kind == POSTED
    ]
    HiddenPost.objects.bulk_create(hidden, ignore_conflicts=True, batch_size=500)


def _forget_log_ins(user: User) -> None:
    sessions = UserSession.objects.filter(user=user)
    Session.objects.filter(
        session_key__in=list(sessions.values_list("session_key", flat=True))
    ).delete()
    sessions.delete()
    for model in (Authenticator, ApiToken, Device, PushChoice, PushSubscription):
        model.objects.filter(user=user).delete()
    addresses = EmailAddress.objects.filter(user=user)
    for address in {user.email, *addresses.values_list("email", flat=True)} - {""}:
        Email.objects.filter(to=address).delete()
    addresses.delete()


def _forget_choices(user: User) -> None:
    Relation.objects.filter(user=user).delete()
    Relation.objects.filter(other=user).delete()
    Thumb.objects.filter(Q(giver=user) | Q(receiver=user)).delete()
    BlockedName.objects.filter(user=user).update(user=None)
    for model in _OWN:
        model.objects.filter(user=user).delete()


def _rename(user: User, at: datetime) -> None:
    """Blank the row itself; saving it as inactive closes all its sockets."""
    user.username = _free_name()
    user.name_key = name_key(user.username)
    user.first_name = user.last_name = user.email = user.avatar = ""
    user.set_unusable_password()
    user.theme, user.reminders = Theme.SYSTEM, Wanted.NEVER
    user.away_until = user.daily_on = user.invite_token = user.last_login = None
    user.warned_at = None
    user.daily_streak = 0
    user.shows_presence = user.is_active = user.rates_programs = False
    user.deleted_at = at
    user.save()


def _free_name() -> str:
    """Draw a name that tells nothing of the account."""
    while True:
        name = f"deleted-{secrets.randbelow(NUMBERS)}"
        if not User.objects.filter(name_key=name_key(name)).exists():
            return name


def naming(name: str) -> list[int]:
    """Return the finished matches that may have a name in their texts, of all matches."""
    told = Q(recent__contains=name) | Q(summary__contains=f'"{name}"')
    over = Match.objects.exclude(status__in=Match.LIVE).filter(told)
    return list(over.values_list("pk", flat=True))


def retell(match: Match, old: str, new: str) -> None:
    """Write the last lines and the summary of a finished match with the new name: journals hold
    none.
    """
    lines = list[Line]()
    if isinstance(game := registry.find(match.game), TableGame):
        names = dict(match.seats.values_list("no", "user__username"))
        for entry in all_entries(match.pk, match.action_count):
            facts = read_facts(entry.facts)
            earlier = entry.last_public - sum(fact.audience is None for fact in facts)
            lines += lines_of(facts, earlier, entry.phase, names, game.speech.sentences)
    summary = json.loads(match.summary)
    for player in summary.get("players", ()):
        if player["name"] == old:
            player["name"] = new
    recent = write_lines(newest(lines))
    Match.objects.filter(pk=match.pk).update(recent=recent, summary=canonical(summary))


def tell_new_name(user_id: int, old: str, new: str, **_: object) -> None:
    """Receive user_renamed: tell the new name in finished matches, and in live ones from now on.
    Other web processes tell the former name of a running match until it is over.
    """
    for match in Match.objects.filter(pk__in=naming(old)).only(*RETOLD):
        with transaction.atomic():
            retell(match, old, new)
    seats, left = Seat.objects.filter(user=user_id), Replaced.objects.filter(user=user_id)
    played = {*seats.values_list("match", flat=True), *left.values_list("match", flat=True)}
    running = Match.objects.filter(pk__in=played, status__in=Match.LIVE)
    live = set(running.values_list("pk", flat=True))
    match_cache.drop(live)
    if not live:
        BlockedName.objects.filter(name=old, retold_at=None).update(retold_at=timezone.now())


def finish_renames() -> None:
    """Tell new names in matches that ran at the rename; then forget who had the blocked name."""
    for blocked in BlockedName.objects.filter(user__isnull=False).select_related("user"):
        if (user := blocked.user) is None:
            continue
        if blocked.retold_at is None:
            tell_new_name(user.pk, blocked.name, user.username)
        elif not user.staff_messages.filter(kind=StaffMessage.Kind.RENAMED, read_at=None).exists():
            blocked.user = None
            blocked.save(update_fields=["user"])
