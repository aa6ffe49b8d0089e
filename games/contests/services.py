"""The actions in a contest, each in one transaction after all due changes."""

import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import OperationalError, transaction
from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils import timezone
from post_office.models import PRIORITY, STATUS, Email

from accounts import mails
from accounts.mails import public_address
from accounts.models import User
from economy.selectors import setting
from games.contests import models, rows, terms
from games.contests.locked_contest import LockedContest, gone, require_not_away, tell_later
from games.contests.rules import games, parties
from games.contests.rules.state import Proposal, Settings, require_party
from games.engine.errors import refuse
from games.engine.facts import as_datetime, instant
from games.matches.models import Match
from games.matches.processing import repair, writing
from games.matches.processing.opening import awaits_log
from games.moderation.fair_play import require_not_frozen
from games.posts.chat import require_voice
from games.proofs.commitments import drop, pledge
from games.realtime.executors import Sweeper

log = logging.getLogger(__name__)

#: A salt in hex.
SALT = re.compile("[0-9a-f]{64}")
#: The most contests that one sweep updates.
MOST_CONTESTS = 50
#: The most lines of one user in a history within a minute.
MOST_LINES = 20
SUBJECT = "A change of your contest is proposed"


class Charter(NamedTuple):
    """The choices for a new contest: name, game's slug, settings that differ; ``is_master``: the
    founder is its contestmaster, else the site.
    """

    name: str
    game: str
    settings: Settings
    is_master: bool = False


def found(*, user: User, charter: Charter, now: datetime | None = None) -> models.Contest:
    """Found a contest; raises ``not_found``, OutOfLimits, contest/too_many."""
    require_not_frozen(user)
    played = terms.find(charter.game)
    if played is None:
        refuse("not_found", "no such game is played in contests here")
    now = now or timezone.now()
    at, wanted = instant(now), {**terms.usual(played), **charter.settings}
    allowed = terms.allowed(played)
    step = parties.found(allowed, user.pk, wanted, at, is_master=charter.is_master)
    with transaction.atomic():
        # Lock the founder's row, so that concurrent foundings count each other.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        most = setting("contests.open")
        if models.Contest.objects.filter(founder=user, closed_at=None).count() >= most:
            refuse("contest/too_many", f"{most} contests of yours are open", most=most)
        row = models.Contest(name=charter.name, game=played.slug, founded_at=now)
        row.pledge = pledge(played.slug, now)
        rows.save(row, None, step, at)
    return row


def join(*, contest_id: int, user: User, now: datetime | None = None) -> None:
    """Become a party; raises contest/already_party, ``rate_limited``."""
    with _held(contest_id, now, user, is_hasty=True) as locked:
        locked.apply(lambda contest: parties.join(contest, user.pk))


def leave(*, contest_id: int, user: User, now: datetime | None = None) -> None:
    """Be a party no longer, nor contestmaster; raises contest/not_party, contest/still_citizen."""
    with _held(contest_id, now) as locked:
        living = locked.living
        locked.apply(lambda contest: parties.leave(contest, user.pk, living))
        locked.start_by_site()


def make_ready(*, contest_id: int, user: User, salt: str = "", now: datetime | None = None) -> None:
    """Make the user ready; the next game may begin at once. ``salt``: the user's part of its
    chance, 32 bytes in hex; none if malformed, or before its seed is in the public log. Raises
    contest/away, contest/not_party, ``rate_limited``.
    """
    with _held(contest_id, now, user, is_hasty=True) as locked:
        require_not_away(user.pk, locked.now)
        locked.apply(lambda contest: parties.make_ready(contest, user.pk))
        if awaits_log(locked.row.pledge.seed_commitment, locked.now) or not SALT.fullmatch(salt):
            salt = ""
        locked.row.parties.filter(user=user, ready_no__gt=0).update(salt=salt)
        locked.start_by_site()


def make_unready(*, contest_id: int, user: User, now: datetime | None = None) -> None:
    """Make the user unready; raises contest/not_party."""
    with _held(contest_id, now) as locked:
        locked.apply(lambda contest: parties.make_unready(contest, user.pk))


def start(*, contest_id: int, user: User, now: datetime | None = None) -> Match:
    """Start a game with the ready users. Raises contest/game_running, contest/not_contestmaster,
    contest/not_party, TooFewReady, NotBegun.
    """
    with _held(contest_id, now, user) as locked:
        games.require_may_start(locked.state, locked.allowed, user.pk, locked.at)
        return locked.begin(user.pk)


def propose(
    *,
    contest_id: int,
    user: User,
    changes: Mapping[str, int | bool],
    reason: str = "",
    now: datetime | None = None,
) -> None:
    """Propose other settings, and queue mail to those who may object; ``reason``: cleaned words for
    the page. Raises ``muted``, contest/not_party, contest/proposal_open, OutOfLimits,
    contest/no_change, contest/proposed_lately.
    """
    require_not_frozen(user)
    if reason:
        require_voice(user.pk, now)
    with _held(contest_id, now) as locked:
        locked.apply(
            lambda contest: parties.propose(
                contest, locked.allowed, user.pk, dict(changes), locked.at
            )
        )
        assert locked.state.proposal is not None
        locked.row.amendments.filter(no=locked.state.proposal.no).update(reason=reason)
        _write_of_proposal(locked, locked.state.proposal)


def object_to(*, contest_id: int, user: User, no: int, now: datetime | None = None) -> None:
    """Object to a proposal; raises contest/no_proposal, contest/may_not_object."""
    with _held(contest_id, now, user) as locked:
        locked.apply(lambda contest: parties.object_to(contest, user.pk, no, locked.at))


def withdraw(*, contest_id: int, user: User, no: int, now: datetime | None = None) -> None:
    """Withdraw one's proposal; raises contest/no_proposal, contest/not_proposer."""
    with _held(contest_id, now, user) as locked:
        locked.apply(lambda contest: parties.withdraw(contest, user.pk, no, locked.at))


def let_pass(*, contest_id: int, user: User, no: int, now: datetime | None = None) -> None:
    """Stop reminding the user of a proposal; the right to object stays. Raises contest/no_proposal,
    contest/may_not_object, contest/not_party.
    """
    with _held(contest_id, now, user) as locked:
        require_party(locked.state, user.pk)
        parties.require_may_object(locked.state, user.pk, no, locked.at)
        locked.row.parties.filter(user=user).update(passed_no=no)


def close(*, contest_id: int, user: User, now: datetime | None = None) -> None:
    """Close the contest and call off a game in which nobody has died. Raises
    contest/not_contestmaster, contest/first_death.
    """
    require_not_frozen(user)
    # Fire a passed deadline of the running game first: it may bring the first death.
    played = models.ContestGame.objects.filter(contest=contest_id, ended_at=None)
    repair.fire_due(list(played.values_list("match_id", flat=True)), now)
    with _held(contest_id, now) as locked:
        running = locked.running
        if running is not None:
            # Lock the match, so that no player dies between the check and the end.
            Match.objects.select_for_update(no_key=True).get(pk=running.match_id)
        living = locked.living
        locked.apply(lambda contest: games.close(contest, user.pk, living, locked.at))
        drop(locked.row.pledge, locked.now)
        if running is not None:
            reason = "the contest was closed before anybody had died"
            void = writing.house(running.match_id, "void", "contest-closed", reason=reason)
            writing.submit(void, locked.now)
            rows.end_game(locked.row, games.VOID, locked.at)
            tell_later(running.match)


def catch_up(*, contest_id: int, now: datetime | None = None) -> None:
    """Apply the due changes of a contest, each once; safe to repeat."""
    with _held(contest_id, now):
        pass


def due(now: datetime, contest: int | None = None) -> list[int]:
    """Return the contests, or this one, in which something has come due."""
    contests = models.Contest.objects.filter(closed_at=None)
    if contest is not None:
        contests = contests.filter(pk=contest)
    if not contests.exists():
        return []
    here = contests.filter(game__in=[game.slug for game in terms.games()])
    mine = OuterRef("pk")
    ended = models.ContestGame.objects.filter(contest=mine, ended_at=None)
    passed = models.Proposal.objects.filter(contest=mine, decided_at=None, effect_at__lte=now)
    found = here.filter(
        Exists(ended.exclude(match__status__in=Match.LIVE))
        | Exists(passed)
        | Exists(gone(now).filter(pk=OuterRef("master")))
    )
    return list(found.order_by("pk").values_list("pk", flat=True)[:MOST_CONTESTS])


def sweep(now: datetime | None = None) -> int:
    """Apply the due changes of all contests; return the number of contests with any."""
    now = now or timezone.now()
    waiting = due(now)
    for contest_id in waiting:
        try:
            catch_up(contest_id=contest_id, now=now)
        except OperationalError:
            raise
        except Exception:
            # One broken contest must not delay the others.
            log.exception("contest %d could not be swept", contest_id)
    return len(waiting)


class ContestSweeper(Sweeper):
    pause, spread, sweep = 5.0, 1.0, staticmethod(sweep)


@contextmanager
def _held(
    contest_id: int, now: datetime | None, user: User | None = None, *, is_hasty: bool = False
) -> Iterator[LockedContest]:
    """Lock a contest for one action, in one transaction. Raises ``forbidden`` for a frozen
    ``user``, ``rate_limited`` if ``is_hasty``, which limits the rate.
    """
    if user is not None:
        require_not_frozen(user)
    with transaction.atomic():
        locked = LockedContest(contest_id, now)
        if user is not None and is_hasty:
            last = locked.row.history.order_by("-no").values_list("user_id", "at")
            since = locked.now - timedelta(minutes=1)
            theirs = [at for who, at in last[: 3 * MOST_LINES] if who == user.pk]
            if sum(at > since for at in theirs) >= MOST_LINES:
                refuse("rate_limited", "that was often: wait a minute")
        yield locked


def _write_of_proposal(locked: LockedContest, proposal: Proposal) -> None:
    """Queue a mail for each user who may object, wants mail and confirmed an address."""
    context = {
        "contest": locked.row.name,
        "lines": terms.changes(locked.game, proposal.changes, locked.state.settings),
        "needed": proposal.needed,
        "effect_at": as_datetime(proposal.effect_at),
        "contest_address": public_address(reverse("contest", args=[locked.row.public_id])),
        "settings_address": public_address(reverse("reminders")),
    }
    letters = [
        mails.letter(person, SUBJECT, "games/contests/proposal_message.txt", context)
        for person in mails.reachable(sorted(proposal.voters))
    ]
    for mail in letters:
        mail.priority, mail.status = PRIORITY.medium, STATUS.queued
    Email.objects.bulk_create(letters)
